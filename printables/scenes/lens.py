"""Aberrations of a phone's lens: distortion, colour fringes, softness and vignetting.

Radii are relative to half the photo's diagonal, so that corners have radius 1.

References
----------
.. [1] Brown, D. C. (1966). Decentering distortion of lenses. Photogrammetric Engineering, 32(3),
   444-462.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.scenes.maps import grid_pixels, warp

Photo = NDArray[np.uint8]
Points = NDArray[np.float64]

_STEPS = 12
_BLUE, _RED = 0, 2


@dataclass(frozen=True)
class Lens:
    """A lens; the default is free of aberrations.

    Attributes
    ----------
    k1, k2 : float
        Coefficients of radial distortion for the second and fourth power of the radius [1]_; a
        negative sum is barrel distortion. Corners are not moved.
    fringe : float
        Lateral chromatic aberration: relative magnification of red over green, and of green over
        blue.
    vignetting : float
        Loss of light in the corners, as a share.
    softness_px : float
        Standard deviation of the additional blur in the corners, pixels.
    """

    k1: float = 0.0
    k2: float = 0.0
    fringe: float = 0.0
    vignetting: float = 0.0
    softness_px: float = 0.0

    def to_photo(self, points: Points, size: tuple[int, int]) -> Points:
        """Map points in the picture of an ideal lens to the photo.

        Parameters
        ----------
        points : float array, shape (..., 2)
            Pixels.
        size : (int, int)
            Width and height of the photo, pixels.

        Returns
        -------
        float array, shape (..., 2)
        """
        middle, reach = _frame(size)
        wanted = (np.asarray(points, float) - middle) / reach
        seen = wanted.copy()
        for _ in range(_STEPS):
            seen = wanted / self._growth((seen**2).sum(-1, keepdims=True))
        return np.asarray(middle + seen * reach)

    def image(self, photo: Photo, channel: int) -> Photo:
        """Apply distortion and chromatic aberration to one channel (0 blue, 1 green, 2 red)."""
        fringe = self.fringe * {_BLUE: -1, _RED: 1}.get(channel, 0)
        if not (self.k1 or self.k2 or fringe):
            return np.ascontiguousarray(photo[..., channel])
        height, width = photo.shape[:2]
        middle, reach = _frame((width, height))
        coarse = np.meshgrid(grid_pixels(width), grid_pixels(height))
        away = (np.stack(coarse, -1) - middle) / reach
        growth = self._growth((away**2).sum(-1, keepdims=True)) / (1 + fringe)
        one = np.ascontiguousarray(photo[..., channel])
        return warp(one, middle + away * reach * growth, cv2.INTER_CUBIC, cv2.BORDER_REFLECT)

    def dimming(self, shape: tuple[int, int]) -> NDArray[np.float32]:
        """Transmitted share of the light, on a grid of this shape over the photo."""
        return np.asarray(1 - self.vignetting * _squared_radius(shape) ** 1.3, np.float32)

    def softened(self, linear: NDArray[np.float32]) -> NDArray[np.float32]:
        """Add blur to one channel, which increases with the square of the radius."""
        if self.softness_px <= 0:
            return linear
        soft = cv2.GaussianBlur(linear, (0, 0), self.softness_px)
        share = _squared_radius((96, 128)).astype(np.float32)
        share_map = cv2.resize(share, linear.shape[::-1], interpolation=cv2.INTER_LINEAR)
        soft = cv2.subtract(soft, linear, dst=soft)
        return np.asarray(linear + cv2.multiply(soft, share_map, dst=soft), np.float32)

    def _growth(self, squared: Points) -> Points:
        return np.asarray((1 + self.k1 * squared + self.k2 * squared**2) / (1 + self.k1 + self.k2))


def _frame(size: tuple[int, int]) -> tuple[Points, float]:
    ends = np.array(size, float) - 1
    return ends / 2, float(np.linalg.norm(ends)) / 2


def _squared_radius(shape: tuple[int, int]) -> Points:
    y, x = np.mgrid[-1 : 1 : shape[0] * 1j, -1 : 1 : shape[1] * 1j]
    return np.asarray((0.8 * x) ** 2 + (0.6 * y) ** 2)


def point_spread(
    defocus_px: float, motion_px: float, direction: float, blur_px: float
) -> NDArray[np.float32]:
    """Compute the point spread function of defocus, motion and lens blur.

    Parameters
    ----------
    defocus_px : float
        Diameter of the defocus disk, pixels.
    motion_px : float
        Length of the motion blur, pixels.
    direction : float
        Direction of the motion, radians.
    blur_px : float
        Standard deviation of the lens's own blur, pixels.

    Returns
    -------
    float32 array, shape (size, size)
        Its sum is 1; the size is odd.
    """
    half = int(np.ceil((defocus_px + motion_px) / 2 + 3 * blur_px)) + 1
    finer = 8
    size = (2 * half + 1) * finer
    spot = np.zeros((size, size), np.float32)
    middle = size // 2
    cv2.circle(spot, (middle, middle), max(1, round(defocus_px / 2 * finer)), 1.0, -1)
    if motion_px > 0:
        streak = np.zeros_like(spot)
        reach = np.array([np.cos(direction), np.sin(direction)]) * motion_px / 2 * finer
        first, last = ([int(v) for v in np.round(middle + way * reach)] for way in (-1, 1))
        cv2.line(streak, first, last, 1.0, finer // 2)
        spot = np.asarray(cv2.filter2D(spot, -1, streak), np.float32)
    if blur_px > 0:
        spot = np.asarray(cv2.GaussianBlur(spot, (0, 0), blur_px * finer), np.float32)
    small = cv2.resize(spot, (2 * half + 1,) * 2, interpolation=cv2.INTER_AREA)
    return np.asarray(small / small.sum(), np.float32)
