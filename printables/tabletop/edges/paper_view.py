"""A top view of the table that shows how light it is, as a share of paper at the same place.

The table just outside a card is darker than the card: it is a darker table, a white one with the
card's shadow on it, or one lighter than paper, which counts as darker. Light usually comes from one
side, so this contrast depends on the direction of an edge. The cards that were read show how great
it is in each direction.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.tabletop.light import grey_at, paper_level

_DIRECTIONS = 16
"""Directions, over 360 degrees, for which the contrast of edges is measured. With one contrast for
all directions, 70 instead of 44 places without a card are reported on 21 "careless" tables."""
_ALONG = (np.arange(30) + 0.5) / 30 * 0.92 + 0.04
"""Sampled points along a side, as shares of its length; rounded corners are left out."""
ACROSS = np.arange(-3.0, 4.0)
"""Offsets of the edge that are tried, in pixels (about millimetres): inexact cuts and bent cards
shift an edge by up to 2 mm."""
AROUND = np.arange(-4.0, 5.0)
"""The same with one pixel more at both ends: an edge is the difference of the pixels beside it."""
INSIDE = 2.5
"""Distance inside an edge, in pixels, at which there must be paper; closer to the edge, a shadow
may be blurred. At 1 or 5, two more cards are missed in the photos of `_FULL`, at 1 one more photo
has wrong groups."""
_FULL, _FAINTEST, _CLEAR = 0.7, 0.01, 0.06
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
_SHADED, _SHADOW_MM = 0.02, 3.0
"""Least contrast, as a share of paper's grey, of the sides of cards on a table nearly as light as
paper on which they cast a shadow, and width of the shadow in millimetres: its other edge looks like
that of another card. Without them, 624 instead of 616 cards and 57 instead of 56 places without a
card are outlined in the photos of `card_edges._BESIDE`, but in ten photos of our own ("careless",
300 cards, seeds 500 to 509) 58 instead of 19 such places. A margin of 4 mm around all cards on all
tables leaves 543 cards and 83 such places."""
_BESIDE_MM = 4.0
"""Distance, in millimetres, within which a place is beside a known card. In the photos of
`card_edges._BESIDE`, one card fewer is outlined at 3, and as many at 5."""
_EVERY = 3
"""One in how many points along the sides of known cards is measured to find their own edges. Only
saves time."""
_CLEARER, _DARK = (0.02, 1.4), 0.85
"""Least contrast of cards in mirrored light, as a share of paper's grey and of the contrast that
they have otherwise; and greatest light of things on the table, which is not mirrored. In 75 photos
by a fifth simulator three cards more and two places without a card fewer are outlined than without
mirrored light, two of the cards where the contrast is 1.5 times as great. On other light tables it
was at most 1.3 times as great, or less than .02. These numbers were not varied otherwise."""
NO_EDGE = 0.3
"""With less evidence than this a side shows no edge. It only moves the outlines of known cards to
their edges, and chooses the advice for an unread card: at .6, cards of "ordinary" (60 cards) and
"messenger" (150 cards) are said to be covered."""
LAYER = 120
"""Value that a card adds to the pixels it covers, for counting cards in bytes."""

Boxes = NDArray[np.float64]
Picture = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class PaperView:
    """A top view corrected for illumination.

    Attributes
    ----------
    light : float32 array, shape (height, width)
        Grey level as a share of paper's grey level at the same place; mirrored about 1, apart from
        dark things, on a table lighter than paper.
    free : uint8 array, shape (height, width)
        255 inside the photo, apart from its border, and outside known cards, 0 elsewhere.
    beside : uint8 array, shape (height, width)
        255 in and close to what is not free, 0 elsewhere.
    contrast : float array, shape (16,)
        By how much the read cards are lighter than the table just outside them, as a share of
        paper's grey, for each direction of an edge's inward normal.
    """

    light: Picture
    free: NDArray[np.uint8]
    beside: NDArray[np.uint8]
    contrast: NDArray[np.float64]

    @property
    def full_contrast(self) -> NDArray[np.float64]:
        """Contrast that counts as full evidence, by direction."""
        return np.clip(_FULL * self.contrast, _FAINTEST, _CLEAR)

    @property
    def is_light(self) -> bool:
        """Whether the table is nearly as light as paper."""
        return bool(self.full_contrast.min() < _CLEAR)

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
        shares = cv2.divide(grey, level, dtype=cv2.CV_32F)
        light, contrast = _with_darker_table(np.asarray(shares, np.float32), known)
        photo = np.asarray(cv2.erode(cv2.inRange(grey, 1, 255), np.ones((5, 5))), np.uint8)
        view = cls(light, photo, np.zeros_like(photo), contrast)
        for card in np.round(_with_margins(view, known, px_per_mm)).astype(np.int32):
            cv2.fillConvexPoly(view.free, card, 0)
        cv2.erode(view.free, np.ones((3, 3), np.uint8), view.free)
        around = np.ones((2 * round(_BESIDE_MM * px_per_mm) + 1,) * 2, np.uint8)
        cv2.bitwise_not(cv2.erode(view.free, around), view.beside)
        return view


def _with_darker_table(light: Picture, known: Boxes) -> tuple[Picture, NDArray[np.float64]]:
    """Light, mirrored about paper's if cards then stand out more, and the contrast of the cards."""
    contrast = _contrast(light, known)
    if contrast.min() >= _CLEARER[0]:
        return light, contrast
    darker = np.where(light > _DARK, 2 - light, light)
    other = _contrast(darker, known)
    if other.min() < max(_CLEARER[0], _CLEARER[1] * contrast.min()):
        return light, contrast
    return darker, other


def _with_margins(view: PaperView, known: Boxes, px_per_mm: float) -> Boxes:
    """Known cards with each side moved outwards to its edge, since cuts are inexact and cards bend,
    and on light tables beyond its shadow."""
    places, inward = side_points(known, AROUND, _EVERY)
    light = grey_at(view.light, places)
    falls = (light[:, :, 2:] - light[:, :, :-2]).mean(3)
    towards = direction_of(inward)
    clear = falls.max(2) >= NO_EDGE * view.full_contrast[towards]
    beyond = np.where(clear, np.maximum(-ACROSS[falls.argmax(2)], 0), 0)
    if view.is_light:
        beyond += np.where(view.contrast[towards] >= _SHADED, _SHADOW_MM * px_per_mm, 0)
    outwards = -inward * beyond
    # a corner moves with the side that begins there and with the one that ends there
    return np.asarray(known + (outwards + np.roll(outwards, 1, axis=2)).transpose(1, 2, 0))


def _contrast(light: Picture, known: Boxes) -> NDArray[np.float64]:
    """Contrast by direction, at those edges of read cards that touch no other card."""
    depth = count_covers(light.shape, known)
    read = known[:: max(len(known) // _SAMPLED, 1)]
    places, inward = side_points(read, ACROSS)
    normal = inward[..., None, None]
    alone = (grey_at(depth, places + INSIDE * normal) < 1.3 * LAYER) & (
        grey_at(depth, places - INSIDE * normal) < 0.3 * LAYER
    )
    along = grey_at(light, side_points(read, AROUND)[0])
    falls = np.where(alone, along[:, :, 2:] - along[:, :, :-2], 0)
    count = alone.sum(3)
    mean = np.where(count >= 0.6 * len(_ALONG), falls.sum(3) / np.maximum(count, 1), -np.inf).max(2)
    turn = direction_of(inward)
    found = np.full(_DIRECTIONS, np.nan)
    for direction in range(_DIRECTIONS):
        away = (turn - direction) % _DIRECTIONS
        mine = mean[np.isfinite(mean) & ((away <= 1) | (away == _DIRECTIONS - 1))]
        if len(mine) >= _LEAST_READ:
            found[direction] = np.interp(_OF_READ * (len(mine) - 1), range(len(mine)), sorted(mine))
    usual = np.nanmedian(found) if np.isfinite(found).any() else _CLEAR
    return np.where(np.isnan(found), usual, found)


def count_covers(shape: tuple[int, ...], known: Boxes) -> NDArray[np.uint8]:
    """Count the known cards that cover each pixel.

    Parameters
    ----------
    shape : tuple of int
        Of the picture.
    known : float array, shape (cards, 4, 2)
        Corners, pixels.

    Returns
    -------
    uint8 array
        Number of cards, times `LAYER`; two cards at most count.
    """
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
            cv2.fillConvexPoly(mask, card, LAYER)
            cv2.add(part, mask, part)
    return depth


def side_points(
    boxes: Boxes, across: NDArray[np.float64], every: int = 1
) -> tuple[Picture, Picture]:
    """Choose points across and along the sides of boxes.

    Parameters
    ----------
    boxes : float array, shape (boxes, 4, 2)
        Corners, pixels.
    across : float array, shape (across,)
        Distances from the side, in pixels; positive inwards.
    every : int
        One in how many of the points along a side are chosen.

    Returns
    -------
    points : float32 array, shape (2, boxes, 4, across, along)
        Columns and rows, pixels.
    inward : float32 array, shape (2, boxes, 4)
        Unit normals.
    """
    ends = np.ascontiguousarray(boxes.transpose(2, 0, 1), np.float32)
    along, off = _ALONG[every // 2 :: every].astype(np.float32), across.astype(np.float32)[:, None]
    ahead = np.roll(ends, -1, axis=2)
    inward = ends.mean(2, keepdims=True) - (ends + ahead) / 2
    inward /= np.maximum(np.hypot(*inward), np.float32(1e-9))
    edge = ends[..., None] * (1 - along) + ahead[..., None] * along
    return edge[:, :, :, None] + off * inward[..., None, None], inward


def direction_of(normals: Picture) -> NDArray[np.intp]:
    """Number of the direction that is closest to each normal.

    Parameters
    ----------
    normals : float32 array, shape (2, boxes, 4)

    Returns
    -------
    int array, shape (boxes, 4)
        Of `PaperView.contrast`.
    """
    turns = np.arctan2(normals[1], normals[0]) / (2 * np.pi)
    return np.asarray(np.round(turns * _DIRECTIONS) % _DIRECTIONS, np.intp)
