"""Finding cards that were not read by their edges: face down, partly covered, or too blurred.

In a top view all cards are rectangles of the same known size. Every position and rotation is scored
by how much of the rectangle's four sides is an edge of paper (`card_edges`), first on a coarse
picture, then exactly for the best candidates. The candidate with the clearest edges is accepted and
the others are scored again without its edges, until no candidate is clear enough (greedy
non-maximum suppression, in which a candidate explains its edges rather than its area).
"""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.cards.card import CardLayout
from printables.tabletop.bare_table import repeated
from printables.tabletop.edges.card_edges import Sides, measure_paper, measure_sides
from printables.tabletop.edges.coarse_search import rectangles_of_edges
from printables.tabletop.edges.paper_colour import darken_other_colours, has_paper
from printables.tabletop.edges.paper_view import Boxes, PaperView, side_points
from printables.tabletop.edges.sheets import WHITE, WHITE_IN_COLOUR, leave_out_sheets
from printables.tabletop.light import grey_at
from printables.tabletop.outlines import are_beside
from printables.tabletop.top_view import TopView

_MOST_LIKELY, _MOST_EXACT = 500, 220
"""Candidates scored on the fine picture, and those then refined; both bound the time. With 160 of
the first, 94 cards are outlined; with 60 of the second, 97 cards and 28 places without a card. In
36 photos by another simulator, two of 222 unread cards fewer are outlined with 160 exact ones."""
_LEAST_ROUGH, _OF_STRETCH, _OF_CORNER = 2.0, 0.5, 3.0
"""Least sum of the evidence of the four sides, of this share of the longest stretch of edges, and
of this multiple of the evidence of the clearest corner, for a candidate to be refined. The first
only saves time. Without the second, 308 instead of 312 cards are outlined in the photos of
`_STRETCH`; without the third, 437 instead of 440 of 702 unread cards in 107 photos by another
simulator, since the long edges of stripes outnumber cards."""
_EVERY = 3
"""One in how many points along the sides is measured until candidates are refined. Only saves
time."""
_FINE_DEG = (3.75, 1.9)
"""Degrees by which rotations are varied in the two refinement steps: half and a quarter of the
steps of `_TURNS`. In 60 photos (`tests/bench/bench_hidden.py --first 80000 --photos 60`) with 132
missed cards, 135 are missed with the first step alone, 134 with steps of 1.9 and 1.0."""
_LEAST_PAPER, _LEAST_SHOWN = 0.2, 0.2
"""Least share of a card that is paper (the rest may be covered), and least share that is not under
known cards. At .3 of the first, two cards fewer are outlined in the photos of `_STRETCH`. At .5 of
the first, 93 cards of other photos are outlined, at .4 of the second 95. At .1 of the second,
a place on a read card is outlined whose edges are those of a cup and of light wood."""
_LEAST_SIDES, _LEAST_CORNER = 0.3, 0.4
"""Least share of the sides that is not under known cards, and least evidence of each of two
adjacent sides. No photo differs without the first; without the second, 39 places without a card are
outlined, and at .7 88 cards. In the photos of `paper_colour._LIGHT`, 995 cards and 89 places
without a card were outlined, at .5 of the second 983 and 87, at .3 1004 and 92; in 33 photos of our
own 173 of 191 cards and 26 places, at .5 167 of 192 and 28."""
_BETWEEN, _BETWEEN_SHOWN, _BETWEEN_WHITE = 0.6, 0.3, 0.85
"""Least evidence of each of two opposite sides, greatest share in sight of the other two, and least
share of paper and brightness of the paper, of a card between two known cards. Without such cards,
437 instead of 440 cards are outlined in the photos of `_OF_CORNER`; without the last, 42 instead of
39 places without a card: gaps between cards on a striped cloth."""
_HIDDEN = 0.5
"""Weight of hidden sides, which are assumed to have the mean evidence of the visible ones. At 0,
two of 28 cards of "ordinary" are missed with as many places without a card."""
_LEAST_EVIDENCE, _SURE = 0.53, 0.75
"""Evidence from which a candidate is a card if only few candidates have as much, and from which it
always is. At .4 of the first, 42 places without a card are outlined, at .65 76 cards; at .6 of the
second, 182 places without a card, at .9 90 cards."""
_TOUCHING_MM = 1.0
"""Distance, in millimetres, within which an outline touches a known card. In 69 careless photos
(60, 150 and 300 cards), two more groupings are exact if outlines that touch one connect groups only
with clear edges."""
_LIGHTEST = 0.03
"""Share of a candidate's points that may be lighter than its paper when paper beyond its sides is
looked for: a hand that covers most of a card is no paper. In 300 photos of two simulators, 11 more
of the cards outlined count as probable, with an earlier version; at .1 one grouping fewer is exact.
"""
_STRETCH, _WITHIN = 1.9, 0.1
"""Length, in sides, of a stretch of edges without a break from which a candidate is a card if only
few candidates have as much evidence, since an object may cover the rest; and greatest share of the
sides with paper beyond them, as in the corner of a larger sheet. In 100 photos of "ordinary" (60,
150 and 300 cards) and "careless" (60 and 150 cards; seeds 500 to 519), 312 of 377 unread cards and
30 places without a card are outlined; at 1.5 of the first, 314 and 38, without stretches 295 and
31; without the second, 312 and 39."""
_WHOLE, _BEGUN, _END = 0.9, 0.12, 1.4
"""Least evidence of a side that counts as whole, and of each of the two beside it; and least
length, in sides, of the stretch of edges that they form, from which a candidate is a card of which
an object covers all but one end. In 59 photos ("ordinary", 150 and 300 cards; "careless", 60 and
300 cards; and "ordinary", 90 cards, with more things and cards face down), 287
instead of 283 of 314 unread cards are outlined, and as many places without a card."""
_BESIDE, _ALIKE = 4.0, 0.1
"""Distance from an edge, in pixels, at which the light of the table and of an object is measured,
and difference, as a share of paper's, that may be noise or pattern. Without the comparison, 31 of
64 drawn cards are outlined on the wrong side of the object; with it, none is."""
_FEW, _FEW_UNKNOWN, _FEW_OF_READ = 4, 1, 0.08
"""Most candidates with evidence between those two numbers that are accepted, the same if the number
of missing cards is unknown, and how many more for each read card: more of them belong to the
pattern of a cloth. Without the limit, 56 places without a card are reported in one photo of
"ordinary" (300 cards). At 0 of the second, 21 instead of 25 places without a card are outlined in
the 120 photos of `blank_cards._MOST_WHITE`, and as many cards."""
_NEAR = 2.5
"""Distance from a read card, in long sides of a card, within which such candidates count and are
accepted: streaks of wood far from five cards were reported as a card. Without the limit, 28 places
without a card are outlined. If those farther away count, too, 384 instead of 421 of 581 unread
cards in 35 photos by a second simulator are outlined, and 32 instead of 48 places without a card:
the ends of stripes at the edge of a cloth outnumber the cards."""
_REACH_MM = 250.0
"""Distance from the known cards, in millimetres, within which cards are searched for. Only saves
time, a fifth for 300 cards; at 500 one more of 195 cards is outlined."""
_EXPLAINED = 1.06
"""Scale of an accepted card within which edges count as its own. At 1, 27 places without a card are
outlined, and 97 cards."""
_FILLED_BY_PAPER = 0.85
"""Least share of a surely found card that is paper for nothing to lie on it. In 150 photos of
`bench_hidden` (the odd seeds from 120101 to 120399) no card is hidden without a word; at .5 two are
in one photo (seed 120107), where screens of phones are outlined instead. No photo differs at
.97."""


def find_missing_cards(
    top: TopView,
    known: Boxes,
    layout: CardLayout,
    most: int | None = None,
    colours: Callable[[TopView], NDArray[np.uint8]] | None = None,
) -> tuple[Boxes, NDArray[np.bool_]]:
    """Find cards on the table that were not read.

    Parameters
    ----------
    top : TopView
        At about one pixel per millimetre.
    known : float array, shape (cards, 4, 2)
        Outlines of the cards that are known already, millimetres.
    layout : CardLayout
    most : int, optional
        Number of missing cards, if it is known and they are on this table.
    colours : function of a TopView, optional
        Gives the same view in colour; needed if the table is as light as paper.

    Returns
    -------
    outlines : float array, shape (cards, 4, 2)
        Millimetres; those with the clearest edges first.
    marks : bool array, shape (3, cards)
        Whether each is probably a card: if there are more candidates than missing cards, some of
        them belong to a pattern of the table; without clear edges, some belong to larger sheets.
        Whether it is a card on which no object lies, which could hide another. And whether its
        position is certain enough to connect groups: an outline that touches a known card may
        consist of that card's edges, unless it is clear.
    """
    top = top.near(known, _REACH_MM)
    read = top.from_mm(known)
    taken = top
    if colours is not None:
        top = darken_other_colours(top, colours(top), known)
    view = PaperView.of(top.grey, read, top.px_per_mm)
    size = np.array([layout.width_mm, layout.height_mm]) * top.px_per_mm
    leave_out_sheets(view, top.grey == 0, size, WHITE if colours is None else WHITE_IN_COLOUR)
    boxes = rectangles_of_edges(view, size, top.px_per_mm, 2 * _MOST_LIKELY)
    shown, white, paper = measure_paper(view, boxes)
    able = np.flatnonzero((white >= _LEAST_PAPER) & (shown >= _LEAST_SHOWN))[:_MOST_LIKELY]
    sides = measure_sides(view, boxes[able], paper[able], _EVERY)
    roughly = sides.evidence.sum(1) + _OF_STRETCH * sides.stretch + _OF_CORNER * _corner(sides)
    likeliest = np.argsort(-roughly, kind="stable")[:_MOST_EXACT]
    best = able[likeliest[roughly[likeliest] >= _LEAST_ROUGH]]
    boxes = _refine(view, boxes[best], paper[best])
    boxes = boxes[_in_photo(boxes, top.grey)]
    if colours is not None:
        boxes = boxes[has_paper(taken, top, view, boxes)]
    found, evidence = _choose_clearest(view, boxes)
    if most is not None and len(found) > most:
        found, evidence = _choose_clearest(view, boxes[~repeated(view.light, boxes, found, most)])
    # a box seems clearer once others hide its sides, which may be patterns of a cloth, too
    evidence = np.minimum.accumulate(evidence)
    few = round(_FEW_OF_READ * len(known)) + (_FEW_UNKNOWN if most is None else _FEW)
    middling, near = evidence < _SURE, _near(found, read, _NEAR * size.max())
    believed = ~middling | (near & ((middling & near).sum() <= few))
    found, evidence = found[believed], evidence[believed]
    for least in (_LEAST_EVIDENCE, _SURE, np.inf):
        likely = evidence >= least
        if most is None or likely.sum() <= most:
            break
    found, likely, evidence = found[:most], likely[:most], evidence[:most]
    outlines, sure = top.in_mm(found), evidence >= _SURE
    _, white, _ = measure_paper(view, found)
    lightest = measure_paper(view, found, _LIGHTEST)[2]
    likely &= sure | (measure_sides(view, found, lightest).within <= _WITHIN)
    whole = likely & sure & (white >= _FILLED_BY_PAPER)
    certain = likely & (sure | ~are_beside(outlines, known, _TOUCHING_MM))
    return outlines, np.stack([likely, whole, certain])


def _near(boxes: Boxes, known: Boxes, reach: float) -> NDArray[np.bool_]:
    """Whether a read card is within reach of each box, centre to centre."""
    apart = boxes.mean(1)[:, None] - known.mean(1)
    return np.asarray((np.linalg.norm(apart, axis=-1) <= reach).any(1))


def _in_photo(boxes: Boxes, grey: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether all corners are in the photo; an object cut off by its edge may be larger than a
    card."""
    column, row = np.round(boxes).astype(np.intp).transpose(2, 0, 1)
    height, width = grey.shape
    inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
    seen = grey[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)] > 0
    return np.asarray((inside & seen).all(1))


def _choose_clearest(view: PaperView, boxes: Boxes) -> tuple[Boxes, NDArray[np.float64]]:
    """The boxes with most evidence, each without the edges of those before, and their evidence."""
    free = view.free.copy()
    left = replace(view, free=free)
    evidence = _evidence(left, boxes)
    chosen: list[tuple[int, float]] = []
    while len(boxes) and evidence.max() >= _LEAST_EVIDENCE:
        best = int(evidence.argmax())
        chosen.append((best, float(evidence[best])))
        middle = boxes[best].mean(0)
        cover = middle + _EXPLAINED * (boxes[best] - middle)
        cv2.fillConvexPoly(free, np.round(cover).astype(np.int32), 0)
        reach = 1.3 * np.ptp(boxes[best], axis=0).max()
        near = (np.abs(boxes.mean(1) - middle).max(1) < reach) & (evidence > 0)
        evidence[near] = _evidence(left, boxes[near])
        evidence[best] = 0
    places = np.array([place for place, _ in chosen], np.intp)
    return boxes[places], np.array([found for _, found in chosen])


def _evidence(view: PaperView, boxes: Boxes) -> NDArray[np.float64]:
    """Share of each box's sides that are edges of a card; 0 where it cannot be one. A long stretch
    of edges without a break counts as much as clear sides: something may cover the rest."""
    shown, white, paper = measure_paper(view, boxes)
    sides = measure_sides(view, boxes, paper)
    seen, found = sides.shown.mean(1), sides.evidence.mean(1)
    able = (white >= _LEAST_PAPER) & (shown >= _LEAST_SHOWN)
    ends = able & _ends(view, boxes, sides)
    edges = (_corner(sides) >= _LEAST_CORNER) | (
        _is_between(sides) & (np.minimum(white, paper.max(1)) >= _BETWEEN_WHITE)
    )
    able &= ((seen >= _LEAST_SIDES) & edges) | (
        (sides.stretch >= _STRETCH) & (sides.within <= _WITHIN)
    )
    evidence = found * (1 + _HIDDEN * (1 / np.maximum(seen, 0.05) - 1))
    stretch = np.minimum(_LEAST_EVIDENCE * sides.stretch / _STRETCH, _SURE - 0.01)
    stretch[sides.within > _WITHIN] = 0
    stretch[ends] = np.maximum(stretch[ends], _LEAST_EVIDENCE)
    return np.where(able | ends, np.maximum(evidence, stretch), 0.0)


def _corner(sides: Sides) -> NDArray[np.float64]:
    """The greatest evidence that two adjacent sides of each box both have."""
    after = np.roll(sides.evidence, -1, axis=1)
    return np.asarray(np.minimum(sides.evidence, after).max(1, initial=-1))


def _is_between(sides: Sides) -> NDArray[np.bool_]:
    """Whether two opposite sides of each box are edges and known cards hide the other two."""
    clear = np.minimum(sides.evidence[:, :2], sides.evidence[:, 2:]) >= _BETWEEN
    hidden = np.maximum(sides.shown[:, :2], sides.shown[:, 2:]) <= _BETWEEN_SHOWN
    return np.asarray((clear & hidden[:, ::-1]).any(1))


def _ends(view: PaperView, boxes: Boxes, sides: Sides) -> NDArray[np.bool_]:
    """Whether a whole side of each box and the beginnings of the sides beside it are edges, and an
    object covers the rest."""
    rows, whole = np.arange(len(boxes)), sides.evidence.argmax(1)
    begun = np.minimum(*(sides.evidence[rows, (whole + turn) % 4] for turn in (1, 3)))
    ends = (sides.evidence[rows, whole] >= _WHOLE) & (begun >= _BEGUN)
    ends &= (sides.stretch >= _END) & (sides.within <= _WITHIN)
    (places,) = np.nonzero(ends)
    ends[places] = _rest_covered(view, boxes[places], sides.along[places], whole[places])
    return np.asarray(ends)


def _rest_covered(
    view: PaperView, boxes: Boxes, along: NDArray[np.float32], whole: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Whether the table is beyond the whole side of each box rather than inside the opposite side:
    the other end of the paper in sight is the edge of the object."""
    rows = np.arange(len(boxes))
    outside, inside = (
        grey_at(view.light, side_points(boxes, np.array([off]))[0])[:, :, 0]
        for off in (-_BESIDE, _BESIDE)
    )
    # without paper inside, the light beside a side may be the object's
    edge = (along > 0.5) | (along <= 0.5).all(2, keepdims=True)
    table = np.nanmedian(np.where(edge, outside, np.nan), axis=2)
    near = (table[rows, (whole + 1) % 4] + table[rows, (whole + 3) % 4]) / 2
    beyond, rest = (
        np.median(light[rows, side], axis=1)
        for light, side in ((outside, whole), (inside, (whole + 2) % 4))
    )
    return np.asarray(abs(beyond - near) < abs(rest - near) + _ALIKE)


def _refine(view: PaperView, boxes: Boxes, paper: NDArray[np.float64]) -> Boxes:
    """Rotate and shift boxes to where their sides are clearest; `paper` is as for
    `measure_sides`."""
    for step in _FINE_DEG if len(boxes) else ():
        tries = np.stack([_rotated(boxes, turn) for turn in (-step, 0.0, step)])
        seen = [measure_sides(view, turned, paper, _EVERY) for turned in tries]
        best = np.stack([sides.evidence.sum(1) for sides in seen]).argmax(0)
        rows = np.arange(len(boxes))
        weight, off, inward = (
            np.stack(parts)[best, rows]
            for parts in (
                [np.maximum(sides.evidence, 0) + 1e-4 for sides in seen],
                [sides.offset for sides in seen],
                [sides.inward for sides in seen],
            )
        )
        boxes = tries[best, rows]
        for one, other in ((0, 2), (1, 3)):
            pull = off[:, one] * weight[:, one] - off[:, other] * weight[:, other]
            shift = pull / (weight[:, one] + weight[:, other])
            boxes = boxes + (shift[:, None] * inward[:, one])[:, None]
    return boxes


def _rotated(boxes: Boxes, degrees: float) -> Boxes:
    """Boxes rotated around their centres."""
    turn = np.deg2rad(degrees)
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    middle = boxes.mean(1, keepdims=True)
    return np.asarray((boxes - middle) @ rotation + middle)
