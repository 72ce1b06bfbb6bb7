"""What may hide missing cards: cards on others, and things on the table."""

from dataclasses import replace

import cv2
import numpy as np

from printables.reading.deck.known_deck import KnownDeck
from printables.reading.passes import detect_symbols
from printables.reading.photos.colours import Colours
from printables.reading.photos.photo import MOST_BYTES, load_grey
from printables.reading.unread import hiding
from printables.reading.unread.hiding import cover_no_card, hiding_places
from printables.reading.unread.unread_cards import (
    find_unread_cards,
)
from printables.tabletop.grouping import TablePlan
from printables.tabletop.hiding.hidden_places import HiddenPlaces
from printables.tabletop.plane import map_points
from tests.bench import tables
from tests.bench.conditions import PLAIN
from tests.bench.scenes import print_cards
from tests.bench.tables import pictured


def test_a_card_beside_which_all_edges_are_in_sight_covers_no_card(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 3)
    printed = print_cards(40)
    scene = pictured(printed, 20, replace(PLAIN, face_down=0.2, grounds=("wood",)), 5)
    grey = load_grey(scene.jpeg)
    detected = detect_symbols(grey, printed.deck)
    missed = find_unread_cards(detected)
    assert cover_no_card(detected, missed).tolist() == [True] * len(missed.outlines) != []
    # another card under the first, in sight along half of it
    outlines = TablePlan(detected.plan.to_table, missed.outlines).in_photo()
    outline = outlines[0]
    middle = outline.mean(0).astype(int)
    paper = int(np.median(grey[middle[1] - 5 : middle[1] + 5, middle[0] - 5 : middle[0] + 5]))
    below = outline + 0.6 * (outline[2] - outline[0])
    cv2.fillConvexPoly(grey, np.round(below).astype(np.int32), paper)
    painted = detect_symbols(grey, printed.deck)
    missed = replace(missed, outlines=map_points(painted.plan.to_table, outlines))
    assert cover_no_card(painted, missed).tolist() == [False] + [True] * (len(missed.outlines) - 1)
    # if the deck has no other card, none is under it
    down = {code for code, seen in scene.symbol_seen.items() if not seen}
    on_table = down | {symbol.code for symbol in painted.symbols}
    deck = KnownDeck(tuple(on_table), printed.deck.layout)
    assert cover_no_card(replace(painted, deck=deck), missed).all()


def test_only_places_that_may_hide_a_whole_card_leave_groups_in_doubt(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 1.5)
    printed = print_cards(20)
    scene = pictured(printed, 12, PLAIN, 5)
    detected = detect_symbols(load_grey(scene.jpeg), printed.deck)
    narrow, wide = (np.zeros((count, 4, 2)) for count in (3, 2))
    found = HiddenPlaces(narrow, wide)
    monkeypatch.setattr(hiding, "find_hidden_places", lambda *_asked: found)
    hidden, _covered, unclear = hiding_places(detected, find_unread_cards(detected), 8)
    assert (len(hidden.squares), len(unclear)) == (3, 2)


def test_places_are_only_looked_at_closely_if_few_cards_have_no_outline(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 1.5)
    printed = print_cards(20)
    scene = pictured(printed, 12, PLAIN, 5)
    detected = detect_symbols(load_grey(scene.jpeg), printed.deck)
    detected.colours = Colours(scene.jpeg, MOST_BYTES, detected.grey.shape, False)
    missed, asked = find_unread_cards(detected), []
    monkeypatch.setattr(
        hiding,
        "find_hidden_places",
        lambda *given: asked.append(given[-1]) or HiddenPlaces.none(),
    )
    outlined = int(missed.likely.sum())
    for missing in (outlined + 3, outlined + 4):
        hiding_places(detected, missed, missing, lambda *_found: True)
    hiding_places(detected, missed, outlined + 3)
    few, many, never = asked
    assert few.in_doubt() and many.in_doubt is never.in_doubt is None


def test_nothing_lies_on_cards_whose_edges_are_in_sight_in_colour(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 1.5)
    printed = print_cards(20)
    scene = pictured(printed, 12, PLAIN, 5)
    detected = detect_symbols(load_grey(scene.jpeg), printed.deck)
    missed = find_unread_cards(detected)
    monkeypatch.setattr(hiding, "has_light_places", lambda _view: True)
    grey = detected.paper

    def covered_share(view, cards, measured=np.s_[:]):
        return np.full(len(cards), float(view is grey))[measured]

    monkeypatch.setattr(hiding, "covered_share", covered_share)
    _hidden, covered, _unclear = hiding_places(detected, missed, 8)
    assert len(covered) == len(detected.symbols) > 0
    detected.colours = Colours(scene.jpeg, MOST_BYTES, detected.grey.shape, False)
    assert len(hiding_places(detected, missed, 8)[1]) == 0
