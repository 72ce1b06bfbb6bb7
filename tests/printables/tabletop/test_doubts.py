"""Groups in doubt because of unread cards, paper, hidden places or narrow gaps."""

import numpy as np

from printables.tabletop.doubts import (
    ROUGH_MM,
    bridged_groups,
    close_groups,
    groups_across,
    groups_across_foreign,
    groups_beside,
)

CARD = np.array([[0, 0], [60, 0], [60, 40], [0, 40]], float)
NONE = np.zeros((0, 4, 2))


def row(*lefts):
    return np.stack([CARD + np.array([left, 0]) for left in lefts])


def test_a_group_that_only_an_unread_card_connects():
    cards, labels = row(0, 70, 210, 280), np.array([1, 1, 1, 1])
    assert bridged_groups(cards, labels, row(140), NONE) == [[1]]
    assert bridged_groups(row(0, 70, 140, 210), labels, CARD[None] + [0, 50], NONE) == []


def test_a_card_that_only_an_unread_card_connects_beyond_the_gap():
    # 40 mm from the others, and an unread card in between
    cards, labels = row(0, 70, 170), np.array([1, 1, 1])
    unread = row(120) + np.array([0, 44])
    assert bridged_groups(cards, labels, unread, NONE) == [[1]]
    # a card that was read is no doubt
    assert bridged_groups(cards, labels, unread, row(120) - np.array([0, 44])) == []


def test_a_card_of_the_deck_connects_a_group_for_certain_if_no_other_is_missing():
    cards, labels, alone = row(0, 70, 210, 280), np.array([1, 1, 1, 1]), np.array([True])
    assert bridged_groups(cards, labels, row(140), NONE, alone, True) == []
    # other paper may have its outline
    assert bridged_groups(cards, labels, row(140), NONE, alone, False) == [[1]]
    # it may lie on another card
    assert bridged_groups(cards, labels, row(140), NONE, ~alone, True) == [[1]]


def test_an_unread_card_between_two_groups():
    cards, labels = row(0, 70, 220), np.array([1, 1, 2])
    # 12 mm from one group, 23 mm from the other
    assert bridged_groups(cards, labels, row(142), NONE) == [[1, 2]]
    assert bridged_groups(cards, labels, NONE, NONE) == []


def test_an_unread_card_within_a_cards_width_of_another_group():
    cards, labels = row(0, 70, 235), np.array([1, 1, 2])
    # 10 mm from one group and 35 mm from the other; cards are 40 mm wide
    assert bridged_groups(cards, labels, row(140) - [0, 10], NONE) == [[1, 2]]
    assert bridged_groups(row(0, 70, 255), labels, row(140), NONE) == []
    # no other card can be under it
    alone = np.array([True])
    assert bridged_groups(cards, labels, row(140) - [0, 10], NONE, alone) == []
    assert bridged_groups(cards, labels, row(140) - [0, 10], NONE, ~alone) == [[1, 2]]


def test_groups_that_cards_of_other_decks_would_connect():
    cards, labels = row(0, 70, 290), np.array([1, 1, 2])
    # 15 mm from each other and from both groups
    assert groups_across_foreign(cards, labels, row(145, 220) - [5, 0], NONE) == [[1, 2]]
    # one of the two was not read
    assert groups_across_foreign(cards, labels, row(140), row(215)) == [[1, 2]]
    assert groups_across_foreign(cards, labels, row(140), NONE) == []
    assert groups_across_foreign(cards, labels, NONE, row(140, 215)) == []
    # unread cards elsewhere are of no concern
    elsewhere = row(145, 220) - [5, 0]
    assert groups_across_foreign(cards, labels, CARD[None] + [0, 300], elsewhere) == []


def test_paper_between_groups_is_a_doubt_if_a_hidden_card_could_reach_both():
    cards, labels = row(0, 70, 200), np.array([1, 1, 2])
    scrap = np.array([[150, 10], [165, 10], [165, 25], [150, 25]], float)
    assert groups_across(cards, labels, scrap[None], 20.0) == [[1, 2]]
    assert groups_across(cards, labels, scrap[None] + [0, 120], 20.0) == []
    assert groups_across(cards, labels, NONE, 20.0) == []


def test_groups_on_two_sides_of_a_large_object():
    cards, labels = row(0, 70, 400, 470), np.array([1, 1, 2, 2])
    square = np.array([[140, 0], [160, 0], [160, 20], [140, 20]], float)
    squares = square + np.stack([[[left, 0]] for left in range(0, 240, 20)])
    assert groups_across(cards, labels, squares, 20.0) == [[1, 2]]
    two_objects = np.delete(squares, [5, 6], axis=0)
    assert groups_across(cards, labels, two_objects, 20.0) == []


def test_groups_beside_an_object_whose_edge_is_only_roughly_known():
    cards, labels = row(0, 70, 215), np.array([1, 1, 2])
    square = np.array([[145, 0], [165, 0], [165, 20], [145, 20]], float)[None]
    # 50 mm from one group, where the gap and half a card reach 38 mm
    assert groups_across(cards, labels, square, 20.0) == []
    assert groups_across(cards, labels, square, 20.0 + ROUGH_MM) == [[1, 2]]


def test_groups_within_a_cards_width_beyond_the_gap_of_a_hidden_place():
    cards, labels = row(0, 70, 240), np.array([1, 1, 2])
    place = np.array([[145, 0], [165, 0], [165, 20], [145, 20]], float)
    assert groups_beside(cards, labels, place[None], NONE) == [1]
    both = place + np.array([[[0, 0]], [[45, 0]]])
    assert groups_beside(cards, labels, both, NONE) == [1, 2]
    # a card of 40 mm may begin 18 mm from a group
    assert groups_beside(cards, labels, place[None] + [0, 95], NONE) == [1]
    assert groups_beside(cards, labels, place[None] + [0, 105], NONE) == []


def test_an_unread_card_between_a_group_and_a_hidden_place():
    cards, labels = row(0, 70, 450), np.array([1, 1, 2])
    place = np.array([[215, 0], [235, 0], [235, 20], [215, 20]], float)
    assert groups_beside(cards, labels, place[None], NONE) == []
    assert groups_beside(cards, labels, place[None], row(140)) == [1]
    # the unread card is beside the place but not beside a group
    assert groups_beside(cards, labels, place[None], row(240)) == []


def test_a_narrow_break_is_in_doubt_and_a_wide_one_is_not():
    # gaps of 10 and 24 mm within groups and of 28 mm between them
    assert close_groups(row(0, 70, 154, 242), np.array([1, 1, 1, 2]), NONE) == [[1], [1, 2]]
    assert close_groups(row(0, 70, 140, 242), np.array([1, 1, 1, 2]), NONE) == []


def test_groups_are_in_doubt_if_two_breaks_are_about_as_good():
    # 27.5 mm separates two groups if the break below it counts, and none if that above it does:
    # 17.5 ln 3 = 19.2 and 17.5 ln 2 = 12.1
    assert close_groups(row(0, 70, 157.5), np.array([1, 1, 2]), NONE) == [[1, 2]]
    # 21 ln 3 = 23.1 and 14 ln 2 = 9.7
    assert close_groups(row(0, 70, 161), np.array([1, 1, 2]), NONE) == []


def test_a_group_is_in_doubt_if_one_card_is_far_from_cards_that_nearly_touch():
    # 24 mm is allowed within groups: 14 ln 3 = 15.4 and 1.5 * 21 ln 2 = 21.8
    assert close_groups(row(0, 70, 154), np.array([1, 1, 1]), NONE) == [[1]]
    # 9 ln 3 = 9.9 and 1.5 * 26 ln 2 = 27.0
    assert close_groups(row(0, 70, 149), np.array([1, 1, 1]), NONE) == []


def test_a_group_is_in_doubt_if_its_cards_are_farther_apart_than_asked():
    labels = np.array([1, 1, 1, 1])
    assert close_groups(row(0, 78, 156, 237), labels, NONE) == []
    far = row(0, 78, 156, 248)
    assert close_groups(far, labels, NONE) == [[1]]
    # an unread card below the wide gap connects the cards beside it
    assert close_groups(far, labels, row(205) + np.array([0, 50])) == []


def test_lone_cards_as_close_as_those_of_a_group_are_in_doubt():
    # two groups of two, 25 mm apart as asked within a group and 45 mm between, split into cards
    cards = row(0, 85, 190, 275)
    assert close_groups(cards, np.array([1, 2, 3, 4]), NONE) == [[1, 2], [3, 4]]
    # so are all lone cards that are closer than groups are asked to be, since they may be one group
    labels = np.arange(1, 5)
    assert close_groups(row(0, 95, 190, 285), labels, NONE) == [[1, 2], [2, 3], [3, 4]]
    # cards that are farther apart are groups of their own
    assert close_groups(row(0, 100, 200, 300), labels, NONE) == []
    # beside a group whose cards are closer, they are, too
    beside = np.array([1, 1, 1, 1, 2, 3, 4])
    assert close_groups(row(0, 70, 140, 210, 305, 400, 495), beside, NONE) == []


def test_a_large_group_whose_cards_are_as_far_apart_as_groups_may_be():
    """Ten rows of eleven cards in three parts that run into each other."""
    apart = np.cumsum([0, 75, 78, 74, 79, 76, 80, 77, 75, 79, 76])
    cards = np.concatenate([row(*apart) + np.array([0, 55 * n]) for n in range(10)])
    labels = np.ones(110, np.intp)
    assert close_groups(cards, labels, NONE) == [[1]]
    assert close_groups(cards[:99], labels[:99], NONE) == []
