"""Places in a photo that have as much detail as symbols."""

import numpy as np

from printables.cards.codes import CardCode, encode, symbol
from printables.reading.symbols.busy_places import busy_places
from printables.reading.symbols.search import View

SYMBOLS = np.array([[60.0, 60], [160, 60]])


def drawn(contrast=1.0):
    """Two symbols on the left, one on the right, a sketch's stroke below, and white paper."""
    grey = np.full((300, 400), 230, np.uint8)
    dark = np.kron(np.asarray(symbol(encode(CardCode(1, 2, 1, 1))), bool), np.ones((2, 2), bool))
    for column, row in ((39, 39), (139, 39), (279, 39)):
        level = 230 - round(200 * (contrast if column == 279 else 1.0))
        grey[row : row + 42, column : column + 42][dark] = level
    grey[240, 40:140] = 30
    return View(grey, 1.0, True)


def test_a_symbol_has_as_much_detail_and_strokes_and_paper_have_less():
    places = np.array([[300.0, 60], [100, 240], [250, 200], [-5, 60], [300, 400]])
    assert busy_places(drawn(), places, SYMBOLS).tolist() == [True, False, False, False, False]


def test_a_faint_pattern_has_less_detail_than_the_symbols_nearest_to_it():
    assert not busy_places(drawn(0.3), np.array([[300.0, 60]]), SYMBOLS).any()
    assert busy_places(drawn(), SYMBOLS[:1], SYMBOLS[:1]).all()


def test_no_place_is_busy_if_there_is_none():
    assert busy_places(drawn(), np.zeros((0, 2)), SYMBOLS).shape == (0,)
