"""Evidence for cards in drawn top views: clear ones, patterns, strips and neighbours."""

import numpy as np
import pytest

from printables.tabletop.edges.box_evidence import (
    SURE,
    choose_clearest,
    clearest_corner,
    enough_in_sight,
    may_be_below,
)
from printables.tabletop.edges.card_edges import measure_paper, measure_sides
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


def test_a_card_of_which_another_leaves_only_strips_is_chosen_for_their_edges():
    over, under = box(300, 250), box(310, 258)
    view = seen([under, over], [over])
    shown, white, _ = measure_paper(view, under[None])
    assert shown[0] < 0.2
    assert not enough_in_sight(shown, white)[0] and may_be_below(shown, white)[0]
    assert np.array_equal(choose_clearest(view, under[None])[0], under[None])
    # without the card below, there are no edges
    assert not len(choose_clearest(seen([over], [over]), under[None])[0])


def test_strips_darker_than_paper_are_no_card_below_another():
    over, under = box(300, 250), box(310, 258)
    grey = drawn(90, [*READ, under, over])
    wood = drawn(90, [under]) > 200
    grey[wood & (drawn(90, [over]) < 200)] = 170
    view = PaperView.of(grey, np.array([*READ, over]), 1.0)
    assert not len(choose_clearest(view, under[None])[0])


def test_strips_with_other_things_on_them_are_no_card():
    over, under = box(300, 250), box(310, 258)
    grey = drawn(90, [*READ, under, over])
    left, upper = (int(side) for side in under.min(0))
    right, lower = (int(side) for side in under.max(0))
    # every second piece of its edges is dark
    for start in range(left, right, 16):
        grey[lower - 12 : lower + 2, start : start + 8] = 60
    for start in range(upper, lower, 16):
        grey[start : start + 8, right - 12 : right + 2] = 60
    view = PaperView.of(grey, np.array([*READ, over]), 1.0)
    assert not len(choose_clearest(view, under[None])[0])


@pytest.mark.parametrize(("shorter", "found"), [(0, 1), (12, 0)])
def test_a_strip_between_two_cards_is_a_card_if_it_is_as_long(shorter, found):
    under, over, beyond = box(300, 235), box(298, 200), box(303, 255)
    strip = box(300 - shorter / 2, 235, size=(66 - shorter, 46))
    grey = drawn(90, [*READ, strip, over, beyond])
    view = PaperView.of(grey, np.array([*READ, over, beyond]), 1.0)
    assert len(choose_clearest(view, under[None])[0]) == found


def test_a_box_below_others_needs_paper_in_sight():
    shown, white = np.array([0.1, 0.1, 0.01, 0.6]), np.array([0.9, 0.3, 1.0, 0.9])
    assert may_be_below(shown, white).tolist() == [True, False, False, False]
