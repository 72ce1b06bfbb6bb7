"""Photos of tables that were never taken: cards rendered as a phone would see them.

For rehearsing a study, for trying out card sizes before anything is printed, and for measuring the
reader (`tests/bench`). A scene is a table of wood seen from above at a tilt, with cards lying on
it; what the camera makes of it is in `printables.scenes.camera`.

Lengths on the table are millimetres, x to the right and y downwards as the photo shows them; a
card's own millimetres run from its upper left corner.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.scenes.camera import Camera, expose, through_lens

Photo = NDArray[np.uint8]
Points = NDArray[np.float64]

_FOCAL_PER_WIDTH = 0.74


@dataclass(frozen=True)
class CardOnTable:
    """One card lying on the table.

    Attributes
    ----------
    face : uint8 array, shape (rows, columns)
        The side that is up, grey, as printed.
    width_mm, height_mm : float
    x_mm, y_mm : float
        Where the card's centre lies.
    angle_deg : float
        How far the card is turned clockwise.
    cut : uint8 array, shape (rows, columns), optional
        255 where there is something, for what is no rectangle.
    """

    face: Photo
    width_mm: float
    height_mm: float
    x_mm: float
    y_mm: float
    angle_deg: float = 0.0
    cut: Photo | None = None

    def to_table(self, points_mm: Points) -> Points:
        """Carry points of the card, shape (n, 2), to the table."""
        turn = np.deg2rad(self.angle_deg)
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        centred = np.asarray(points_mm, float) - [self.width_mm / 2, self.height_mm / 2]
        return centred @ rotation.T + [self.x_mm, self.y_mm]

    def outline(self) -> Points:
        """Corners on the table, shape (4, 2), clockwise from the card's upper left."""
        w, h = self.width_mm, self.height_mm
        return self.to_table(np.array([[0, 0], [w, 0], [w, h], [0, h]], float))


def render_table(
    cards: list[CardOnTable],
    camera: Camera,
    rng: np.random.Generator,
    ground: str = "wood",
    margin_mm: float = 25.0,
    things: Sequence[CardOnTable] = (),
) -> tuple[Photo, Points]:
    """Photograph cards on a table.

    Parameters
    ----------
    cards : list of CardOnTable
        Later ones lie on top of earlier ones.
    camera : Camera
        It is moved back until every card is in the picture.
    rng : numpy Generator
    ground : {"wood", "white", "dark"}
        What the table is like.
    margin_mm : float
        Bare table kept around the outermost cards; negative cuts them off.
    things : sequence of CardOnTable
        What else lies there, over the cards: a hand, a cup, paper. The camera does not mind them.

    Returns
    -------
    photo : uint8 array, shape (height, width, 3)
        In OpenCV's order of colours: blue, green, red.
    to_pixels : float array, shape (3, 3)
        Homography from the table's millimetres to the photo's pixels; pixel (0, 0) has its centre
        at (0, 0). `project` applies it.
    """
    to_pixels = _look_at(cards, camera, rng, margin_mm)
    photo = _bare_table(camera.size(), to_pixels, rng, ground)
    _drop_shadows(photo, cards, to_pixels)
    for card in (*cards, *things):
        _lay(photo, card, to_pixels)
    photo = through_lens(photo, camera, rng)
    expose(photo, camera, rng)
    return photo, to_pixels


def project(to_pixels: Points, points: Points) -> Points:
    """Apply a homography to points of shape (..., 2)."""
    homogeneous = np.concatenate([points, np.ones((*np.shape(points)[:-1], 1))], -1) @ to_pixels.T
    return np.asarray(homogeneous[..., :2] / homogeneous[..., 2:])


def _look_at(
    cards: list[CardOnTable], camera: Camera, rng: np.random.Generator, margin_mm: float
) -> Points:
    corners = np.concatenate([card.outline() for card in cards])
    low, high = corners.min(0) - margin_mm, corners.max(0) + margin_mm
    width, height = camera.size()
    tilt, azimuth = np.deg2rad(camera.tilt_deg), rng.uniform(0, 2 * np.pi)
    axis = np.array([np.cos(azimuth), np.sin(azimuth), 0.0]) * tilt
    turned = cv2.Rodrigues(axis)[0]
    roll = cv2.Rodrigues(np.array([0, 0, np.deg2rad(rng.uniform(-4, 4))]))[0]
    focal = _FOCAL_PER_WIDTH * width
    border = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])

    def at(distance: float) -> Points:
        pose = (roll @ turned).copy()
        pose[:, 2] = [0, 0, distance]
        lens = np.array([[focal, 0, 0], [0, focal, 0], [0, 0, 1.0]])
        centre = np.eye(3)
        centre[:2, 2] = -(low + high) / 2
        seen = lens @ pose @ centre
        box = project(seen, border)
        shift = np.eye(3)
        shift[:2, 2] = np.array([width - 1, height - 1]) / 2 - (box.min(0) + box.max(0)) / 2
        return np.asarray(shift @ seen)

    near, far = 0.8 * float(np.ptp(border, axis=0).max()) * np.sin(tilt) + 50, 50_000.0
    for _ in range(40):
        middle = (near + far) / 2
        seen = project(at(middle), border)
        fits = (seen.min(0) >= 0).all() and (seen.max(0) <= [width - 1, height - 1]).all()
        near, far = (near, middle) if fits else (middle, far)
    return at(far)


def _bare_table(
    size: tuple[int, int], to_pixels: Points, rng: np.random.Generator, ground: str
) -> Photo:
    """Paint the grain in the table's own plane, one texel a millimetre and a half."""
    width, height = size
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    seen = project(np.asarray(np.linalg.inv(to_pixels)), frame)
    low, high = seen.min(0), seen.max(0)
    columns, rows = (int(n) for n in np.clip(np.ceil((high - low) / 1.5) + 2, 8, 4000))
    shade = np.zeros((rows, columns), np.float32)
    for length, breadth, depth in ((40, 3, 0.10), (90, 9, 0.12), (12, 1, 0.06), (200, 60, 0.08)):
        coarse = rng.standard_normal((rows // breadth + 2, columns // length + 2)).astype("f4")
        shade += depth * cv2.resize(
            coarse, (int(columns), int(rows)), interpolation=cv2.INTER_CUBIC
        )
    tone = {"wood": (88, 124, 162), "white": (226, 230, 232), "dark": (38, 36, 36)}[ground]
    strength = {"wood": 1.0, "white": 0.08, "dark": 0.7}[ground]
    grain = np.clip(np.exp(strength * shade)[..., None] * np.array(tone, "f4"), 0, 255)
    texel = np.array([[1.5, 0, low[0]], [0, 1.5, low[1]], [0, 0, 1.0]])
    return np.asarray(
        cv2.warpPerspective(
            grain.astype(np.uint8), to_pixels @ texel, size, borderMode=cv2.BORDER_REFLECT
        )
    )


def _drop_shadows(photo: Photo, cards: list[CardOnTable], to_pixels: Points) -> None:
    small = np.full((photo.shape[0] // 4, photo.shape[1] // 4), 255, np.uint8)
    for card in cards:
        corners = project(to_pixels, card.outline() + np.array([0.9, 1.3])) / 4
        cv2.fillConvexPoly(small, np.round(corners * 16).astype(np.int32), 150, cv2.LINE_AA, 4)
    soft = cv2.resize(cv2.GaussianBlur(small, (0, 0), 1.2), (photo.shape[1], photo.shape[0]))
    cv2.multiply(photo, cv2.cvtColor(soft, cv2.COLOR_GRAY2BGR), photo, 1 / 255)


def _lay(photo: Photo, card: CardOnTable, to_pixels: Points) -> None:
    """Put one card into the photo, each pixel the mean over what it covers."""
    corners = project(to_pixels, card.outline())
    low = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, [photo.shape[1], photo.shape[0]])
    if (high <= low).any():
        return
    finer = 3
    scale = np.linalg.norm(corners[1] - corners[0]) / card.face.shape[1] * finer
    face = card.face
    if scale < 1:
        shrunk = cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        face = np.asarray(shrunk, np.uint8)
    rows, columns = face.shape
    edges = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
    target = ((corners - low + 0.5) * finer - 0.5).astype(np.float32)
    warp = cv2.getPerspectiveTransform(edges, target)
    size = tuple(int(n) for n in (high - low) * finer)
    border = cv2.BORDER_REPLICATE
    fine = cv2.warpPerspective(face, warp, size, flags=cv2.INTER_LINEAR, borderMode=border)
    inside = np.zeros(size[::-1], np.uint8)
    cv2.fillConvexPoly(inside, np.round(target * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    if card.cut is not None:
        cut = cv2.resize(card.cut, (columns, rows), interpolation=cv2.INTER_AREA)
        shape = cv2.warpPerspective(cut, warp, size, flags=cv2.INTER_LINEAR)
        inside = np.asarray(cv2.min(inside, shape), np.uint8)
    small = tuple(int(n) for n in high - low)
    paper = cv2.cvtColor(cv2.resize(fine, small, interpolation=cv2.INTER_AREA), cv2.COLOR_GRAY2BGR)
    share = cv2.resize(inside, small, interpolation=cv2.INTER_AREA)[..., None].astype(np.float32)
    place = photo[low[1] : high[1], low[0] : high[0]]
    mixed = place + (paper * np.array([0.91, 0.93, 0.94], "f4") - place) * (share / 255)
    place[:] = np.round(mixed).astype(np.uint8)
