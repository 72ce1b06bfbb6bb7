"""Parts of the table side by side in one picture: to search it takes a fraction of the time of
searching each of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Area:
    """A part of the table.

    Attributes
    ----------
    low : float array, shape (2,)
        Its upper left corner on the table, pixels.
    searched : uint8 array, shape (height, width)
        255 where something is searched for.
    """

    low: Points
    searched: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Mosaic:
    """Areas side by side in one picture.

    Attributes
    ----------
    grey : uint8 array, shape (height, width)
    numbers : uint16 array, shape (height, width)
        Which area is searched, counted from 1; 0 elsewhere.
    areas : sequence of Area
    corners : int array, shape (areas, 2)
        The upper left corner of each.
    """

    grey: NDArray[np.uint8]
    numbers: NDArray[np.uint16]
    areas: Sequence[Area]
    corners: NDArray[np.intp]

    @classmethod
    def of(
        cls, photo: NDArray[np.uint8], flat: Points, areas: Sequence[Area], rim: int
    ) -> "Mosaic":
        """Rectify areas.

        Parameters
        ----------
        photo : uint8 array, shape (height, width)
        flat : float array, shape (3, 3)
            Homography from the photo's pixels to those of the table.
        areas : sequence of Area
            At least one.
        rim : int
            How far the border pixels of each are repeated around it, pixels; at least one.
        """
        sizes = np.array([area.searched.shape[::-1] for area in areas]) + 2 * rim
        corners = _side_by_side(sizes)
        width, height = (corners + sizes).max(0).tolist()
        grey, numbers = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint16)
        for number, area in enumerate(areas):
            (left, over), (right, under) = corners[number], corners[number] + sizes[number]
            size = (sizes[number] - 2 * rim).tolist()
            seen = cv2.warpPerspective(photo, moved(-area.low) @ flat, size)
            around = cv2.copyMakeBorder(seen, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
            grey[over:under, left:right] = around
            inside = np.s_[over + rim : under - rim, left + rim : right - rim]
            numbers[inside] = np.where(area.searched > 0, number + 1, 0)
        return cls(grey, numbers, areas, corners + rim)

    def on_table(self, points: Points) -> tuple[Points, NDArray[np.intp]]:
        """Where whole pixels that are searched are on the table, and the number of the area of
        each, counted from 0."""
        column, row = points.astype(np.intp).T
        number = self.numbers[row, column].astype(np.intp) - 1
        lows = np.stack([area.low for area in self.areas])
        return points - self.corners[number] + lows[number], number

    def part(self, number: int) -> NDArray[np.uint8]:
        """The picture of an area, counted from 0, without its rim."""
        return np.ascontiguousarray(self.grey[self._inside(number)])

    def _inside(self, number: int) -> tuple[slice, slice]:
        """Where an area is without its rim."""
        left, over = self.corners[number].tolist()
        height, width = self.areas[number].searched.shape
        return slice(over, over + height), slice(left, left + width)

    def drawn(self, outlines: Points) -> NDArray[np.uint8]:
        """A picture of the same shape, 255 inside outlines on the table, pixels, shape
        (outlines, 4, 2), and 0 elsewhere."""
        picture = np.zeros_like(self.grey)
        first, last = outlines.min(1), outlines.max(1)
        for number, area in enumerate(self.areas):
            part = picture[self._inside(number)]
            touch = (last >= area.low) & (first - area.low < part.shape[::-1])
            for outline in np.round(outlines[touch.all(1)] - area.low).astype(np.int32):
                cv2.fillConvexPoly(part, outline, 255)
        return picture


def areas_around(places: Points, reach: float, density: float, most: int) -> Iterator[Area]:
    """Yield the areas within reach of some places.

    Parameters
    ----------
    places : float array, shape (places, 2)
        Millimetres.
    reach : float
        Millimetres.
    density : float
        Pixels per millimetre.
    most : int
        Most pixels of an area; larger ones are left out.
    """
    if not len(places):
        return
    low = np.floor(places.min(0) - reach)
    across, down = np.ceil(places.max(0) + reach - low).astype(int).tolist()
    mask = np.zeros((down + 1, across + 1), np.uint8)
    for place in np.round(places - low).astype(int).tolist():
        cv2.circle(mask, place, round(reach), 255, -1)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for left, over, width, height in map(cv2.boundingRect, contours):
        size = round(width * density), round(height * density)
        if size[0] * size[1] <= most:
            searched = cv2.resize(mask[over : over + height, left : left + width], size)
            yield Area((low + np.array([left, over])) * density, np.asarray(searched, np.uint8))


def moved(by: Points) -> Points:
    """The homography, shape (3, 3), that moves points by this much, shape (2,)."""
    return np.array([[1, 0, by[0]], [0, 1, by[1]], [0, 0, 1]])


def _side_by_side(sizes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Upper left corners of rectangles side by side in rows, the highest first, about as wide as
    high in all."""
    widest = max(int(sizes[:, 0].max()), int(sizes.prod(1).sum() ** 0.5))
    corners, right, over, under = np.zeros_like(sizes), 0, 0, 0
    for place in np.argsort(-sizes[:, 1], kind="stable").tolist():
        width, height = sizes[place].tolist()
        if right + width > widest:
            right, over = 0, under
        corners[place] = right, over
        right, under = right + width, max(under, over + height)
    return corners
