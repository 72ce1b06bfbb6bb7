"""Combining the groupings of several photos."""

import numpy as np

from printables.tabletop.combining import Disagreement, Views, combine_groupings

CARD = np.array([[0, 0], [60, 0], [60, 40], [0, 40]], float)
NONE = np.zeros((0, 4, 2))


def row(*lefts):
    return np.stack([CARD + np.array([left, 0]) for left in lefts])


def views(cards, seen, amid=()):
    """What photos show of some cards; `amid` are those that show the table around all of them."""
    seen = np.array(seen)
    around = np.zeros(seen.shape, bool)
    around[list(amid)] = True
    return Views(seen, np.repeat(cards[None], len(seen), axis=0), around)


def test_a_photos_grouping_has_priority_over_distances_on_the_joined_table():
    # 50 mm apart on the joined table, but in one group in the photo that shows both
    seen = np.array([[1, 1, 0], [0, 1, 2]])
    labels, doubts = combine_groupings(row(0, 110, 300), views(row(0, 110, 300), seen), NONE)
    assert labels.tolist() == [1, 1, 2] and doubts == []


def test_cards_that_no_photo_shows_together_are_grouped_by_distance():
    seen = np.array([[1, 2, 0], [0, 1, 2]])
    labels, _ = combine_groupings(row(70, 400, 0), views(row(70, 400, 0), seen), NONE)
    assert labels.tolist() == [1, 2, 1]


def test_an_unread_card_connects_its_neighbours():
    seen = np.array([[1, 0], [0, 1]])
    assert combine_groupings(row(0, 140), views(row(0, 140), seen), row(70))[0].tolist() == [1, 1]
    assert combine_groupings(row(0, 140), views(row(0, 140), seen), NONE)[0].tolist() == [1, 2]


def test_an_unread_card_does_not_connect_what_a_photo_shows_apart():
    # each photo shows both groups, and that the place in one of them is no card
    seen = np.array([[1, 2, 0], [1, 2, 0], [0, 0, 1]])
    cards = row(0, 140, 1000)
    assert combine_groupings(cards, views(cards, seen), row(70))[0].tolist() == [1, 2, 3]
    # two that touch are one place
    assert combine_groupings(cards, views(cards, seen), row(62, 76))[0].tolist() == [1, 2, 3]


def test_disagreeing_photos_are_reported():
    seen = np.array([[1, 1, 2], [1, 2, 2]])
    labels, doubts = combine_groupings(row(0, 70, 140), views(row(0, 70, 140), seen), NONE)
    assert labels.tolist() == [1, 1, 1]
    assert Disagreement((0, 1), (0, 1)) in doubts


def test_photos_that_disagree_on_the_same_cards_are_reported_once():
    seen = np.array([[1, 1, 2], [1, 2, 3], [1, 2, 3]])
    _, doubts = combine_groupings(row(0, 20, 400), views(row(0, 20, 400), seen), NONE)
    assert [d for d in doubts if isinstance(d, Disagreement)] == [Disagreement((0, 1), (0, 1, 2))]


# two cards, a gap of 30 mm, and two more: the third photo shows only the edges of both
EDGE = row(0, 70, 160, 230)
SPLIT, ONE = [[1, 1, 2, 2], [1, 1, 2, 2]], [[1, 1, 1, 1], [1, 1, 1, 1]]


def test_a_photo_that_shows_more_of_a_group_decides_over_one_that_shows_its_edge():
    seen = [*ONE, [0, 1, 2, 2], [0, 1, 1, 0]]
    labels, doubts = combine_groupings(EDGE, views(EDGE, seen), NONE)
    assert labels.tolist() == [1, 1, 1, 1] and doubts == []
    # the whole group in no photo
    seen = [[0, 1, 1, 1], [1, 1, 1, 0], [0, 1, 2, 0], [0, 1, 1, 0]]
    labels, doubts = combine_groupings(EDGE, views(EDGE, seen), NONE)
    assert labels.tolist() == [1, 1, 1, 1] and doubts == []
    # one that shows more and contradicts
    seen = [[1, 1, 2, 2], [0, 1, 2, 0], [0, 1, 1, 0]]
    labels, doubts = combine_groupings(EDGE, views(EDGE, seen), NONE)
    assert labels.tolist() == [1, 1, 1, 1]
    assert doubts == [Disagreement((1, 2), (0, 1, 2))]


def test_a_photo_that_shows_two_groups_and_the_table_around_them_decides_that_they_are_two():
    seen = [*SPLIT, [0, 1, 1, 0]]
    labels, doubts = combine_groupings(EDGE, views(EDGE, seen, [0]), NONE)
    assert labels.tolist() == [1, 1, 2, 2] and doubts == []
    # at the edge of the photo, other cards may connect them
    labels, doubts = combine_groupings(EDGE, views(EDGE, seen), NONE)
    assert labels.tolist() == [1, 1, 1, 1]
    assert doubts == [Disagreement((1, 2), (0, 1, 2))]
    # another photo that shows both says otherwise
    seen = [SPLIT[0], ONE[0], [0, 1, 1, 0]]
    labels, doubts = combine_groupings(EDGE, views(EDGE, seen, [0]), NONE)
    assert labels.tolist() == [1, 1, 1, 1]
    assert Disagreement((1, 2), (0, 2)) in doubts


def test_photos_between_which_cards_were_moved_disagree_whatever_they_show():
    edges = [[0, 1, 2, 0], [0, 1, 1, 0]]
    for seen, amid in (([*edges, *ONE], []), ([*edges[::-1], *SPLIT], [2, 3])):
        shown = views(EDGE, seen, amid)
        labels, doubts = combine_groupings(EDGE, shown, NONE)
        assert labels.tolist() == seen[2] and doubts == []
        shown.outlines[0, 2:, :, 0] += 10
        labels, doubts = combine_groupings(EDGE, shown, NONE)
        assert labels.tolist() == [1, 1, 1, 1] and len(doubts) == 1


def test_cards_that_an_unread_card_connects_are_not_decided_to_be_two_groups():
    apart = row(0, 140)
    shown = views(np.concatenate([apart, row(300)]), [[1, 2, 3], [1, 1, 0]], [0])
    labels, doubts = combine_groupings(np.concatenate([apart, row(300)]), shown, row(70))
    assert labels.tolist() == [1, 1, 2] and doubts == [Disagreement((0, 1), (0, 1))]
