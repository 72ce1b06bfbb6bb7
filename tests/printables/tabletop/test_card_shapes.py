"""Cards laid over patches of white: touching, turned, half covered."""

import cv2
import numpy as np
import pytest

from printables.tabletop.card_shapes import cards_in_patch

SIZE = (66.0, 46.0)


def laid(*placed):
    """A picture with cards, each by its middle and turn; and their corners."""
    seen = np.zeros((300, 400), np.uint8)
    boxes = [cv2.boxPoints(((x, y), SIZE, turn)) for x, y, turn in placed]
    for box in boxes:
        cv2.fillConvexPoly(seen, np.round(box).astype(np.int32), 255)
    return seen, np.array(boxes)


def middles(boxes):
    return boxes[np.argsort(boxes.mean(1)[:, 0])].mean(1)


@pytest.mark.parametrize("turn", [0.0, 20.0, 71.0])
def test_two_cards_that_touch(turn):
    away = 66 * np.array([np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))])
    white, true = laid((150, 120, turn), (150 + away[0], 120 + away[1], turn))
    found = cards_in_patch(white, np.zeros_like(white), SIZE)
    assert len(found) == 2
    assert np.abs(middles(found) - middles(true)).max() < 5


def test_a_card_half_under_a_known_one():
    white, (true,) = laid((180, 150, 10))
    known, _ = laid((205, 165, 60))
    white[known > 0] = 0
    (found,) = cards_in_patch(white, known, SIZE)
    assert np.linalg.norm(found.mean(0) - true.mean(0)) < 10


def test_a_scrap_is_no_card():
    white = np.zeros((200, 200), np.uint8)
    white[90:110, 90:115] = 255
    assert len(cards_in_patch(white, np.zeros_like(white), SIZE)) == 0
