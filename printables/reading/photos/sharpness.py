"""Blur and motion blur of a photo, estimated from its edges.

If an edge of contrast C is blurred by a Gaussian with standard deviation s, its steepest gradient
is C / (s * sqrt(2 pi)). In photos of cards, the borders of paper and ink are such edges. Motion
blurs only the edges across its direction, so the gradients' second moments differ: their ratio is
that of the eigenvalues of the structure tensor.

References
----------
Bigün, J., & Granlund, G. H. (1987). Optimal orientation detection of linear symmetry. Proceedings
of ICCV 1987, 433-438 (structure tensor).

`tests/bench/bench_constants.py` varies the numbers below and prints what changes.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

_HALVINGS = 3
_COARSE = 2**_HALVINGS
"""Reduction of the photo in which the strongest edges are searched for. Only saves time."""
_EDGES = 100
"""Most edges that are examined. With half or twice as many, the estimates of eight rendered photos
differ by .06 pixels at most."""
_REACH_PX = 24
"""Distance from an edge, in pixels, within which contrast and gradient are measured. At 12, a blur
of 6 pixels is estimated as 5.3; at 48, that of "defocus" as 1.1 instead of 1.4."""
_LEAST_CONTRAST = 45
"""Least contrast of an edge, in grey levels, so that a picture without edges has no estimate. No
rendered photo differs at 22 or 90."""
_LEAST_EDGES = 12
"""Least number of edges for an estimate, which is a percentile of them. No photo tried differs at 6
or 24."""
_AGAINST_NOISE_PX, _MARGIN_PX = 1.0, 3
"""Standard deviation, in pixels, of a blur against noise, which is applied before gradients are
measured and subtracted from the result; and its reach in pixels, three standard deviations. At 0.5
no estimate of a rendered photo differs by more than .05 pixels; at 2.0, that of "messenger" is 0
instead of 0.7."""
_AROUND, _SYMBOLS = 0.4, 10
"""Width of the surroundings of a symbol, in its sides, in which gradients are measured for motion
blur, and most symbols used. At 0.8 "motion" is not recognised; no photo tried differs at 0 or 0.2,
nor with 5 or 80 symbols, of which more only take longer."""
_STEEPEST, _MOTION_RATIO = 0.95, 3.0
"""Quantile from which gradients count as steep, and the ratio of their second moments above which a
photo has motion blur. At a quantile of .90, "motion" is not recognised, at .99 "careless" is
mistaken for it; no photo tried differs at .975. The ratio was 1.0 to 2.0 in photos without motion,
whatever their blur, and 4.4 to 80 in 11 photos with motion ("motion", by 5 to 14 pixels)."""


def edge_blur(grey: NDArray[np.uint8]) -> float | None:
    """Estimate the standard deviation of a photo's blur.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)

    Returns
    -------
    float or None
        Pixels; the 25th percentile over the strongest edges. None if there are too few.
    """
    places = _strong_edges(grey)
    if len(places) < _LEAST_EDGES or min(grey.shape) < 2 * (_REACH_PX + _MARGIN_PX):
        return None
    soft = _softened(grey, places)
    # a stable sort of bytes counts them, in an eighth of the time
    levels = np.sort(soft.reshape(len(soft), -1), axis=1, kind="stable")
    low, high = (levels[:, _rank(levels, share)].astype(float) for share in (0.03, 0.97))
    down, right = np.gradient(soft.astype(np.float32), axis=(1, 2))
    power = np.reshape(down * down + right * right, (len(soft), -1))
    steepest = np.sqrt(_ranked(power, 0.995))
    clear = high - low >= _LEAST_CONTRAST
    sigmas = ((high - low) / np.maximum(steepest, 1e-6))[clear] / (2 * np.pi) ** 0.5
    if len(sigmas) < _LEAST_EDGES:
        return None
    sharp = float(np.percentile(sigmas, 25))
    return max(sharp**2 - _AGAINST_NOISE_PX**2, 0.0) ** 0.5


def has_motion_blur(grey: NDArray[np.uint8], symbols: NDArray[np.float64]) -> bool:
    """Test whether the phone moved, which blurs all edges across the direction of motion.

    Only symbols are examined, since they have as many edges in one direction as in the other. Wood
    and striped cloths do not: sharp photos taken from far, most of which show the table, seemed to
    have motion blur.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    symbols : float array, shape (symbols, 4, 2)
        Corners of the symbols in the photo, read or not, pixels.

    Returns
    -------
    bool
    """
    slopes = [np.zeros((2, 0), np.float32)]
    for corners in symbols[:: max(len(symbols) // _SYMBOLS, 1)]:
        middle, reach = corners.mean(0), (0.5 + _AROUND) * np.ptp(corners, axis=0).max()
        left, over = np.maximum(middle - reach, 0).astype(int)
        beyond, under = (middle + reach).astype(int)
        patch = np.ascontiguousarray(grey[over:under, left:beyond])
        if min(patch.shape) > 2:
            soft = cv2.GaussianBlur(patch, (0, 0), _AGAINST_NOISE_PX)
            slopes.append(np.stack(cv2.spatialGradient(soft)).reshape(2, -1).astype(np.float32))
    right, down = np.concatenate(slopes, axis=1)
    if not len(right):
        return False
    power = right * right + down * down
    steep = power > _ranked(power, _STEEPEST)
    x, y = right[steep], down[steep]
    across, along = np.linalg.eigvalsh(np.array([x, y]) @ np.array([x, y]).T)
    return bool(along > _MOTION_RATIO * max(across, 1e-9))


def _ranked(rows: NDArray[np.float32], share: float) -> NDArray[np.float32]:
    """The numbers of which each row has this share below them."""
    rank = _rank(rows, share)
    # several times as fast as `np.percentile`
    return np.asarray(np.partition(rows, rank, axis=-1)[..., rank], np.float32)


def _rank(rows: NDArray[Any], share: float) -> int:
    """The place, in sorted rows, of the number with this share below it."""
    return round(share * (rows.shape[-1] - 1))


def _softened(grey: NDArray[np.uint8], places: NDArray[np.intp]) -> NDArray[np.uint8]:
    """Blurred patches of a photo around points, shape (points, side, side)."""
    side = 2 * (_REACH_PX + _MARGIN_PX)
    most = np.array(grey.shape)[::-1] - side
    corners = np.clip(places - side // 2, 0, most).tolist()
    patches = [grey[row : row + side, column : column + side] for column, row in corners]
    # one tall picture is blurred faster than a hundred small ones; margins separate the patches
    soft = cv2.GaussianBlur(np.concatenate(patches), (0, 0), _AGAINST_NOISE_PX)
    inner = slice(_MARGIN_PX, side - _MARGIN_PX)
    return np.asarray(soft.reshape(-1, side, side)[:, inner, inner], np.uint8)


def _strong_edges(grey: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Points on the strongest edges, x before y, one per cell of the photo at most."""
    small: cv2.typing.MatLike = grey
    for _ in range(_HALVINGS):
        # three times as fast as reducing at once
        small = cv2.resize(small, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), 1.0)
    slope = cv2.magnitude(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1))
    cell = 2 * _REACH_PX // _COARSE
    rows, columns = (side // cell for side in slope.shape)
    cells = slope[: rows * cell, : columns * cell].reshape(rows, cell, columns, cell)
    flat = cells.transpose(0, 2, 1, 3).reshape(rows * columns, cell * cell)
    strongest = np.argsort(-flat.max(1, initial=0), kind="stable")[:_EDGES]
    inner = flat[strongest].argmax(1) if len(strongest) else strongest
    row = (strongest // max(columns, 1)) * cell + inner // cell
    column = (strongest % max(columns, 1)) * cell + inner % cell
    return np.stack([column, row], -1) * _COARSE
