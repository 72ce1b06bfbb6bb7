"""Rendering photos of tables with cards, as a phone would take them.

They are used for rehearsing a study, for testing card sizes before printing, and for measuring the
reader (`tests/bench`). A scene is a table seen from above at an angle, with flat or bent cards
beside and on top of each other. The camera is in `printables.scenes.camera`.

Lengths on the table are in millimetres, x to the right and y down in the photo. A card's own
coordinates start at its upper left corner.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.scenes.camera import Camera, photograph
from printables.scenes.card_on_table import CardOnTable
from printables.scenes.maps import grid_pixels, warp
from printables.scenes.paper import evaluate_smooth, fit_smooth
from printables.scenes.table import bare_table
from printables.scenes.view import View, look_at, project

Photo = NDArray[np.uint8]
Points = NDArray[np.float64]

_FINER = 3
"""Subpixels per pixel, along each axis."""
_OWNER_SHRINK = 2
"""Reduction of the ground truth of visibility."""
_SHADOW_MM = np.array([0.9, 1.3])
"""Offset of the shadow of a flat card, millimetres."""
_SHADOW_PER_MM = np.array([0.35, 0.5])
"""Additional offset of the shadow, per millimetre of height."""
_SHADOW = 150
"""Light in a shadow, of 255."""
_LIGHT_DEG = 60.0
"""Direction that the light comes from, for the shading of bent cards."""
_LIGHT_GRID = (24, 16)
_FULL_LIGHT = 200.0
_PAPER = np.array([0.91, 0.93, 0.94], "f4")
"""Colour of paper: blue, green, red."""


@dataclass(frozen=True, eq=False)
class RenderedPhoto:
    """A photo with its ground truth.

    Attributes
    ----------
    photo : uint8 array, shape (height, width, 3)
        Blue, green, red.
    view : View
    owner : int array, shape (height / 2, width / 2)
        The uppermost object in the picture of an ideal lens: the card's number from 1, 0 for the
        table, -1 for other objects.
    """

    photo: Photo
    view: View
    owner: NDArray[np.int16]

    def shows(self, number: int, points: Points) -> NDArray[np.bool_]:
        """Test which points of a card are visible in the photo.

        Parameters
        ----------
        number : int
            The card, from 0.
        points : float array, shape (n, 3)
            Position on the table and height, millimetres.

        Returns
        -------
        bool array, shape (n,)
        """
        places = np.rint(self.view.through_ideal_lens(points) / _OWNER_SHRINK).astype(int)
        rows, columns = self.owner.shape
        inside = np.asarray(((places >= 0) & (places < [columns, rows])).all(-1), bool)
        x, y = np.where(inside[:, None], places, 0).T
        seen = inside & (self.owner[y, x] == number + 1)
        return np.asarray(seen & self.view.in_frame(self.view.to_photo(points)), bool)


def render_table(
    cards: list[CardOnTable],
    camera: Camera,
    rng: np.random.Generator,
    ground: str = "wood",
    margin_mm: float = 25.0,
    things: Sequence[CardOnTable] = (),
) -> tuple[Photo, Points]:
    """Render cards on a table.

    Parameters
    ----------
    cards : list of CardOnTable
        Later ones are on top of earlier ones.
    camera : Camera
        Its distance is chosen so that every card is in the photo.
    rng : numpy Generator
    ground : str
        The table's surface, one of `printables.scenes.table.GROUNDS`.
    margin_mm : float
        Bare table around the outermost cards; if negative, they are cut off.
    things : sequence of CardOnTable
        Other objects on top of the cards: a hand, a cup, paper. They do not affect the camera's
        position.

    Returns
    -------
    photo : uint8 array, shape (height, width, 3)
        Blue, green, red.
    to_pixels : float array, shape (3, 3)
        Homography from the table's millimetres to the photo's pixels, for flat cards and a lens
        without distortion; the centre of the first pixel is (0, 0). Apply it with `project`.
    """
    view = look_at(frame_of(cards, margin_mm), camera, rng)
    shot = shoot(cards, camera, view, rng, ground, things)
    return shot.photo, view.plane


def frame_of(cards: Sequence[CardOnTable], margin_mm: float = 25.0) -> Points:
    """Find the part of the table with cards.

    Parameters
    ----------
    cards : sequence of CardOnTable
    margin_mm : float
        Bare table around them.

    Returns
    -------
    float array, shape (2, 2)
        Corners with the least and the greatest coordinates, millimetres.
    """
    corners = np.concatenate([card.outline() for card in cards])
    return np.stack([corners.min(0) - margin_mm, corners.max(0) + margin_mm])


def shoot(
    cards: Sequence[CardOnTable],
    camera: Camera,
    view: View,
    rng: np.random.Generator,
    ground: str = "wood",
    things: Sequence[CardOnTable] = (),
) -> RenderedPhoto:
    """Render a table from a given view.

    Parameters
    ----------
    cards : sequence of CardOnTable
    camera : Camera
    view : View
        From `look_at`.
    rng : numpy Generator
    ground : str
    things : sequence of CardOnTable
        As for `render_table`.

    Returns
    -------
    RenderedPhoto
    """
    picture = bare_table(view, rng, ground)
    height, width = picture.shape[:2]
    owner = np.zeros((-(-height // _OWNER_SHRINK), -(-width // _OWNER_SHRINK)), np.int16)
    for number, card in enumerate((*cards, *things)):
        _draw_shadow(picture, card, view)
        _draw_card(picture, card, view)
        _record_owner(owner, card, view, number + 1 if number < len(cards) else -1)
    return RenderedPhoto(photograph(picture, camera, rng), view, owner)


def _draw_shadow(picture: Photo, card: CardOnTable, view: View) -> None:
    """Draw the shadow of a card into the picture."""
    edge = card.edge()
    shift = _SHADOW_MM + edge[:, 2:] * _SHADOW_PER_MM
    corners = view.through_ideal_lens(edge[:, :2] + shift)
    low, high = _box(corners, picture, 6)
    if (high <= low).any():
        return
    size = tuple(int(n) for n in high - low)
    shade = np.zeros(size[::-1], np.uint8)
    if card.cut is None:
        target = np.round((corners - low) * 16).astype(np.int32)
        cv2.fillPoly(shade, [target], 255, cv2.LINE_AA, 4)
    else:
        face = card.to_table(card.face_corners()) + _SHADOW_MM
        warp = _onto(card.cut, view.through_ideal_lens(face) - low)
        shade = np.asarray(cv2.warpPerspective(card.cut, warp, size), np.uint8)
    soft = 255 - cv2.GaussianBlur(shade, (0, 0), 4) * ((255 - _SHADOW) / 255)
    place = picture[low[1] : high[1], low[0] : high[0]]
    light = cv2.cvtColor(np.rint(soft).astype(np.uint8), cv2.COLOR_GRAY2BGR)
    place[:] = cv2.multiply(place, light, scale=1 / 255)


def _draw_card(picture: Photo, card: CardOnTable, view: View) -> None:
    """Draw a card into the picture, with antialiasing."""
    edge = view.through_ideal_lens(card.edge())
    low, high = _box(edge, picture, 1)
    if (high <= low).any():
        return
    corners = view.through_ideal_lens(card.to_table(card.face_corners()))
    scale = np.linalg.norm(corners[1] - corners[0]) / card.face.shape[1] * _FINER
    face = _reduced(card.face, scale)
    light = None
    if card.bend is not None:
        face, light = _bent(face, card, view)
    warp = _onto(face, (corners - low + 0.5) * _FINER - 0.5)
    size = tuple(int(n) for n in (high - low) * _FINER)
    small = tuple(int(n) for n in high - low)
    tint = _PAPER if card.face.ndim == 2 else np.ones(3, "f4")
    paper = _in_view(face, warp, size, small) * tint
    if light is not None:
        paper *= _in_view(light, _onto(light, corners - low), small, small) / _FULL_LIGHT
    inside = np.zeros(size[::-1], np.uint8)
    target = np.round(((edge - low + 0.5) * _FINER - 0.5) * 16).astype(np.int32)
    cv2.fillPoly(inside, [target], 255, cv2.LINE_AA, 4)
    if card.cut is not None:
        shape = cv2.warpPerspective(_reduced(card.cut, scale), warp, size, flags=cv2.INTER_LINEAR)
        inside = np.asarray(cv2.min(inside, shape), np.uint8)
    share = cv2.resize(inside, small, interpolation=cv2.INTER_AREA)[..., None].astype(np.float32)
    place = picture[low[1] : high[1], low[0] : high[0]]
    place[:] = np.clip(np.round(place + (paper - place) * (share / 255)), 0, 255)


def _in_view(face: Photo, warp: Points, size: tuple[int, ...], small: tuple[int, ...]) -> Photo:
    """A face as it appears in the picture, antialiased, in three colours."""
    border = cv2.BORDER_REPLICATE
    fine = cv2.warpPerspective(face, warp, size, flags=cv2.INTER_LINEAR, borderMode=border)
    mean = cv2.resize(fine, small, interpolation=cv2.INTER_AREA)
    return np.asarray(mean if mean.ndim == 3 else cv2.cvtColor(mean, cv2.COLOR_GRAY2BGR), np.uint8)


def _reduced(face: Photo, scale: float) -> Photo:
    if scale >= 1:
        return face
    return np.asarray(
        cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
    )


def _onto(face: Photo, corners: Points) -> Points:
    """Homography from a face's pixels to its corners."""
    rows, columns = face.shape[:2]
    edges = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
    return np.asarray(cv2.getPerspectiveTransform(edges, corners.astype(np.float32)))


def _bent(face: Photo, card: CardOnTable, view: View) -> tuple[Photo, Photo]:
    """The face of a flat card that looks like this bent one, and the light on it."""
    assert card.bend is not None
    size = np.array([card.width_mm, card.height_mm])
    reach = float(size.max())
    ends = np.stack([card.face_corners()[0] - 3, card.face_corners()[2] + 3])
    grid = np.stack(np.meshgrid(*np.linspace(ends[0], ends[1], 11).T), -1).reshape(-1, 2)
    to_picture = view.plane @ card.flat_pose()
    flat = project(np.asarray(np.linalg.inv(to_picture)), view.through_ideal_lens(card.to_3d(grid)))
    middle = size / 2
    back = fit_smooth(flat - middle, grid, reach)
    rows, columns = face.shape[:2]
    corner, span = card.face_corners()[0], size + 2 * card.bleed_mm
    xs, ys = ((grid_pixels(n) + 0.5) / n for n in (columns, rows))
    first = corner - middle
    where = evaluate_smooth(back, xs * span[0] + first[0], ys * span[1] + first[1], reach)
    source = (where - corner) / span * [columns, rows] - 0.5
    turned = warp(face, source, cv2.INTER_LINEAR, cv2.BORDER_REPLICATE)
    xs, ys = ((np.arange(n) + 0.5) / n for n in _LIGHT_GRID)
    where = evaluate_smooth(back, xs * span[0] + first[0], ys * span[1] + first[1], reach)
    light = card.bend.shade((where - middle).reshape(-1, 2), _LIGHT_DEG - card.angle_deg)
    return turned, np.rint(_FULL_LIGHT * light).astype(np.uint8).reshape(where.shape[:2])


def _record_owner(owner: NDArray[np.int16], card: CardOnTable, view: View, number: int) -> None:
    """Record where a card or another object is uppermost."""
    edge = view.through_ideal_lens(card.edge()) / _OWNER_SHRINK
    if card.cut is None:
        cv2.fillPoly(owner, [np.round(edge * 16).astype(np.int32)], number, cv2.LINE_8, 4)
        return
    warp = _onto(
        card.cut, view.through_ideal_lens(card.to_table(card.face_corners())) / _OWNER_SHRINK
    )
    shape = cv2.warpPerspective(card.cut, warp, owner.shape[::-1])
    owner[shape > 127] = number


def _box(corners: Points, picture: Photo, margin: int) -> tuple[Points, Points]:
    low = np.maximum(np.floor(corners.min(0)).astype(int) - margin, 0)
    height, width = picture.shape[:2]
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + margin + 1, [width, height])
    return low, high
