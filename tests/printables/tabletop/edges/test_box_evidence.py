"""Evidence for cards in drawn top views: clear ones, patterns, strips and neighbours."""

import numpy as np
import pytest

from printables.tabletop.edges.box_evidence import (
    SURE,
    choose_clearest,
    clearest_corner,
    enough_in_sight,
)
from printables.tabletop.edges.card_edges import measure_sides
from printables.tabletop.edges.paper_view import PaperView
from tests.printables.tabletop.edges.test_card_edges import READ, box, drawn


def seen(cards, known):
    return PaperView.of(drawn(90, [*READ, *cards]), np.array([*READ, *known]), 1.0)


def test_four_clear_sides_are_certain_and_the_bare_table_is_no_card():
    card = box(200, 250, 20)
    chosen, evidence = choose_clearest(seen([card], []), np.array([box(400, 300), card]))
    assert np.array_equal(chosen, card[None])
    assert evidence[0] == pytest.approx(1, abs=0.05)


def test_a_box_that_shares_its_edges_with_a_clearer_one_is_not_chosen():
    card = box(200, 250, 20)
    boxes = np.array([box(205, 252, 20), card, box(198, 249, 21)])
    chosen, _ = choose_clearest(seen([card], []), boxes)
    assert np.array_equal(chosen, card[None])


def test_a_card_half_under_a_known_one_is_certain():
    over, under = box(300, 250), box(330, 270)
    chosen, evidence = choose_clearest(seen([under, over], [over]), under[None])
    assert len(chosen) == 1
    assert evidence[0] > SURE


def test_two_opposite_sides_as_of_a_stripe_are_no_corner():
    grey = drawn(90, READ)
    grey[227:273] = 240
    sides = measure_sides(PaperView.of(grey, np.array(READ), 1.0), box(300, 250)[None])
    assert clearest_corner(sides)[0] < 0.1
    assert clearest_corner(measure_sides(seen([box(300, 250)], []), box(300, 250)[None]))[0] > 0.9


def test_a_narrow_strip_counts_if_all_of_it_is_paper():
    shown, white = np.array([0.17, 0.17, 0.1, 0.3]), np.array([0.95, 0.5, 1.0, 0.5])
    assert enough_in_sight(shown, white).tolist() == [True, False, False, True]
