"""Symbols found by their finder patterns, with one module of quiet zone and in any rotation."""

import cv2
import numpy as np
import pytest

from printables.cards.codes import CardCode, encode, symbol
from printables.reading.symbols import finder_patterns
from printables.reading.symbols.finder_patterns import find_symbols

MODULE_PX = 2.0


def picture(*placed, ground=120):
    """Symbols with one module of quiet zone, given by centre (pixels) and rotation (degrees)."""
    seen = np.full((300, 400), ground, np.uint8)
    corners = []
    for number, (x, y, turn) in enumerate(placed, 1):
        modules = symbol(encode(CardCode(set_number=3, card=number, deck=1, edition=1)))
        large = np.kron(
            np.where(np.pad(modules, 1), 20, 235).astype(np.uint8), np.ones((8, 8), np.uint8)
        )
        spin = MODULE_PX / 8 * cv2.getRotationMatrix2D((0, 0), -turn, 1)
        spin[:, 2] = [x, y] - spin[:, :2] @ [92, 92]
        inside = cv2.warpAffine(np.full_like(large, 255), spin, seen.shape[::-1])
        laid = cv2.warpAffine(large, spin, seen.shape[::-1], flags=cv2.INTER_AREA)
        seen = np.where(inside > 127, laid, seen)
        ends = np.array([[8, 8], [176, 8], [176, 176], [8, 176]]) - 0.5
        corners.append(ends @ spin[:, :2].T + spin[:, 2])
    return cv2.GaussianBlur(seen, (0, 0), 0.9), np.array(corners)


def nearest(poses, true):
    return min(np.abs(found - true).max() for found in poses.corners())


@pytest.mark.parametrize("turn", [0, 33, 90, 145, 270])
def test_a_closely_cut_symbol_is_found_to_half_a_module(turn):
    grey, (true,) = picture((200, 150, turn))
    assert nearest(find_symbols(grey, MODULE_PX), true) < MODULE_PX / 2


def test_symbols_side_by_side_are_all_found():
    grey, true = picture((60, 80, 4), (108, 82, 4), (60, 200, 80), (300, 200, -20))
    poses = find_symbols(grey, MODULE_PX)
    assert max(nearest(poses, one) for one in true) < MODULE_PX / 2


def test_a_symbol_with_one_covered_pattern_is_found():
    grey, (true,) = picture((200, 150, 15))
    corner = tuple(np.round(true[1] * 0.85 + true[3] * 0.15).astype(int).tolist())
    cv2.circle(grey, corner, int(5 * MODULE_PX), 150, -1)
    assert nearest(find_symbols(grey, MODULE_PX), true) < MODULE_PX


def test_known_symbols_are_not_found_again():
    grey, true = picture((80, 150, 0), (300, 150, 30))
    poses = find_symbols(grey, MODULE_PX, true[:1])
    assert nearest(poses, true[1]) < MODULE_PX / 2
    assert nearest(poses, true[0]) > 20 * MODULE_PX


def test_an_empty_picture_has_no_symbols():
    assert len(find_symbols(np.full((200, 300), 180, np.uint8), MODULE_PX)) == 0


def test_among_many_patterns_the_clearest_are_tried(monkeypatch):
    grey, (true,) = picture((200, 150, 15))
    squares = np.random.default_rng(1).random((75, 100)) < 0.5
    noise = np.where(np.kron(squares, np.ones((4, 4))), 60, 180).astype(np.uint8)
    noise[90:210, 130:270] = grey[90:210, 130:270]
    tried, pairs = [], finder_patterns.maps_of_pairs
    monkeypatch.setattr(
        finder_patterns,
        "maps_of_pairs",
        lambda peaks, px: tried.append(len(peaks)) or pairs(peaks, px),
    )
    assert nearest(find_symbols(noise, MODULE_PX), true) < MODULE_PX / 2
    monkeypatch.setattr(finder_patterns, "_MOST_PEAKS", 20)
    assert nearest(find_symbols(noise, MODULE_PX), true) < MODULE_PX / 2
    assert tried[1] == 20 and tried[0] > 60
