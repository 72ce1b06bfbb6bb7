"""Cards of which other cards leave only a strip in sight."""

import numpy as np
import pytest

from printables.cards.card import CardLayout
from printables.tabletop.blank_cards import cards_of_strips

LAYOUT = CardLayout(66, 46)


def lying(left, over, width, height):
    """An upright rectangle."""
    right, under = left + width, over + height
    return np.array([[left, over], [right, over], [right, under], [left, under]], float)


CARD = lying(0, 0, 66, 46)
BELOW, ABOVE, RIGHT = lying(0, 20, 66, 46), lying(0, -26, 66, 46), lying(30, 0, 66, 46)


@pytest.mark.parametrize(
    ("strip", "known", "card"),
    [
        (lying(0, 0, 66, 20), [BELOW], CARD),
        # the card may reach under both, so it is assumed in their middle
        (lying(0, 20, 66, 20), [lying(0, 40, 66, 46), ABOVE], lying(0, 7, 66, 46)),
        (lying(0, 0, 30, 46), [RIGHT], CARD),
    ],
)
@pytest.mark.parametrize("first", range(4))
def test_the_rest_of_a_card_is_under_known_cards(strip, known, card, first):
    found, used = cards_of_strips(np.roll(strip, first, axis=0)[None], np.array(known), LAYOUT)
    assert used.tolist() == [True]
    assert found[0].min(0) == pytest.approx(card.min(0))
    assert found[0].max(0) == pytest.approx(card.max(0))


def test_strips_that_are_no_side_of_a_card_are_left():
    strips = np.stack([lying(0, 0, 55, 20), lying(0, 0, 66, 8), lying(0, 0, 20, 46)])
    found, used = cards_of_strips(strips, np.array([BELOW]), LAYOUT)
    assert used.tolist() == [False, False, True]
    assert found.shape == (1, 4, 2)


def test_there_may_be_no_strip():
    found, used = cards_of_strips(np.zeros((0, 4, 2)), CARD[None], LAYOUT)
    assert (found.shape, used.shape) == ((0, 4, 2), (0,))
