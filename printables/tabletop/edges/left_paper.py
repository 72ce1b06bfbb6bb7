"""Cards in the paper that is left where no card was found: strips beside cards, and blank cards.

The search for rectangles of edges misses cards of which others leave a strip of a few millimetres
in sight, and blank cards between others on a cloth, where few of their sides are edges. Both are
areas as light as paper, whose shape says where a card may be. Where neither edges nor symbols say
it, the card of a strip is the one whose sides in sight are edges and that shows least else.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.tabletop.edges.box_evidence import MOST_WITHIN
from printables.tabletop.edges.card_edges import measure_paper, measure_sides
from printables.tabletop.edges.paper_view import Boxes, PaperView
from printables.tabletop.hiding.openings import opened_roughly
from printables.tabletop.top_view import TopView

_LIGHT, _MOST_WHITE = 0.9, 0.08
"""Least brightness of a strip, as a share of paper's, and greatest share of the table as light as
that for strips to be looked for: parts of a cloth look like them. In 194 photos by a second
simulator (120 ordinary and 74 careless), 1,486 instead of 1,439 of 1,715 unread cards are outlined
with strips and blank cards, and 94 instead of 86 places without a card. At .8 of the first and .15
of the second, 1,459 and 89 are, and two of 15 tables of drawn wood have one; at .04 of the second,
two of the ordinary cards fewer."""
_AREA, _MOST_STRIPS = (0.012, 0.6), 40
"""Least and greatest area of a strip, as shares of a card's, and most strips. With 80 strips, none
of the careless photos differs."""
_OPENED_PX, _BESIDE_PX = 2, 3
"""Width in pixels of the specks and hairs that are no strips, and distance within which a strip is
beside a known card. Known cards are drawn up to 3 mm too large, which leaves 2 mm of a strip of 5.
In 239 photos by a third simulator, 1,031 of 1,600 unread cards and 84 places without a card are
outlined; with strips of 3 pixels and .02 of a card's area, 1,018 and 88. The second was not varied
in any measurement."""
_SIDE, _OTHER_DEG = 0.25, 4.0
"""Least length of a second straight side of a strip, as a share of a card's shorter side, and by
how many degrees its direction differs from the longest. Not varied in any measurement."""
_LONGER, _BLUR_PX = 1.06, 2.0
"""Greatest extent of a strip, as a multiple of a card's sides, and what blur adds in pixels."""
_SHOWN, _WHITE, _LEAST_LIGHT = (0.04, 0.6), 0.85, 0.9
"""Least and greatest share in sight of the card of a strip without clear edges, least share of it
that is paper, and least brightness of that paper. In 120 photos by another simulator, 558 instead
of 536 of 914 unread cards and 21 instead of 18 places without a card are outlined with such cards.
With an earlier choice of the box, 557 and 27 were with (.03, .5) and .9 of the first two instead of
560 and 27, with (.04, .8) and .8 562 and 27, with (.06, .5), .9 and .95 551 and 24."""
_NO_EDGE, _MOST_LEFT = 0.5, 0.005
"""By how much a side in sight counts against a box where it is no edge. In the photos that it was
chosen on, 39 of 43 such boxes are unread cards; of the boxes that show most paper, 35 of 47, with
those that have paper beyond their sides (`box_evidence.MOST_WITHIN`). And greatest share of the
table as light as strips for cards to be found by this: it was .03 and .006 on two striped cloths
whose stripes passed for cards, and at most .004 in 20 of 22 photos in which unread cards were
found. With any share, 563 cards and 22 places are."""
_BLANK_LIGHT, _DISK = 0.85, 0.8
"""Least brightness of blank cards, as a share of paper's, and width of the disk that fits into
them, as a share of a card's shorter side: stripes and checks of a cloth are narrower. Without blank
cards, 9 fewer of the cards of `_LIGHT` are outlined, with strips of .8. At .8 of the first, as many
missed cards of these photos have such a shape, at .9 two fewer."""
_SIZE_TOLERANCE, _LEAST_FILL = 0.12, 0.83
"""Greatest relative error of the sides of such a shape, and least share of the rectangle around it
that it fills: a disk leaves out a tenth of a card at its corners. At .16 and .79 there are more
such shapes in the pattern of flowered cloths and marble than blank cards."""


def blank_boxes(view: PaperView, size: NDArray[np.float64]) -> Boxes:
    """Find boxes that are paper throughout, while the paper around them is narrower than a card.

    Parameters
    ----------
    view : PaperView
    size : float array, shape (2,)
        Width and height of a card, pixels.

    Returns
    -------
    float array, shape (boxes, 4, 2)
        Corners, pixels.
    """
    sides = np.sort(size)
    paper = (view.light >= _BLANK_LIGHT) & (view.free > 0)
    wide = opened_roughly(_DISK * sides[0], paper.astype(np.uint8))
    contours, _ = cv2.findContours(wide, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = [np.zeros((0, 4, 2))]
    for contour in contours:
        middle, extent, degrees = cv2.minAreaRect(contour)
        fill = cv2.contourArea(contour) / max(extent[0] * extent[1], 1)
        errors = np.abs(np.sort(extent) / sides - 1)
        if fill >= _LEAST_FILL and errors.max() <= _SIZE_TOLERANCE:
            turned = sides if extent[0] < extent[1] else sides[::-1]
            found.append(cv2.boxPoints((middle, turned.tolist(), degrees))[None].astype(float))
    return np.concatenate(found)


@dataclass(frozen=True, eq=False)
class Strips:
    """Strips of paper, and where their cards may lie.

    Attributes
    ----------
    middles : float array, shape (strips, 2)
        A point in each strip.
    outlines : float array, shape (strips, 4, 2)
        Corners of the likeliest card of each.
    """

    middles: NDArray[np.float64]
    outlines: Boxes

    @classmethod
    def none(cls) -> "Strips":
        """No strips."""
        return cls(np.zeros((0, 2)), np.zeros((0, 4, 2)))

    def __getitem__(self, chosen: NDArray[np.bool_]) -> "Strips":
        return Strips(self.middles[chosen], self.outlines[chosen])

    def in_mm(self, top: TopView) -> "Strips":
        """The same in millimetres, from pixels of a top view."""
        return Strips(top.in_mm(self.middles), top.in_mm(self.outlines))


def boxes_of_strips(view: PaperView, size: NDArray[np.float64]) -> Boxes:
    """Find boxes that have a corner in common with a strip of paper beside known cards.

    Parameters
    ----------
    view : PaperView
    size : float array, shape (2,)
        Width and height of a card, pixels.

    Returns
    -------
    float array, shape (boxes, 4, 2)
        Corners, pixels; none on tables of which much is as light as paper.
    """
    boxes = [boxes for _, boxes in _strips_with_boxes(view, size, _MOST_WHITE)]
    return np.concatenate([np.zeros((0, 4, 2)), *boxes])


def likeliest_of_strips(view: PaperView, size: NDArray[np.float64]) -> Strips:
    """Find the box around each strip that fits it best, and shows hardly anything but paper.

    Parameters
    ----------
    view, size
        As for `boxes_of_strips`.

    Returns
    -------
    Strips
        In pixels.
    """
    found = [(np.zeros(2), np.zeros((0, 4, 2)))]
    for middle, boxes in _strips_with_boxes(view, size, _MOST_LEFT):
        shown, white, paper = measure_paper(view, boxes)
        able = (shown >= _SHOWN[0]) & (shown <= _SHOWN[1])
        able &= (white >= _WHITE) & (paper.max(1, initial=0) >= _LEAST_LIGHT)
        if not able.any():
            continue
        sides = measure_sides(view, boxes[able], paper[able])
        likely = sides.within <= MOST_WITHIN
        if likely.any():
            edges = (sides.evidence - _NO_EDGE * sides.shown).sum(1)
            found.append((middle, boxes[able][[np.where(likely, edges, -np.inf).argmax()]]))
    middles, outlines = zip(*found, strict=True)
    return Strips(np.array(middles)[1:], np.concatenate(outlines))


def _strips_with_boxes(
    view: PaperView, size: NDArray[np.float64], most: float
) -> list[tuple[NDArray[np.float64], Boxes]]:
    """A point in each strip of paper beside known cards, and boxes around the strip; none if more
    than a share of the table is as light as they are."""
    paper = cv2.bitwise_and((view.light >= _LIGHT).view(np.uint8), view.free)
    if cv2.countNonZero(paper) > most * cv2.countNonZero(view.free):
        return []
    paper = cv2.morphologyEx(paper, cv2.MORPH_OPEN, np.ones((_OPENED_PX,) * 2, np.uint8))
    # a fifteenth of the time of labelling the areas
    contours, _ = cv2.findContours(paper, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    areas = np.array([cv2.contourArea(contour) for contour in contours]) / np.prod(size)
    (strips,) = np.nonzero((areas >= _AREA[0]) & (areas <= _AREA[1]))
    strips = strips[np.argsort(-areas[strips], kind="stable")][:_MOST_STRIPS]
    away = cv2.erode(view.free, np.ones((2 * _BESIDE_PX + 1,) * 2, np.uint8))
    found = []
    for contour in (contours[strip][:, 0] for strip in strips.tolist()):
        column, row = contour.T
        if np.ptp(contour, axis=0).max() < np.hypot(*size) and not away[row, column].all():
            hull = cv2.convexHull(contour)[:, 0].astype(float)
            boxes = np.array(list(_around(hull, size))).reshape(-1, 4, 2)
            found.append((np.asarray(contour.mean(0), float), boxes))
    return found


def _around(hull: NDArray[np.float64], size: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """Boxes with a corner in common with a strip's extent along each of its longest sides."""
    sides = np.roll(hull, -1, axis=0) - hull
    lengths, angles = np.hypot(*sides.T), np.arctan2(sides[:, 1], sides[:, 0]) % (np.pi / 2)
    order = np.argsort(-lengths)
    apart = np.abs(angles[order] - angles[order[0]])
    other = np.minimum(apart, np.pi / 2 - apart) > np.deg2rad(_OTHER_DEG)
    other &= lengths[order] >= _SIDE * size.min()
    for angle in angles[order[[0, *np.flatnonzero(other)[:1]]]]:
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        turned = hull @ turn.T
        low, high = turned.min(0), turned.max(0)
        for extent in (size, size[::-1]):
            if (high - low > _LONGER * extent + _BLUR_PX).any():
                continue
            for x in (low[0], high[0] - extent[0]):
                for y in (low[1], high[1] - extent[1]):
                    unit = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
                    yield (np.array([x, y]) + extent * unit) @ turn
