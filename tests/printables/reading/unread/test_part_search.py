"""Symbols of which something covers a part, found by another search."""

from dataclasses import replace

import numpy as np

from printables.cards.codes import CardCode, encode
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.passes import detect_symbols
from printables.reading.photos.photo import load_grey
from printables.reading.reader import read_photo
from printables.reading.unread.part_search import search_halves
from tests.bench import tables
from tests.bench.conditions import PLAIN
from tests.bench.scenes import pointers, print_cards, score
from tests.bench.tables import pictured

COLUMNS = replace(PLAIN, columns=1.0)


def in_columns(monkeypatch, seed):
    monkeypatch.setattr(tables, "MEGAPIXELS", 3)
    printed = print_cards(40)
    return pictured(printed, 24, COLUMNS, seed), printed


def test_cards_of_which_half_the_symbol_is_in_sight_are_read(monkeypatch):
    scene, printed = in_columns(monkeypatch, 3)
    half = {code for code, share in scene.symbol_seen.items() if 0.55 < share < 0.8}
    reading = read_photo(scene.jpeg, printed.deck)
    assert len(half) >= 2
    assert half <= {symbol.code for symbol in reading.symbols}
    assert score(scene, reading).false == 0
    assert pointers(scene, reading)[1] == 0


def test_cards_of_another_deck_in_columns_are_not_taken_for_missing_cards(monkeypatch):
    scene, printed = in_columns(monkeypatch, 3)
    codes = [encode(CardCode(12, card, 2, 1)) for card in range(1, 41)]
    reading = read_photo(scene.jpeg, KnownDeck(codes, printed.deck.layout))
    assert reading.symbols == ()
    assert len(reading.foreign) > 15


def test_nothing_is_searched_without_places_or_beyond_a_photo(monkeypatch):
    scene, printed = in_columns(monkeypatch, 3)
    detected = detect_symbols(load_grey(scene.jpeg), printed.deck)
    before = len(detected.symbols)
    for places in (np.zeros((0, 2)), np.array([[1e4, 1e4]]), np.array([[-3e4, 0], [3e4, 3e4]])):
        assert not search_halves(detected, places)
    assert len(detected.symbols) == before
