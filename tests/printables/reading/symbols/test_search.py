"""The scale at which a photo is searched for symbols."""

import numpy as np
import pytest

from printables.cards.codes import CardCode, encode
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.reader import read_codes
from printables.reading.symbols.search import small_symbols
from tests.printables.pictures_of_symbols import picture, placed

CODES, OTHERS = (
    [encode(CardCode(set_number=number, card=card, deck=1, edition=0)) for card in range(1, 31)]
    for number in (3, 4)
)


def grid(module_px, pitch, codes=CODES):
    """30 slightly blurred symbols."""
    places = [placed(pitch * (n % 6 + 0.5), pitch * (n // 6 + 0.5), module_px) for n in range(30)]
    symbols = list(zip(codes, places, strict=True))
    return picture(symbols, (6 * pitch, 5 * pitch), 0.45 * module_px, 2)


@pytest.fixture(scope="module")
def small():
    return np.tile(grid(1.5, 48), (3, 3))


def test_many_symbols_too_small_to_decode_are_found_in_the_middle(small):
    view, poses = small_symbols(small)
    assert (view.scale, view.grey.shape) == (1, tuple(side // 4 for side in small.shape))
    assert len(poses) >= 12


def test_symbols_too_small_to_decode_are_read_with_the_deck(small):
    assert {symbol.code for symbol in read_codes(small, KnownDeck(CODES)).symbols} == set(CODES)


def test_cards_beside_a_sheet_of_other_small_symbols_are_read():
    photo = np.full((960, 1824), 235, np.uint8)
    photo[160:800, :768] = grid(4.0, 128)
    photo[360:600, 768:1056] = grid(1.5, 48, OTHERS)
    assert small_symbols(photo) is not None
    assert {symbol.code for symbol in read_codes(photo, KnownDeck(CODES)).symbols} == set(CODES)


def test_a_photo_of_larger_symbols_is_decoded():
    assert small_symbols(grid(3.0, 96)) is None


def test_a_photo_without_symbols_is_decoded():
    assert small_symbols(np.full((300, 400), 255, np.uint8)) is None
    assert small_symbols(np.full((1, 400), 255, np.uint8)) is None
