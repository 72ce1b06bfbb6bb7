"""Finding symbols as dark squares of known size with white beside them.

In a top view of the table all symbols have the same size, so a square of that size is dark at only
one place, whatever surrounds it: its rim may be cut off on two sides, or covered. The rotation and
the exact position are found by trial on the modules common to all symbols.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.reading.symbols.pose import Poses, maps_from_corners, refine_poses
from printables.reading.symbols.turns import best_ways

_NEARBY, _INNER, _WITHIN, _AROUND = 17, 13, 21, 29
"""In modules: reach of the search for white, a square inside a symbol in any rotation, and its
ring. In "careless" (150 cards) four cards are missed with a reach of 11, two with a square of 9,
six with a ring from 19, one with a ring to 25."""
_LEAST_LIGHT = 0.6
"""Least grey of the white nearby, as a share of paper's level: shadows take up to half. At 0.8 24
of 146 cards are missed in "careless" (150 cards); no scene tried differs at 0.4."""
_DARK = 0.85
"""Greatest grey of a dark place, and of a symbol's mean, as shares of the white nearby; in
"careless" scenes symbols had at most 0.84 without overexposure. At 0.75 seven cards are missed in
"careless" (150 cards), at 0.95 three (60 cards)."""
_LEAST_RING, _LEAST_CONTRAST = 0.25, 0.2
"""Least white share of the ring, and its least excess over that of the inner square. At 0.45 one
card is missed in "careless" (150 cards); no scene tried differs at 0.1, or 0.1 and 0.35 of the
second."""
_APART = 9
"""Modules between two places; no scene tried misses a card at 5 or 17."""
_MOST_PLACES = 300
"""Bounds the time. At 100 a card is missed in "careless" (150 cards); none is gained at 1,000."""
_SOFT_PX, _FIRST_LOOK, _TRIED = 0.85, 0.42, 3
"""Blur of the first look, the correlation of a place before it is refined (true ones had 0.41 at
least, four in five others less than 0.5), and how many ways of each place are refined. In
"careless" (150 cards) three cards are missed at a blur of 1.7 and six at a correlation of 0.55; no
scene tried misses one with a single way."""
_AT_ONCE, _LIKE_A_SYMBOL = 60, 0.65
"""Ways refined together, best first, until none of them is a symbol. No scene tried misses a card
at a correlation of 0.45 or 0.85, and one of "careless" (150 cards) misses one with 10 together."""

Points = NDArray[np.float64]


def dark_squares(
    grey: NDArray[np.uint8],
    module_px: float,
    paper: NDArray[np.uint8],
    covered: NDArray[np.uint8],
) -> Points:
    """Find the centres of likely symbols.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        A top view of the table; half a pixel per module is enough.
    module_px : float
    paper : uint8 array, shape (height, width)
        Grey level of paper at each place.
    covered : uint8 array, shape (height, width)
        255 in places that are not searched, 0 elsewhere.

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
    inner, within, around = (cv2.blur(white, square(size)) for size in (_INNER, _WITHIN, _AROUND))
    share = (square(_WITHIN)[0] / square(_AROUND)[0]) ** 2
    ring = cv2.addWeighted(around, 1 / (1 - share), within, -share / (1 - share), 0)
    # the inner square is dark at several places, the whole one only at its centre
    contrast = cv2.subtract(ring, cv2.addWeighted(inner, 0.5, within, 0.5, 0))
    dark = cv2.compare(
        cv2.blur(soft, square(_INNER)), cv2.convertScaleAbs(light, alpha=_DARK), cv2.CMP_LT
    )
    lit = cv2.compare(light, cv2.convertScaleAbs(paper, alpha=_LEAST_LIGHT), cv2.CMP_GT)
    ringed = cv2.inRange(ring, int(255 * _LEAST_RING), 255)
    searched = cv2.bitwise_and(cv2.bitwise_and(dark, lit), ringed)
    searched = cv2.bitwise_and(searched, cv2.bitwise_not(covered))
    contrast = cv2.bitwise_and(contrast, contrast, mask=searched)
    # a plateau must give one place, so parts of grey levels count
    even = cv2.GaussianBlur(contrast.astype(np.uint16) * 128, (0, 0), max(module_px, 0.8))
    highest = cv2.dilate(even, np.ones(square(_APART), np.uint8))
    peaks = np.flatnonzero((even >= highest) & (even > 128 * 255 * _LEAST_CONTRAST / 2))
    row, column = np.unravel_index(peaks, even.shape)
    clearest = np.argsort(-even[row, column].astype(int), kind="stable")[:_MOST_PLACES]
    return np.stack([column, row], -1)[clearest].astype(float)


def squares_at(middles: Points, side: float) -> Points:
    """Squares around each centre, shape (places, 4, 2)."""
    ends = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - 0.5) * side
    return np.asarray(middles[:, None] + ends)


def poses_of_squares(grey: NDArray[np.uint8], squares: Points, blur_px: float | None) -> Poses:
    """Refine the best rotations and shifts of each place; returns likely symbols, best first.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    squares : float array, shape (places, 4, 2)
        Corners, pixels, in any rotation.
    blur_px : float or None
        Greatest blur of the picture.
    """
    found = [Poses(np.zeros((0, 2, 3)), np.zeros(0))]
    if not len(squares):
        return found[0]
    soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), _SOFT_PX), np.uint8)
    turned, correlation = best_ways(soft, maps_from_corners(squares), _TRIED)
    maps, alike = turned.reshape(-1, 2, 3), correlation.ravel()
    order = np.argsort(-alike, kind="stable")
    maps = maps[order[alike[order] >= _FIRST_LOOK]]
    for start in range(0, len(maps), _AT_ONCE):
        found.append(refine_poses(grey, maps[start : start + _AT_ONCE], blur_px))
        if not (found[-1].correlation >= _LIKE_A_SYMBOL).any():
            break
    return Poses(
        np.concatenate([poses.maps for poses in found]),
        np.concatenate([poses.correlation for poses in found]),
    )
