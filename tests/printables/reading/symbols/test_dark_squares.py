"""Squares of known size that are darker than the paper around them."""

import cv2
import numpy as np
import pytest

from printables.cards.codes import CardCode, encode, symbol
from printables.reading.symbols.dark_squares import dark_squares

FINER, MODULE_PX = 4, 0.5
TABLE, CARD = 120, (25, 25, 75, 55)
MIDDLE = (84.0, 52.0)
"""Sizes and places in modules: the table's side; the card's left, top, width and height."""


def top_view(paper, ink, table, light):
    """A card on a table, seen from above; left of a column, there is only a share of the light."""
    fine = np.full((TABLE * FINER,) * 2, table, np.float32)
    left, top, width, height = (part * FINER for part in CARD)
    fine[top : top + height, left : left + width] = paper
    modules = np.kron(symbol(encode(CardCode(1, 1, 1, 1))), np.ones((FINER, FINER), bool))
    x, y = (int((part - 10.5) * FINER) for part in MIDDLE)
    fine[y : y + len(modules), x : x + len(modules)][modules] = ink
    column, share = light
    fine[:, : int(column * FINER)] *= share
    reduced = MODULE_PX / FINER
    seen = cv2.resize(cv2.GaussianBlur(fine, (0, 0), FINER * 0.8), None, fx=reduced, fy=reduced)
    return np.clip(seen, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("paper", "ink", "table", "light"),
    [
        (220, 40, 90, (0, 1.0)),
        (118, 75, 165, (0, 1.0)),
        (230, 140, 120, (0, 1.0)),
        (220, 130, 90, (78, 0.7)),
    ],
    ids=["white paper", "red paper on a light table", "pale print", "the edge of a shadow"],
)
def test_a_symbol_is_found_at_its_middle(paper, ink, table, light):
    grey = top_view(paper, ink, table, light)
    nothing = np.zeros_like(grey)
    found = dark_squares(grey, MODULE_PX, np.full_like(grey, paper), nothing)
    away = np.linalg.norm((found + 0.5) / MODULE_PX - MIDDLE, axis=1)
    assert away.min(initial=np.inf) < 2.5
