"""Cards with an occluded code, among other objects on a table."""

from dataclasses import replace

import numpy as np
import pytest

from printables.cards.card import CardLayout
from printables.reading.reader import read_photo
from printables.tabletop.grouping import TablePlan
from printables.tabletop.occluded_cards import dark_spots, find_occluded_cards, on_a_card
from printables.tabletop.top_view import TopView
from tests.bench.clutter import cluttered
from tests.bench.scenes import ORDINARY, pointers, print_cards, score

SQUARE = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], float)


def test_points_on_cards_by_hand():
    cards = np.stack([SQUARE, SQUARE[[1, 2, 3, 0]] + 30])
    points = np.array([[5, 5], [35, 39], [20, 20], [-1, 5]], float)
    assert on_a_card(points, cards).tolist() == [True, True, False, False]
    assert on_a_card(points, cards[:0]).tolist() == [False] * 4


def test_a_dark_patch_on_a_card_is_its_symbol_and_elsewhere_is_ignored():
    layout = CardLayout(66, 46, "front")
    table = np.full((300, 500), 90, np.uint8)
    table[20:66, 20:86] = table[20:66, 120:186] = 240
    box = layout.symbol
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * box.width + [box.x, box.y]
    for left in (20, 120, 300):
        low = np.round(np.array([left + box.x, 20 + box.y])).astype(int)
        table[low[1] : low[1] + int(box.width), low[0] : low[0] + int(box.width)] = 30
    known = np.array([[20, 20], [86, 20], [86, 66], [20, 66]], float)[None]
    places = np.array([[[120, 20]], [[300, 20]], [[140, 40]]])
    patches = square * np.array([1, 1, 0.5])[:, None, None] + places
    # the first corner may be any of the four
    patches = np.roll(patches, 2, axis=1)
    found = find_occluded_cards(table, patches, TablePlan(np.eye(3), known), layout)
    assert len(found) == 1
    assert np.abs(found[0] - (known[0] + [100, 0])).max() < 1


def test_dark_spots_on_cards_are_symbols_that_were_not_read():
    table = np.full((200, 400), 60, np.uint8)
    card = np.array([[20, 20], [86, 20], [86, 66], [20, 66]], float)
    places = np.array([[[0, 0]], [[100, 0]], [[200, 0]]])
    cards = card + places
    symbol = np.array([[60, 26], [78, 26], [78, 44], [60, 44]], float)
    for left in (20, 120, 220):
        table[20:66, left : left + 66] = 240
        table[26:44, left + 40 : left + 58] = 120
    # half of another symbol on the second card, and a thin stroke on the third
    table[50:62, 130:148] = 120
    table[50:52, 230:260] = 40
    top = TopView(table, np.zeros(2), 1.0)
    symbols = symbol + places
    spots = dark_spots(top, symbols, cards, 0.12)
    assert len(spots) > 2
    assert ((spots > [124, 44]) & (spots < [154, 68])).all()
    unread = dark_spots(top, symbols[1:], cards[:1], 0.12)
    assert ((unread > symbol[0] - 6) & (unread < symbol[2] + 6)).all()
    assert len(unread) > 2
    assert len(dark_spots(top, symbols[:0], cards, 0.12)) == 0
    assert len(dark_spots(top, symbols, cards[:0], 0.0)) == 0


@pytest.mark.slow
@pytest.mark.parametrize(("ground", "seed"), [("wood", 1), ("dark", 2)])
def test_clutter_is_not_read_and_occluded_cards_are_reported(ground, seed):
    printed = print_cards(40)
    camera = replace(ORDINARY, megapixels=6)
    scene, spoilt = cluttered(printed, [1, 14, 2, 13], camera, seed, ground)
    reading = read_photo(scene.jpeg, printed.deck)
    found = score(scene, reading)
    assert (found.false, found.groups_exact) == (0, True)
    pointed, false = pointers(scene, reading)
    assert pointed >= set(spoilt)
    assert false == 0


@pytest.mark.slow
def test_on_a_white_table_a_scribbled_code_is_reported():
    printed = print_cards(40)
    camera = replace(ORDINARY, megapixels=6)
    scene, spoilt = cluttered(printed, [1, 14, 2, 13], camera, 4, "white")
    reading = read_photo(scene.jpeg, printed.deck)
    assert score(scene, reading).false == 0
    # the face-down cards are white on white
    assert len(reading.unread) >= len(spoilt) - 2
