"""Blobs: dark squares framed by white."""

import cv2
import numpy as np
import pytest

from printables.cards.codes import CardCode, encode
from printables.reading.symbols.blobs import SMALL_SPECK, find_blobs
from tests.printables import pictures_of_symbols as pictures

SIDE = 36.0


def drawn(angle):
    square = cv2.boxPoints(((150.3, 120.6), (SIDE, SIDE), angle))
    picture = np.full((240, 300), 230, np.uint8)
    cv2.fillConvexPoly(picture, np.round(square * 16).astype(int), 90, cv2.LINE_AA, 4)
    return picture, square


@pytest.mark.parametrize("angle", [0, 13, 30, 45, 71])
def test_a_square_is_found_at_every_angle(angle):
    picture, square = drawn(angle)
    (found,) = find_blobs(picture, 0.7 * SIDE, 1.4 * SIDE)
    nearest = np.linalg.norm(found[:, None] - square[None], axis=2).min(1)
    assert nearest.max() < 3
    # clockwise in the picture
    assert cv2.contourArea(found.astype(np.float32), True) > 0


def test_strokes_bars_and_squares_of_other_sizes_are_not_found():
    picture = np.full((240, 300), 230, np.uint8)
    cv2.line(picture, (20, 20), (280, 60), 60, 2)
    cv2.rectangle(picture, (20, 100), (200, 130), 60, -1)
    cv2.rectangle(picture, (230, 180), (242, 192), 60, -1)
    assert find_blobs(picture, 0.7 * SIDE, 1.4 * SIDE).shape == (0, 4, 2)


def test_light_squares_framed_by_dark_are_not_found():
    picture, _ = drawn(10)
    assert find_blobs(255 - picture, 0.7 * SIDE, 1.4 * SIDE).shape == (0, 4, 2)


def test_blurred_symbols_in_deep_shade_are_found_beside_the_edge_of_the_shade():
    light = np.where(np.indices((160, 200))[1] + 0.3 * np.arange(160)[:, None] > 95, 0.07, 1.0)
    for seed in range(12):
        code = encode(CardCode(set_number=1, card=seed + 1, deck=1, edition=0))
        placed = pictures.placed(100, 80, 2.55, 11 * seed)
        grey = pictures.picture([(code, placed)], (200, 160), blur_px=1.5) * light
        grey += np.random.default_rng(seed).normal(0, 3, grey.shape)
        blobs = find_blobs(
            np.clip(grey, 0, 255).round().astype(np.uint8), 32, 80, 2.55, SMALL_SPECK
        )
        assert np.abs(blobs.mean(1) - [100, 80]).max(1).min(initial=99) < 5
