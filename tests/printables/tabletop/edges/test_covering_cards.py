"""Cards over one known card and under another, by their edge across the lower one's symbol."""

import cv2
import numpy as np
import pytest

from printables.tabletop.edges.covering_cards import CoveredCard, covering_cards
from printables.tabletop.top_view import TopView
from tests.printables.tabletop.edges.test_card_edges import READ, box, drawn
from tests.printables.tabletop.edges.test_left_paper import off
from tests.printables.tabletop.test_missing_cards import LAYOUT

NONE = np.zeros((0, 4, 2))


def turned(point, turn):
    angle = np.deg2rad(turn)
    way = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.array([300.0, 220]) + np.asarray(point, float) @ way


def pile(turn, along):
    """The lower card, the one on it, and the one on top, of which all but a strip is hidden."""
    lower, over, top = (
        box(*turned(place, turn), turn) for place in ((0, 40), (along, 8), (along / 2, -4))
    )
    grey = drawn(90, [*READ, lower])
    for card in (over, top):
        corners = np.round(card).astype(np.int32)
        cv2.polylines(grey, [corners], True, 222, 2)
        cv2.fillConvexPoly(grey, corners, 240)
    # the edge of the card between crosses the lower one's symbol 31 mm below its own centre
    edge = turned([[22, 31], [10, 31]], turn)
    covered = turned(np.stack(np.meshgrid(np.arange(10, 23), np.arange(25, 31)), -1), turn)
    return grey, lower, over, top, CoveredCard(6, edge, covered.reshape(-1, 2)[:, :2])


@pytest.mark.parametrize("turn", [0, 25, -70])
@pytest.mark.parametrize("along", [-9, 7])
def test_a_card_between_two_known_ones_is_found_by_its_edge(turn, along):
    grey, lower, over, top, covered = pile(turn, along)
    view = TopView(grey, np.zeros(2), 1.0)
    read = np.array([*READ, lower, top])
    found = covering_cards(view, [covered], read, NONE, LAYOUT)
    assert len(found) == 1
    assert off(found, over) < 5


def test_no_card_is_found_where_a_known_one_covers_the_symbol():
    grey, lower, over, top, covered = pile(10, 7)
    view = TopView(grey, np.zeros(2), 1.0)
    read = np.array([*READ, lower, top])
    assert len(covering_cards(view, [covered], read, over[None], LAYOUT)) == 0
    assert len(covering_cards(view, [], read, NONE, LAYOUT)) == 0
    # what is found for the first is known for the second
    assert len(covering_cards(view, [covered, covered], read, NONE, LAYOUT)) == 1


@pytest.mark.parametrize(("turn", "along"), [(0, 7), (25, 7), (10, 20)])
def test_a_card_of_which_most_is_in_sight_is_left_to_its_paper(turn, along):
    grey, lower, over, _, covered = pile(turn, along)
    cv2.polylines(grey, [np.round(lower).astype(np.int32)], True, 222, 1)
    cv2.polylines(grey, [np.round(over).astype(np.int32)], True, 222, 2)
    cv2.fillConvexPoly(grey, np.round(over).astype(np.int32), 240)
    view = TopView(grey, np.zeros(2), 1.0)
    read = np.array([*READ, lower])
    assert len(covering_cards(view, [covered], read, NONE, LAYOUT)) == 0


def test_no_card_is_found_on_the_bare_table():
    _, lower, _, _, covered = pile(10, 7)
    bare = TopView(drawn(90, READ), np.zeros(2), 1.0)
    read = np.array([*READ, lower])
    assert len(covering_cards(bare, [covered], read, NONE, LAYOUT)) == 0
