"""A card or another object on a table: flat or bent, cut exactly or inexactly."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from printables.scenes.paper import Bend

Photo = NDArray[np.uint8]
Points = NDArray[np.float64]


@dataclass(frozen=True)
class CardOnTable:
    """A card or another object on the table.

    Attributes
    ----------
    face : uint8 array, shape (rows, columns) or (rows, columns, 3)
        The upper side, in grey or colour (blue, green, red).
    width_mm, height_mm : float
        Size.
    x_mm, y_mm : float
        Position of the centre on the table.
    angle_deg : float
        Rotation, clockwise.
    cut : uint8 array, shape (rows, columns), optional
        Mask for objects that are not rectangles: 255 inside.
    bleed_mm : float
        Width of the border by which the face extends beyond the card on each side.
    trim : float array, shape (4, 2), optional
        Corners of the paper in the card's millimetres, if it was cut inexactly.
    bend : Bend, optional
        None for a flat card.
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
        """Map points of the flat card, shape (n, 2), to the table's millimetres."""
        turn = np.deg2rad(self.angle_deg)
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        return self._centred(points_mm) @ rotation.T + [self.x_mm, self.y_mm]

    def to_3d(self, points_mm: Points) -> Points:
        """Map points of the card, shape (n, 2), to position and height, shape (n, 3)."""
        if self.bend is None:
            flat = self.to_table(points_mm)
            return np.concatenate([flat, np.zeros((len(flat), 1))], -1)
        moved, height = self.bend.lift(self._centred(points_mm))
        flat = self.to_table(moved + np.array([self.width_mm, self.height_mm]) / 2)
        return np.concatenate([flat, height[:, None]], -1)

    def corners(self) -> Points:
        """Corners of the paper in the card's millimetres, clockwise from the upper left."""
        w, h = self.width_mm, self.height_mm
        whole = np.array([[0, 0], [w, 0], [w, h], [0, h]], float)
        return whole if self.trim is None else self.trim

    def outline(self) -> Points:
        """Corners of the paper on the table, shape (4, 2), clockwise from the card's upper left."""
        return self.to_3d(self.corners())[:, :2]

    def edge(self) -> Points:
        """Points along all edges, with their height above the table, shape (n, 3)."""
        corners = self.corners()
        if self.bend is None:
            return self.to_3d(corners)
        steps = np.arange(8)[:, None, None] / 8
        along = corners + (np.roll(corners, -1, axis=0) - corners) * steps
        return self.to_3d(along.transpose(1, 0, 2).reshape(-1, 2))

    def face_corners(self) -> Points:
        """Corners of the face with its bleed, in the card's millimetres, shape (4, 2)."""
        b, w, h = self.bleed_mm, self.width_mm, self.height_mm
        return np.array([[-b, -b], [w + b, -b], [w + b, h + b], [-b, h + b]])

    def flat_pose(self) -> Points:
        """Matrix from the flat card's millimetres to the table's, shape (3, 3)."""
        ends = self.to_table(np.array([[0, 0], [1, 0], [0, 1]], float))
        return np.column_stack([*(np.append(ends[n] - ends[0], 0) for n in (1, 2)), [*ends[0], 1]])

    def _centred(self, points_mm: Points) -> Points:
        return np.asarray(points_mm, float) - [self.width_mm / 2, self.height_mm / 2]
