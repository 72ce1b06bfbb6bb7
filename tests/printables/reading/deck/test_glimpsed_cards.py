"""Cards of whose symbols only a finder pattern or two are in sight."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from printables.reading.deck.glimpsed_cards import (
    Glimpse,
    glimpsed_cards,
)
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.reader import read_photo
from printables.scenes.card_on_table import CardOnTable
from printables.scenes.render import render_table
from tests.bench.scenes import ORDINARY, as_jpeg, print_cards


@pytest.mark.slow
def test_a_card_above_one_and_below_another_is_outlined():
    printed = print_cards(40)
    deck = KnownDeck(printed.deck.codes[:9], printed.deck.layout)
    # the last three: one read below, the unread one, and one read that covers its left side
    places = [(85.0 * n, 120.0) for n in range(6)] + [(140, 0), (93, 4), (80, 0)]
    cards = [
        CardOnTable(printed.faces[code], 66, 46, x, y, 2.0)
        for code, (x, y) in zip(deck.codes, places, strict=True)
    ]
    photo, to_pixels = render_table(
        cards, replace(ORDINARY, megapixels=6), np.random.default_rng(3)
    )
    reading = read_photo(as_jpeg(photo), deck)
    unread = cards[7].to_table(np.array([[33.0, 23.0]]))
    at = cv2.perspectiveTransform(unread[None].astype(float), to_pixels)[0, 0]
    assert {symbol.code for symbol in reading.symbols} == {*deck.codes} - {deck.codes[7]}
    assert len(reading.unread) == 1
    side = np.linalg.norm(reading.unread[0, 1] - reading.unread[0, 0])
    assert np.abs(reading.unread[0].mean(0) - at).max() < side / 12


def glimpse(corners, kind):
    """A symbol of which the upper left finder pattern is in sight."""
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    return Glimpse(corners, kind, corners[0] + (across + down) * 3.5 / 21)


def test_a_glimpsed_symbol_is_no_card_where_another_is_known():
    layout = print_cards(40).deck.layout
    square = layout.symbol.width * np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    symbols = square + np.array([[0.0, 0], [2, 1], [300, 0]])[:, None]
    sure, unsure = ([glimpse(one, kind) for one in symbols] for kind in ("row", "single"))
    known = (np.eye(3), np.zeros((0, 4, 2)), layout)
    # the second is the first again
    cards = glimpsed_cards(sure, *known, np.zeros((0, 4, 2)))
    assert len(cards) == 2
    assert np.allclose(cards[1] - cards[0], [300, 0])
    assert len(glimpsed_cards(sure, known[0], symbols[:1], layout, np.zeros((0, 4, 2)))) == 1
    # a single finder pattern on an unread card is that card's, two may be those of one below it
    beside = cards[:1] + np.array([20, 10])
    assert len(glimpsed_cards(sure, *known, beside)) == 2
    assert len(glimpsed_cards(unsure, *known, beside)) == 1


def test_a_pattern_under_a_known_card_belongs_to_no_card_that_was_found():
    layout = print_cards(40).deck.layout
    square = layout.symbol.width * np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    nothing, none = np.zeros((0, 4, 2)), (np.eye(3), np.zeros((0, 4, 2)), layout)
    (found,) = glimpsed_cards([glimpse(square, "row")], *none, nothing)
    # its upper right pattern, taken for the upper left one of a symbol beside it
    beside = square + np.array([14 / 21, 0]) * layout.symbol.width
    for kind, count in (("row", 1), ("cut", 0), ("single", 0)):
        assert len(glimpsed_cards([glimpse(beside, kind)], *none, found[None])) == count
    # one below it whose patterns are elsewhere, which covers a part of its symbol
    below = square + np.array([0.5, 0.3]) * layout.symbol.width
    for kind, count in (("cut", 1), ("single", 0)):
        assert len(glimpsed_cards([glimpse(below, kind)], *none, found[None])) == count


def test_only_the_pattern_in_sight_tells_whose_it_is():
    layout = print_cards(40).deck.layout
    square = layout.symbol.width * np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    nothing, none = np.zeros((0, 4, 2)), (np.eye(3), np.zeros((0, 4, 2)), layout)
    (found,) = glimpsed_cards([glimpse(square, "row")], *none, nothing)
    # its lower left pattern is hidden where the upper left one of the card that was found is
    above = square - np.array([0, 14 / 21]) * layout.symbol.width
    assert len(glimpsed_cards([glimpse(above, "cut")], *none, found[None])) == 1
    hidden = replace(glimpse(above, "cut"), pattern=glimpse(square, "row").pattern)
    assert len(glimpsed_cards([hidden], *none, found[None])) == 0
