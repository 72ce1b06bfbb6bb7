"""Illumination of the table: how light each place is, and how light paper is there.

The level of the cards is smoothed, and divided by the smoothed number of cards (normalised
convolution).

References
----------
Knutsson, H., & Westin, C.-F. (1993). Normalized and differential convolution. Proceedings of CVPR
1993, 515-523.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

_LIGHT_REACH_MM = 250.0
"""Standard deviation, in millimetres, of the smoothing over the known cards. Chosen by trial: at
2,000 a face-down card is missed in "careless" (150 cards)."""

_MOST_ROWS = 30_000
"""Most rows of a picture that OpenCV's `remap` makes: their number must fit into 16 bits."""


def paper_level(
    top_view: NDArray[np.uint8], known: NDArray[np.float32], density: float
) -> NDArray[np.uint8]:
    """Estimate the grey level of paper at each place, smoothed over the known cards.

    Parameters
    ----------
    top_view : uint8 array, shape (height, width)
        A top view of the table.
    known : float32 array, shape (cards, 4, 2)
        Outlines of the known cards, pixels.
    density : float
        Pixels per millimetre.

    Returns
    -------
    uint8 array, shape (height, width)
        At least 1; 255 where no known card is near enough for an estimate.
    """
    coarse = 16
    shape = (top_view.shape[0] // coarse + 1, top_view.shape[1] // coarse + 1)
    steps = np.linspace(0.1, 0.9, 8, dtype=np.float32)
    u, v = (part.ravel() for part in np.meshgrid(steps, steps))
    first, second, _, fourth = known.transpose(1, 2, 0)[..., None]
    inside = first * (1 - u - v) + second * u + fourth * v
    column, row = (
        np.clip(places, 0, side - 1).astype(int)
        for places, side in zip(inside, top_view.shape[::-1], strict=True)
    )
    # between the two nearest ranks, as `np.percentile`, which takes much longer
    ranked = np.sort(top_view[row, column], axis=1, kind="stable").astype(np.float32)
    rank, part = divmod(0.8 * (ranked.shape[1] - 1), 1)
    below, above = ranked[:, int(rank)], ranked[:, int(rank) + 1]
    paper = below + part * (above - below)
    level, weight = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    middle = (row.mean(1).astype(int) // coarse, column.mean(1).astype(int) // coarse)
    np.add.at(level, middle, paper)
    np.add.at(weight, middle, 1)
    reach = _LIGHT_REACH_MM * density / coarse
    level, weight = (np.asarray(cv2.GaussianBlur(part, (0, 0), reach)) for part in (level, weight))
    # far from known cards the level is unknown
    white = np.where(weight < 1e-9, 255, np.maximum(level / np.maximum(weight, 1e-12), 1))
    return np.asarray(cv2.resize(white.astype(np.uint8), top_view.shape[::-1]), np.uint8)


def grey_at(picture: NDArray[Any], places: NDArray[np.floating]) -> NDArray[Any]:
    """Interpolate the values of a picture at points; border pixels are repeated.

    Parameters
    ----------
    picture : array, shape (height, width)
    places : float array, shape (2, boxes, ...)
        Columns and rows.

    Returns
    -------
    array, shape (boxes, ...)
        Of the picture's type.
    """
    if not places.size:
        return np.zeros(places.shape[1:], picture.dtype)
    column, row = places.reshape(2, places.shape[1], -1).astype(np.float32, copy=False)
    how = (cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE)
    starts = range(0, len(row), _MOST_ROWS)
    parts = [
        cv2.remap(picture, column[at : at + _MOST_ROWS], row[at : at + _MOST_ROWS], *how)
        for at in starts
    ]
    seen = parts[0] if len(parts) == 1 else np.concatenate(parts)
    return np.asarray(seen).reshape(places.shape[1:])


def medians(values: NDArray[np.floating]) -> NDArray[Any]:
    """Compute medians along the last axis.

    Parameters
    ----------
    values : float array, shape (..., n)
        NaN for those that do not count.

    Returns
    -------
    float array, shape (...)
        As `np.nanmedian`, which takes many times as long; NaN where none counts.
    """
    ranked = np.sort(values, axis=-1)
    count = np.count_nonzero(~np.isnan(ranked), axis=-1)[..., None]
    middle = (np.maximum(count - 1, 0) // 2, np.minimum(count // 2, ranked.shape[-1] - 1))
    low, high = (np.take_along_axis(ranked, place, -1)[..., 0] for place in middle)
    return np.asarray((low + high) / 2)
