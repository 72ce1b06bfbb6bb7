"""Cards nearly covered by another: found by the strips of paper beside it."""

import numpy as np
import pytest

from printables.tabletop.edges.cards_below import cards_below
from tests.printables.tabletop.edges.test_card_edges import READ, SIZE, box, drawn
from tests.printables.tabletop.edges.test_left_paper import off, view_of
from tests.printables.tabletop.test_missing_cards import errors, found_with_marks

NONE = np.zeros((0, 4, 2))


def below(grey, known, others=NONE):
    return cards_below(view_of(grey, known), np.array(known), others, np.array(SIZE))


@pytest.mark.parametrize(
    ("right", "down", "turn"),
    # two sides of the card below are in sight, its four corners, and one side
    [(-5, 7, 1), (0.5, 0, 13), (-2, 1, -10), (0.5, 7, 0.4)],
)
def test_a_card_is_found_by_strips_around_the_card_on_it(right, down, turn):
    over, under = box(300, 300, 12), box(300 + right, 300 + down, 12 + turn)
    known = [*READ, over]
    grey = drawn(90, [*READ, under, over])
    assert len(below(grey, known)) == 1
    assert off(below(grey, known), under) < 2.5
    found, likely, whole, connecting = found_with_marks(grey, known, 1)
    assert errors(found, [under]).max() < 2.5
    assert likely.all() and not (whole | connecting).any()


def test_strips_may_be_cut_off_by_neighbours():
    over, under = box(300, 300), box(306, 305, 2)
    beside = [box(300 + SIZE[0] + 5, 300), box(300 - SIZE[0] - 3, 300)]
    known = [*READ, over, *beside]
    grey = drawn(90, [*READ, under, over, *beside])
    assert off(below(grey, known), under) < 2.5
    # nor are they outlined again if they belong to a card that was found
    assert len(below(grey, known, under[None])) == 0


def test_random_positions_are_found():
    random, missed = np.random.default_rng(7), 0
    for _ in range(40):
        right, down = random.uniform(-7, 7, 2)
        turn, side = random.uniform(-12, 12), random.uniform(0, 360)
        over, under = box(300, 300, side), box(300 + right, 300 + down, side + turn)
        if np.abs(over - under).max() < 5:
            continue
        found = below(drawn(90, [*READ, under, over]), [*READ, over])
        assert len(found) <= 1
        missed += not len(found) or off(found, under) > 4
    assert missed <= 4


def test_inexact_outlines_and_known_neighbours_are_no_cards_below():
    over = box(300, 300, 12)
    large = box(300, 300, 12, (SIZE[0] + 4, SIZE[1] + 4))
    assert len(below(drawn(90, [*READ, large]), [*READ, over])) == 0
    aside = box(300 + 4, 300 - 4, 14)
    assert len(below(drawn(90, [*READ, over]), [*READ, aside])) == 0
    beside = box(300 + 40, 300 + 20, 30)
    assert len(below(drawn(90, [*READ, beside, over]), [*READ, over, beside])) == 0


def test_other_light_areas_beside_a_card_are_no_cards_below():
    over = box(300, 300)
    left, right = over[:, 0].min(), over[:, 0].max()
    for shape in (
        # a sheet, a stripe that runs on along a side, and a sheet behind a gap
        box(300, 330, 0, (200, 80)),
        box(300, over[0, 1] - 3, 0, (400, 12)),
        box(right + 9, 300, 0, (12, SIZE[1] - 4)),
        # a narrow strip that does not reach a corner
        box(left - 3, 300, 0, (10, 14)),
    ):
        assert len(below(drawn(90, [*READ, shape, over]), [*READ, over])) == 0


def test_none_are_looked_for_on_tables_as_light_as_paper():
    over, under = box(300, 300, 12), box(304, 304, 15)
    assert len(below(drawn(226, [*READ, under, over]), [*READ, over])) == 0
    assert (
        len(cards_below(view_of(drawn(90, [*READ, under]), READ), NONE, NONE, np.array(SIZE))) == 0
    )
