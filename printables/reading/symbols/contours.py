"""Closed contours of a picture, measured all together.

Thousands of specks in a photo make a loop over contours slow; sums over all points take a few
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
    """Some closed contours.

    Attributes
    ----------
    points : float array, shape (points, 2)
        Of all contours, one after another, pixels.
    lengths : int array, shape (contours,)
        Number of points of each.
    """

    points: NDArray[np.float64]
    lengths: NDArray[np.intp]

    @classmethod
    def of(cls, contours: Sequence[cv2.typing.MatLike]) -> "Contours":
        """Contours as OpenCV returns them."""
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
        """Area, centre (x, y) and central second moments (xx, xy, yy) over the area of each
        contour, shape (contours, 6)."""
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

    def turns(self) -> NDArray[np.complex128]:
        """The direction of a side of each contour, if it is a square around (0, 0), as a complex
        number of length 1.

        The mean fourth power of a square's points is negative if its sides are upright; a rotation
        by an angle multiplies it by that of four times the angle.
        """
        power = np.add.reduceat((self.points @ np.array([1, 1j])) ** 4, self.starts)
        return np.asarray(np.exp(1j * np.angle(-power) / 4))

    def extents(self, turns: NDArray[np.complex128]) -> NDArray[np.float64]:
        """Width and height of each contour along its direction and across it, shape (contours,
        2)."""
        turned = self.points @ np.array([1, 1j]) * np.repeat(turns.conj(), self.lengths)
        along = np.stack([turned.real, turned.imag], -1)
        most = np.maximum.reduceat(along, self.starts)
        return np.asarray(most - np.minimum.reduceat(along, self.starts))
