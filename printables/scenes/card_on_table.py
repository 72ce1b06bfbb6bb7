"""A card, or another thing, as it lies on a table: flat or bent, cut on its line or beside it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from printables.scenes.paper import Bend

Photo = NDArray[np.uint8]
Points = NDArray[np.float64]


@dataclass(frozen=True)
class CardOnTable:
    """One card, or another thing, lying on the table.

    Attributes
    ----------
    face : uint8 array, shape (rows, columns) or (rows, columns, 3)
        The side that is up, grey as printed, or in colour.
    width_mm, height_mm : float
    x_mm, y_mm : float
        Where the card's centre lies.
    angle_deg : float
        How far the card is turned clockwise.
    cut : uint8 array, shape (rows, columns), optional
        255 where there is something, for what is no rectangle.
    bleed_mm : float
        How much more than the card the face shows on each side.
    trim : float array, shape (4, 2), optional
        Corners of the paper in the card's millimetres, where it was cut beside the line.
    bend : Bend, optional
    """

    face: Photo
    width_mm: float
    height_mm: float
    x_mm: float
    y_mm: float
    angle_deg: float = 0.0
    cut: Photo | None = None
    bleed_mm: float = 0.0
    trim: Points | None = None
    bend: Bend | None = None

    def to_table(self, points_mm: Points) -> Points:
        """Carry points of the flat card, shape (n, 2), to the table."""
        turn = np.deg2rad(self.angle_deg)
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        return self._centred(points_mm) @ rotation.T + [self.x_mm, self.y_mm]

    def to_space(self, points_mm: Points) -> Points:
        """Carry points of the card, shape (n, 2), to table and height, shape (n, 3)."""
        if self.bend is None:
            flat = self.to_table(points_mm)
            return np.concatenate([flat, np.zeros((len(flat), 1))], -1)
        moved, height = self.bend.lift(self._centred(points_mm))
        flat = self.to_table(moved + np.array([self.width_mm, self.height_mm]) / 2)
        return np.concatenate([flat, height[:, None]], -1)

    def corners(self) -> Points:
        """Corners of the paper in the card's millimetres, shape (4, 2), from the upper left."""
        w, h = self.width_mm, self.height_mm
        whole = np.array([[0, 0], [w, 0], [w, h], [0, h]], float)
        return whole if self.trim is None else self.trim

    def outline(self) -> Points:
        """Corners on the table, shape (4, 2), clockwise from the card's upper left."""
        return self.to_space(self.corners())[:, :2]

    def edge(self) -> Points:
        """Points along the whole edge, on the table and above it, shape (n, 3)."""
        corners = self.corners()
        if self.bend is None:
            return self.to_space(corners)
        steps = np.arange(8)[:, None, None] / 8
        along = corners + (np.roll(corners, -1, axis=0) - corners) * steps
        return self.to_space(along.transpose(1, 0, 2).reshape(-1, 2))

    def face_corners(self) -> Points:
        """Corners of the face with its bleed in the card's millimetres, shape (4, 2)."""
        b, w, h = self.bleed_mm, self.width_mm, self.height_mm
        return np.array([[-b, -b], [w + b, -b], [w + b, h + b], [-b, h + b]])

    def flat_pose(self) -> Points:
        """The flat card's millimetres to the table's, as a matrix of shape (3, 3)."""
        ends = self.to_table(np.array([[0, 0], [1, 0], [0, 1]], float))
        return np.column_stack([*(np.append(ends[n] - ends[0], 0) for n in (1, 2)), [*ends[0], 1]])

    def _centred(self, points_mm: Points) -> Points:
        return np.asarray(points_mm, float) - [self.width_mm / 2, self.height_mm / 2]
