"""Drawing a reading over its photo."""

from dataclasses import replace

import numpy as np

from basics.group_colours import GROUP_COLOURS
from printables.reading.findings import paper_findings
from printables.reading.overlay import draw_overlay
from printables.reading.reader import PhotoReading, ReadSymbol
from printables.tabletop.grouping import TablePlan

CARD = np.array([[0, 0], [60, 0], [60, 40], [0, 40]], float)


def reading(groups, unread=()):
    outlines = np.array([CARD + np.array([20 + 80.0 * n, 20]) for n in range(len(groups))])
    symbols = tuple(ReadSymbol("", np.zeros((4, 2)), "decoded", None, g) for g in groups)
    rings = np.array([CARD + np.array(place) for place in unread], float).reshape(-1, 4, 2)
    plan = TablePlan(np.eye(3), outlines.reshape(-1, 4, 2)) if groups else None
    return PhotoReading(400, 200, symbols, (), rings, (), plan)


def colour(name):
    return [int(name[start : start + 2], 16) for start in (5, 3, 1)]


def test_a_card_has_its_groups_colour_and_an_unread_one_a_circle():
    photo = np.full((200, 400), 100, np.uint8)
    drawn = draw_overlay(photo, reading([1, 2], [(200, 100)]))
    assert drawn[20, 30].tolist() == colour(GROUP_COLOURS[0])
    assert drawn[20, 110].tolist() == colour(GROUP_COLOURS[1])
    # the circle encloses the card's corners
    radius = 1.1 * np.hypot(30, 20)
    assert drawn[round(120 - radius), 230].tolist() == [30, 38, 179]
    assert drawn[195, 5].tolist() == [100, 100, 100]


def test_a_scrap_of_paper_has_a_circle_that_can_be_seen():
    photo = np.full((200, 400), 100, np.uint8)
    scrap = CARD / 20 + [230, 120]
    drawn = draw_overlay(photo, replace(reading([1]), findings=tuple(paper_findings(scrap[None]))))
    middle, radius = scrap.mean(0), np.sqrt(60 * 40) / 2
    assert drawn[round(middle[1] - radius), round(middle[0])].tolist() == [30, 38, 179]


def test_the_thirteenth_group_has_the_first_colour_and_a_pattern():
    photo = np.full((200, 400), 100, np.uint8)
    first, later = (draw_overlay(photo, reading([group])) for group in (1, 13))
    assert later[20, 30].tolist() == first[20, 30].tolist()
    assert (first != later).any()


def test_an_empty_reading_leaves_the_photo_unchanged():
    photo = np.full((200, 400), 100, np.uint8)
    assert (draw_overlay(photo, reading([])) == 100).all()
