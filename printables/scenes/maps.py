"""Warping pictures smoothly by a map that is given on a coarse grid."""

import cv2
import numpy as np
from numpy.typing import NDArray

Photo = NDArray[np.uint8]

STEP = 16
"""Pixels between points of the coarse grid."""


def grid_pixels(pixels: int) -> NDArray[np.float64]:
    """Coordinates of the coarse grid's points along a side of this many pixels."""
    return np.arange(0, pixels + STEP, STEP, dtype=float)


def warp(photo: Photo, source: NDArray[np.float64], interpolation: int, border: int) -> Photo:
    """Warp a picture; the result has the same size.

    Parameters
    ----------
    photo : uint8 array, shape (height, width)
    source : float array, shape (rows, columns, 2)
        For the points of the coarse grid, x and y of the pixel to show there.
    interpolation, border : int
        As for OpenCV's remap.

    Returns
    -------
    uint8 array, shape (height, width)
    """
    onto = np.array([[STEP, 0, 0], [0, STEP, 0]], float)
    size = photo.shape[1], photo.shape[0]
    maps = [cv2.warpAffine(source[..., axis].astype(np.float32), onto, size) for axis in (0, 1)]
    return np.asarray(
        cv2.remap(photo, maps[0], maps[1], interpolation, borderMode=border), np.uint8
    )
