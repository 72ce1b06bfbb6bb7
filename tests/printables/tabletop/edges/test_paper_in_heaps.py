"""Cards in the paper that is left between other cards, in drawn top views."""

import cv2
import numpy as np
import pytest

from printables.cards.card import CardLayout
from printables.tabletop.edges.paper_in_heaps import cards_in_heaps
from printables.tabletop.edges.paper_view import PaperView
from tests.printables.tabletop.edges.test_card_edges import READ, box, drawn

INNER = box(300, 250, 15)
OVER = [box(262, 228, 80), box(336, 214, -10), box(330, 296, 25), box(262, 292, 100)]
NONE = np.zeros((0, 4, 2))


def found(grey, known, others=NONE):
    view = PaperView.of(grey, np.array(known), 1.0)
    return cards_in_heaps(view, 1.0, np.array(known), others, CardLayout())


def holds(card, point):
    return cv2.pointPolygonTest(np.float32(card), np.float32(point).tolist(), False) > 0


def test_paper_that_is_left_between_cards_belongs_to_a_card():
    known = [*READ, *OVER]
    (middle,), (outline,) = vars(found(drawn(90, [*READ, INNER, *OVER]), known)).values()
    assert holds(INNER, middle) and holds(INNER, outline.mean(0))
    assert cv2.contourArea(np.float32(outline)) == pytest.approx(66 * 46, rel=0.01)


def test_what_other_outlines_explain_is_left_out():
    grey = drawn(90, [*READ, INNER, *OVER])
    assert not len(found(grey, [*READ, *OVER], INNER[None]).middles)
    assert not len(found(drawn(90, [*READ, *OVER]), [*READ, *OVER]).middles)


def test_several_cards_are_found_in_paper_without_a_gap():
    left, right = box(300, 250), box(340, 262, 90)
    over = [box(292, 206), box(290, 294), box(240, 250, 90), box(340, 314)]
    places = found(drawn(90, [*READ, left, right, *over]), [*READ, *over])
    assert len(places.middles) == 2
    assert all(holds(left, at) or holds(right, at) for at in places.middles)


def test_paper_beside_no_card_is_left_out():
    note = box(300, 250, 0, (80, 60))
    assert not len(found(drawn(90, [*READ, note]), READ).middles)


def test_paper_at_the_border_of_the_photo_is_left_out():
    grey = drawn(90, [*READ, box(300, 370, 30, (66, 60))])
    grey[380:] = 0
    assert not len(found(grey, READ).middles)


@pytest.mark.parametrize(("size", "corners"), [((127, 76), [1, 3]), ((100, 70), [0, 2])])
def test_other_paper_on_which_cards_lie_is_left_out(size, corners):
    """The first has an edge longer than a card, and the second would be three cards."""
    paper = box(300, 270, 10, size)
    known = [*READ, *(box(*corner, 40) for corner in paper[corners])]
    assert not len(found(drawn(90, [paper, *known]), known).middles)


def test_the_reflection_of_a_lamp_between_cards_is_no_card():
    row, column = np.indices((420, 620))
    glare = 150 * np.exp(-((row - 250) ** 2 + (column - 300) ** 2) / (2 * 60**2))
    grey = np.clip(90 + glare, 0, 240).astype(np.uint8)
    for card in (*READ, *OVER):
        cv2.fillConvexPoly(grey, np.round(card).astype(np.int32), 240)
    assert not len(found(grey, [*READ, *OVER]).middles)


def test_none_are_found_on_a_cloth_with_white_checks():
    row, column = np.indices((420, 620))
    grey = np.where((row // 44 + column // 55) % 2, 232, 90).astype(np.uint8)
    for card in (*READ, *OVER):
        cv2.fillConvexPoly(grey, np.round(card).astype(np.int32), 240)
    assert not len(found(grey, [*READ, *OVER]).middles)
