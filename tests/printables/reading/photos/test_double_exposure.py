"""Photos that show everything twice, since the phone moved between two exposures."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from printables.reading.findings import Cause, Code
from printables.reading.photos.double_exposure import is_double_exposure
from printables.reading.reader import read_photo
from tests.bench import tables
from tests.bench.conditions import CARELESS, ORDINARY, PLAIN
from tests.bench.scenes import print_cards

NO_SYMBOLS = np.zeros((0, 4, 2))


@pytest.fixture(autouse=True)
def _small_photos(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 4)


def photo_of(conditions, seed, ground):
    """The deck, a photo of 40 of its cards in grey, and the corners of their symbols."""
    printed = print_cards(40)
    scene = tables.pictured(printed, 40, replace(conditions, grounds=(ground,)), seed)
    grey = cv2.imdecode(np.frombuffer(scene.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
    return printed.deck, grey, np.array(list(scene.corners.values()))


def doubled(grey, right, down, share=0.5, turn_deg=0.0):
    """A second exposure over the first, of this share, after the phone moved and turned."""
    middle = (grey.shape[1] / 2, grey.shape[0] / 2)
    move = cv2.getRotationMatrix2D(middle, turn_deg, 1)
    move[:, 2] += [right, down]
    moved = cv2.warpAffine(grey, move, grey.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
    return cv2.addWeighted(grey, 1 - share, moved, share, 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("conditions", "seed", "ground", "moved"),
    [
        (PLAIN, 541100, "wood", (9, 4)),
        (PLAIN, 541101, "white", (-30, 10, 0.4)),
        (ORDINARY, 541102, "striped", (40, 30, 0.5, 0.2)),
        (CARELESS, 541104, "wood", (12, 20, 0.45)),
    ],
)
def test_a_photo_that_shows_everything_twice_is_told_from_one_that_does_not(
    conditions, seed, ground, moved
):
    _, grey, symbols = photo_of(conditions, seed, ground)
    twice = doubled(grey, *moved)
    for known in (symbols, NO_SYMBOLS):
        assert is_double_exposure(twice, known)
        assert not is_double_exposure(grey, known)


@pytest.mark.slow
def test_the_advice_is_that_the_phone_moved():
    deck, grey, _ = photo_of(PLAIN, 540001, "dark")
    (nothing,) = read_photo(doubled(grey, 18, 6), deck).findings
    assert nothing.facts == {"blurred": False, "moved": True}
    some = read_photo(doubled(grey, 18, 6, 0.35), deck)
    (unread,) = [f for f in some.findings if f.code == Code.CARDS_UNREAD]
    assert some.symbols and unread.facts["cause"] == Cause.MOVED


def test_patterns_and_plain_pictures_show_nothing_twice():
    stripes = np.tile(np.repeat(np.array([60, 200], np.uint8), 12), (600, 30))
    assert not is_double_exposure(stripes, NO_SYMBOLS)
    assert not is_double_exposure(np.full((600, 600), 128, np.uint8), NO_SYMBOLS)
    assert not is_double_exposure(stripes[:100], NO_SYMBOLS)
