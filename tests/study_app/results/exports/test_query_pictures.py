"""The pictures of the queries in an export: each image at the place that its mean gives it."""

import numpy as np
import pytest
from PIL import Image

from study_app.core.database import db
from study_app.core.storage.pictures import thumbnail_name
from study_app.models import Stimulus, StimulusSet
from tests.export_fixtures import read_rows

# Positions of cards on the sheet, in pixels at 300 dpi.
FIRST, STEP, TOP, SIDE = 1.54 * 300, 0.7 * 300, 0.42 * 300, 0.62 * 300


@pytest.fixture
def drawn(exported):
    """Thumbnails of the task's stimuli by name, 16 pixels wide."""
    ranked = Stimulus.set.has(StimulusSet.name.in_(["sketches", "pool"]))
    with exported.app.app_context():
        hashes = db.session.query(Stimulus.name, Stimulus.sha256).filter(ranked).all()
    settings = exported.app.config["SETTINGS"]
    looks = {}
    for name, sha256 in hashes:
        with Image.open(settings.instance / thumbnail_name(sha256)) as opened:
            looks[name] = _small(opened)
    return looks


def _small(picture):
    return np.asarray(picture.convert("RGB").resize((16, 16)), dtype=float)


def _card(sheet, left, top, side):
    inner = (left + 9, top + 9, left + side - 9, top + side - 9)
    return _small(sheet.crop(tuple(map(round, inner))))


def _most_alike(card, drawn, names):
    return min(names, key=lambda name: np.abs(drawn[name] - card).mean())


def test_images_are_in_the_order_of_their_ranks(exported, drawn):
    (task,) = (exported.folder / "data" / "derived").glob("task-*")
    truth = read_rows(task / "ground_truth.csv")
    queries = sorted({row["query_id"] for row in truth})
    written = sorted(path.name for path in task.joinpath("queries").iterdir())
    assert written == [f"{query}.{form}" for query in queries for form in ("pdf", "png", "svg")]
    for query in queries:
        mine = [row for row in truth if row["query_id"] == query]
        rank = {row["stimulus_id"]: row["rank"] for row in mine}
        with Image.open(task / "queries" / f"{query}.png") as sheet:
            sketch = _card(sheet, 0.08 * 300, TOP, 1.3 * 300)
            assert _most_alike(sketch, drawn, queries) == query
            for place, row in enumerate(sorted(mine, key=lambda row: float(row["rank"]))):
                card = _card(sheet, FIRST + place * STEP, TOP, SIDE)
                assert rank[_most_alike(card, drawn, rank)] == row["rank"]
