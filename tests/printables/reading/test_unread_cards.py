"""Unread cards in a rendered photo, and the count of a deck's cards."""

from dataclasses import replace

import numpy as np

from printables.reading.deck.known_deck import KnownDeck
from printables.reading.detections import ReadSymbol
from printables.reading.passes import detect_symbols
from printables.reading.photos.photo import load_grey
from printables.reading.unread_cards import cards_placed, find_unread_cards
from tests.bench import tables
from tests.bench.conditions import PLAIN
from tests.bench.scenes import print_cards
from tests.bench.tables import pictured


def test_cards_face_down_are_outlined_and_likely(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 1.5)
    printed = print_cards(40)
    scene = pictured(printed, 12, replace(PLAIN, face_down=0.3), 5)
    deck = KnownDeck(tuple(scene.corners), printed.deck.layout)
    missed = find_unread_cards(detect_symbols(load_grey(scene.jpeg), deck))
    assert 0 < len(missed.outlines) == sum(not seen for seen in scene.symbol_seen.values())
    assert missed.likely.tolist() == [True] * len(missed.outlines)
    assert missed.scraps.shape == (0, 4, 2)


def test_the_cards_of_a_deck_are_counted_once():
    deck = print_cards(40).deck
    read = [ReadSymbol(code, np.zeros((4, 2)), "decoded") for code in deck.codes[:3]]
    (found,) = cards_placed([*read, read[0]], deck)
    assert found.facts == {"placed": 3, "expected": 40}
    assert cards_placed(read, None) == []
