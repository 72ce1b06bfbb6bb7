"""Finding the rotation and shift of a symbol by template matching."""

import cv2
import numpy as np
import pytest

from printables.cards.codes import MODULES, CardCode, encode, symbol
from printables.reading.symbols.rotations import best_rotations

MODULE_PX = 2.0


def _photo(angle, middle):
    """A symbol on grey paper, rotated around its centre."""
    modules = symbol(encode(CardCode(set_number=3, card=7, deck=1, edition=0)))
    face = np.pad(np.where(modules, 40, 220).astype(np.uint8), 4, constant_values=220)
    turn, size = np.deg2rad(angle), MODULE_PX
    onto = size * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    shift = np.array(middle) - onto @ np.full(2, 4 + (MODULES - 1) / 2)
    drawn = cv2.warpAffine(
        face, np.column_stack([onto, shift]), (160, 160), borderValue=220, flags=cv2.INTER_LINEAR
    )
    return cv2.GaussianBlur(drawn, (0, 0), 0.8)


@pytest.mark.parametrize("angle", [0.0, 33.0, 90.0, 187.0, 275.0])
def test_the_rotation_and_the_shift_are_found(angle):
    place = np.array([[MODULE_PX, 0, 0], [0, MODULE_PX, 0]])
    place[:, 2] = np.array([80.0, 80.0]) - MODULE_PX * MODULES / 2
    maps, alike = best_rotations(_photo(angle, (82.0, 78.0)), place[None], 2)
    assert maps.shape == (1, 2, 2, 3) and alike[0, 0] >= alike[0, 1]
    right = maps[0, 0, :, 0]
    found = np.rad2deg(np.arctan2(right[1], right[0])) % 360
    assert abs((found - angle + 180) % 360 - 180) <= 10
    middle = maps[0, 0] @ [MODULES / 2, MODULES / 2, 1]
    assert np.linalg.norm(middle - [82.5, 78.5]) < 1.5 * MODULE_PX
    assert alike[0, 0] > 0.5


def test_blank_paper_resembles_no_symbol():
    rng = np.random.default_rng(1)
    paper = rng.normal(200, 3, (160, 160)).astype(np.uint8)
    place = np.array([[2.0, 0, 60], [0, 2.0, 60]])
    assert best_rotations(paper, place[None], 1)[1].max() < 0.4
