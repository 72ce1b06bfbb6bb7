"""The scale at which a photo is searched for symbols."""

import numpy as np
import pytest

from printables.cards.codes import CardCode, encode
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.reader import read_codes
from printables.reading.symbols.search import view_of_small_symbols
from tests.printables.pictures_of_symbols import picture, placed

CODES = [encode(CardCode(set_number=3, card=card, deck=1, edition=0)) for card in range(1, 31)]


def grid(module_px, pitch):
    """30 slightly blurred symbols."""
    places = [placed(pitch * (n % 6 + 0.5), pitch * (n // 6 + 0.5), module_px) for n in range(30)]
    symbols = list(zip(CODES, places, strict=True))
    return picture(symbols, (6 * pitch, 5 * pitch), 0.45 * module_px, 2)


@pytest.fixture(scope="module")
def small():
    return np.tile(grid(1.5, 48), (3, 3))


def test_a_photo_of_many_symbols_too_small_to_decode_is_searched_at_its_own_scale(small):
    view = view_of_small_symbols(small)
    assert (view.scale, view.grey.shape) == (1, small.shape)


def test_symbols_too_small_to_decode_are_read_with_the_deck(small):
    assert {symbol.code for symbol in read_codes(small, KnownDeck(CODES)).symbols} == set(CODES)


def test_a_photo_of_larger_symbols_is_decoded():
    assert view_of_small_symbols(grid(3.0, 96)) is None


def test_a_photo_without_symbols_is_decoded():
    assert view_of_small_symbols(np.full((300, 400), 255, np.uint8)) is None
    assert view_of_small_symbols(np.full((1, 400), 255, np.uint8)) is None
