"""Candidate symbols in a photo: dark, compact parallelograms framed by white.

Averaged over a few modules a QR code is a grey square, and its quiet zone separates it from
everything else on and around the card. Sketches and text are thin, and disappear or remain ragged.
"""

from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from printables.cards.codes import MODULES
from printables.reading.symbols.contours import Contours

MODULE_PX = 1.7
"""Pixels per module at which photos are searched: there a symbol is a compact grey square. Chosen
by trial."""

_DEPTHS = ((0.20, 8, True), (0.33, 6, False))
"""How much darker than the white nearby a symbol is, as a share of the contrast and in grey levels,
and whether gaps are closed. With the first alone two cards in shadow are missed in "careless" (150
cards)."""
_SPECK = np.ones((3, 3), np.uint8)
"""Opening and closing over a module and a half."""
_LEAST_COMPACT = 0.016
"""Least area over squared contour length; a square has 0.0625. Only saves time: no scene tried
differs at 0.004."""
_LEAST_FILL = 0.80
"""Least share of a fitted parallelogram that a blob fills. At .95 nearly half of the cards are
missed in "ordinary" and two thirds in "careless" (300 cards); at .5, in an earlier search,
"careless" (150 cards) had wrong groups."""
_LEAST_FULL = 0.70
"""The same by second moments, as a quick first test; no scene tried differs at .3."""
_LONGEST_ASPECT = 1.9
"""Greatest ratio of the spreads, since tilted photos shorten symbols; at 1.2 17 cards are missed in
"careless" (150 cards)."""
_LONGEST_SIDES = 1.35
"""Greatest ratio of the sides after whitening; no scene tried differs at 1.1 or 3."""


def find_blobs(
    grey: NDArray[np.uint8], smallest: float, largest: float, module_px: float = MODULE_PX
) -> NDArray[np.float64]:
    """Find dark parallelograms framed by white.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    smallest, largest : float
        Smallest and largest side of a symbol in pixels.
    module_px : float
        Pixels per module, about 1 to 2.

    Returns
    -------
    float array, shape (blobs, 4, 2)
        Corners in pixels, clockwise in the picture, starting at any corner.
    """
    smooth = np.asarray(cv2.blur(grey, (3, 3)), np.uint8)
    reach = int(MODULES * module_px * 0.75) | 1
    white = np.asarray(cv2.dilate(smooth, np.ones((reach, reach), np.uint8)), np.uint8)
    span = cv2.subtract(white, cv2.erode(smooth, np.ones((reach, reach), np.uint8)))

    def at_depth(share: float, least: int, bridged: bool) -> NDArray[np.float64]:
        depth = np.maximum(cv2.convertScaleAbs(span, alpha=share), np.uint8(least))
        dark = cv2.compare(smooth, cv2.subtract(white, depth), cv2.CMP_LT)
        if bridged:
            # the light modules of a sharp symbol must not split it
            dark = cv2.morphologyEx(dark, cv2.MORPH_CLOSE, _SPECK)
        # removes strokes, text and wood grain, and with them most of the contours
        return _quads(cv2.morphologyEx(dark, cv2.MORPH_OPEN, _SPECK), smallest, largest)

    # where a shadow's edge joins symbol and ground at the first depth, the second separates them
    with ThreadPoolExecutor(len(_DEPTHS)) as pool:
        first, second = pool.map(at_depth, *zip(*_DEPTHS, strict=True))
    return np.concatenate([first, _new(second, first)])


def _quads(dark: cv2.typing.MatLike, smallest: float, largest: float) -> NDArray[np.float64]:
    found, _ = cv2.findContours(dark, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    contours = Contours.of([c for c in found if 3 * smallest < len(c) < 7 * largest])
    if not len(contours.lengths):
        return np.zeros((0, 4, 2))
    moments = contours.moments()
    area = moments[:, 0]
    sized = (0.5 * smallest**2 < area) & (area < 1.3 * largest**2)
    likely = sized & (area > _LEAST_COMPACT * contours.lengths**2) & _is_full(moments)
    return _parallelograms(contours[likely], moments[likely])


def _new(quads: NDArray[np.float64], known: NDArray[np.float64]) -> NDArray[np.float64]:
    if not len(quads) or not len(known):
        return quads
    side = np.linalg.norm(quads[:, 0] - quads[:, 1], axis=1)
    far = cdist(quads.mean(1), known.mean(1)).min(1) > 0.3 * side
    return quads[far]


def _is_full(moments: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether a blob is compact: a parallelogram's area is 12 times the root of its determinant."""
    area, _, _, xx, xy, yy = moments.T
    half, apart = (xx + yy) / 2, np.hypot((xx - yy) / 2, xy)
    root = np.sqrt(np.maximum(xx * yy - xy * xy, 0))
    short = half + apart <= (half - apart) * _LONGEST_ASPECT**2
    return np.asarray(short & (area >= 12 * _LEAST_FULL * root) & (root > 0))


def _stretches(moments: NDArray[np.float64]) -> NDArray[np.float64]:
    """The square roots of the covariance matrices in closed form, shape (n, 2, 2)."""
    xx, xy, yy = moments.T[3:]
    root = np.sqrt(xx * yy - xy * xy)
    rows = np.stack([np.stack([xx + root, xy], -1), np.stack([xy, yy + root], -1)], -2)
    return np.asarray(rows / np.sqrt(xx + yy + 2 * root)[:, None, None])


def _parallelograms(contours: Contours, moments: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fit parallelograms by second moments: whitening makes them squares."""
    if not len(moments):
        return np.zeros((0, 4, 2))
    middles, stretches = moments[:, 1:3], _stretches(moments)
    inverses = np.linalg.inv(stretches)
    away = contours.points - np.repeat(middles, contours.lengths, axis=0)
    inverse = np.repeat(inverses, contours.lengths, axis=0)
    squares = Contours(np.einsum("pi,pij->pj", away, inverse), contours.lengths)
    turns = squares.turns()
    sides = squares.extents(turns)
    even = sides.max(1) <= _LONGEST_SIDES * sides.min(1)
    # a square of unit variance has sides of sqrt(12)
    kept = even & (sides.prod(1) <= 12 / _LEAST_FILL)
    corners = np.sqrt(3) * turns[kept, None] * np.array([-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j])
    flat = np.stack([corners.real, corners.imag], -1)
    return np.asarray(flat @ stretches[kept] + middles[kept, None])
