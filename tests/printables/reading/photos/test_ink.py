"""How much of a card is dark or clipped."""

import cv2
import numpy as np

from printables.reading.photos.ink import clipped_shares, dark_shares, has_glare

OUTLINE = np.array([[100, 100], [400, 120], [390, 330], [90, 300]], float)


def test_shares_of_a_card_of_which_a_half_is_printed():
    table = np.full((900, 1200), 90, np.uint8)
    cv2.fillConvexPoly(table, OUTLINE.astype(np.int32), 255)
    halves = np.stack([OUTLINE, np.add(OUTLINE, [600, 400])])
    assert clipped_shares(table, halves).tolist() == [1, 0]
    table[:, :245] = np.minimum(table[:, :245], 60)
    assert abs(clipped_shares(table, halves)[0] - 0.5) < 0.06
    assert abs(dark_shares(table, halves)[0] - 0.5) < 0.06


def test_glare_covers_a_card_but_not_a_whole_photo():
    table = np.full((900, 1200), 90, np.uint8)
    cv2.fillConvexPoly(table, OUTLINE.astype(np.int32), 255)
    cards = np.stack([OUTLINE, np.add(OUTLINE, [600, 400])])
    assert has_glare(table, cards, cards[1:]).tolist() == [True, False]
    # the whole photo is overexposed
    assert has_glare(table, cards[:1], cards[:1]).tolist() == [False]
    assert has_glare(table, cards[:0], cards).tolist() == []
