"""Cards of which an object leaves one end in sight, in drawn top views in colour."""

import cv2
import numpy as np
import pytest

from printables.tabletop.edges.covered_ends import covered_ends
from printables.tabletop.missing_cards import find_missing_cards
from printables.tabletop.top_view import TopView
from tests.printables.tabletop.edges.test_card_edges import READ, box, drawn
from tests.printables.tabletop.edges.test_left_paper import off, view_of
from tests.printables.tabletop.test_missing_cards import LAYOUT

NONE = np.zeros((0, 4, 2))
TABLE, PAPER, SKIN = (70, 95, 120), (240, 240, 240), (95, 120, 190)


def in_colour(cards):
    """A brown table with white cards."""
    grey = drawn(90, cards)
    colour = np.full((*grey.shape, 3), TABLE, np.uint8)
    colour[grey == 240] = PAPER
    return colour


def covered(colour, card, end, share=0.36, thing=SKIN):
    """Lay a thing over a card, apart from a share of it at one of its four ends."""
    first, second, third, _ = np.roll(card, end, axis=0)
    along, across = third - second, second - first
    start = first + share * along
    corners = [start - across / 2, start + 1.5 * across, start + 1.5 * across + 1.6 * along]
    corners.append(corners[0] + 1.6 * along)
    cv2.fillConvexPoly(colour, np.round(corners).astype(np.int32), thing)
    return colour


def ends(colour, found=NONE):
    grey = cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY)
    return covered_ends(view_of(grey, READ), 1.0, (np.array(READ), found), LAYOUT, colour)


@pytest.mark.parametrize("turn", [0, 13, 41, 77])
@pytest.mark.parametrize("end", [0, 1, 2, 3])
def test_a_card_under_a_hand_is_found_by_the_end_in_sight(turn, end):
    card = box(300, 200, turn)
    found = ends(covered(in_colour([*READ, card]), card, end))
    assert len(found) == 1
    assert off(found, card) < 6


def test_a_hand_as_light_as_the_table_differs_in_colour():
    card, thing = box(300, 200, 20), (130, 94, 92)
    colour = covered(in_colour([*READ, card]), card, 1, thing=thing)
    grey = cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY)
    assert np.ptp(grey[grey < 200]) < 8
    assert len(ends(colour)) == 1
    # without colours, the table seems to begin behind the end
    assert len(ends(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR))) == 0


def test_small_paper_with_table_behind_it_is_no_end():
    eraser, note = box(200, 200, 20, (24, 46)), box(330, 200, 70, (46, 46))
    assert len(ends(in_colour([*READ, eraser, note]))) == 0
    beside = in_colour([*READ, eraser])
    cv2.circle(beside, (260, 200), 25, SKIN, -1)
    assert len(ends(beside)) == 0


def test_an_end_far_from_the_read_cards_or_on_a_card_found_before_is_none():
    card = box(300, 200, 20)
    colour = covered(in_colour([*READ, card]), card, 1)
    assert len(ends(colour, card[None])) == 0
    far = box(300, 330, 20)
    assert len(ends(covered(in_colour([*READ, far]), far, 1))) == 0


@pytest.mark.parametrize(("most", "count"), [(3, 2), (2, 2), (1, 0), (None, 0)])
@pytest.mark.parametrize("in_grey", [False, True])
def test_ends_are_cards_as_far_as_cards_are_missing(most, count, in_grey):
    cards = [box(200, 190, 8), box(400, 190, -8)]
    colour = in_colour([*READ, *cards])
    for card in cards:
        covered(colour, card, 1)
    top = TopView(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.zeros(2), 1.0)

    def seen_in(view):
        (left, over), (down, across) = view.low_mm.astype(int), view.grey.shape
        return colour[over : over + down, left : left + across]

    found = find_missing_cards(top, np.array(READ), LAYOUT, most, None if in_grey else seen_in)
    assert len(found.outlines) == 0
    assert len(found.inner) == count
    assert all(off(found.inner, card) < 6 for card in cards[:count])
