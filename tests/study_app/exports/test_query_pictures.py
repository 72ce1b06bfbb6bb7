"""The pictures of the queries in an export: each image at the place that its mean gives it."""

import numpy as np
import pytest
from PIL import Image

from study_app.db import db
from study_app.exports.query_pictures import CELL, GAP, LINE, SKETCH
from study_app.models import Stimulus, StimulusSet
from study_app.pictures import thumbnail_path
from tests.study_app.exports.conftest import read_rows


@pytest.fixture
def drawn(exported):
    """What each stimulus of the task looks like, by name."""
    ranked = Stimulus.set.has(StimulusSet.name.in_(["sketches", "pool"]))
    with exported.app.app_context():
        hashes = db.session.query(Stimulus.name, Stimulus.sha256).filter(ranked).all()
    settings = exported.app.config["SETTINGS"]
    looks = {}
    for name, sha256 in hashes:
        with Image.open(thumbnail_path(settings, sha256)) as opened:
            looks[name] = np.asarray(opened.convert("RGB"), dtype=float)
    return looks


def _inside(sheet, left, top, side, shape):
    """The pixels in the middle of a square, where a small picture lies."""
    height, width = shape[:2]
    left, top = left + (side - width) // 2, top + (side - height) // 2
    return np.asarray(sheet.crop((left, top, left + width, top + height)), dtype=float)


def test_images_stand_in_the_order_of_their_rank(exported, drawn):
    (task,) = (exported.folder / "data" / "derived").glob("task-*")
    truth = read_rows(task / "ground_truth.csv")
    queries = sorted({row["query_id"] for row in truth})
    assert sorted(path.stem for path in task.joinpath("queries").iterdir()) == queries
    for query in queries:
        mine = [row for row in truth if row["query_id"] == query]
        with Image.open(task / "queries" / f"{query}.png") as sheet:
            sketch = _inside(sheet, GAP, 2 * GAP + LINE, SKETCH, drawn[query].shape)
            assert np.abs(sketch - drawn[query]).max() == 0
            for place, row in enumerate(sorted(mine, key=lambda row: float(row["rank"]))):
                left = 3 * GAP + SKETCH + place * (CELL + GAP)
                shown = {
                    other["rank"]
                    for other in mine
                    if (
                        _inside(sheet, left, 2 * GAP + LINE, CELL, (48, 48))
                        == drawn[other["stimulus_id"]]
                    ).all()
                }
                assert shown == {row["rank"]}
