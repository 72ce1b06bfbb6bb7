"""Symbols found by another search on cards that cover each other."""

from dataclasses import replace

import numpy as np

from printables.cards.codes import CardCode, encode
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.passes import detect_symbols
from printables.reading.photos.photo import load_grey
from printables.reading.reader import read_photo
from printables.reading.unread.outline_search import places_like_symbols, search_halves
from printables.tabletop.plane import map_points
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


def test_places_like_symbols_are_those_of_cards_that_were_not_read(monkeypatch):
    scene, printed = in_columns(monkeypatch, 3)
    detected = detect_symbols(load_grey(scene.jpeg), printed.deck)
    everything = places_like_symbols(detected)
    # As if the card had not been read, and nothing known of it.
    hidden = detected.symbols.pop(0)
    middle = map_points(detected.plan.to_table, hidden.corners.mean(0)[None])
    places = places_like_symbols(detected)
    nearest = np.linalg.norm(places - middle, axis=1).min()
    assert nearest < detected.layout.symbol.width / 2
    assert not len(everything) or np.linalg.norm(everything - middle, axis=1).min() > nearest


def test_nothing_is_like_a_symbol_before_one_was_read_or_on_a_patterned_table(monkeypatch):
    scene, printed = in_columns(monkeypatch, 3)
    grey = load_grey(scene.jpeg)
    detected = detect_symbols(grey, printed.deck)
    noise = np.random.default_rng(0).integers(0, 256, detected.view.grey.shape, np.uint8)
    detected.view = replace(detected.view, grey=noise)
    assert places_like_symbols(detected).shape == (0, 2)
    detected.symbols.clear()
    assert places_like_symbols(detected).shape == (0, 2)
