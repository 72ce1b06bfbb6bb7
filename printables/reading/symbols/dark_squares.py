"""Symbols found as what they are from afar: dark squares of one size, with white beside them.

On a table seen from above every symbol has one size, so that a square of that size is dark at one
place only, whatever lies around it: its rim may be cut off on two sides, or covered. Which way the
symbol is turned and where it lies to a module is tried out on the modules that all symbols share.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import MODULES
from printables.reading.symbols.pose import Poses, maps_from_corners, refine_poses, rough_likeness

_NEARBY, _INNER, _WITHIN, _AROUND = 17, 13, 21, 29
"""Modules: where white is looked for, a square inside every turn of a symbol, and its ring."""
_LEAST_LIGHT = 0.6
"""Share of the light of paper that the white nearby has at least: half of it lies in shadows."""
_DARK = 0.85
"""Share of the white nearby under which a place is dark, and a symbol in its mean; in "careless"
scenes symbols had 0.84 at most where the light did not clip."""
_LEAST_RING, _LEAST_CONTRAST = 0.25, 0.2
"""Share of the ring that is white, and how much more that is than of the square inside."""
_APART = 9
_MOST_PLACES = 300
_SHIFTS, _TURNS = (-1.5, 0.0, 1.5), np.deg2rad(np.arange(0, 360, 15))
_SOFT_PX, _FIRST_LOOK, _TRIED = 0.85, 0.42, 2
"""Blur of the first look, the likeness of a place before it is refined (true ones had 0.41 at
least, four in five others less than 0.5), and how many ways of each place are refined."""
_AT_ONCE, _LIKE_A_SYMBOL = 60, 0.65
"""Ways refined in one go, the likest first, until none of them is a symbol."""

Points = NDArray[np.float64]


def dark_squares(
    grey: NDArray[np.uint8],
    module_px: float,
    paper: NDArray[np.uint8],
    covered: NDArray[np.uint8],
) -> Points:
    """Middles of what may be symbols.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        The table from above; a module of half a pixel is enough.
    module_px : float
    paper : uint8 array, shape (height, width)
        How light paper is at each place.
    covered : uint8 array, shape (height, width)
        Not 0 where nothing is looked for.

    Returns
    -------
    float array, shape (places, 2)
        Pixels, x before y, the clearest first.
    """

    def square(modules: int) -> tuple[int, int]:
        return (int(modules * module_px / 2) * 2 + 1,) * 2

    soft = cv2.blur(grey, (3, 3))
    light = cv2.dilate(soft, np.ones(square(_NEARBY), np.uint8))
    white = cv2.compare(soft, cv2.convertScaleAbs(light, alpha=_DARK), cv2.CMP_GT)
    inner, within, around = (
        cv2.boxFilter(white, cv2.CV_32F, square(size)) for size in (_INNER, _WITHIN, _AROUND)
    )
    share = (square(_WITHIN)[0] / square(_AROUND)[0]) ** 2
    ring = (around - share * within) / (1 - share)
    # the square inside is dark over some modules, the whole one at its middle alone
    contrast = 2 * ring - inner - within
    dark = cv2.compare(
        cv2.blur(soft, square(_INNER)), cv2.convertScaleAbs(light, alpha=_DARK), cv2.CMP_LT
    )
    lit = cv2.compare(light, cv2.convertScaleAbs(paper, alpha=_LEAST_LIGHT), cv2.CMP_GT)
    contrast[(dark == 0) | (lit == 0) | (covered > 0) | (ring < 255 * _LEAST_RING)] = 0
    # a flat top must give one place
    even = cv2.GaussianBlur(contrast, (0, 0), max(module_px, 0.8))
    highest = cv2.dilate(even, np.ones(square(_APART), np.uint8))
    row, column = np.nonzero((even >= highest) & (even > 255 * _LEAST_CONTRAST))
    clearest = np.argsort(-even[row, column], kind="stable")[:_MOST_PLACES]
    return np.stack([column, row], -1)[clearest].astype(float)


def squares_at(middles: Points, side: float) -> Points:
    """Squares around each middle in all turns and shifts tried, shape (n, ways, 4, 2)."""
    ends = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - 0.5) * side
    cos, sin = np.cos(_TURNS), np.sin(_TURNS)
    turns = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)
    shifts = np.array([(x, y) for y in _SHIFTS for x in _SHIFTS]) * side / MODULES
    ways = shifts[:, None, None] + np.einsum("aij,cj->aci", turns, ends)[None]
    return np.asarray(middles[:, None, None] + ways.reshape(-1, 4, 2))


def poses_of_squares(grey: NDArray[np.uint8], squares: Points, blur_px: float | None) -> Poses:
    """Poses of what is like a symbol in one of the ways that each place is tried, likest first.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    squares : float array, shape (places, ways, 4, 2)
        Corners, pixels.
    blur_px : float or None
        The most blur that the picture has.
    """
    found = [Poses(np.zeros((0, 2, 3)), np.zeros(0))]
    if not len(squares):
        return found[0]
    places, ways = squares.shape[:2]
    maps = maps_from_corners(squares.reshape(-1, 4, 2))
    soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), _SOFT_PX), np.uint8)
    alike = rough_likeness(soft, maps).reshape(places, ways)
    best = np.argsort(-alike, axis=1)[:, :_TRIED]
    chosen = (best + np.arange(places)[:, None] * ways).ravel()
    order = chosen[np.argsort(-alike.ravel()[chosen], kind="stable")]
    order = order[alike.ravel()[order] >= _FIRST_LOOK]
    for start in range(0, len(order), _AT_ONCE):
        found.append(refine_poses(grey, maps[order[start : start + _AT_ONCE]], blur_px))
        if not (found[-1].likeness >= _LIKE_A_SYMBOL).any():
            break
    return Poses(
        np.concatenate([poses.maps for poses in found]),
        np.concatenate([poses.likeness for poses in found]),
    )
