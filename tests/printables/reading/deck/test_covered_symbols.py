"""The edges of paper that covers symbols of known cards."""

import cv2
import numpy as np
import pytest

from printables.cards.codes import CardCode, encode, symbol
from printables.reading.deck.covered_symbols import SymbolsInPart, find_covers
from tests.printables.pictures_of_symbols import corners_of, picture, placed

CODES = [encode(CardCode(12, card, 1, 1)) for card in range(1, 7)]
TO_TABLE = np.array([[0.5, 0, 10], [0, 0.5, -20], [0, 0, 1]])
MODULES = np.stack([symbol(code) for code in CODES]).astype(np.float32)


def covers_in(grey, at, number=0):
    one = np.array([number])
    return find_covers(grey, TO_TABLE, SymbolsInPart(one + 4, corners_of([at]), MODULES[one]))


def covered(number, turn, module_px, edge, level, seed):
    """A symbol that something covers from a column of modules on."""
    at = placed(80, 80, module_px, turn)
    grey = picture([(CODES[number], at)], (160, 160), 0.5 * module_px, 3, seed)
    cover = np.array([[edge, -9], [30, -9], [30, 30], [edge, 30]]) @ at[:, :2].T + at[:, 2]
    cv2.fillConvexPoly(grey, np.round(cover).astype(np.int32), level)
    return cv2.GaussianBlur(grey, (0, 0), 0.4 * module_px), at


@pytest.mark.parametrize("turn", [0, 33, 170, 255])
@pytest.mark.parametrize(("module_px", "edge"), [(4.0, 15.5), (2.5, 16.5), (3.0, 17.0)])
def test_the_edge_of_paper_over_a_symbol_is_found(turn, module_px, edge):
    for number in range(len(CODES)):
        grey, at = covered(number, turn, module_px, edge, 226, number)
        (cover,) = covers_in(grey, at, number)
        assert cover.place == 4 + number
        ends = np.array([[edge, 21], [edge, 0]]) @ at[:, :2].T + at[:, 2]
        on_table = ends * 0.5 + [10, -20]
        across = (on_table[0] - on_table[1]) / np.linalg.norm(on_table[0] - on_table[1])
        out = np.array([across[1], -across[0]])
        # a module and a half, and the paper is on the right of the edge
        assert np.abs((cover.edge - on_table[0]) @ out).max() < 0.8 * module_px
        assert ((cover.covered - cover.edge[0]) @ out > -0.8 * module_px).all()
        along = cover.edge[1] - cover.edge[0]
        assert ((cover.covered - cover.edge[0]) @ [-along[1], along[0]] > -1).mean() > 0.95


def test_whole_symbols_and_dark_covers_are_left_out():
    for number in range(len(CODES)):
        whole, at = covered(number, 20, 3.0, 27, 226, number)
        assert covers_in(whole, at, number) == []
        under_a_pen, at = covered(number, 20, 3.0, 14, 90, number)
        assert covers_in(under_a_pen, at, number) == []
    nothing = SymbolsInPart(np.zeros(0, np.intp), np.zeros((0, 4, 2)), MODULES[:0])
    assert find_covers(whole, TO_TABLE, nothing) == []


def test_a_symbol_under_too_much_paper_shows_no_edge():
    grey, at = covered(0, 20, 3.0, 0.5, 226, 1)
    assert covers_in(grey, at) == []
