"""Inner cards of fans in drawn top views: found by narrow lines of shadow on the paper below."""

import cv2
import numpy as np
import pytest

from printables.tabletop.edges import fans
from printables.tabletop.edges.fans import inner_cards
from printables.tabletop.missing_cards import find_missing_cards
from printables.tabletop.top_view import TopView
from tests.printables.tabletop.edges.test_card_edges import READ, box, drawn
from tests.printables.tabletop.edges.test_left_paper import off, view_of
from tests.printables.tabletop.test_missing_cards import LAYOUT

NONE = np.zeros((0, 4, 2))


def fan_of(count, right, down, turn=12.0):
    """Cards from the lowest to the one on top, each shifted and a little turned."""
    way = np.array([[np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))]])
    way = np.concatenate([way, [[-way[0, 1], way[0, 0]]]])
    places = [
        np.array([220.0, 260]) + np.array([right * n, down * n + (-1) ** n]) @ way
        for n in range(count)
    ]
    return [box(*place, turn + 1.5 * (-1) ** n) for n, place in enumerate(places)]


def pictured(cards, line=205):
    """A dark table with white cards, each with a faint line of shadow on the card below it."""
    grey = drawn(90, READ)
    for card in cards:
        corners = np.round(card).astype(np.int32)
        beside = np.zeros_like(grey)
        cv2.polylines(beside, [corners], True, 255, 3)
        grey[(beside > 0) & (grey > 200)] = line
        cv2.fillConvexPoly(grey, corners, 240)
    return grey


def inner(grey, known, found, most=9):
    return inner_cards(view_of(grey, known), np.array(known), np.array(found), most)


@pytest.mark.parametrize(("right", "down"), [(20, 0), (-26, 0), (0, 16), (0, -22)])
def test_inner_cards_are_found_from_the_card_on_top(right, down):
    cards = fan_of(5, right, down)
    found = inner(pictured(cards), [*READ, cards[-1]], cards[:1])
    assert len(found) == 3
    assert max(off(found, card) for card in cards[1:4]) < 6


def test_without_lines_none_is_found_and_never_more_than_are_missing():
    cards = fan_of(4, 22, 0)
    known = [*READ, cards[-1]]
    assert len(inner(pictured(cards), known, cards[:1])) == 2
    assert len(inner(pictured(cards), known, cards[:1], 1)) == 1
    assert len(inner(pictured(cards), known, cards[:1], 0)) == 0
    assert len(inner(pictured(cards, line=239), known, cards[:1])) == 0


def test_print_on_the_lowest_card_is_no_line():
    lowest, over = box(300, 300), box(300, 324)
    grey = pictured([lowest, over])
    # a drawn rectangle, and a line of letters all across the card
    cv2.rectangle(grey, (285, 280), (315, 284), 60, 1)
    for column in range(268, 330, 8):
        cv2.line(grey, (column, 291), (column + 4, 291), 60, 2)
    assert len(inner(grey, [*READ, over], [lowest])) == 0


def test_edges_of_known_cards_and_lines_on_a_sheet_are_no_inner_cards():
    lowest, upper, over = box(300, 300), box(300, 262), box(300, 338)
    grey = pictured([lowest, upper, over])
    assert len(inner(grey, [*READ, upper, over], NONE)) == 0
    # as if the upper card were not known
    assert len(inner(grey, [*READ, over], NONE)) == 1
    # beyond the ends of this line there is paper, too
    sheet, over = box(300, 280, 0, (150, 100)), box(300, 340)
    grey = pictured([sheet, over])
    cv2.line(grey, (228, 300), (372, 300), 205, 2)
    assert len(inner(grey, [*READ, over], NONE)) == 0


@pytest.mark.parametrize(
    ("lines", "count"), [([300], 1), ([305, 292, 279], 1), (range(270, 307, 9), 0)]
)
def test_lines_beside_each_other_are_those_of_ruled_paper(lines, count):
    # a strip of paper as wide as a card
    strip, over = box(300, 280, 0, (66, 120)), box(300, 340)
    grey = pictured([strip, over])
    for row in lines:
        cv2.line(grey, (267, row), (333, row), 205, 2)
    assert len(inner(grey, [*READ, over], NONE, 1)) == count


def test_nothing_is_searched_if_much_of_the_table_looks_like_paper(monkeypatch):
    cards = fan_of(4, 22, 0)
    grey, known = pictured(cards), [*READ, cards[-1]]
    monkeypatch.setattr(fans, "_MOST_SIDES", 0)
    assert len(inner(grey, known, cards[:1])) == 0


def test_inner_cards_are_told_apart_from_other_missing_cards():
    cards = fan_of(4, 22, 0)
    top = TopView(pictured(cards), np.zeros(2), 1.0)
    known = np.array([*READ, cards[-1]])
    found = find_missing_cards(top, known, LAYOUT, 3)
    assert len(found.outlines) + len(found.inner) == 3
    assert len(found.inner)
    both = np.concatenate([found.outlines, found.inner])
    assert max(off(both, card) for card in cards[:3]) < 6
    # without a deck it is unknown whether any are missing
    assert len(find_missing_cards(top, known, LAYOUT).inner) == 0
