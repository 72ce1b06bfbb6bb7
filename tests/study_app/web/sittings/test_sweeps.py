"""Videos of a table, sent by the recording page, and their frames."""

import cv2
import numpy as np
import pytest

from study_app.core.database import writing
from study_app.studies import studies
from tests.table_fixtures import make_set, make_sitting


@pytest.fixture
def table(app, study_id):
    """The address of a sitting that is being recorded."""
    with app.app_context(), writing() as session:
        study = studies.get(session, study_id)
        make_sitting(session, study, make_set(session, study))
    return f"/studies/{study_id}/sittings/T001"


def _video(path):
    """Of nothing that is a card."""
    written = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10, (320, 240))
    noise = np.random.default_rng(1)
    for _ in range(8):
        written.write(noise.integers(0, 256, (240, 320, 3)).astype(np.uint8))
    written.release()
    return path


def test_frames_discarded_while_they_are_read_stay_discarded(client, table, tmp_path):
    with _video(tmp_path / "film.mp4").open("rb") as video:
        frames = client.post(f"{table}/sweeps", {"video": (video, "film.mp4")}).json["waiting"]
    assert frames
    client.post(f"{table}/aside", json={"id": "a", "photos": frames})
    for frame in frames:
        read = client.post(f"{table}/photos/{frame}/read").json
        assert read["read"] and not read["cards"]
        # a second device that asks for it gets the same
        again = client.post(f"{table}/photos/{frame}/read").json
        assert again["reading"] == read["reading"]
    photos = client.get(f"{table}/table?since=0").json["photos"]
    assert [photo["id"] for photo in photos if photo["discarded"]] == frames
