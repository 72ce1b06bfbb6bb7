"""How clearly the sides of a rectangle look like a card's edges in a top view of the table.

The table just outside a card is darker than the card: it is a darker table, or a white one with the
card's shadow on it. Light usually comes from one side, so this contrast depends on the direction of
an edge. The cards that were read show how great it is in each direction.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.tabletop.light import paper_level

_DIRECTIONS = 16
"""Directions, over 360 degrees, for which the contrast of edges is measured. With one contrast for
all directions, 70 instead of 44 places without a card are reported on 21 "careless" tables."""
_ALONG = (np.arange(30) + 0.5) / 30 * 0.92 + 0.04
"""Sampled points along a side, as shares of its length; rounded corners are left out."""
_ACROSS = np.arange(-3.0, 4.0)
"""Offsets of the edge that are tried, in pixels (about millimetres): inexact cuts and bent cards
shift an edge by up to 2 mm."""
_AROUND = np.arange(-4.0, 5.0)
"""The same with one pixel more at both ends: an edge is the difference of the pixels beside it."""
_INSIDE = 2.5
"""Distance inside an edge, in pixels, at which there must be paper; closer to the edge, a shadow
may be blurred. At 1 or 5, two more cards are missed in the photos of `_FULL`, at 1 one more photo
has wrong groups."""
_FULL, _FAINTEST, CLEAR = 0.7, 0.01, 0.06
"""Contrast that counts as full evidence of an edge: a share of the read cards' contrast, and its
limits as shares of paper's grey (image noise; a flat card on a white table). In 60 photos
(`tests/bench/bench_hidden.py --first 80000 --photos 60`) 132 cards are missed; at .15 of the last
number 137 are, at .03 two more photos have wrong groups. At .35 or 1.2 of the first and .002 or .04
of the second, at most two more cards are missed."""
_OF_READ, _LEAST_READ = 0.4, 3
"""Quantile of the read cards' contrasts in a direction, and the least number of sides that it is
estimated from. In the same photos one card fewer is missed at a quantile of .1 or with 10 sides; no
card differs at .8 or with one side."""
_SAMPLED = 80
"""Most read cards from which contrast is measured. Only saves time: no scene tried differs."""
_LIT, _DIMMEST = 0.85, 0.6
"""Least grey just inside an edge, as a share of the grey of the card's own paper; and least grey of
that paper, as a share of the read cards' nearby. Both exclude edges of shadows and patterns.
Without the first, several times as many places without a card are reported on "checked" and
"striped" cloths. At .9 of the second, four more cards are missed in the photos of `_FULL`; none
differs at .3."""
_SHADOW_MM = 4.0
"""Width, in millimetres, of the margin around a known card that may be its shadow, which looks like
the edge of another card. At 1.5, 66 instead of 23 places without a card are reported in 18 scenes,
most on "white"."""
NO_EDGE = 0.3
"""With less evidence than this a side shows no edge. Like the next, it only chooses the advice for
an unread card: at .6, cards of "ordinary" (60 cards) and "messenger" (150 cards) are said to be
covered."""
_CLEAR_OF = 4.0
"""Distance outside a known card's edge, in pixels, within which no other card may be for the edge
to count."""
_MOST_ROWS = 30_000
"""Most rows of a picture that OpenCV's `remap` makes: their number must fit into 16 bits."""
_LAYER = 120
"""Value that a card adds to the pixels it covers, for counting cards in bytes."""
_WITHIN = (np.arange(12) + 0.5) / 12 * 0.88 + 0.06
"""Sampled points across a card, as shares of its sides."""

Boxes = NDArray[np.float64]
Picture = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class PaperView:
    """A top view corrected for illumination.

    Attributes
    ----------
    light : float32 array, shape (height, width)
        Grey level as a share of paper's grey level at the same place.
    free : uint8 array, shape (height, width)
        255 inside the photo, apart from its border, and outside known cards, 0 elsewhere.
    contrast : float array, shape (16,)
        By how much the read cards are lighter than the table just outside them, as a share of
        paper's grey, for each direction of an edge's inward normal.
    """

    light: Picture
    free: NDArray[np.uint8]
    contrast: NDArray[np.float64]

    @property
    def full_contrast(self) -> NDArray[np.float64]:
        """Contrast that counts as full evidence, by direction."""
        return np.clip(_FULL * self.contrast, _FAINTEST, CLEAR)

    @classmethod
    def of(cls, grey: NDArray[np.uint8], known: Boxes, px_per_mm: float) -> "PaperView":
        """Correct a top view for illumination.

        Parameters
        ----------
        grey : uint8 array, shape (height, width)
            0 outside the photo.
        known : float array, shape (cards, 4, 2)
            Outlines of the read cards, pixels.
        px_per_mm : float
        """
        level = paper_level(grey, known.astype(np.float32), px_per_mm)
        shares = cv2.divide(grey, cv2.max(level, np.ones(1)), dtype=cv2.CV_32F)
        light = np.asarray(shares, np.float32)
        bare = np.full(grey.shape, 255, np.uint8)
        for card in known:
            cv2.fillConvexPoly(bare, np.round(card).astype(np.int32), 0)
        kernel = np.ones((2 * round(_SHADOW_MM * px_per_mm) + 1,) * 2, np.uint8)
        photo = cv2.erode(cv2.inRange(grey, 1, 255), np.ones((5, 5), np.uint8))
        free = cv2.bitwise_and(cv2.erode(bare, kernel), photo)
        return cls(light, np.asarray(free, np.uint8), _contrast(light, known))


@dataclass(frozen=True, eq=False)
class Sides:
    """Measurements of rectangles' sides, in the order of their corners.

    Attributes
    ----------
    evidence : float array, shape (boxes, 4)
        Evidence of a card's edge, in [-1, 1]; 0 for a side hidden under known cards.
    shown : float array, shape (boxes, 4)
        Share of the side that is not hidden, in [0, 1].
    offset : float array, shape (boxes, 4)
        Distance of the clearest edge from the side, in pixels; positive inwards.
    inward : float array, shape (boxes, 4, 2)
        Unit normals.
    along : float32 array, shape (boxes, 4, points)
        Evidence at the points along the clearest edge of each side.
    seen, amid : bool array, shape (boxes, 4, points)
        Whether these points are not hidden, and whether there is paper on both sides of them.
    """

    evidence: NDArray[np.float64]
    shown: NDArray[np.float64]
    offset: NDArray[np.float64]
    inward: NDArray[np.float64]
    along: Picture
    seen: NDArray[np.bool_]
    amid: NDArray[np.bool_]

    @cached_property
    def within(self) -> NDArray[np.float64]:
        """Share of each outline with paper on both sides, as within a larger sheet."""
        return np.asarray(self.amid.mean((1, 2)))

    @cached_property
    def stretch(self) -> NDArray[np.float64]:
        """Length of the longest stretch of each outline that is an edge throughout, in sides.

        It is the greatest sum over consecutive points of what their evidence exceeds a half by:
        hidden points neither lengthen nor end a stretch.
        """
        excess = np.where(self.seen, self.along - 0.5, 0)
        excess = excess.reshape(len(excess), 4 * excess.shape[2])
        sums = np.cumsum(np.pad(excess, ((0, 0), (1, 0))), axis=1)
        inside = (sums - np.minimum.accumulate(sums, 1)).max(1)
        # a stretch over the first corner leaves out one with the least sum
        around = sums[:, -1] - (sums - np.maximum.accumulate(sums, 1)).min(1)
        return np.asarray(np.maximum(inside, around) / (0.5 * self.along.shape[2]), float)


def measure_sides(
    view: PaperView, boxes: Boxes, paper: NDArray[np.float64] | None = None, every: int = 1
) -> Sides:
    """Measure how clearly the sides of boxes are edges of paper.

    Parameters
    ----------
    view : PaperView
    boxes : float array, shape (boxes, 4, 2)
        Corners, pixels.
    paper : float array, shape (boxes,), optional
        Light of each box's paper from `measure_paper`, if it is known already.
    every : int
        One in how many of the points along a side are measured.

    Returns
    -------
    Sides
    """
    if paper is None:
        paper = measure_paper(view, boxes)[2]
    places, inward = side_points(boxes, _AROUND, every)
    free, light = grey_at(view.free, places) > 0.9 * 255, grey_at(view.light, places)
    # points are a pixel apart, so points n and n + 2 are outside and inside an edge at n + 1
    seen = free[:, :, 2:] & free[:, :, :-2]
    inside, outside = light[:, :, 2:], light[:, :, :-2]
    full_contrast = view.full_contrast[_direction(inward)][:, :, None, None].astype(np.float32)
    evidence = (inside - outside) / full_contrast
    np.clip(evidence, -1, 1, out=evidence)
    evidence *= seen
    deeper = places[:, :, :, 1:-1] + _INSIDE * inward[..., None, None]
    lit = (_LIT * paper).astype(np.float32)[:, None, None, None]
    # edges without paper inside belong to patterns, hands and cups
    evidence[(evidence > 0) & (np.maximum(inside, grey_at(view.light, deeper)) < lit)] = 0
    # a product takes a third of the time of `mean`
    means = evidence @ np.full(evidence.shape[3], 1 / evidence.shape[3], np.float32)
    best = means.argmax(2)[..., None]
    found = np.take_along_axis(means, best, 2)[..., 0]
    along, within, without = (
        np.asarray(np.take_along_axis(part, best[..., None], 2)[:, :, 0], np.float32)
        for part in (evidence, inside, outside)
    )
    there = np.asarray(np.take_along_axis(seen, best[..., None], 2)[:, :, 0], np.bool_)
    amid = there & (along < 0.5) & (np.minimum(within, without) >= lit[:, :, 0])
    shown, normals = there.mean(2), inward.transpose(1, 2, 0).astype(float)
    return Sides(found, shown, _ACROSS[best[..., 0]], normals, along, there, amid)


def covered_share(view: PaperView, known: Boxes) -> NDArray[np.float64]:
    """Measure how much of known cards' edges is not in sight, as under an object.

    Parameters
    ----------
    view : PaperView
    known : float array, shape (cards, 4, 2)
        Outlines of all known cards, pixels.

    Returns
    -------
    float array, shape (cards,)
        Share of the edges that touch no other card and are inside the photo; 0 if all do.
    """
    depth = _depth(view.light.shape, known)
    edge, inward = side_points(known, np.zeros(1))
    normal = inward[..., None, None]
    beyond = (edge - _CLEAR_OF * normal)[:, :, :, 0]
    alone = (grey_at(depth, beyond) < 0.3 * _LAYER) & (grey_at(view.light, beyond) > 0)
    light = grey_at(view.light, edge + _AROUND[:, None] * normal)
    full = view.full_contrast[_direction(inward)][:, :, None]
    steepest = (light[:, :, 2:] - light[:, :, :-2]).max(2)
    hidden = alone & (steepest < NO_EDGE * full)
    return np.asarray(hidden.sum((1, 2)) / np.maximum(alone.sum((1, 2)), 1), float)


def measure_paper(
    view: PaperView, boxes: Boxes, lighter: float = 0.25
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Measure the paper in boxes.

    Parameters
    ----------
    view : PaperView
    boxes : float array, shape (boxes, 4, 2)
        Corners, pixels.
    lighter : float
        Share of the points in sight that may be lighter than the paper, such as noise.

    Returns
    -------
    free : float array, shape (boxes,)
        Share of the box outside known cards.
    white : float array, shape (boxes,)
        Share of that part which is paper.
    paper : float array, shape (boxes,)
        Light of that paper, as a share of the read cards' nearby.
    """
    if not len(boxes):
        return np.zeros(0), np.zeros(0), np.zeros(0)
    u, v = (part.ravel() for part in np.meshgrid(_WITHIN, _WITHIN))
    first, second, _, fourth = boxes.transpose(1, 2, 0)[..., None]
    places = first * (1 - u - v) + second * u + fourth * v
    free = grey_at(view.free, places) > 0.5 * 255
    light = grey_at(view.light, places)
    count = free.sum(1)
    ranked = np.sort(np.where(free, light, -1.0), axis=1)
    brightest = ranked[np.arange(len(boxes)), -1 - (lighter * count).astype(int)]
    paper = np.clip(brightest, _DIMMEST, 1.0)
    white = ((light > 0.8 * paper[:, None]) & free).sum(1)
    return free.mean(1), white / np.maximum(count, 1), paper


def _contrast(light: Picture, known: Boxes) -> NDArray[np.float64]:
    """Contrast by direction, at those edges of read cards that touch no other card."""
    depth = _depth(light.shape, known)
    read = known[:: max(len(known) // _SAMPLED, 1)]
    places, inward = side_points(read, _ACROSS)
    normal = inward[..., None, None]
    alone = (grey_at(depth, places + _INSIDE * normal) < 1.3 * _LAYER) & (
        grey_at(depth, places - _INSIDE * normal) < 0.3 * _LAYER
    )
    along = grey_at(light, side_points(read, _AROUND)[0])
    falls = np.where(alone, along[:, :, 2:] - along[:, :, :-2], 0)
    count = alone.sum(3)
    mean = np.where(count >= 0.6 * len(_ALONG), falls.sum(3) / np.maximum(count, 1), -np.inf).max(2)
    turn = _direction(inward)
    found = np.full(_DIRECTIONS, np.nan)
    for direction in range(_DIRECTIONS):
        away = (turn - direction) % _DIRECTIONS
        mine = mean[np.isfinite(mean) & ((away <= 1) | (away == _DIRECTIONS - 1))]
        if len(mine) >= _LEAST_READ:
            found[direction] = np.interp(_OF_READ * (len(mine) - 1), range(len(mine)), sorted(mine))
    usual = np.nanmedian(found) if np.isfinite(found).any() else CLEAR
    return np.where(np.isnan(found), usual, found)


def _depth(shape: tuple[int, ...], known: Boxes) -> NDArray[np.uint8]:
    """The number of known cards that cover each pixel, times `_LAYER`; two cards at most count."""
    depth = np.zeros(shape, np.uint8)
    lows = np.maximum(np.floor(known.min(1)).astype(int), 0)
    highs = np.ceil(known.max(1)).astype(int) + 1
    inside = np.round(known - lows[:, None]).astype(np.int32)
    for card, (left, over), (right, under) in zip(
        inside, lows.tolist(), highs.tolist(), strict=True
    ):
        part = depth[over:under, left:right]
        mask = np.zeros(part.shape, np.uint8)
        if mask.size:
            cv2.fillConvexPoly(mask, card, _LAYER)
            cv2.add(part, mask, part)
    return depth


def side_points(
    boxes: Boxes, across: NDArray[np.float64], every: int = 1
) -> tuple[Picture, Picture]:
    """Points across and along each side, shape (2, boxes, 4, across, along), x before y, and inward
    normals, shape (2, boxes, 4)."""
    ends = np.ascontiguousarray(boxes.transpose(2, 0, 1), np.float32)
    along, off = _ALONG[every // 2 :: every].astype(np.float32), across.astype(np.float32)[:, None]
    ahead = np.roll(ends, -1, axis=2)
    inward = ends.mean(2, keepdims=True) - (ends + ahead) / 2
    inward /= np.maximum(np.hypot(*inward), np.float32(1e-9))
    edge = ends[..., None] * (1 - along) + ahead[..., None] * along
    return edge[:, :, :, None] + off * inward[..., None, None], inward


def _direction(normals: Picture) -> NDArray[np.intp]:
    """Number of the direction that is closest to each normal, shape (2, boxes, 4)."""
    turns = np.arctan2(normals[1], normals[0]) / (2 * np.pi)
    return np.asarray(np.round(turns * _DIRECTIONS) % _DIRECTIONS, np.intp)


def grey_at(picture: NDArray[Any], places: NDArray[np.floating]) -> NDArray[Any]:
    """Values of a picture at points, shape (2, boxes, ...); border pixels are repeated."""
    if not places.size:
        return np.zeros(places.shape[1:], picture.dtype)
    flat = places.reshape(2, places.shape[1], -1).astype(np.float32, copy=False)
    parts = [
        cv2.remap(picture, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for column, row in np.split(flat, range(_MOST_ROWS, flat.shape[1], _MOST_ROWS), axis=1)
    ]
    return np.concatenate(parts).reshape(places.shape[1:])
