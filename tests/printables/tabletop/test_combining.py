"""One grouping from several photos' groups."""

import numpy as np

from printables.tabletop.combining import Disagreement, combine_groupings

CARD = np.array([[0, 0], [60, 0], [60, 40], [0, 40]], float)
NONE = np.zeros((0, 4, 2))


def row(*lefts):
    return np.stack([CARD + np.array([left, 0]) for left in lefts])


def test_a_photo_is_believed_before_the_joined_distance():
    # 50 mm apart on the joined table, and one group in the photo that shows both
    seen = np.array([[1, 1, 0], [0, 1, 2]])
    labels, doubts = combine_groupings(row(0, 110, 300), seen, NONE)
    assert labels.tolist() == [1, 1, 2] and doubts == []


def test_cards_that_no_photo_shows_together_are_joined_by_their_distance():
    seen = np.array([[1, 2, 0], [0, 1, 2]])
    labels, _ = combine_groupings(row(70, 400, 0), seen, NONE)
    assert labels.tolist() == [1, 2, 1]


def test_an_unread_card_is_a_bridge():
    seen = np.array([[1, 0], [0, 1]])
    assert combine_groupings(row(0, 140), seen, row(70))[0].tolist() == [1, 1]
    assert combine_groupings(row(0, 140), seen, NONE)[0].tolist() == [1, 2]


def test_photos_that_disagree_are_named():
    seen = np.array([[1, 1, 2], [1, 2, 2]])
    labels, doubts = combine_groupings(row(0, 70, 140), seen, NONE)
    assert labels.tolist() == [1, 1, 1]
    assert Disagreement((0, 1), (0, 1)) in doubts
