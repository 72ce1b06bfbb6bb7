"""How clearly the sides of a rectangle look like a card's edges in a top view of the table.

An edge of paper is lighter inside than outside, by as much as those of the read cards are, there is
paper inside all along it, and it ends at the corners: that of a stripe on a cloth runs on.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from printables.tabletop.edges.paper_view import (
    ACROSS,
    AROUND,
    INSIDE,
    LAYER,
    NO_EDGE,
    Boxes,
    PaperView,
    Picture,
    count_covers,
    direction_of,
    side_points,
)
from printables.tabletop.light import grey_at

_LIT, _DIMMEST = 0.85, 0.6
"""Least grey just inside an edge, as a share of the grey of the card's own paper; and least grey of
that paper, as a share of the read cards' nearby. Both exclude edges of shadows and patterns.
Without the first, several times as many places without a card are reported on "checked" and
"striped" cloths. At .9 of the second, four more cards are missed in the photos of `_FULL`; none
differs at .3."""
_LIT_BESIDE = 0.68
"""Least grey just inside an edge beside a known card, as a share of that card's: the light grain of
wood is darker, and looks like paper where it ends at the card's shadow. Without it, 18 instead of
one place without a card are outlined on 60 tables of wood with 30 cards; in the photos of
`_BESIDE` as many are."""
_CLEAR_OF = 4.0
"""Distance outside a known card's edge, in pixels, within which no other card may be for the edge
to count. It only chooses the advice for an unread card."""
_WITHIN = (np.arange(12) + 0.5) / 12 * 0.88 + 0.06
"""Sampled points across a card, as shares of its sides."""
_BESIDE, _FEWEST, _DARKER = 4, 4, 0.92
"""Rows of these points beside a side from which the light of its paper is measured, since a bent
card is darker at one end; fewest points in sight; and least light there, as a share of that in the
whole card. In 127 photos by another simulator, 616 of 893 unread cards and 56 places without a card
are outlined; at 1 of the last 609 and 55. At .9 checks of a drawn cloth are outlined, too. The
others were not varied in any measurement."""
_BEYOND = np.arange(1.5, 16.5, 1.5)
"""Distances beyond the ends of a side, in pixels, at which its edge may run on. If only four of
them, between a tenth and a third of the side, are measured, the edges of cards in a row run on."""
_RUNS_ON, _LEAST_BEYOND = 0.9, 2
"""Least share of such points at one end that are edges for a side to run on there; and fewest in
sight. At .6 of the first, 611 cards and 74 places without a card are outlined in the photos of
`_BESIDE`; if edges may run on, 619 and 74. The second was not varied in any measurement."""


@dataclass(frozen=True, eq=False)
class Sides:
    """Measurements of rectangles' sides, in the order of their corners.

    Attributes
    ----------
    evidence : float array, shape (boxes, 4)
        Evidence of a card's edge, in [-1, 1]; 0 for a side that is hidden under known cards or runs
        on beyond the corners.
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
    paper : float array, shape (boxes, 4), optional
        Light of the paper beside each side from `measure_paper`, if it is known already.
    every : int
        One in how many of the points along a side are measured.

    Returns
    -------
    Sides
    """
    if paper is None:
        paper = measure_paper(view, boxes)[2]
    places, inward = side_points(boxes, AROUND, every)
    free, light = grey_at(view.free, places) > 0.9 * 255, grey_at(view.light, places)
    # points are a pixel apart, so points n and n + 2 are outside and inside an edge at n + 1
    seen = free[:, :, 2:] & free[:, :, :-2]
    inside, outside = light[:, :, 2:], light[:, :, :-2]
    full = view.full_contrast[direction_of(inward)][:, :, None].astype(np.float32)
    evidence = (inside - outside) / full[..., None]
    np.clip(evidence, -1, 1, out=evidence)
    evidence *= seen
    deeper = places[:, :, :, 1:-1] + INSIDE * inward[..., None, None]
    own = (_LIT * paper).astype(np.float32)[:, :, None, None]
    near = grey_at(view.beside, places[:, :, :, len(AROUND) // 2]) > 0.5 * 255
    lit = np.where(near[:, :, None], np.maximum(own, np.float32(_LIT_BESIDE)), own)
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
    whole = own.max(1, keepdims=True, initial=0)[..., 0]
    amid = there & (along < 0.5) & (np.minimum(within, without) >= whole)
    on = _runs_on(view, boxes, inward, ACROSS[best[..., 0]], full)
    found[on], along[on] = 0, 0
    shown, normals = there.mean(2), inward.transpose(1, 2, 0).astype(float)
    return Sides(found, shown, ACROSS[best[..., 0]], normals, along, there, amid)


def _runs_on(
    view: PaperView, boxes: Boxes, inward: Picture, offset: NDArray[np.float64], full: Picture
) -> NDArray[np.bool_]:
    """Whether the edge along each side, at an offset from it, runs on beyond both of its ends, or
    beyond the one in sight."""
    ends = np.ascontiguousarray(boxes.transpose(2, 0, 1), np.float32)[..., None]
    ahead = np.roll(ends, -1, axis=2)
    length = np.maximum(np.hypot(*(ahead - ends)), 1e-6)
    share = np.concatenate([-_BEYOND / length, 1 + _BEYOND / length], -1).astype(np.float32)
    line = ends + share * (ahead - ends)
    beside = [line + ((offset + way).astype(np.float32) * inward)[..., None] for way in (-1, 1)]
    outside, inside = (grey_at(view.light, places) for places in beside)
    seen = np.minimum(*(grey_at(view.free, places) for places in beside)) > 0.9 * 255
    edge = ((inside - outside) / full > 0.5) & seen
    by_end = (*edge.shape[:2], 2, len(_BEYOND))
    count = seen.reshape(by_end).sum(3)
    on = edge.reshape(by_end).sum(3) >= _RUNS_ON * count
    known = count >= _LEAST_BEYOND
    return np.asarray((on | ~known).all(2) & known.any(2))


def covered_share(
    view: PaperView, known: Boxes, measured: NDArray[np.bool_] | slice = np.s_[:]
) -> NDArray[np.float64]:
    """Measure how much of known cards' edges is not in sight, as under an object.

    Parameters
    ----------
    view : PaperView
    known : float array, shape (cards, 4, 2)
        Outlines of all known cards, pixels.
    measured : bool array, shape (cards,), optional
        Which of them are measured.

    Returns
    -------
    float array, shape (measured,)
        Share of the edges that touch no other card and are inside the photo; 0 if all do.
    """
    depth = count_covers(view.light.shape, known)
    edge, inward = side_points(known[measured], np.zeros(1))
    normal = inward[..., None, None]
    beyond = (edge - _CLEAR_OF * normal)[:, :, :, 0]
    alone = (grey_at(depth, beyond) < 0.3 * LAYER) & (grey_at(view.light, beyond) > 0)
    light = grey_at(view.light, edge + AROUND[:, None] * normal)
    full = view.full_contrast[direction_of(inward)][:, :, None]
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
    paper : float array, shape (boxes, 4)
        Light of that paper beside each side, as a share of the read cards' nearby.
    """
    if not len(boxes):
        return np.zeros(0), np.zeros(0), np.zeros((0, 4))
    u, v = (part.ravel() for part in np.meshgrid(_WITHIN, _WITHIN))
    first, second, _, fourth = boxes.transpose(1, 2, 0)[..., None]
    places = first * (1 - u - v) + second * u + fourth * v
    free = grey_at(view.free, places) > 0.5 * 255
    light = grey_at(view.light, places)
    shown = np.where(free, light, np.float32(-1))
    whole = _lightest(shown, lighter)
    white = ((light > 0.8 * whole[:, None]) & free).sum(1)
    rows = shown.reshape(len(boxes), len(_WITHIN), len(_WITHIN))
    beside = [rows[:, :_BESIDE], rows[:, :, -_BESIDE:], rows[:, -_BESIDE:], rows[:, :, :_BESIDE]]
    ends = [_lightest(part.reshape(len(boxes), -1), lighter) for part in beside]
    paper = np.stack([np.clip(end, _DARKER * whole, whole) for end in ends], -1)
    return free.mean(1), white / np.maximum(free.sum(1), 1), paper


def _lightest(shown: Picture, lighter: float) -> NDArray[np.float64]:
    """Light of the paper at points, -1 where they are hidden; 1 if too few are in sight."""
    count = (shown >= 0).sum(1)
    ranked = np.sort(shown, axis=1)
    paper = ranked[np.arange(len(shown)), -1 - (lighter * count).astype(int)]
    return np.where(count >= _FEWEST, np.clip(paper, _DIMMEST, 1.0), 1.0)
