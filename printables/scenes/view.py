"""The position of a camera, and the projection of the table into its photo.

References
----------
Hartley, R., & Zisserman, A. (2004). Multiple View Geometry in Computer Vision (2nd ed.), 6.1
(finite cameras). Cambridge University Press.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.scenes.camera import Camera
from printables.scenes.lens import Lens

Points = NDArray[np.float64]

_FOCAL_PER_WIDTH = 0.74
"""Focal length as a share of the photo's width."""
_ROLL_DEG = 4.0
"""Greatest random rotation around the line of sight, degrees."""


@dataclass(frozen=True, eq=False)
class View:
    """A camera's view of the table.

    Attributes
    ----------
    matrix : float array, shape (3, 4)
        Camera matrix: from the table's millimetres, with height, to pixels of an ideal lens.
    size : (int, int)
        Width and height of the photo, pixels.
    lens : Lens
    """

    matrix: Points
    size: tuple[int, int]
    lens: Lens

    @property
    def plane(self) -> Points:
        """Homography from the table's millimetres to pixels of an ideal lens, shape (3, 3)."""
        return np.asarray(self.matrix[:, [0, 1, 3]])

    def through_ideal_lens(self, points: Points) -> Points:
        """Project points, shape (..., 2 or 3), to pixels of an ideal lens, shape (..., 2)."""
        points = np.asarray(points, float)
        if points.shape[-1] == 2:
            points = np.concatenate([points, np.zeros((*points.shape[:-1], 1))], -1)
        return project(self.matrix, points)

    def to_photo(self, points: Points) -> Points:
        """Project points, shape (..., 2 or 3), to pixels of the photo, shape (..., 2)."""
        return self.lens.to_photo(self.through_ideal_lens(points), self.size)

    def in_frame(self, pixels: Points) -> NDArray[np.bool_]:
        """Test which pixels, shape (..., 2), are inside the photo."""
        return np.asarray(((pixels >= 0) & (pixels <= np.array(self.size) - 1)).all(-1))


def project(matrix: Points, points: Points) -> Points:
    """Apply a homography to points of shape (..., 2), or a camera matrix to points of (..., 3)."""
    homogeneous = np.concatenate([points, np.ones((*np.shape(points)[:-1], 1))], -1) @ matrix.T
    return np.asarray(homogeneous[..., :2] / homogeneous[..., 2:])


def look_at(
    frame_mm: Points, camera: Camera, rng: np.random.Generator, turn_deg: float = 0.0
) -> View:
    """Choose the nearest view that shows a part of the table.

    Parameters
    ----------
    frame_mm : float array, shape (2, 2)
        Corners of that part with the least and the greatest coordinates.
    camera : Camera
    rng : numpy Generator
        Determines the direction of the tilt, and a small roll.
    turn_deg : float
        Additional rotation around the line of sight, since people stand on all sides of a table.

    Returns
    -------
    View
    """
    low, high = frame_mm
    width, height = camera.size()
    tilt, azimuth = np.deg2rad(camera.tilt_deg), rng.uniform(0, 2 * np.pi)
    axis = np.array([np.cos(azimuth), np.sin(azimuth), 0.0]) * tilt
    roll = np.deg2rad(rng.uniform(-_ROLL_DEG, _ROLL_DEG) + turn_deg)
    turned = cv2.Rodrigues(np.array([0, 0, roll]))[0] @ cv2.Rodrigues(axis)[0]
    focal = _FOCAL_PER_WIDTH * width
    border = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])

    def at(distance: float) -> Points:
        pose = np.column_stack([turned[:, :2], -turned[:, 2], [0, 0, distance]])
        centre = np.eye(4)
        centre[:2, 3] = -(low + high) / 2
        seen = np.diag([focal, focal, 1.0]) @ pose @ centre
        box = project(seen[:, [0, 1, 3]], border)
        shift = np.eye(3)
        shift[:2, 2] = np.array([width - 1, height - 1]) / 2 - (box.min(0) + box.max(0)) / 2
        return np.asarray(shift @ seen)

    near, far = 0.8 * float(np.ptp(border, axis=0).max()) * np.sin(tilt) + 50, 50_000.0
    for _ in range(40):
        middle = (near + far) / 2
        pixels = project(at(middle)[:, [0, 1, 3]], border)
        fits = (pixels.min(0) >= 0).all() and (pixels.max(0) <= [width - 1, height - 1]).all()
        near, far = (near, middle) if fits else (middle, far)
    return View(at(far), (width, height), camera.lens)
