"""Finding candidate symbols in a photo as blobs: dark, compact parallelograms framed by white.

Averaged over a few modules a QR code is a grey square, and its quiet zone separates it from
everything else on and around the card. Sketches and text have thin strokes, which disappear or
leave ragged blobs. The photo is binarised with a local threshold between the minimum and the
maximum nearby, and parallelograms are fitted to the contours by their second moments.

References
----------
Bernsen, J. (1986). Dynamic thresholding of grey-level images. Proceedings of the 8th International
Conference on Pattern Recognition, 1251-1255. (Its threshold is halfway; ours is closer to white.)
"""

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from basics.threads import side_by_side
from printables.cards.codes import MODULES
from printables.reading.symbols.contours import Contours
from printables.reading.symbols.local_white import local_white

MODULE_PX = 1.7
"""Pixels per module at which photos are searched: at this size a symbol is a compact grey square.
No scene of 60 cards reads other cards at 0.85, 1.3 or 3.4; in two photos of "careless" one more
place is reported as unread."""

_DEPTHS = ((0.20, 8, True), (0.33, 6, False))
"""Two thresholds: how much darker than the white nearby a symbol is, as a share of the local
contrast and in grey levels, and whether gaps are closed. With the first alone two cards in shadow
are missed in "careless" (150 cards)."""
SMALL_SPECK, LARGE_SPECK = 3, 5
"""Side, in pixels, of the kernel of opening and closing, about one and a half modules; and of that
of opening at the second threshold, except in shadows. With 3 everywhere, 12,221 instead of 12,215
cards are read in 78 photos by a second simulator, and 703 instead of 722 of the unread ones are
outlined, since more places seem to be covered cards. With 5 in shadows, too, 8 of 3,236 cards in
deep shade, steep views and other hard light are missed that are read with 3."""
_LEAST_COMPACT = 0.016
"""Least area over squared contour length; that of a square is 0.0625. Only saves time: no scene
tried differs at 0.004."""
_LEAST_FILL = 0.80
"""Least share of the fitted parallelogram that a blob fills. At .95 nearly half of the cards are
missed in "ordinary" and two thirds in "careless" (300 cards); at .5, in an earlier version of the
search, "careless" (150 cards) had wrong groups."""
_LEAST_FULL = 0.70
"""The same estimated from second moments, as a quick first test; no scene tried differs at .3."""
_LONGEST_ASPECT = 1.9
"""Greatest ratio of the standard deviations along a blob's axes, since a tilted view shortens
symbols; at 1.2, 17 cards are missed in "careless" (150 cards)."""
_LONGEST_SIDES = 1.35
"""Greatest ratio of the sides after whitening; no scene tried differs at 1.1 or 3."""


def find_blobs(
    grey: NDArray[np.uint8],
    smallest: float,
    largest: float,
    module_px: float = MODULE_PX,
    speck: int = LARGE_SPECK,
) -> NDArray[np.float64]:
    """Find dark parallelograms framed by white.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    smallest, largest : float
        Range of a symbol's side, pixels.
    module_px : float
        Pixels per module, about 1 to 2.
    speck : int
        Side of the specks that are removed at the second threshold, pixels.

    Returns
    -------
    float array, shape (blobs, 4, 2)
        Corners, pixels, clockwise, starting at any corner.
    """
    smooth = np.asarray(cv2.blur(grey, (3, 3)), np.uint8)
    reach = int(MODULES * module_px * 0.75) | 1
    white = local_white(smooth, (reach, reach), module_px)
    span = cv2.subtract(white, cv2.erode(smooth, np.ones((reach, reach), np.uint8)))

    def at(threshold: tuple[float, int, bool]) -> NDArray[np.float64]:
        share, least, bridged = threshold
        depth = cv2.max(cv2.convertScaleAbs(span, alpha=share), np.full(1, float(least)))
        dark = cv2.compare(smooth, cv2.subtract(white, depth), cv2.CMP_LT)
        if bridged:
            # otherwise the light modules of a sharp symbol would split it
            dark = cv2.morphologyEx(
                dark, cv2.MORPH_CLOSE, np.ones((SMALL_SPECK, SMALL_SPECK), np.uint8)
            )
        # removes strokes, text and wood grain, hence most contours
        side = SMALL_SPECK if bridged else speck
        dark = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
        return _quads(dark, smallest, largest)

    # if the edge of a shadow connects a symbol to the table at the first threshold, the second
    # separates them
    first, second = side_by_side(at, _DEPTHS)
    return np.concatenate([first, _not_known(second, first)])


def _quads(dark: cv2.typing.MatLike, smallest: float, largest: float) -> NDArray[np.float64]:
    """Parallelograms of a symbol's size in a mask."""
    found, levels = cv2.findContours(dark, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    parents = levels[0, :, 3].tolist() if len(found) else []
    outer = [c for c, parent in zip(found, parents, strict=True) if parent < 0]
    contours = Contours.of([c for c in outer if _is_sized(c, smallest, largest)])
    if not len(contours.lengths):
        return np.zeros((0, 4, 2))
    moments = contours.moments()
    full = _is_full(moments)
    return _parallelograms(contours[full], moments[full])


def _is_sized(contour: cv2.typing.MatLike, smallest: float, largest: float) -> bool:
    """Whether a contour has a symbol's length and area, and is compact."""
    length = len(contour)
    if not 3 * smallest < length < 7 * largest:
        return False
    area = cv2.contourArea(contour)
    return 0.5 * smallest**2 < area < 1.3 * largest**2 and area > _LEAST_COMPACT * length**2


def _not_known(quads: NDArray[np.float64], known: NDArray[np.float64]) -> NDArray[np.float64]:
    """Those quadrilaterals that are not at the place of a known one."""
    if not len(quads) or not len(known):
        return quads
    side = np.linalg.norm(quads[:, 0] - quads[:, 1], axis=1)
    far = cdist(quads.mean(1), known.mean(1)).min(1) > 0.3 * side
    return quads[far]


def _is_full(moments: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether blobs are compact: the area of a parallelogram is 12 times the root of the
    determinant of its covariance."""
    area, _, _, xx, xy, yy = moments.T
    half, apart = (xx + yy) / 2, np.hypot((xx - yy) / 2, xy)
    root = np.sqrt(np.maximum(xx * yy - xy * xy, 0))
    short = half + apart <= (half - apart) * _LONGEST_ASPECT**2
    return np.asarray(short & (area >= 12 * _LEAST_FULL * root) & (root > 0))


def _covariance_roots(moments: NDArray[np.float64]) -> NDArray[np.float64]:
    """Square roots of the covariance matrices, in closed form, shape (n, 2, 2)."""
    xx, xy, yy = moments.T[3:]
    root = np.sqrt(xx * yy - xy * xy)
    rows = np.stack([np.stack([xx + root, xy], -1), np.stack([xy, yy + root], -1)], -2)
    return np.asarray(rows / np.sqrt(xx + yy + 2 * root)[:, None, None])


def _parallelograms(contours: Contours, moments: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fit parallelograms by second moments: whitening transforms them into squares."""
    if not len(moments):
        return np.zeros((0, 4, 2))
    middles, roots = moments[:, 1:3], _covariance_roots(moments)
    inverses = np.linalg.inv(roots)
    away = contours.points - np.repeat(middles, contours.lengths, axis=0)
    inverse = np.repeat(inverses, contours.lengths, axis=0)
    squares = Contours(np.einsum("pi,pij->pj", away, inverse), contours.lengths)
    directions = squares.directions()
    sides = squares.extents(directions)
    even = sides.max(1) <= _LONGEST_SIDES * sides.min(1)
    # a square of unit variance has sides of sqrt(12)
    kept = even & (sides.prod(1) <= 12 / _LEAST_FILL)
    corners = np.sqrt(3) * directions[kept, None] * np.array([-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j])
    flat = np.stack([corners.real, corners.imag], -1)
    return np.asarray(flat @ roots[kept] + middles[kept, None])
