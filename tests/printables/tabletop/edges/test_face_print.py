"""Print on the faces of cards, in drawn top views."""

import cv2
import numpy as np

from printables.tabletop.edges.box_evidence import SURE
from printables.tabletop.edges.face_print import are_faces_or_backs
from printables.tabletop.edges.paper_view import PaperView
from tests.printables.tabletop.edges.test_card_edges import READ, box, drawn

FACE, BACK = box(200, 250, 20), box(330, 250, -10)
TABLE = box(330, 360)


def view_of(printed, over=None):
    """A table with cards; circles are drawn on those read and on those printed, and a thing over
    the end of one."""
    grey = drawn(90, [*READ, FACE, BACK])
    for card in [*READ, *printed]:
        for radius in (4, 8, 12, 16):
            cv2.circle(grey, np.round(card.mean(0)).astype(int).tolist(), radius, 120, 1)
    if over is not None:
        cv2.fillConvexPoly(grey, np.round(over).astype(int), 60)
    return PaperView.of(grey, np.array(READ), 1.0)


def found(view, boxes, evidence=0.6, many=True):
    given = np.full(len(boxes), evidence)
    return are_faces_or_backs(view, np.array(boxes), given, np.array(READ), many).tolist()


def test_boxes_that_show_print_are_cards_and_those_on_a_bare_table_are_not():
    assert found(view_of([FACE]), [FACE, TABLE]) == [True, False]
    # where evidence is clear, print says nothing
    assert found(view_of([FACE]), [TABLE], SURE) == [True]
    assert found(view_of([FACE]), np.zeros((0, 4, 2))) == []


def test_a_card_face_down_is_known_by_a_long_stretch_of_edges():
    assert found(view_of([FACE]), [BACK]) == [True]
    # of this one, halves of two sides are edges
    beside = BACK + 0.5 * (BACK[1] - BACK[0])
    assert found(view_of([FACE]), [beside]) == [False]


def test_a_shorter_stretch_of_edges_is_enough_where_no_pattern_is_likely():
    # of the card's long sides .55 are in sight
    view = view_of([FACE], BACK + 0.55 * (BACK[1] - BACK[0]))
    assert found(view, [BACK], many=True) == [False]
    assert found(view, [BACK], many=False) == [True]
    assert found(view, [TABLE], many=False) == [False]


def test_what_known_cards_show_is_not_print_of_a_card_below():
    over = READ[0]
    below = over + 0.4 * (over[1] - over[0])
    assert found(view_of([]), [below]) == [False]


def test_any_box_may_be_a_card_if_no_card_shows_print():
    noise = np.random.default_rng(1).normal(0, 3, (420, 620))
    bare = np.clip(drawn(90, READ) + noise, 1, 255).astype(np.uint8)
    assert found(PaperView.of(bare, np.array(READ), 1.0), [TABLE]) == [True]
