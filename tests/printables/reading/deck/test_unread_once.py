"""Unread cards of several photos, each once, on photos of 1920 x 1080 pixels."""

import numpy as np

from printables.reading.deck.unread_once import UnreadView, unread_once

# upper left, upper right, lower right, lower left, millimetres on the table
CARD = np.array([[0, 0], [46, 0], [46, 66], [0, 66]], float)


def card_at(right, down):
    return CARD + np.array([right, down])


def view(photo, outline, top_mm=-50.0, scale=4.0, width=1920):
    """An outline in a photo whose upper left corner is at (-50, `top_mm`) of the table."""
    pixels = (outline - [-50, top_mm]) * scale
    return UnreadView(photo, 0, outline, pixels, width, 1080 if width else 0)


def test_a_card_is_ringed_in_the_photo_that_shows_it_best():
    cut_off, small, best = view(0, CARD, 30), view(1, CARD, scale=3), view(2, CARD)
    (card,) = unread_once([cut_off, small, best], {}, [(), (), ()])
    assert (card.photo, card.place) == (2, 0)
    assert card.elsewhere == ((1, 0), (0, 0))


def test_a_card_at_the_edge_of_a_frame_is_ringed_once():
    # 12 mm of the card are in sight in the second photo, whose outline goes on over a read card.
    wrong, read = card_at(0, 54), card_at(0, 70)
    views = [view(0, CARD), view(1, wrong, top_mm=54)]
    (card,) = unread_once(views, {"b": read}, [(), {"b"}])
    assert (card.photo, card.elsewhere) == (0, ((1, 0),))
    # nor is it unread if the first photo reads it
    assert unread_once(views[1:], {"a": CARD, "b": read}, [{"a"}, {"b"}]) == []


def test_two_cards_side_by_side_remain_two():
    other = card_at(0, 69)
    views = [view(0, CARD), view(1, other, top_mm=100), view(2, card_at(49, 0), top_mm=40)]
    assert [card.photo for card in unread_once(views, {}, [(), (), ()])] == [0, 1, 2]


def test_outlines_of_one_photo_are_different_cards():
    views = [view(0, CARD), view(0, card_at(5, 0))]
    assert len(unread_once(views, {}, [()])) == 2


def test_without_the_size_of_photos_the_first_one_has_the_ring():
    views = [view(0, CARD, 30, width=0), view(1, CARD, width=0)]
    (card,) = unread_once(views, {}, [(), ()])
    assert card.photo == 0
