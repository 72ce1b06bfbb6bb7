"""Moments and directions of many closed contours, computed together.

A loop over the thousands of specks in a photo would be slow; sums over all points take a few
milliseconds.

References
----------
Steger, C. (1996). On the calculation of arbitrary moments of polygons. Technical report FGBV-96-05,
Technische Universität München.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Contours:
    """Several closed contours.

    Attributes
    ----------
    points : float array, shape (points, 2)
        Points of all contours, one contour after another, pixels.
    lengths : int array, shape (contours,)
        Number of points of each contour.
    """

    points: NDArray[np.float64]
    lengths: NDArray[np.intp]

    @classmethod
    def of(cls, contours: Sequence[cv2.typing.MatLike]) -> "Contours":
        """Convert contours from OpenCV's `findContours`."""
        points = [np.zeros((0, 2), np.int32), *(contour[:, 0] for contour in contours)]
        return cls(
            np.concatenate(points).astype(float), np.array([len(c) for c in contours], np.intp)
        )

    def __getitem__(self, chosen: NDArray[np.bool_]) -> "Contours":
        return Contours(self.points[np.repeat(chosen, self.lengths)], self.lengths[chosen])

    @property
    def starts(self) -> NDArray[np.intp]:
        """Index of each contour's first point."""
        return np.cumsum(self.lengths) - self.lengths

    def moments(self) -> NDArray[np.float64]:
        """Compute the moments of each contour's area (Steger, 1996).

        Returns
        -------
        float array, shape (contours, 6)
            Area, centre (x, y), and covariance (xx, xy, yy).
        """
        first = self.points[self.starts]
        x, y = (self.points - np.repeat(first, self.lengths, axis=0)).T
        after = np.arange(1, len(x) + 1)
        after[self.starts + self.lengths - 1] = self.starts
        u, v = x[after], y[after]
        cross = x * v - u * y
        terms = (
            np.full(len(x), 1 / 2),
            (x + u) / 6,
            (y + v) / 6,
            (x * x + x * u + u * u) / 12,
            (x * (2 * y + v) + u * (y + 2 * v)) / 24,
            (y * y + y * v + v * v) / 12,
        )
        signed, *sums = (np.add.reduceat(term * cross, self.starts) for term in terms)
        across, down, xx, xy, yy = np.divide(sums, np.where(signed == 0, np.inf, signed))
        centre = first + np.stack([across, down], -1)
        second = np.stack([xx - across**2, xy - across * down, yy - down**2], -1)
        return np.concatenate([np.abs(signed)[:, None], centre, second], axis=1)

    def directions(self) -> NDArray[np.complex128]:
        """Compute the direction of a side of each contour, assumed to be a square around (0, 0).

        The mean fourth power of a square's points, as complex numbers, is negative if its sides are
        parallel to the axes; a rotation by an angle rotates it by four times that angle.

        Returns
        -------
        complex array, shape (contours,)
            Of absolute value 1.
        """
        power = np.add.reduceat((self.points @ np.array([1, 1j])) ** 4, self.starts)
        return np.asarray(np.exp(1j * np.angle(-power) / 4))

    def extents(self, directions: NDArray[np.complex128]) -> NDArray[np.float64]:
        """Compute the width and height of each contour along its direction and across it.

        Parameters
        ----------
        directions : complex array, shape (contours,)

        Returns
        -------
        float array, shape (contours, 2)
        """
        turned = self.points @ np.array([1, 1j]) * np.repeat(directions.conj(), self.lengths)
        along = np.stack([turned.real, turned.imag], -1)
        most = np.maximum.reduceat(along, self.starts)
        return np.asarray(most - np.minimum.reduceat(along, self.starts))
