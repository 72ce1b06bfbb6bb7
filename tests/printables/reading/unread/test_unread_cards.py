"""Unread cards in a rendered photo, and the count of a deck's cards."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from printables.reading.deck.known_deck import KnownDeck
from printables.reading.findings import Code
from printables.reading.passes import detect_symbols
from printables.reading.photos.photo import load_grey
from printables.reading.reader import read_photo
from printables.reading.symbols.pose import Poses, maps_from_corners, middles_of
from printables.reading.unread import unread_cards
from printables.reading.unread.unread_cards import (
    UnreadCards,
    find_unread_cards,
    leave_out_odd_sizes,
)
from printables.tabletop.edges.left_paper import Strips
from printables.tabletop.plane import map_points
from tests.bench import tables
from tests.bench.conditions import PLAIN
from tests.bench.scenes import print_cards
from tests.bench.tables import pictured, pictured_twice

NO_STRIPS = Strips.none()


def test_cards_face_down_are_outlined_and_likely(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 1.5)
    printed = print_cards(40)
    scene = pictured(printed, 12, replace(PLAIN, face_down=0.3), 5)
    deck = KnownDeck(tuple(scene.corners), printed.deck.layout)
    missed = find_unread_cards(detect_symbols(load_grey(scene.jpeg), deck))
    assert 0 < len(missed.outlines) == sum(not seen for seen in scene.symbol_seen.values())
    assert missed.likely.tolist() == [True] * len(missed.outlines)
    assert missed.scraps.shape == (0, 4, 2)


def test_unread_symbols_of_another_size_are_left_out(monkeypatch):
    """Such as flowers of a cloth, which look like blurred symbols."""
    monkeypatch.setattr(tables, "MEGAPIXELS", 1.5)
    printed = print_cards(12)
    detected = detect_symbols(load_grey(pictured(printed, 12, PLAIN, 5).jpeg), printed.deck)
    seen = maps_from_corners(detected.read_corners[:4])
    middles = middles_of(seen)[:, :, None]
    sizes = np.array([0.5, 0.95, 1.0, 1.3])
    maps = np.concatenate([seen[:, :, :2], seen[:, :, 2:] - middles], 2) * sizes[:, None, None]
    maps[:, :, 2:] += middles
    detected.unread = Poses(maps, np.full(4, 0.8))
    leave_out_odd_sizes(detected)
    assert np.array_equal(detected.unread.maps, maps[1:3])


def test_more_places_like_symbols_than_missing_cards_are_not_taken_for_the_missing_ones(
    monkeypatch,
):
    monkeypatch.setattr(tables, "MEGAPIXELS", 3)
    printed = print_cards(20)
    scene = pictured(printed, 20, replace(PLAIN, grounds=("white",), tilt_deg=(10.0, 10.0)), 3)
    grey = load_grey(scene.jpeg)
    hidden, copied = (
        corners.mean(0).astype(int).tolist() for corners in list(scene.corners.values())[:2]
    )
    side = round(14 * scene.module_px())
    x, y = copied
    blurred = cv2.GaussianBlur(grey[y - side : y + side, x - side : x + side], (0, 0), 3.2)
    for x, y in bare_places(scene, grey.shape, side)[:3]:
        grey[y - side : y + side, x - side : x + side] = blurred
    cv2.circle(grey, hidden, side, 70, -1)
    detected = detect_symbols(grey, printed.deck)
    plan = detected.plan
    # without the edges of a card around them, they are no cards at all
    assert len(find_unread_cards(detected).outlines) == 1
    for card in map_points(np.linalg.inv(plan.to_table), plan.outlines[len(detected.symbols) :]):
        cv2.polylines(grey, [np.round(card).astype(np.int32)], True, 150, 3)
    missed = find_unread_cards(detect_symbols(grey, printed.deck))
    assert len(missed.outlines) > 3
    assert missed.likely.sum() <= 1
    # but only as many cards are said to be unread as are missing
    findings = read_photo(grey, printed.deck).findings
    assert [one.facts["count"] for one in findings if one.code == Code.CARDS_UNREAD] == [1]


def test_dark_squares_on_a_light_table_are_no_cards_with_spoilt_symbols(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 3)
    printed = print_cards(20)
    scene = pictured(printed, 20, replace(PLAIN, grounds=("white",), tilt_deg=(10.0, 10.0)), 3)
    grey, side = load_grey(scene.jpeg), round(14 * scene.module_px())
    hidden = next(iter(scene.corners.values())).mean(0).astype(int).tolist()
    cv2.circle(grey, hidden, 2 * side, 70, -1)
    half = side * 3 // 4
    for x, y in bare_places(scene, grey.shape, side)[:2]:
        grey[y - half : y + half, x - half : x + half] = 90
    missed = find_unread_cards(detect_symbols(grey, printed.deck))
    # the card under the circle
    assert missed.likely.tolist() == [True]


def test_stripes_of_a_cloth_are_no_cards_where_most_of_the_deck_is_elsewhere(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 4)
    printed = print_cards(300)
    scene = pictured(printed, 12, replace(PLAIN, grounds=("striped",)), 4)
    missed = find_unread_cards(detect_symbols(load_grey(scene.jpeg), printed.deck))
    assert missed.outlines.shape == missed.scraps.shape == (0, 4, 2)


def test_a_card_that_the_photo_cuts_off_is_no_thing_that_hides_cards(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 4)
    printed = print_cards(60)
    reading = read_photo(pictured_twice(printed, 60, PLAIN, 0)[1].jpeg, printed.deck)
    codes = {finding.code for finding in reading.findings}
    assert Code.CARDS_UNREAD in codes
    assert Code.CARDS_HIDDEN not in codes


def bare_places(scene, shape, side):
    """Places in the photo that are far from each other, from cards and from the edge."""
    taken = np.full(shape, 255, np.uint8)
    taken[2 * side : -2 * side, 2 * side : -2 * side] = 0
    for outline in scene.outlines.values():
        cv2.fillConvexPoly(taken, np.round(outline).astype(np.int32), 255)
    found = []
    while (away := cv2.distanceTransform(255 - taken, cv2.DIST_L2, 5)).max() > 2 * side:
        row, column = np.unravel_index(away.argmax(), shape)
        found.append((int(column), int(row)))
        cv2.circle(taken, found[-1], 2 * side, 255, -1)
    return found


def test_printed_rectangles_of_a_cloth_are_no_unread_cards(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 1.5)
    printed = print_cards(40)
    scene = pictured(printed, 12, replace(PLAIN, face_down=0.2), 5)
    detected = detect_symbols(load_grey(scene.jpeg), printed.deck)
    cards = len(find_unread_cards(detected).outlines)
    # a third of the deck is in the photo, so more cards are missing than rectangles are printed
    even = np.stack(np.meshgrid(np.arange(5) * 90.0, np.arange(4) * 70.0), -1).reshape(-1, 1, 2)
    printed_on_it = 600 + even + np.array([[0, 0], [62, 0], [62, 43], [0, 43]])
    papers = printed_on_it, np.zeros((0, 4, 2))
    monkeypatch.setattr(type(detected), "blank_cards_beside", lambda *_asked: papers)
    assert len(find_unread_cards(detected).outlines) == cards


def test_outlines_and_scraps_of_cards_that_were_read_since_are_dropped():
    card = np.array([[0, 0], [66, 0], [66, 46], [0, 46]], float)
    cards = np.stack([card, card + 100, card + 200])
    scraps = np.stack([card / 3 + 5, card / 3 + 150])
    marks = np.array([[True, False, True], [True, True, False], [True, False, False]])
    missed = UnreadCards(cards, scraps, NO_STRIPS, NO_STRIPS, cards[:2] + 8, cards[:0], *marks)
    left = missed.beside(cards[:1] + 4)
    assert np.array_equal(left.inner, cards[1:2] + 8)
    assert np.array_equal(left.outlines, cards[1:])
    assert np.array_equal(left.scraps, scraps[1:])
    assert left.likely.tolist() == [False, True]
    assert left.whole.tolist() == [True, False]
    assert left.connecting.tolist() == [False, False]


def test_sheets_are_looked_at_if_cards_are_missing_without_an_outline():
    card = np.array([[0, 0], [66, 0], [66, 46], [0, 46]], float)
    scraps, sheets, marks = card[None] / 3, 3 * card[None] + 200, np.ones((3, 1), bool)
    missed = UnreadCards(card[None] + 100, scraps, NO_STRIPS, NO_STRIPS, sheets[:0], sheets, *marks)
    assert np.array_equal(missed.papers(1), scraps)
    assert np.array_equal(missed.papers(2), np.concatenate([scraps, sheets]))


def test_a_clear_outline_on_a_card_that_was_read_since_stays():
    card = np.array([[0, 0], [66, 0], [66, 46], [0, 46]], float)
    marks = np.array([[True, True], [True, True], [True, False]])
    none = np.zeros((0, 4, 2))
    cards = np.stack([card, card + 100])
    missed = UnreadCards(cards, none, NO_STRIPS, NO_STRIPS, none, none, *marks)
    below = cards + np.array([20.0, 0.0])
    assert np.array_equal(missed.beside(below).outlines, card[None])
    assert len(missed.beside(card[None] + np.array([10.0, 0.0])).outlines) == 1


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_cards_of_strips_are_outlined_last_if_all_of_them_may_be_missing(monkeypatch, missing):
    monkeypatch.setattr(tables, "MEGAPIXELS", 1.5)
    printed = print_cards(40)
    scene = pictured(printed, 12, PLAIN, 5)
    detected = detect_symbols(load_grey(scene.jpeg), printed.deck)
    monkeypatch.setattr(unread_cards, "count_missing", lambda _detected: missing)
    card = np.array([[0, 0], [66, 0], [66, 46], [0, 46]], float)
    found, beside = card + 2000, np.stack([card + 2300, card + 2600, card + 2010])
    # the last strip is on a card that was found
    strips = Strips(beside.mean(1) - np.array([0.0, 15.0]), beside)
    marks = np.ones((3, 1), bool)
    none = np.zeros((0, 4, 2))
    missed = UnreadCards(found[None], none, strips, NO_STRIPS, none, none, *marks)
    missed = missed.with_uncertain(detected)
    rough = 2 if missing == 3 else 0
    assert np.array_equal(missed.outlines[1:], beside[:rough])
    assert missed.likely.tolist() == missed.connecting.tolist() == [True] + [False] * rough


@pytest.mark.parametrize("missing", [1, 2, 3, 4])
def test_cards_of_heaps_are_outlined_as_far_as_cards_are_missing(monkeypatch, missing):
    monkeypatch.setattr(tables, "MEGAPIXELS", 1.5)
    printed = print_cards(40)
    detected = detect_symbols(load_grey(pictured(printed, 12, PLAIN, 5).jpeg), printed.deck)
    monkeypatch.setattr(unread_cards, "count_missing", lambda _detected: missing)
    card = np.array([[0, 0], [66, 0], [66, 46], [0, 46]], float)
    boxes = np.stack([card + 2300, card + 2010, card + 2600])
    # the paper of the second is on a card that was found
    heaps = Strips(boxes.mean(1), boxes)
    none = np.zeros((0, 4, 2))
    missed = UnreadCards(
        card[None] + 2000, none, NO_STRIPS, heaps, none, none, *np.ones((3, 1), bool)
    )
    outlines = missed.with_uncertain(detected).outlines
    assert np.array_equal(outlines[1:], boxes[[0, 2]][: missing - 1])
