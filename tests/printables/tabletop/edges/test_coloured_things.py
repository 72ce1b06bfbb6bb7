"""Notes of a strong colour are no cards on a dark table, and cards in coloured light are."""

import numpy as np
import pytest

from printables.tabletop.edges.coloured_things import ColourViews
from printables.tabletop.edges.paper_view import PaperView
from printables.tabletop.top_view import TopView
from tests.printables.tabletop.edges.test_card_edges import READ, box, drawn

CARD, THING = box(300, 250, 15), box(480, 300, 40)
YELLOW, CREAM = (0.35, 0.95, 1.05), (0.93, 1.0, 1.03)


def views(colour, light=False):
    """A dark table with a card and a thing of a colour, in blue, green and red."""
    grey = drawn(60, [*READ, CARD])
    only = drawn(0, [THING]) > 0
    picture = np.where(only[..., None], 220 * np.array(colour), grey[..., None])
    picture = np.clip(picture, 1, 255).astype(np.uint8)
    top = TopView(np.asarray(picture @ np.array([0.114, 0.587, 0.299]), np.uint8), np.zeros(2), 1.0)
    return ColourViews.of(top, np.array(READ), lambda _top: picture, light)


def of_paper(found):
    view = PaperView.of(found.searched.grey, found.searched.from_mm(np.array(READ)), 1.0)
    boxes = found.searched.from_mm(np.array([CARD, THING]))
    return int(found.are_paper(view, boxes).sum())


@pytest.mark.parametrize(("colour", "kept"), [(YELLOW, 1), (CREAM, 2)])
def test_things_of_a_strong_colour_are_no_paper(colour, kept):
    assert of_paper(views(colour)) == kept


def test_on_a_light_table_the_darkened_view_is_searched():
    assert views(CREAM, light=True).in_colour
    assert not views(CREAM).in_colour


def test_a_part_of_the_view_is_like_the_whole():
    found = views(YELLOW).near(np.array([READ[3], CARD, THING]), 30.0)
    assert not found.in_colour
    assert of_paper(found) == 1


def test_without_colours_all_boxes_are_kept():
    top = TopView(drawn(60, [*READ, CARD, THING]), np.zeros(2), 1.0)
    found = ColourViews.of(top, np.array(READ), None, True).near(np.array([CARD, THING]), 300.0)
    assert found.darker is found.before
    assert of_paper(found) == 2
