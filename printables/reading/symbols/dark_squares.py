"""Finding symbols as dark squares of known size beside white paper.

In a top view of the table all symbols have the same size, so a square of that size is darkest at
only one position, even if the quiet zone is cut off on two sides or covered. Rotations and shifts
are then compared on the modules common to all symbols.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.reading.symbols.alignment import refine_poses
from printables.reading.symbols.local_white import local_white
from printables.reading.symbols.pose import Poses, maps_from_corners
from printables.reading.symbols.rotations import best_rotations
from printables.reading.symbols.search import View

_NEARBY, _INNER, _WITHIN, _AROUND = 17, 13, 21, 29
"""Sizes, in modules: of the neighbourhood in which white is searched for, of a square that is
inside a symbol in any rotation, and of the inner and outer border of a ring around the symbol. In
"careless" (150 cards) four cards are missed with a neighbourhood of 11, two with a square of 9, six
with a ring from 19, one with a ring to 25."""
_LEAST_LIGHT = 0.6
"""Least grey of the white nearby, as a share of paper's level; shadows may halve it. At 0.8, 24 of
146 cards are missed in "careless" (150 cards); no scene tried differs at 0.4."""
_DARK, _DARK_MEAN = 0.85, 0.95
"""Greatest grey of a dark pixel, and of the mean of a symbol's inner square, as shares of the white
nearby. Coloured paper, pale print and the edge of a shadow lighten the mean; at 0.85 such symbols
are missed or found three modules beside their middles, at 1.0 nothing is gained. At 0.75 of both,
seven cards are missed in "careless" (150 cards), at 0.95 of both, three (60 cards)."""
_LEAST_RING, _LEAST_CONTRAST = 0.25, 0.2
"""Least share of white pixels in the ring, and by how much this share is greater than inside. At
0.45 of the first, one card is missed in "careless" (150 cards); no scene tried differs at 0.1, or
at 0.1 and 0.35 of the second."""
_APART = 9
"""Least distance between two candidates, in modules; no scene tried misses a card at 5 or 17."""
_MOST_PLACES = 300
"""Most candidates. Bounds the time. At 100 one card is missed in "careless" (150 cards); at 1,000
no card is gained."""
_LEAST_ROUGH, _TRIED = 0.42, 3
"""Least correlation of a candidate that is refined (symbols had at least 0.41, and four in five
other places less than 0.5); and number of rotations of each candidate that are refined. In
"careless" (150 cards) six cards are missed at a correlation of 0.55, and three if rotations are
compared in a picture with a Gaussian blur of 1.7 pixels; no scene tried misses a card with a single
rotation."""
_AT_ONCE, _LEAST_CORRELATION = 60, 0.65
"""Number of poses refined together, best first, and the correlation that one of them must reach for
the next ones to be refined. Both only save time. No scene tried misses a card at a correlation of
0.45 or 0.85; one of "careless" (150 cards) misses one with 10 together."""

Points = NDArray[np.float64]


def dark_squares(
    grey: NDArray[np.uint8],
    module_px: float,
    paper: NDArray[np.uint8],
    covered: NDArray[np.uint8],
) -> Points:
    """Find the centres of candidate symbols.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        A top view of the table; half a pixel per module is enough.
    module_px : float
        Pixels per module.
    paper : uint8 array, shape (height, width)
        Grey level of paper at each place.
    covered : uint8 array, shape (height, width)
        255 where no search is made, 0 elsewhere.

    Returns
    -------
    float array, shape (candidates, 2)
        Pixels, x before y, those with the greatest contrast first.
    """

    def square(modules: int) -> tuple[int, int]:
        return (int(modules * module_px / 2) * 2 + 1,) * 2

    soft = np.asarray(cv2.blur(grey, (3, 3)), np.uint8)
    light = local_white(soft, square(_NEARBY), module_px)
    white = cv2.compare(soft, cv2.convertScaleAbs(light, alpha=_DARK), cv2.CMP_GT)
    inner, within, around = (cv2.blur(white, square(size)) for size in (_INNER, _WITHIN, _AROUND))
    share = (square(_WITHIN)[0] / square(_AROUND)[0]) ** 2
    ring = cv2.addWeighted(around, 1 / (1 - share), within, -share / (1 - share), 0)
    # the inner square is dark at several positions, the whole symbol only at its centre
    contrast = cv2.subtract(ring, cv2.addWeighted(inner, 0.5, within, 0.5, 0))
    dark = cv2.compare(
        cv2.blur(soft, square(_INNER)), cv2.convertScaleAbs(light, alpha=_DARK_MEAN), cv2.CMP_LT
    )
    lit = cv2.compare(light, cv2.convertScaleAbs(paper, alpha=_LEAST_LIGHT), cv2.CMP_GT)
    ringed = cv2.inRange(ring, int(255 * _LEAST_RING), 255)
    searched = cv2.bitwise_and(cv2.bitwise_and(dark, lit), ringed)
    searched = cv2.bitwise_and(searched, cv2.bitwise_not(covered))
    contrast = cv2.bitwise_and(contrast, contrast, mask=searched)
    # in fixed point with 7 fractional bits, so that a plateau has a single maximum
    even = cv2.GaussianBlur(contrast.astype(np.uint16) * 128, (0, 0), max(module_px, 0.8))
    highest = cv2.dilate(even, np.ones(square(_APART), np.uint8))
    peaks = np.flatnonzero((even >= highest) & (even > 128 * 255 * _LEAST_CONTRAST / 2))
    row, column = np.unravel_index(peaks, even.shape)
    clearest = np.argsort(-even[row, column].astype(int), kind="stable")[:_MOST_PLACES]
    return np.stack([column, row], -1)[clearest].astype(float)


def squares_at(middles: Points, side: float) -> Points:
    """Upright squares around centres.

    Parameters
    ----------
    middles : float array, shape (n, 2)
    side : float

    Returns
    -------
    float array, shape (n, 4, 2)
        TL TR BR BL.
    """
    ends = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - 0.5) * side
    return np.asarray(middles[:, None] + ends)


def poses_of_squares(view: View, squares: Points, blur_px: float | None) -> Poses:
    """Refine the best rotations and shifts of each candidate.

    Parameters
    ----------
    view : View
    squares : float array, shape (candidates, 4, 2)
        Corners of squares of a symbol's size, pixels, in any rotation.
    blur_px : float or None
        Greatest blur of the view, pixels, if known.

    Returns
    -------
    Poses
        Several may be on one symbol.
    """
    found = [Poses(np.zeros((0, 2, 3)), np.zeros(0))]
    if not len(squares):
        return found[0]
    turned, correlation = best_rotations(view.soft, maps_from_corners(squares), _TRIED)
    maps, scores = turned.reshape(-1, 2, 3), correlation.ravel()
    order = np.argsort(-scores, kind="stable")
    maps = maps[order[scores[order] >= _LEAST_ROUGH]]
    for start in range(0, len(maps), _AT_ONCE):
        found.append(refine_poses(view.grey, maps[start : start + _AT_ONCE], blur_px))
        if not (found[-1].correlation >= _LEAST_CORRELATION).any():
            break
    return Poses(
        np.concatenate([poses.maps for poses in found]),
        np.concatenate([poses.correlation for poses in found]),
    )
