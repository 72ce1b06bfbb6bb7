"""Fans and piles, whether or not their codes can be seen."""

import numpy as np

from printables.reading.unread.heaps import overlaid_groups, overlapping_cards

CARD = np.array([[0, 0], [60, 0], [60, 40], [0, 40]], float)
NONE = np.zeros((0, 4, 2))


def row(*lefts):
    return np.stack([CARD + np.array([left, 0]) for left in lefts])


def test_three_overlapping_cards_are_a_pile():
    fan = row(0, 30, 60, 200, 270)
    assert overlapping_cards(fan, np.array([1, 1, 1, 2, 2])) == [(3, 1)]
    assert overlapping_cards(row(0, 30, 200), np.array([1, 1, 2])) == []


def test_paper_at_a_read_card_belongs_to_a_pile_and_an_unread_card_only_if_it_overlaps():
    cards, labels = row(0, 70, 300), np.array([1, 1, 2])
    assert overlaid_groups(cards, labels, row(330), NONE) == [2]
    # a little of it may be the error of its outline
    assert overlaid_groups(cards, labels, row(355), NONE) == []
    edge = CARD[None] * [1, 0.2] + [0, 40]
    assert overlaid_groups(cards, labels, NONE, edge) == [1]
    assert overlaid_groups(cards, labels, NONE, edge + np.array([0, 5])) == []
    assert overlaid_groups(cards, labels, row(320), edge) == [1, 2]
    assert overlaid_groups(cards[:0], labels[:0], row(330), edge) == []


def test_unread_cards_on_each_other_beside_a_read_card_are_a_fan():
    cards, labels = row(0, 70, 300), np.array([1, 1, 2])
    # the first of them shares only a little with the card read
    assert overlaid_groups(cards, labels, row(355, 385), NONE) == [2]
    assert overlaid_groups(cards, labels, row(355, 410), NONE) == []
    assert overlaid_groups(cards, labels, row(375, 405), NONE) == []
