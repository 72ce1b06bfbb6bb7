"""Frames of the live camera, sent by the recording page."""

import io

import numpy as np
import pytest
from PIL import Image

from tests.printed_table import plan_sitting, print_set


@pytest.mark.slow
def test_a_frame_shows_where_cards_are_that_belong_to_the_table_or_not(
    app, client, study_id, tmp_path
):
    (tmp_path / "moons").mkdir()
    shapes = print_set(app, study_id, tmp_path, 2, "shapes")
    moons = print_set(app, study_id, tmp_path / "moons", 2, "moons")
    plan_sitting(app, study_id, shapes.set_id)
    address = f"/studies/{study_id}/sittings/T001"
    client.post(f"{address}/steps/stop")
    faces = [made.cards[made.names[0]].face for made in (shapes, moons)]
    frame = io.BytesIO()
    Image.fromarray(np.pad(np.hstack(faces), 80, constant_values=90)).save(frame, "JPEG")
    frame.seek(0)
    seen = client.post(f"{address}/frames", {"frame": (frame, "frame.jpg")}).json["seen"]
    assert [verdict["code"] for verdict in seen] == [shapes.codes[0], moons.codes[0]]
    assert "refused" not in seen[0] and "is of the set 'moons'" in seen[1]["refused"]
    for verdict, left, right in zip(seen, (0, 0.5), (0.5, 1), strict=True):
        across = [x for x, _ in verdict["outline"]]
        assert left - 0.01 < min(across) < max(across) < right + 0.01
