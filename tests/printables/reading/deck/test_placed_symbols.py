"""Symbols that are placed on single finder patterns."""

import cv2
import numpy as np
import pytest

from printables.cards.codes import CardCode, encode
from printables.reading.deck.placed_symbols import (
    clearly_placed,
    placed_by_finders,
    usual_turns,
)
from tests.printables.pictures_of_symbols import corners_of, finders_in, picture, placed

CODE = encode(CardCode(12, 34, 1, 1))
EVERYWHERE, NOWHERE = np.full((120, 120), 255, np.uint8), np.zeros((0, 2))
# Paper over all of a symbol but a part with one or two finder patterns, in modules.
ALL_BUT = {
    "the left": ([8.5, -9], [30, -9], [30, 30], [8.5, 30]),
    "the upper right": ([-9, -9], [12, -9], [12, 30], [-9, 30]),
    "the lower left": ([-9, -9], [30, -9], [30, 12], [-9, 12]),
}


def covered(turn_deg, covers):
    """A symbol with paper over parts of it, and its map."""
    at = placed(60, 60, 2.0, turn_deg)
    grey = picture([(CODE, at)], (120, 120), 0.9, 3, 1)
    for cover in covers:
        corners = np.array(cover) @ at[:, :2].T + at[:, 2]
        cv2.fillConvexPoly(grey, np.round(corners).astype(np.int32), 232)
    return grey, at


def placed_on(grey, turn_deg):
    """Corners of symbols on the finder patterns of a picture, beside a card that was read."""
    finders = finders_in(grey)
    beside = corners_of([placed(160, 60, 2.0, turn_deg)])
    best, _ = placed_by_finders(grey, 2.0, finders, usual_turns(finders.peaks, beside))
    return corners_of(clearly_placed(best, 2.0).maps)


@pytest.mark.parametrize("part", ALL_BUT)
@pytest.mark.parametrize("turn", [0, 31, 160, 250])
def test_a_symbol_is_placed_on_any_of_its_finder_patterns_turned_as_the_next_card(part, turn):
    grey, at = covered(turn, [ALL_BUT[part]])
    found = placed_on(grey, turn + 9)
    assert len(found) == 1
    assert np.abs(found - corners_of([at])).max() < 4


def test_the_second_best_pose_is_another_and_none_is_placed_without_patterns():
    grey, at = covered(20, [ALL_BUT["the lower left"]])
    finders = finders_in(grey)
    beside = corners_of([placed(160, 60, 2.0, 20)])
    best, other = placed_by_finders(grey, 2.0, finders, usual_turns(finders.peaks, beside))
    assert np.abs(corners_of(best.maps) - corners_of([at])).max() < 4
    assert best.patterns.tolist() == [[3.5, 17.5]]
    assert best.ways != other.ways and best.wrong < other.wrong
    none = placed_by_finders(
        grey, 2.0, finders[np.zeros(1, bool)], usual_turns(finders[np.zeros(1, bool)].peaks, beside)
    )
    assert [len(placed) for placed in none] == [0, 0]


def test_a_pattern_without_a_symbol_around_it_is_none():
    grey, at = covered(20, [ALL_BUT["the upper right"]])
    rng = np.random.default_rng(2)
    middle = at[:, :2] @ [17.5, 3.5] + at[:, 2]
    far = np.hypot(*(np.indices(grey.shape)[::-1] - middle[:, None, None])) > 12
    grey[far] = rng.integers(40, 230, far.sum())
    assert len(finders_in(grey).peaks) == 1
    assert len(placed_on(grey, 20)) == 0


def test_patterns_printed_in_rows_are_no_symbols():
    grey = np.full((180, 180), 235, np.uint8)
    for left in range(6, 160, 40):
        for top in range(6, 160, 40):
            for rim, level in ((0, 30), (2, 235), (4, 30)):
                grey[top + rim : top + 14 - rim, left + rim : left + 14 - rim] = level
    noise = np.random.default_rng(3).normal(0, 2, grey.shape)
    grey = np.clip(cv2.GaussianBlur(grey, (0, 0), 1.0) + noise, 0, 255).round().astype(np.uint8)
    finders = finders_in(grey)
    best, _other = placed_by_finders(
        grey, 2.0, finders, usual_turns(finders.peaks, corners_of([placed(260, 60, 2.0)]))
    )
    assert len(best) == 16
    assert len(clearly_placed(best, 2.0)) <= 2
    # one of them alone may be a card's
    assert len(clearly_placed(best[np.arange(1)], 2.0)) == 1
