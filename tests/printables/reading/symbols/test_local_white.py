"""White is that of the card's own paper, on a lighter and on a darker table."""

import cv2
import numpy as np
import pytest

from printables.reading.symbols.blobs import find_blobs
from printables.reading.symbols.local_white import local_white

MODULE_PX = 1.7
SIDE = 21 * MODULE_PX


def card(table, paper, angle):
    """A card of 66 x 46 modules with a symbol near its right edge, and a mask of the symbol."""
    picture = np.full((300, 300), table, np.uint8)
    symbol = np.zeros_like(picture)
    turn = cv2.getRotationMatrix2D((150, 150), angle, 1.0)

    def fill(onto, size, middle, grey):
        box = cv2.boxPoints((middle, size, 0.0))
        cv2.fillConvexPoly(onto, np.round(cv2.transform(box[None], turn)[0]).astype(int), grey)

    fill(picture, (70 * MODULE_PX, 50 * MODULE_PX), (150.0, 150.0), paper)
    middle = (150 + 18.5 * MODULE_PX, 150.0)
    fill(picture, (SIDE, SIDE), middle, 70)
    fill(symbol, (SIDE, SIDE), middle, 255)
    return picture, symbol > 0


@pytest.mark.parametrize("angle", [0, 20, 45])
@pytest.mark.parametrize(("table", "paper"), [(240, 150), (240, 200), (60, 150)])
def test_the_symbol_of_a_card_is_found_on_lighter_and_darker_tables(table, paper, angle):
    picture, symbol = card(table, paper, angle)
    reach = (int(16 * MODULE_PX) | 1,) * 2
    white = local_white(picture, reach, MODULE_PX)
    beside = cv2.dilate(symbol.astype(np.uint8), np.ones((5, 5))) > symbol
    assert np.median(white[beside]) == paper
    (found,) = find_blobs(picture, 0.7 * SIDE, 1.4 * SIDE)
    inside = np.zeros_like(picture)
    cv2.fillConvexPoly(inside, np.round(found).astype(int), 1)
    assert ((inside > 0) & symbol).sum() > 0.85 * ((inside > 0) | symbol).sum()
