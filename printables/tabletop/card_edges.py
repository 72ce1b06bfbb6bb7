"""How clearly the sides of a rectangle look like a card's edges in a top view of the table.

Just outside a card it is darker than on it: a darker table, or the card's own shadow on a white
one. The light comes from one side, so this contrast differs with the direction of an edge; the
cards that were read show how great it is in each direction.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.tabletop.light import paper_level

_DIRECTIONS = 16
"""Directions of edges for which contrast is measured, a whole turn together. With one contrast for
all, 70 instead of 44 places without a card are reported on 21 "careless" tables."""
_ALONG = (np.arange(30) + 0.5) / 30 * 0.92 + 0.04
"""Places along a side where contrast is sampled, as shares of it, without the rounded corners."""
_ACROSS = np.arange(-3.0, 4.0)
"""Pixels, about millimetres, by which an edge may be off: scissors and bending take up to 2 mm."""
_AROUND = np.arange(-4.0, 5.0)
"""The same and a pixel more on both sides, whose light is compared."""
_INSIDE = 2.5
"""Pixels inside an edge where it must be paper at the latest: nearer, a shadow may be blurred."""
_FULL, _FAINTEST, _CLEAR = 0.7, 0.01, 0.06
"""Contrast that counts fully: a share of the read cards', at least noise, at most what a flat card
on a white table has; as shares of paper's grey."""
_OF_READ, _LEAST_READ = 0.4, 3
"""Quantile of the read cards' contrast, and the least number of sides in a direction."""
_SAMPLED = 80
"""Number of read cards from which contrast is measured in all; no scene tried differs with all."""
_LIT, _DIMMEST = 0.85, 0.6
"""Least grey inside an edge as a share of the card's own paper, and the least grey of that paper as
a share of the read cards' nearby, for the edges of shadows. Without the first, "checked" and
"striped" cloths have several times as many places without a card."""
_SHADOW_MM = 4.0
"""Millimetres around a known card that may be its shadow, which looks like another card's edge. At
1.5, 66 instead of 23 places without a card are reported in 18 scenes, most on "white"."""
_STRIP = np.array([2.0, 3.5, 5.0])
"""Pixels from a side at which the strips inside and outside it are compared."""
_SAME_TABLE, _NOT_PAPER, _NO_EDGE, _OTHER_SIDES = 0.12, 0.8, 0.3, 0.5
"""Difference of light within the bare table, the most light of what is not paper, the most evidence
of an edge at a side that was cut off, and the least at the three others."""
_WITHIN = (np.arange(18) + 0.5) / 18 * 0.88 + 0.06

Boxes = NDArray[np.float64]
Picture = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class PaperView:
    """A top view relative to the light.

    Attributes
    ----------
    light : float32 array, shape (height, width)
        Grey level as a share of that of paper at the same place.
    free : float32 array, shape (height, width)
        1 outside known cards and inside the photo, 0 elsewhere.
    contrast : float array, shape (16,)
        How much lighter the read cards are at edges whose inward normal has each direction than
        just outside them, as a share of paper's grey.
    """

    light: Picture
    free: Picture
    contrast: NDArray[np.float64]

    @property
    def full_contrast(self) -> NDArray[np.float64]:
        """Contrast that counts fully, by direction."""
        return np.clip(_FULL * self.contrast, _FAINTEST, _CLEAR)

    @classmethod
    def of(cls, grey: NDArray[np.uint8], known: Boxes, px_per_mm: float) -> "PaperView":
        """The view of a top view `grey` with read cards, shape (cards, 4, 2), pixels."""
        level = paper_level(grey, known.astype(np.float32), px_per_mm)
        light = np.asarray(cv2.divide(grey, np.maximum(level, 1), dtype=cv2.CV_32F), np.float32)
        bare = np.ones(grey.shape, np.uint8)
        for card in known:
            cv2.fillConvexPoly(bare, np.round(card).astype(np.int32), 0)
        reach = 2 * round(_SHADOW_MM * px_per_mm) + 1
        bare = np.asarray(cv2.erode(bare, np.ones((reach, reach), np.uint8)), np.uint8)
        return cls(light, cv2.min(bare, grey).astype(np.float32), _contrast(light, known))


@dataclass(frozen=True, eq=False)
class Sides:
    """The sides of some rectangles, in the order of their corners.

    Attributes
    ----------
    evidence : float array, shape (boxes, 4)
        From -1 to 1; a side that is hidden under known cards has 0.
    shown : float array, shape (boxes, 4)
        Share of the side that is not hidden.
    offset : float array, shape (boxes, 4)
        Pixels by which the edge is farther inside.
    inward : float array, shape (boxes, 4, 2)
        Unit normals.
    """

    evidence: NDArray[np.float64]
    shown: NDArray[np.float64]
    offset: NDArray[np.float64]
    inward: NDArray[np.float64]


def measure_sides(view: PaperView, boxes: Boxes, paper: NDArray[np.float64] | None = None) -> Sides:
    """Compare the sides of boxes, shape (boxes, 4, 2), with edges of paper.

    `paper` is the light of each box's paper, if `measure_paper` has been asked for it.
    """
    if paper is None:
        paper = measure_paper(view, boxes)[2]
    places, inward = _side_points(boxes, _AROUND)
    free, light = _grey_at(view.free, places) > 0.9, _grey_at(view.light, places)
    # a pixel inside one place is a pixel outside the next but one
    seen = free[:, :, 2:] & free[:, :, :-2]
    inside, outside = light[:, :, 2:], light[:, :, :-2]
    full_contrast = view.full_contrast[_direction(inward)][:, :, None, None].astype(np.float32)
    evidence = np.clip((inside - outside) / full_contrast, -1, 1) * seen
    deeper = places[:, :, 1:-1] + _INSIDE * inward[:, :, None, None]
    lit = _LIT * paper[:, None, None, None]
    on_paper = np.maximum(inside, _grey_at(view.light, deeper)) >= lit
    # the edges of a cloth's pattern, hands and cups have no paper inside
    evidence = np.where((evidence > 0) & ~on_paper, 0, evidence)
    evidence = evidence.mean(3)
    best = evidence.argmax(2)[..., None]
    found, shown = (np.take_along_axis(part, best, 2)[..., 0] for part in (evidence, seen.mean(3)))
    return Sides(found, shown, _ACROSS[best[..., 0]], np.asarray(inward, float))


def cut_short(view: PaperView, boxes: Boxes) -> NDArray[np.bool_]:
    """Which boxes, shape (boxes, 4, 2), hold a card that was cut too short on one side.

    There the bare table begins inside the box, as light as beside the three other sides. Table as
    light as paper does not show this.
    """
    paper = measure_paper(view, boxes)[2]
    sides = measure_sides(view, boxes, paper)
    edge, inward = _side_points(boxes, np.zeros(1))
    reach = _STRIP[:, None, None] * inward[:, :, None, None]
    inside, outside = (
        np.median(_grey_at(view.light, edge + way * reach), axis=(2, 3)) for way in (1, -1)
    )
    cut = np.zeros(len(boxes), bool)
    for side in range(4):
        others = [other for other in range(4) if other != side]
        table = np.median(outside[:, others], axis=1)
        bare = np.abs(inside[:, side] - table) <= _SAME_TABLE
        bare &= inside[:, side] < _NOT_PAPER * paper
        rest = sides.evidence[:, others].mean(1) >= _OTHER_SIDES
        cut |= bare & rest & (sides.evidence[:, side] <= _NO_EDGE)
    return cut


def measure_paper(
    view: PaperView, boxes: Boxes
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Share of each box outside known cards, the share of that which is paper, and its light."""
    if not len(boxes):
        return np.zeros(0), np.zeros(0), np.zeros(0)
    u, v = (part.ravel()[:, None] for part in np.meshgrid(_WITHIN, _WITHIN))
    places = boxes[:, [0]] * (1 - u - v) + boxes[:, [1]] * u + boxes[:, [3]] * v
    free = _grey_at(view.free, places) > 0.5
    light = _grey_at(view.light, places)
    count = free.sum(1)
    ranked = np.sort(np.where(free, light, -1.0), axis=1)
    brightest = ranked[np.arange(len(boxes)), -1 - count // 4]
    paper = np.clip(brightest, _DIMMEST, 1.0)
    white = ((light > 0.8 * paper[:, None]) & free).sum(1)
    return free.mean(1), white / np.maximum(count, 1), paper


def _contrast(light: Picture, known: Boxes) -> NDArray[np.float64]:
    """Contrast by direction at the edges of the read cards that no other card touches."""
    depth = np.zeros(light.shape, np.float32)
    for card in known:
        low = np.maximum(np.floor(card.min(0)).astype(int), 0)
        high = np.ceil(card.max(0)).astype(int) + 1
        part = depth[low[1] : high[1], low[0] : high[0]]
        mask = np.zeros(part.shape, np.uint8)
        if mask.size:
            cv2.fillConvexPoly(mask, np.round(card - low).astype(np.int32), 1)
            part += mask
    places, inward = _side_points(known[:: max(len(known) // _SAMPLED, 1)], _ACROSS)
    normal = inward[:, :, None, None]
    alone = (_grey_at(depth, places + _INSIDE * normal) < 1.3) & (
        _grey_at(depth, places - _INSIDE * normal) < 0.3
    )
    falls = np.where(alone, _grey_at(light, places + normal) - _grey_at(light, places - normal), 0)
    count = alone.sum(3)
    mean = np.where(count >= 0.6 * len(_ALONG), falls.sum(3) / np.maximum(count, 1), -np.inf).max(2)
    turn = _direction(inward)
    found = np.full(_DIRECTIONS, np.nan)
    for direction in range(_DIRECTIONS):
        away = (turn - direction) % _DIRECTIONS
        mine = mean[np.isfinite(mean) & ((away <= 1) | (away == _DIRECTIONS - 1))]
        if len(mine) >= _LEAST_READ:
            found[direction] = np.quantile(mine, _OF_READ)
    usual = np.nanmedian(found) if np.isfinite(found).any() else _CLEAR
    return np.where(np.isnan(found), usual, found)


def _side_points(boxes: Boxes, across: NDArray[np.float64]) -> tuple[Picture, Picture]:
    """Places across and along each side, shape (boxes, 4, across, along, 2), and inward normals."""
    boxes = boxes.astype(np.float32)
    along, off = _ALONG.astype(np.float32)[:, None], across.astype(np.float32)[:, None, None]
    ahead = np.roll(boxes, -1, axis=1)
    inward = boxes.mean(1, keepdims=True) - (boxes + ahead) / 2
    inward /= np.maximum(np.linalg.norm(inward, axis=2, keepdims=True), np.float32(1e-9))
    edge = boxes[:, :, None] * (1 - along) + ahead[:, :, None] * along
    return edge[:, :, None] + off * inward[:, :, None, None], inward


def _direction(normals: Picture) -> NDArray[np.intp]:
    turns = np.arctan2(normals[..., 1], normals[..., 0]) / (2 * np.pi)
    return np.asarray(np.round(turns * _DIRECTIONS) % _DIRECTIONS, np.intp)


def _grey_at(picture: Picture, places: NDArray[np.floating]) -> Picture:
    """Values of a picture at places, shape (boxes, ..., 2); pixels at its rim are repeated."""
    if not places.size:
        return np.zeros(places.shape[:-1], np.float32)
    rows = places.reshape(len(places), -1, 2).astype(np.float32, copy=False)
    column, row = (np.ascontiguousarray(rows[..., axis]) for axis in (0, 1))
    seen = cv2.remap(picture, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen.reshape(places.shape[:-1]), np.float32)
