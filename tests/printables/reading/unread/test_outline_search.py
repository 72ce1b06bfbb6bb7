"""Places where symbols are searched for again."""

from dataclasses import replace

import numpy as np

from printables.reading.passes import detect_symbols
from printables.reading.photos.photo import load_grey
from printables.reading.unread.outline_search import places_like_symbols
from printables.tabletop.plane import map_points
from tests.bench import tables
from tests.bench.conditions import PLAIN
from tests.bench.scenes import print_cards
from tests.bench.tables import pictured

COLUMNS = replace(PLAIN, columns=1.0)


def in_columns(monkeypatch, seed):
    monkeypatch.setattr(tables, "MEGAPIXELS", 3)
    printed = print_cards(40)
    return pictured(printed, 24, COLUMNS, seed), printed


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
