"""Pictures of symbols with exactly known pose, blur and noise."""

import cv2
import numpy as np

from printables.cards.codes import symbol
from printables.reading.symbols.half_symbols import clear_finders, places_of_finders

FINER = 4


def picture(symbols, size, blur_px=0.0, noise=0.0, seed=0):
    """A white picture with symbols, given as [(code, map from modules to pixels)], antialiased."""
    width, height = size
    fine = np.full((height * FINER, width * FINER), 235, np.uint8)
    for code, placed in symbols:
        dark = np.where(symbol(code), 0, 255).astype(np.uint8)
        art = np.kron(np.pad(dark, 4, constant_values=255), np.ones((8, 8), np.uint8))
        # art pixel -> module -> photo pixel -> fine pixel
        to_module = np.array([[1 / 8, 0, 0.5 / 8 - 4], [0, 1 / 8, 0.5 / 8 - 4], [0, 0, 1]])
        to_fine = np.array([[FINER, 0, FINER / 2 - 0.5], [0, FINER, FINER / 2 - 0.5], [0, 0, 1]])
        whole = to_fine @ np.vstack([placed, [0, 0, 1]]) @ to_module
        # only where the symbol is: a picture may hold many
        ends = whole[:2] @ [[0, len(art)] * 2, [0, 0, len(art), len(art)], [1] * 4]
        low, high = ends.min(1).astype(int) - 2, ends.max(1).astype(int) + 2
        (left, top), (right, bottom) = np.clip([low, high], 0, fine.shape[::-1]).tolist()
        here = np.s_[top:bottom, left:right]
        whole[:2, 2] -= [left, top]
        ink = cv2.warpAffine(255 - art, whole[:2], fine[here].shape[::-1], flags=cv2.INTER_LINEAR)
        part = 235 - (ink.astype(np.uint16) * 205 // 255).astype(np.uint8)
        fine[here] = np.minimum(fine[here], part)
    small = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA)
    if blur_px:
        small = cv2.GaussianBlur(small, (0, 0), blur_px)
    grain = np.random.default_rng(seed).normal(0, noise, small.shape)
    return np.clip(small + grain, 0, 255).round().astype(np.uint8)


def placed(x, y, module_px, turn_deg=0.0, squeeze=1.0):
    """The map of a symbol centred at (x, y), rotated clockwise and squeezed vertically."""
    turn = np.deg2rad(turn_deg)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    linear = np.diag([1, squeeze]) @ spin * module_px
    return np.column_stack([linear, np.array([x, y]) - linear @ [10.5, 10.5]])


def corners_of(maps):
    """Corners TL TR BR BL of symbols with these maps."""
    ends = np.array([[0, 0, 1], [21, 0, 1], [21, 21, 1], [0, 21, 1]], float)
    return np.einsum("nij,cj->nci", np.asarray(maps), ends)


def finders_in(grey, searched=None):
    """The clear finder patterns of a picture with modules of two pixels."""
    searched = np.full(grey.shape, 255, np.uint8) if searched is None else searched
    return clear_finders(grey, 2.0, places_of_finders(grey, 2.0, searched))
