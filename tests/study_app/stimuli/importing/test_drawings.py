"""Strokes of Quick, Draw! files: their box, and the picture that is made of them."""

import json

import numpy as np
import pytest

from study_app.stimuli.importing import drawings
from study_app.stimuli.importing.refusals import FileRefused


def kept(strokes, box):
    """Strokes as they are stored."""
    return json.loads(drawings.in_square(drawings.strokes_of({"drawing": strokes}), box))


@pytest.mark.parametrize(
    ("extents", "box"),
    [
        ([(0, 255)], 256),
        ([(0, 100), (3, 256)], 256),
        ([(0, 100), (30, 479)], 512),
        ([(0, 900)], None),
        ([(-4, 100)], None),
        ([], 256),
    ],
)
def test_a_file_has_one_box(extents, box):
    assert drawings.box_of(extents) == box


def test_drawings_in_a_512_box_keep_their_position():
    assert kept([[[32, 100], [40, 50]]], 512) == {"box": 512, "drawing": [[[32, 100], [40, 50]]]}


@pytest.mark.parametrize("box", [256, None])
def test_other_drawings_are_centred(box):
    drawing = kept([[[0, 255], [0, 100]]], box)
    (xs, ys), side = drawing["drawing"][0], drawing["box"]
    assert sum(xs) == pytest.approx(side, abs=0.02)
    assert sum(ys) == pytest.approx(side, abs=0.02)
    assert side == pytest.approx(255 / 0.88, abs=0.01)


def test_small_drawings_in_a_256_box_stay_small():
    assert kept([[[0, 50], [0, 50]]], 256)["box"] == pytest.approx(255 / 0.88, abs=0.01)


def test_times_of_raw_strokes_are_dropped():
    assert kept([[[0, 1], [0, 1], [0, 16]]], 512)["drawing"] == [[[0, 1], [0, 1]]]


def test_a_single_point_is_a_dot():
    picture = np.asarray(drawings.drawn_strokes(drawings.in_square([([256], [256])], 512)))
    assert picture[400, 400] < 40
    assert 50 < (picture < 128).sum() < 200


def test_lines_have_the_drawn_position_and_pen_width():
    picture = np.asarray(drawings.drawn_strokes(drawings.in_square([([0, 512], [128, 128])], 512)))
    dark = np.flatnonzero((picture < 128).mean(axis=1) > 0.9)
    assert dark.mean() == pytest.approx(202, abs=2)
    assert 8 <= len(dark) <= 11


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ([], 'has no "drawing"'),
        ({"drawing": "x"}, 'has no "drawing"'),
        ({"drawing": []}, "is an empty drawing"),
        ({"drawing": [[[], []]]}, "is an empty drawing"),
        ({"drawing": [[[1, 2], [1]]]}, "as many x as y"),
        ({"drawing": [[[1]]]}, "as many x as y"),
        ({"drawing": [[["1"], [2]]]}, "as many x as y"),
        ({"drawing": [[[1e300], [2]]]}, "as many x as y"),
        ({"drawing": [[[True], [2]]]}, "as many x as y"),
        ({"drawing": [[[0] * 200_001, [0] * 200_001]]}, "more than 200,000 points"),
    ],
)
def test_invalid_drawings_are_refused(record, words):
    with pytest.raises(FileRefused, match=words):
        drawings.strokes_of(record)


def test_every_real_sketch_is_read(shared_data):
    for path in sorted(shared_data.glob("sketches/quickdraw_22cat/*.ndjson"))[:4]:
        for text in path.read_text(encoding="utf-8").splitlines():
            assert drawings.strokes_of(json.loads(text))
