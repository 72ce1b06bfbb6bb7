"""Places in a photo that look like a symbol from afar: dark, even, four-cornered, framed by white.

Averaged over a few modules a QR code is a grey square, and its quiet zone keeps it apart from
everything else on the card and around it. Sketches and words are thin, and vanish or stay ragged.
"""

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from printables.codes import MODULES

MODULE_PX = 1.7

_DEPTHS = ((0.20, 8), (0.33, 6))
_LEAST_FILL = 0.80
_LONGEST_ASPECT = 1.9


def find_blobs(grey: NDArray[np.uint8], smallest: float, largest: float) -> NDArray[np.float64]:
    """Find dark parallelograms framed by white.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        At a scale where a module is about `MODULE_PX` pixels.
    smallest, largest : float
        Side of a symbol in pixels, at least and at most.

    Returns
    -------
    float array, shape (blobs, 4, 2)
        Corners in pixels, clockwise in the picture, beginning anywhere.
    """
    smooth = cv2.blur(grey, (3, 3))
    reach = int(MODULES * MODULE_PX * 0.75) | 1
    white = cv2.dilate(smooth, np.ones((reach, reach), np.uint8))
    span = cv2.subtract(white, cv2.erode(smooth, np.ones((reach, reach), np.uint8)))
    found: NDArray[np.float64] = np.zeros((0, 4, 2))
    # where a shadow's edge joins symbol and ground at the first depth, the second parts them
    for share, least in _DEPTHS:
        depth = cv2.max(cv2.multiply(span, share), least)
        dark = cv2.compare(smooth, cv2.subtract(white, depth), cv2.CMP_LT)
        found = np.concatenate([found, _new(_quads(dark, smallest, largest), found)])
    return found


def _quads(dark: cv2.typing.MatLike, smallest: float, largest: float) -> NDArray[np.float64]:
    contours, _ = cv2.findContours(dark, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    quads = [_parallelogram(c, smallest**2, largest**2) for c in contours if len(c) > 3 * smallest]
    return np.array([quad for quad in quads if quad is not None], float).reshape(-1, 4, 2)


def _new(quads: NDArray[np.float64], known: NDArray[np.float64]) -> NDArray[np.float64]:
    if not len(quads) or not len(known):
        return quads
    side = np.linalg.norm(quads[:, 0] - quads[:, 1], axis=1)
    far = cdist(quads.mean(1), known.mean(1)).min(1) > 0.3 * side
    return quads[far]


def _parallelogram(
    contour: NDArray[np.int32], least_area: float, most_area: float
) -> NDArray[np.float64] | None:
    """Fit by second moments: whitened, every parallelogram is a square."""
    moments = cv2.moments(contour)
    area = moments["m00"]
    if not least_area * 0.5 < area < most_area * 1.3:
        return None
    middle = np.array([moments["m10"], moments["m01"]]) / area
    spread = np.array(
        [[moments["mu20"], moments["mu11"]], [moments["mu11"], moments["mu02"]]]
    ) / area
    lengths, axes = np.linalg.eigh(spread)
    if lengths[0] <= 0 or lengths[1] > lengths[0] * _LONGEST_ASPECT**2:
        return None
    whiten = axes / np.sqrt(lengths) @ axes.T
    points = ((contour[:, 0] - middle) @ whiten).astype(np.float32)
    (_, _), (width, height), angle = cv2.minAreaRect(points)
    # a square of unit variance has a side of sqrt(12)
    if 12 / max(width * height, 1e-6) < _LEAST_FILL or max(width, height) > 1.35 * min(width, height):
        return None
    turn = np.deg2rad(angle + np.array([225, 315, 45, 135]))
    corners = np.sqrt(6) * np.stack([np.cos(turn), np.sin(turn)], -1)
    return np.asarray(corners @ np.linalg.inv(whiten) + middle)
