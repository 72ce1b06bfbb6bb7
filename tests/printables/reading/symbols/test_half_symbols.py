"""Symbols of which paper covers a part, found by their finder patterns."""

import cv2
import numpy as np
import pytest

from printables.cards.codes import CardCode, encode
from printables.reading.symbols.half_symbols import (
    BY_PAIRS,
    BY_ROWS,
    half_symbols,
)
from tests.printables.pictures_of_symbols import corners_of, finders_in, picture, placed

CODE = encode(CardCode(12, 34, 1, 1))
EVERYWHERE = np.full((120, 120), 255, np.uint8)
NOWHERE = np.zeros((0, 2))
WAYS = (BY_PAIRS, BY_ROWS)


def half_covered(turn_deg, side, seed=1):
    """A symbol with paper over the half on one of its sides, and its map."""
    at = placed(60, 60, 2.0, turn_deg)
    grey = picture([(CODE, at)], (120, 120), 0.9, 3, seed)
    rows = {
        "lower": ([-5, 11.5], [26, 11.5], [26, 27], [-5, 27]),
        "right": ([11.5, -5], [27, -5], [27, 26], [11.5, 26]),
        "lower two thirds": ([-5, 8], [26, 8], [26, 27], [-5, 27]),
        "right two thirds": ([8, -5], [27, -5], [27, 26], [8, 26]),
    }[side]
    cover = np.array(rows) @ at[:, :2].T + at[:, 2]
    cv2.fillConvexPoly(grey, np.round(cover).astype(np.int32), 225)
    return grey, at


def nearest(found, at):
    """By how many pixels the best candidate's corners are off."""
    return np.abs(corners_of(found.maps) - corners_of([at])).max((1, 2)).min(initial=np.inf)


@pytest.mark.parametrize(
    ("side", "parts"),
    [
        ("lower", BY_PAIRS),
        ("right", BY_PAIRS),
        ("lower two thirds", BY_ROWS),
        ("right two thirds", BY_ROWS),
    ],
)
@pytest.mark.parametrize("turn", [0, 31, 160, 250])
def test_each_part_is_found_in_any_rotation(side, parts, turn):
    grey, at = half_covered(turn, side)
    found = half_symbols(grey, 2.0, finders_in(grey), parts)
    assert nearest(found, at) < 3
    assert len(found) <= 3


def test_nothing_is_found_on_blank_paper_or_where_nothing_is_searched_for():
    grey, _ = half_covered(10, "lower")
    for seen, searched in ((np.full_like(grey, 230), EVERYWHERE), (grey, 0 * EVERYWHERE)):
        finders = finders_in(seen, searched)
        assert len(finders.peaks) == 0
        assert not any(len(half_symbols(seen, 2.0, finders, parts)) for parts in WAYS)


def test_finder_patterns_of_known_symbols_are_left_out():
    grey, _ = half_covered(10, "lower")
    finders = finders_in(grey)
    known = np.array([[60.0, 60.0]])
    assert finders.are_beside(NOWHERE, 2.0).all() and len(finders.peaks) >= 2
    assert not finders.are_beside(known, 2.0).any()


def test_strokes_as_of_a_sketch_are_no_symbols():
    rng = np.random.default_rng(4)
    for _ in range(20):
        grey = np.full((120, 120), 230, np.uint8)
        for _ in range(12):
            walk = np.cumsum(rng.normal(0, 14, (6, 2)), 0) + rng.uniform(20, 100, 2)
            cv2.polylines(grey, [walk.astype(np.int32)], False, 30, 2, cv2.LINE_AA)
        finders = finders_in(grey)
        assert not any(len(half_symbols(grey, 2.0, finders, parts)) for parts in WAYS)
