"""Combining the groupings of several photos."""

import numpy as np

from printables.tabletop.combining import Disagreement, combine_groupings

CARD = np.array([[0, 0], [60, 0], [60, 40], [0, 40]], float)
NONE = np.zeros((0, 4, 2))


def row(*lefts):
    return np.stack([CARD + np.array([left, 0]) for left in lefts])


def test_a_photos_grouping_has_priority_over_distances_on_the_joined_table():
    # 50 mm apart on the joined table, but in one group in the photo that shows both
    seen = np.array([[1, 1, 0], [0, 1, 2]])
    labels, doubts = combine_groupings(row(0, 110, 300), seen, NONE)
    assert labels.tolist() == [1, 1, 2] and doubts == []


def test_cards_that_no_photo_shows_together_are_grouped_by_distance():
    seen = np.array([[1, 2, 0], [0, 1, 2]])
    labels, _ = combine_groupings(row(70, 400, 0), seen, NONE)
    assert labels.tolist() == [1, 2, 1]


def test_an_unread_card_connects_its_neighbours():
    seen = np.array([[1, 0], [0, 1]])
    assert combine_groupings(row(0, 140), seen, row(70))[0].tolist() == [1, 1]
    assert combine_groupings(row(0, 140), seen, NONE)[0].tolist() == [1, 2]


def test_an_unread_card_does_not_connect_what_a_photo_shows_apart():
    # each photo shows both groups, and that the place in one of them is no card
    seen = np.array([[1, 2, 0], [1, 2, 0], [0, 0, 1]])
    cards = row(0, 140, 1000)
    assert combine_groupings(cards, seen, row(70))[0].tolist() == [1, 2, 3]
    # two that touch are one place
    assert combine_groupings(cards, seen, row(62, 76))[0].tolist() == [1, 2, 3]


def test_disagreeing_photos_are_reported():
    seen = np.array([[1, 1, 2], [1, 2, 2]])
    labels, doubts = combine_groupings(row(0, 70, 140), seen, NONE)
    assert labels.tolist() == [1, 1, 1]
    assert Disagreement((0, 1), (0, 1)) in doubts


def test_photos_that_disagree_on_the_same_cards_are_reported_once():
    seen = np.array([[1, 1, 2], [1, 2, 3], [1, 2, 3]])
    _, doubts = combine_groupings(row(0, 20, 400), seen, NONE)
    assert [d for d in doubts if isinstance(d, Disagreement)] == [Disagreement((0, 1), (0, 1, 2))]
