"""A top view of the table: the photo rectified, so that all cards have the same size."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

_MARGIN_MM = 500.0
"""Millimetres of table shown around the known cards. At 250 one more card of "joined careless"
(60 cards) is missed; at 1,000 no card differs."""
_LARGEST_MM2 = 6_900_000
"""Area of table, in square millimetres, above which the resolution is reduced. Bounds the
memory."""
COARSE_PX_PER_MM, FINE_PX_PER_MM = 0.6, 1.0
"""Pixels per millimetre at which symbols and edges of cards, respectively, are searched for. With
0.6 for edges too, 19 to 22 instead of 26 of 28 cards of "ordinary" are outlined."""

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TopView:
    """A photo rectified to the table's plane.

    Attributes
    ----------
    grey : uint8 array
        0 outside the photo, at least 1 inside.
    low_mm : float array, shape (2,)
        The view's upper left corner on the table, millimetres.
    px_per_mm : float
        Pixels per millimetre.
    """

    grey: NDArray[np.uint8]
    low_mm: Points
    px_per_mm: float

    @classmethod
    def of(
        cls,
        grey: NDArray[np.uint8],
        scale: float,
        to_table: Points,
        around: Points,
        finest: float = COARSE_PX_PER_MM,
    ) -> "TopView":
        """Rectify the table around some cards.

        Parameters
        ----------
        grey : uint8 array, shape (height, width)
            The photo, usually reduced.
        scale : float
            Pixels of `grey` per pixel of the photo.
        to_table : float array, shape (3, 3)
            Homography from the photo's pixels to millimetres.
        around : float array, shape (cards, 4, 2)
            Outlines, millimetres; the view extends half a metre beyond.
        finest : float
            Pixels per millimetre, unless the table is very large.
        """
        height, width = np.array(grey.shape) / scale
        low, high = visible_part((height, width), to_table, around)
        span = high - low
        density = finest * min(1.0, (_LARGEST_MM2 / max(float(np.prod(span)), 1e-9)) ** 0.5)
        width, height = (int(side) for side in np.maximum(span * density, 8))
        empty = cls(np.zeros((height, width), np.uint8), low, density)
        # `np.maximum` takes five times as long
        seen = empty.rectified(np.asarray(cv2.max(grey, np.ones(1)), np.uint8), scale, to_table)
        return replace(empty, grey=seen)

    def rectified(
        self, picture: NDArray[np.uint8], scale: float, to_table: Points
    ) -> NDArray[np.uint8]:
        """Rectify another version of the photo to the same view.

        Parameters
        ----------
        picture : uint8 array, shape (height, width) or (height, width, 3)
        scale : float
            Pixels of `picture` per pixel of the photo.
        to_table : float array, shape (3, 3)
            Homography from the photo's pixels to millimetres.

        Returns
        -------
        uint8 array, shape of the view, or of the view and 3
        """
        onto = np.diag([self.px_per_mm, self.px_per_mm, 1])
        onto[:2, 2] = -self.low_mm * self.px_per_mm
        back = np.array([[1, 0, 0.5 - scale / 2], [0, 1, 0.5 - scale / 2], [0, 0, scale]])
        size = self.grey.shape[::-1]
        return np.asarray(cv2.warpPerspective(picture, onto @ to_table @ back, size), np.uint8)

    def near(self, outlines: Points, reach_mm: float) -> "TopView":
        """Cut out the part around some cards.

        Parameters
        ----------
        outlines : float array, shape (cards, 4, 2)
            Millimetres.
        reach_mm : float
            Millimetres around them.
        """
        ends = np.stack([outlines.min((0, 1)) - reach_mm, outlines.max((0, 1)) + reach_mm])
        (left, over), (right, under) = np.maximum(np.round(self.from_mm(ends)), 0).astype(int)
        part = self.grey[over:under, left:right]
        return TopView(part, self.in_mm(np.array([left, over])), self.px_per_mm)

    def halved(self) -> "TopView":
        """The same part at half the resolution."""
        grey = cv2.resize(self.grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        return TopView(np.asarray(grey, np.uint8), self.in_mm(np.full(2, 0.5)), self.px_per_mm / 2)

    def in_mm(self, points: Points) -> Points:
        """Convert points of the view to millimetres on the table."""
        return np.asarray(points / self.px_per_mm + self.low_mm)

    def from_mm(self, points: Points) -> Points:
        """Convert millimetres on the table to points of the view."""
        return np.asarray((points - self.low_mm) * self.px_per_mm)


def visible_part(
    shape: tuple[float, float], to_table: Points, around: Points
) -> tuple[Points, Points]:
    """The part of the table that the photo shows around some cards.

    Parameters
    ----------
    shape : tuple of float
        Height and width of the photo, pixels.
    to_table : float array, shape (3, 3)
        Homography from the photo's pixels to millimetres.
    around : float array, shape (cards, 4, 2)
        Outlines, millimetres.

    Returns
    -------
    low, high : float array, shape (2,)
        Upper left and lower right corner, millimetres.
    """
    low, high = around.min((0, 1)) - _MARGIN_MM, around.max((0, 1)) + _MARGIN_MM
    height, width = shape
    frame = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]])
    seen = frame @ to_table.T
    # a corner beyond the horizon has no place on the table
    if (seen[:, 2] > 0).all():
        corners = seen[:, :2] / seen[:, 2:]
        low, high = np.maximum(low, corners.min(0)), np.minimum(high, corners.max(0))
    return low, high
