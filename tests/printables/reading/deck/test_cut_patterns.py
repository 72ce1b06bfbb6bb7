"""Finder patterns that known cards cover in part."""

import cv2
import numpy as np
import pytest

from printables.cards.codes import CardCode, encode
from printables.reading.deck.cut_patterns import cut_patterns, may_be_cut
from printables.reading.deck.placed_symbols import placed_by_finders, placed_on_cut
from printables.reading.symbols.half_symbols import Finders, places_of_finders
from tests.printables.pictures_of_symbols import corners_of, picture, placed

CODE = encode(CardCode(12, 34, 1, 1))
# A known card over all of a symbol but a strip, in modules.
STRIPS = {
    "upper": ([-12, 5], [34, 4.6], [34, 40], [-12, 40]),
    "left": ([5, -12], [40, -12], [40, 34], [4.6, 34]),
    "upper right": ([-30, -12], [15.4, -12], [15.4, 34], [-30, 34]),
}


def under_a_card(turn, strip, seed=1):
    """A symbol under a known card, where that card is, and the symbol's map."""
    at = placed(70, 70, 2.0, turn)
    grey = picture([(CODE, at)], (140, 140), 0.8, 3, seed)
    card = np.round(np.array(STRIPS[strip]) @ at[:, :2].T + at[:, 2]).astype(np.int32)
    cv2.fillConvexPoly(grey, card, 228)
    covered = np.zeros_like(grey)
    cv2.fillConvexPoly(covered, card, 255)
    return grey, covered, at


def patterns_in(grey, covered, turn):
    everywhere = np.full(grey.shape, 255, np.uint8)
    places = places_of_finders(grey, 2.0, everywhere)
    places = places[may_be_cut(places, 2.0, covered)]
    return cut_patterns(grey, 2.0, Finders(places, np.full(len(places), np.deg2rad(turn))), covered)


@pytest.mark.parametrize("strip", STRIPS)
@pytest.mark.parametrize("turn", [0, 24, 110, 200])
def test_the_symbol_below_a_known_card_is_placed_by_a_strip_of_it(strip, turn):
    grey, covered, at = under_a_card(turn, strip)
    cut = patterns_in(grey, covered, turn + 4)
    assert len(cut.places)
    usual = np.full(len(cut.places), np.deg2rad(turn + 4))
    best, _ = placed_by_finders(grey, 2.0, cut.finders, usual, covered)
    found = placed_on_cut(best, 2.0)
    assert len(found) == 1
    assert np.abs(corners_of(found.maps) - corners_of([at])).max() < 5
    apart = np.linalg.norm(cut.finders.peaks - found.middles, axis=1)
    assert apart.min() < 0.01


def test_whole_patterns_and_those_below_all_of_a_card_are_left_out():
    grey, covered, at = under_a_card(15, "upper")
    places = np.array([[70.0, 70.0], [20.0, 20.0]])
    nothing, everything = np.zeros_like(grey), np.full_like(grey, 255)
    assert not may_be_cut(places, 2.0, nothing).any()
    assert not may_be_cut(places, 2.0, everything).any()
    upper = np.array([[3.5, 3.5]]) @ at[:, :2].T + at[:, 2]
    assert may_be_cut(np.round(upper), 2.0, covered).all()


@pytest.mark.parametrize("size", [9, 14, 22])
def test_dark_squares_beside_a_card_are_no_patterns(size):
    grey = np.full((140, 140), 225, np.uint8)
    covered = np.zeros_like(grey)
    for left in range(0, 140, 2 * size):
        for top in range(0, 140, 2 * size):
            grey[top : top + size, left : left + size] = 40
    grey[60:] = 230
    covered[60:] = 255
    noise = np.random.default_rng(3).normal(0, 2, grey.shape)
    grey = np.clip(cv2.GaussianBlur(grey, (0, 0), 1.0) + noise, 0, 255).round().astype(np.uint8)
    cut = patterns_in(grey, covered, 0)
    usual = np.zeros(len(cut.places))
    best, _ = placed_by_finders(grey, 2.0, cut.finders, usual, covered)
    assert len(placed_on_cut(best, 2.0)) == 0
