"""Evidence that a rectangle in a top view is a card, from its edges and its paper.

Something may cover a part of a card: a known card, of which it is known where it hides a side, or
an object. The candidate with the clearest edges is accepted and the others are measured again
without its edges, until no candidate is clear enough (greedy non-maximum suppression, in which a
candidate explains its edges rather than its area).
"""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.tabletop.edges.card_edges import Sides, measure_paper, measure_sides
from printables.tabletop.edges.paper_view import Boxes, PaperView

_LEAST_PAPER, LEAST_SHOWN = 0.2, 0.2
"""Least share of a card that is paper (the rest may be covered), and least share that is not under
known cards. At .3 of the first, two cards fewer are outlined in the photos of `STRETCH`. At .5 of
the first, 93 cards of other photos are outlined, at .4 of the second 95. At .1 of the second,
a place on a read card is outlined whose edges are those of a cup and of light wood."""
_BELOW, _BELOW_WHITE, _BELOW_LIGHT = (0.03, 0.5), 0.6, 0.8
"""Least and greatest share in sight of a card below known ones, least share of it that is paper,
and least light of that paper, as a share of the read cards'. In 96 photos by a second simulator (43
"ordinary", 53 "careless"), 922 instead of 841 of 1,098 unread cards and 43 instead of 46 places
without a card are outlined with such cards; at .85 of the white, 907 and 48. The last keeps the
grain of light wood beside read cards from being outlined."""
_ALL_EDGES, _LEAST_STRETCH, _LEAST_SEEN = 0.75, 0.85, 0.2
"""Least share of the sides in sight that are edges for a card to be below known ones, least stretch
of edges, and least sum of the shares in sight; the last bounds chance. In the photos of `_BELOW`,
914 cards and 40 places without a card are outlined at .85 of the first, 918 and 42 at 1 of the
second. The last was not varied in any measurement."""
_LEAST_SIDES, _LEAST_CORNER = 0.3, 0.4
"""Least share of the sides that is not under known cards, and least evidence of each of two
adjacent sides. No photo differs without the first; without the second, 39 places without a card are
outlined, and at .7 88 cards. In the photos of `paper_colour._LIGHT`, 995 cards and 89 places
without a card were outlined, at .5 of the second 983 and 87, at .3 1004 and 92; in 33 photos of our
own 173 of 191 cards and 26 places, at .5 167 of 192 and 28."""
_BETWEEN, _BETWEEN_SHOWN, _BETWEEN_WHITE = 0.6, 0.3, 0.85
"""Least evidence of each of two opposite sides, greatest share in sight of the other two, and least
share of paper and brightness of the paper, of a card between two known cards. Without such cards,
437 instead of 440 cards are outlined in the photos of `refining._OF_CORNER`; without the last,
42 instead of 39 places without a card: gaps between cards on a striped cloth."""
_STRIP_SHOWN, _STRIP_EDGE, _STRIP_HIDDEN, _STRIP_WHITE = 0.03, 0.5, 0.6, 0.85
"""Least share in sight of each of two opposite sides, and least share of that which is an edge,
greatest share in sight of the other two, and least share of paper and brightness of the paper, of a
card of which known cards leave one strip in sight. In 120 photos by another simulator, 536 instead
of 519 of 914 unread cards and 18 instead of 19 places without a card are outlined; at .07, .7 and
.3 526 and 20. At .05, .4 and 1, with .8 of the last, 44 such places are."""
_HIDDEN = 0.5
"""Weight of hidden sides, which are assumed to have the mean evidence of the visible ones. At 0,
two of 28 cards of "ordinary" are missed with as many places without a card."""
LEAST_EVIDENCE, SURE = 0.53, 0.75
"""Evidence from which a candidate is a card if only few candidates have as much, and from which it
always is. At .4 of the first, 42 places without a card are outlined, at .65 76 cards; at .6 of the
second, 182 places without a card, at .9 90 cards."""
STRETCH, MOST_WITHIN = 1.9, 0.1
"""Length, in sides, of a stretch of edges without a break from which a candidate is a card if only
few candidates have as much evidence, since an object may cover the rest; and greatest share of the
sides with paper beyond them, as in the corner of a larger sheet. In 100 photos of "ordinary" (60,
150 and 300 cards) and "careless" (60 and 150 cards; seeds 500 to 519), 312 of 377 unread cards and
30 places without a card are outlined; at 1.5 of the first, 314 and 38, without stretches 295 and
31; without the second, 312 and 39."""
_EXPLAINED = 1.06
"""Scale of an accepted card within which edges count as its own. At 1, 27 places without a card are
outlined, and 97 cards."""


def choose_clearest(
    view: PaperView, boxes: Boxes, narrow: bool = False
) -> tuple[Boxes, NDArray[np.float64]]:
    """Choose the boxes with most evidence, each without the edges of those chosen before.

    Parameters
    ----------
    view : PaperView
    boxes : float array, shape (boxes, 4, 2)
        Corners, pixels.
    narrow : bool
        Whether each is around a strip of paper, and may show so little of it that its edges alone
        tell whether it is a card.

    Returns
    -------
    chosen : float array, shape (chosen, 4, 2)
    evidence : float array, shape (chosen,)
        From `LEAST_EVIDENCE` up to 1 for four clear sides, or a little more.
    """
    free = view.free.copy()
    left = replace(view, free=free)
    evidence = _evidence(left, boxes, narrow)
    chosen: list[tuple[int, float]] = []
    while len(boxes) and evidence.max() >= LEAST_EVIDENCE:
        best = int(evidence.argmax())
        chosen.append((best, float(evidence[best])))
        middle = boxes[best].mean(0)
        cv2.fillConvexPoly(free, _explained(boxes[best]), 0)
        reach = 1.3 * np.ptp(boxes[best], axis=0).max()
        near = (np.abs(boxes.mean(1) - middle).max(1) < reach) & (evidence > 0)
        evidence[near] = _evidence(left, boxes[near], narrow)
        evidence[best] = 0
    places = np.array([place for place, _ in chosen], np.intp)
    return boxes[places], np.array([found for _, found in chosen])


def are_likely(
    evidence: NDArray[np.float64], most: int | None, clear: float = SURE
) -> NDArray[np.bool_]:
    """Tell which boxes are probably cards.

    Parameters
    ----------
    evidence : float array, shape (boxes,)
    most : int, optional
        Number of missing cards, if it is known.
    clear : float
        Least evidence if more boxes than that have `LEAST_EVIDENCE`.

    Returns
    -------
    bool array, shape (boxes,)
        No box if even those with clear evidence are too many.

    Examples
    --------
    >>> are_likely(np.array([0.9, 0.6, 0.55]), 2).tolist()
    [True, False, False]
    """
    for least in (LEAST_EVIDENCE, clear):
        likely = evidence >= least
        if most is None or likely.sum() <= most:
            return likely
    return np.zeros(len(evidence), bool)


def without(view: PaperView, chosen: Boxes) -> PaperView:
    """Take away what chosen boxes explain.

    Parameters
    ----------
    view : PaperView
    chosen : float array, shape (boxes, 4, 2)
        Corners, pixels.

    Returns
    -------
    PaperView
        Of which `free` is 0 there, too.
    """
    free = view.free.copy()
    for box in chosen:
        cv2.fillConvexPoly(free, _explained(box), 0)
    return replace(view, free=free)


def _explained(box: Boxes) -> NDArray[np.int32]:
    """Corners of the area whose edges are a box's own, pixels."""
    middle = box.mean(0)
    return np.asarray(np.round(middle + _EXPLAINED * (box - middle)), np.int32)


def _evidence(view: PaperView, boxes: Boxes, narrow: bool = False) -> NDArray[np.float64]:
    """Share of each box's sides that are edges of a card; 0 where it cannot be one. A long stretch
    of edges without a break counts as much as clear sides: something may cover the rest."""
    shown, white, paper = measure_paper(view, boxes)
    sides = measure_sides(view, boxes, paper)
    seen, found = sides.shown.mean(1), sides.evidence.mean(1)
    able = enough_in_sight(shown, white)
    edges = (clearest_corner(sides) >= _LEAST_CORNER) | (
        _is_between(sides) & (np.minimum(white, paper.max(1)) >= _BETWEEN_WHITE)
    )
    able &= ((seen >= _LEAST_SIDES) & edges) | (
        (sides.stretch >= STRETCH) & (sides.within <= MOST_WITHIN)
    )
    evidence = found * (1 + _HIDDEN * (1 / np.maximum(seen, 0.05) - 1))
    stretch = np.minimum(LEAST_EVIDENCE * sides.stretch / STRETCH, SURE - 0.01)
    stretch[sides.within > MOST_WITHIN] = 0
    evidence = np.where(able, np.maximum(evidence, stretch), 0.0)
    below = may_be_below(shown, white) & (paper.max(1) >= _BELOW_LIGHT)
    below = _are_below(sides) & (below | (narrow & is_narrow(shown)))
    strips = (np.minimum(white, paper.max(1)) >= _STRIP_WHITE) & (shown >= _BELOW[0])
    below |= strips & _are_strips(sides)
    evidence[below] = np.maximum(evidence[below], LEAST_EVIDENCE)
    return evidence


def enough_in_sight(shown: NDArray[np.float64], white: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether enough of each box is in sight and paper for it to be a card.

    Parameters
    ----------
    shown, white : float arrays, shape (boxes,)
        As from `measure_paper`.

    Returns
    -------
    bool array, shape (boxes,)
    """
    return np.asarray((white >= _LEAST_PAPER) & (shown >= LEAST_SHOWN))


def may_be_below(shown: NDArray[np.float64], white: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether each box may be a card of which known cards leave only strips in sight.

    Parameters
    ----------
    shown, white : float arrays, shape (boxes,)
        As from `measure_paper`.

    Returns
    -------
    bool array, shape (boxes,)
    """
    least, most = _BELOW
    return np.asarray((shown >= least) & (shown < most) & (white >= _BELOW_WHITE))


def is_narrow(shown: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether less of each box is in sight than shows what it is.

    Parameters
    ----------
    shown : float array, shape (boxes,)
        As from `measure_paper`.

    Returns
    -------
    bool array, shape (boxes,)
    """
    return np.asarray(shown < _BELOW[0])


def clearest_corner(sides: Sides) -> NDArray[np.float64]:
    """Compute the greatest evidence that two adjacent sides of each box both have.

    Parameters
    ----------
    sides : Sides

    Returns
    -------
    float array, shape (boxes,)
    """
    after = np.roll(sides.evidence, -1, axis=1)
    return np.asarray(np.minimum(sides.evidence, after).max(1, initial=-1))


def _are_below(sides: Sides) -> NDArray[np.bool_]:
    """Whether nearly all of each box's sides in sight are edges, one side's length without a
    break."""
    share = sides.evidence.sum(1) / np.maximum(sides.shown.sum(1), _LEAST_SEEN)
    edges = (share >= _ALL_EDGES) & (sides.stretch >= _LEAST_STRETCH)
    return np.asarray(edges & (sides.within <= MOST_WITHIN))


def _are_strips(sides: Sides) -> NDArray[np.bool_]:
    """Whether two opposite sides of each box are edges where they are in sight, and known cards
    hide most of the other two."""
    share = np.where(sides.shown >= _STRIP_SHOWN, sides.evidence / np.maximum(sides.shown, 0.01), 0)
    clear = np.minimum(share[:, :2], share[:, 2:]) >= _STRIP_EDGE
    hidden = np.maximum(sides.shown[:, :2], sides.shown[:, 2:]) <= _STRIP_HIDDEN
    return np.asarray((clear & hidden[:, ::-1]).any(1))


def _is_between(sides: Sides) -> NDArray[np.bool_]:
    """Whether two opposite sides of each box are edges and known cards hide the other two."""
    clear = np.minimum(sides.evidence[:, :2], sides.evidence[:, 2:]) >= _BETWEEN
    hidden = np.maximum(sides.shown[:, :2], sides.shown[:, 2:]) <= _BETWEEN_SHOWN
    return np.asarray((clear & hidden[:, ::-1]).any(1))
