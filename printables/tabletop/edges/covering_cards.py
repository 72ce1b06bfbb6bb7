"""Cards that lie over one known card and, for the most part, under another.

Neither has such a card clear edges nor is its paper beside known cards. But it covers a part of the
lower card's symbol, so one of its edges is known: it is searched for along this edge, where its
other sides are edges of paper beside known cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.cards.card import CardLayout
from printables.tabletop.edges.card_edges import measure_paper, measure_sides
from printables.tabletop.edges.paper_view import Boxes, PaperView
from printables.tabletop.occluded_cards import on_a_card
from printables.tabletop.outlines import is_same_card
from printables.tabletop.top_view import TopView

_UNEXPLAINED, _GROWN = 0.78, 1.06
"""Least share of what is covered that no other known card covers, and scale of their outlines: bent
cards and inexact cuts move their edges. With .6 of the first, no outline in 180 photos by a third
simulator differs; the second was not varied in any measurement."""
_NEAR = 4.0
"""Distance from the edge, in long sides of a card, up to which known cards are looked at. Only
saves time."""
_STEP_MM, _END_MM = 1.0, 1.0
"""Steps along the edge, and by how far a card's end may be within the covered part of the symbol,
in millimetres. Not varied in any measurement."""
_LEAST_WHITE, _LEAST_SHOWN, _SAME = 0.6, 0.02, 0.85
"""Least share of a card's part in sight that is paper, and least share in sight; and share of a
card covered by one known card from which it is that card. Not varied in any measurement."""
_MOST_SHOWN = 0.3
"""Greatest share in sight: of other cards, paper shows the outline. In 72 careless photos by that
simulator, 11 cards have at most .25, and two that lie face down .29 and .87. In 117 photos of
straws, tape, strips of paper, glare and other things, 31 of 42 places without a card have more, and
4 of 6 cards."""
_NO_EDGE, _WITHIN, _NOT_PAPER, _LEAST_EVIDENCE = 0.5, 2.0, 2.0, -0.5
"""By how much a side in sight counts against a card where it is no edge, weight of paper beyond its
sides and of what is in sight and no paper, and least sum of these and the evidence of its sides."""
_TURNED, _AWAY = 0.5, 0.5
"""What a card counts that is turned otherwise than the nearest known one, and their distance in
long sides: cards on each other mostly lie the same way. In 156 photos by that simulator, two more
cards and six places without a card fewer are outlined with these two and the weight of no paper."""

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CoveredCard:
    """A card that was read, of whose symbol paper covers a part.

    Attributes
    ----------
    place : int
        Its index among the cards read.
    edge : float array, shape (2, 2)
        Ends of the paper's edge across the symbol, millimetres; the paper is on its right.
    covered : float array, shape (points, 2)
        Points of the symbol that the paper covers, millimetres.
    """

    place: int
    edge: Points
    covered: Points


def covering_cards(
    top: TopView,
    covered: Sequence[CoveredCard],
    read: Boxes,
    others: Boxes,
    layout: CardLayout,
) -> Boxes:
    """Find the cards that cover others, where no known card does.

    Parameters
    ----------
    top : TopView
    covered : sequence of CoveredCard
    read, others : float array, shape (cards, 4, 2)
        Outlines of the cards read, and of other known cards, millimetres.
    layout : CardLayout

    Returns
    -------
    float array, shape (cards, 4, 2)
        Outlines of other cards, millimetres.
    """
    found, reach = others, _NEAR * max(layout.width_mm, layout.height_mm)
    for below in covered:
        known = np.concatenate([np.delete(read, below.place, axis=0), found])
        near = np.abs(known.mean(1) - below.edge.mean(0)).max(1) <= reach
        known = known[near]
        if on_a_card(below.covered, _grown(known)).mean() <= 1 - _UNEXPLAINED:
            card = _likeliest(top, below.edge, read[below.place], known, layout)
            found = np.concatenate([found, card])
    return found[len(others) :]


def _grown(outlines: Boxes) -> Boxes:
    """Outlines enlarged by the error of their edges."""
    middles = outlines.mean(1, keepdims=True)
    return np.asarray(middles + _GROWN * (outlines - middles))


def _likeliest(
    top: TopView, edge: Points, lower: Points, known: Boxes, layout: CardLayout
) -> Boxes:
    """The card along an edge whose sides in sight are edges, if there is one."""
    cards = _along(edge, layout)
    top = top.near(np.concatenate([cards, lower[None]]), max(layout.width_mm, layout.height_mm))
    view = PaperView.of(top.grey, top.from_mm(known), top.px_per_mm)
    # the lower card hides only what is on its side of the edge
    free = view.free.copy()
    rest = top.from_mm(_left_of(edge, lower))
    cv2.fillConvexPoly(free, np.round(rest).astype(np.int32), 0)
    view, boxes = replace(view, free=free), top.from_mm(cards)
    shown, white, paper = measure_paper(view, boxes)
    sides = measure_sides(view, boxes, paper)
    evidence = (sides.evidence - _NO_EDGE * sides.shown).sum(1) - _WITHIN * sides.within
    evidence -= _NOT_PAPER * shown * (1 - white) + _unusual(cards, known, layout)
    able = (white >= _LEAST_WHITE) & (shown >= _LEAST_SHOWN) & (evidence >= _LEAST_EVIDENCE)
    able &= ~np.array([is_same_card(card, known, _SAME) for card in cards], bool)
    best = np.where(able, evidence, -np.inf).argmax()
    return cards[[best]] if able[best] and shown[best] <= _MOST_SHOWN else cards[:0]


def _along(edge: Points, layout: CardLayout) -> Boxes:
    """Cards on the right of an edge, of which a side extends over all of it."""
    length = float(np.linalg.norm(edge[1] - edge[0]))
    along = (edge[1] - edge[0]) / max(length, 1e-9)
    out, cards = np.array([-along[1], along[0]]), []
    for side, depth in ((layout.width_mm, layout.height_mm), (layout.height_mm, layout.width_mm)):
        for start in np.arange(length - side - _END_MM, _END_MM + 1e-6, _STEP_MM):
            first = edge[0] + start * along
            ends = np.stack([first, first + side * along])
            cards.append(np.concatenate([ends, ends[::-1] + depth * out]))
    return np.array(cards)


def _unusual(cards: Boxes, known: Boxes, layout: CardLayout) -> NDArray[np.float64]:
    """What counts against cards that do not lie as the nearest known one."""
    if not len(known):
        return np.zeros(len(cards))
    apart = np.linalg.norm(cards.mean(1)[:, None] - known.mean(1), axis=2)
    ways, other = _long_ways(cards), _long_ways(known[apart.argmin(1)])
    turned = abs((ways * other).sum(1)) < np.cos(np.pi / 4)
    away = apart.min(1) / max(layout.width_mm, layout.height_mm)
    return np.asarray(_TURNED * turned + _AWAY * away)


def _long_ways(outlines: Boxes) -> NDArray[np.float64]:
    """Unit vectors along the long sides of cards."""
    sides = np.stack([outlines[:, 1] - outlines[:, 0], outlines[:, 2] - outlines[:, 1]], 1)
    lengths = np.linalg.norm(sides, axis=2)
    rows, longer = np.arange(len(outlines)), lengths.argmax(1)
    return np.asarray(sides[rows, longer] / lengths[rows, longer, None])


def _left_of(edge: Points, outline: Points) -> Points:
    """The part of a convex outline on the left of an edge, any number of corners."""
    along = edge[1] - edge[0]
    away = (outline - edge[0]) @ np.array([along[1], -along[0]])
    corners: list[Points] = []
    for one, other in ((n, (n + 1) % len(outline)) for n in range(len(outline))):
        if away[one] >= 0:
            corners.append(outline[one])
        if (away[one] >= 0) != (away[other] >= 0):
            share = away[one] / (away[one] - away[other])
            corners.append(outline[one] + share * (outline[other] - outline[one]))
    return np.array(corners).reshape(-1, 2)
