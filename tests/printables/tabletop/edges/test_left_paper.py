"""Cards in paper that is left: strips beside cards that lie on them, and blank cards on cloths."""

import cv2
import numpy as np
import pytest

from printables.tabletop.edges.left_paper import blank_boxes, boxes_of_strips, likeliest_of_strips
from printables.tabletop.edges.paper_view import PaperView
from tests.printables.tabletop.edges.test_card_edges import READ, SIZE, box, drawn
from tests.printables.tabletop.test_missing_cards import errors, found_with_marks, missing


def view_of(grey, known):
    return PaperView.of(grey, np.array(known), 1.0)


def off(boxes, card):
    """Least distance of the corners of any of the boxes from those of a card."""
    turned = np.stack([np.roll(card, turn, axis=0) for turn in range(4)])
    apart = np.linalg.norm(boxes[:, None] - turned, axis=-1)
    return apart.max(-1).min()


@pytest.mark.parametrize(("right", "down", "turn"), [(-10.2, -0.6, -1.7), (7.7, 2, -0.6)])
def test_a_card_is_found_by_a_strip_beside_the_card_that_lies_on_it(right, down, turn):
    over, under = box(300, 300, 12), box(300 + right, 300 + down, 12 + turn)
    grey = drawn(90, [*READ, under, over])
    known = [*READ, over]
    assert off(boxes_of_strips(view_of(grey, known), np.array(SIZE)), under) < 8
    found, likely, whole, connecting = found_with_marks(grey, known, 2)
    assert errors(found, [under]).max() < 4
    # its edges are mostly those of the card on it
    assert likely.all() and not (whole | connecting).any()


def test_strips_are_not_looked_for_where_the_table_is_paper_or_beside_no_card():
    strip = box(300, 300, 30, (66, 8))
    dark, light = drawn(90, [*READ, strip]), drawn(228, [*READ, strip])
    size = np.array(SIZE)
    assert len(boxes_of_strips(view_of(dark, READ), size)) == 0
    beside = [*READ, box(300, 300 + 32, 30)]
    assert len(boxes_of_strips(view_of(dark, beside), size)) > 0
    assert len(boxes_of_strips(view_of(light, beside), size)) == 0


def test_a_strip_without_edges_shows_where_its_card_lies():
    # others hide all of its edges
    over, under = box(300, 250), box(318, 264)
    beside = [box(380, 258), box(306, 307)]
    known, size = [*READ, over, *beside], np.array(SIZE)
    picture = drawn(90, [*READ, under, over, *beside])
    found = likeliest_of_strips(view_of(picture, known), size)
    assert len(found.outlines) == 1
    assert off(found.outlines, under) < 8
    assert cv2.pointPolygonTest(np.float32(under), found.middles[0], False) > 0
    # on a cloth with stripes as light as paper, others between cards may look like it
    striped = picture.copy()
    striped[380:384] = 240
    assert len(likeliest_of_strips(view_of(striped, known), size).outlines) == 0
    # as narrow as what inexact cuts leave, and darker than paper
    for place, grey in ((box(303, 252), 240), (under, 180)):
        picture = drawn(90, [*READ, place])
        picture[picture == 240] = grey
        picture = np.maximum(picture, drawn(90, known))
        assert len(likeliest_of_strips(view_of(picture, known), size).outlines) == 0


def cloth(cards):
    """Cards on a cloth with stripes that are nearly as light as they are."""
    grey = drawn(90, [])
    grey[:, np.arange(grey.shape[1]) // 22 % 2 == 0] = 225
    over = drawn(0, cards)
    return np.where(over > 0, over, grey)


def test_a_blank_card_between_others_on_a_cloth_is_found_by_its_paper():
    around = [box(300 + 70 * x, 250 + 50 * y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
    blank, known = box(300, 250), [*READ, *around]
    grey = cloth([*known, blank])
    boxes = blank_boxes(view_of(grey, known), np.array(SIZE))
    assert len(boxes) == 1
    assert off(boxes, blank) < 3
    assert errors(missing(grey, known, 3), [blank]).max() < 3
    assert len(missing(cloth(known), known, 3)) == 0


def test_many_more_blank_places_than_missing_cards_belong_to_the_table():
    # with edges too soft for cards
    large = (SIZE[0] + 7, SIZE[1] + 7)
    middles = ((60, 180), (170, 215), (290, 175), (405, 220), (530, 195))
    places = [box(*at, size=large) for at in middles]
    soft = cv2.GaussianBlur(drawn(90, places), (0, 0), 5)
    grey = np.maximum(soft, drawn(90, READ))
    assert len(blank_boxes(view_of(grey, READ), np.array(SIZE))) == len(places)
    assert len(missing(grey, READ, len(places))) == len(places)
    # a few of them may be notes
    assert len(missing(grey, READ, 2)) == 2
    assert len(missing(grey, READ, 1)) == 0
