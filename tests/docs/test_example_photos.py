"""The photos of "How to photograph" show what their captions say and what the reader does today."""

import cv2
import numpy as np
import pytest

from printables.reading.findings import Cause, Code
from tests.bench.scenes import same_groups
from tests.docs.example_photos import APART, DOCS, EXAMPLES, PAGE, PHONE, Example, shown, taken

pytestmark = pytest.mark.slow

CARDS = 22
MOST_DIFFERENT = 60
"""Grey levels between a picture and the one drawn now, in a pixel of a quarter of their size: a
card's outline in another colour makes 100 and more, JPEG at most 30."""


def _causes(reading):
    return {f.facts["cause"] for f in reading.findings if f.code == Code.CARDS_UNREAD}


def _coarse(picture):
    return cv2.resize(picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA).astype(int)


def _exact(groups, reading):
    return same_groups([(groups[symbol.code], symbol.group) for symbol in reading.symbols])


SAYS = {
    "good": lambda groups, reading: (
        len(reading.symbols) == CARDS and not reading.advice and _exact(groups, reading)
    ),
    "too-far": lambda _, reading: reading.findings[-1].code == Code.NOTHING_FOUND,
    "moved": lambda _, reading: _causes(reading) == {Cause.MOVED},
    "glare": lambda _, reading: (
        len(reading.symbols) == CARDS - 1
        and len(reading.unread) == 1
        and _causes(reading) == {Cause.GLARE}
    ),
    "near-groups": lambda _, reading: len(reading.symbols) == CARDS and reading.groups == 1,
    "covered": lambda _, reading: _causes(reading) == {Cause.COVERED},
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_photo_shows_what_its_caption_says(name):
    photo, groups, reading = taken(EXAMPLES[name])
    assert SAYS[name](groups, reading)
    now = _coarse(shown(photo, reading, EXAMPLES[name].part))
    for path in (DOCS / f"photo-{name}.jpg", PAGE / f"{name}.jpg"):
        kept = cv2.imread(str(path))
        assert kept is not None, path
        assert np.abs(_coarse(kept) - now).max() < MOST_DIFFERENT, path


def test_a_table_from_three_times_the_distance_is_read():
    _, groups, reading = taken(Example(PHONE, APART, beyond=1.9, seed=3))
    assert len(reading.symbols) == CARDS and _exact(groups, reading)
