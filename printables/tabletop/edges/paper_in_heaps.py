"""Cards in the paper that is left between other cards, as in the middle of a heap.

There, hardly any edge of an unread card borders on the table, and lines between two papers are
faint. But where cards on all sides are known, paper that none of them explains belongs to a card
that is missing: it lies where a box holds most of that paper and hardly any of the table. Such a
box tells less exactly where the card lies than edges do.
"""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.cards.card import CardLayout
from printables.tabletop.edges.box_evidence import without
from printables.tabletop.edges.left_paper import Strips
from printables.tabletop.edges.paper_view import Boxes, PaperView, count_covers
from printables.tabletop.edges.sheets import TABLE, ends_of_table, has_longer_side

_LIGHT, _MOST_WHITE = (0.86, 1.2), 0.15
"""Least and greatest light of paper, as shares of a read card's, since the reflection of a lamp is
lighter; and greatest share of the table that is as light as paper for paper to be told from it. The
numbers below were varied on 67 photos in which cards are missing (45 of them by a fifth simulator):
79 cards that nothing else outlines and 6 places without a card are outlined. At .82 of the first 80
and 19, at .9 58 and 8; at 1.1 of the second 77 and 6; at .08 of the last 74 and 5, at .25 88 and
13."""
_OPENED_PX, _TABLE_PX = 7, 7
"""Width in pixels of the strips that are no paper, as inexact cuts leave them, and of the lines
that are no table, as on sketches. At 5 of the first 76 and 10, at 9 58 and 7; at 5 of the second 69
and 6, at 9 82 and 8."""
_BESIDE_PX, _BESIDE = 5, 0.1
"""Distance in pixels within which paper is beside a known card, and least share of the paper's
contour that is. At 3 of the first 75 and 6, at 8 81 and 7; at .3 of the second 70 and 5; without
the second 83 and 7, but notes elsewhere on the table may be outlined."""
_SHARP = 0.6
"""Least share of the rest of its contour at which the table begins: the reflection of a lamp fades.
At .4 79 and 10, at .8 71 and 6."""
_MOST_AREA, _MOST_CARDS, _MOST_PAPERS = 4.0, 2, 40
"""Largest area of paper without a gap, in cards, and most cards in it: if there are more, or if it
has a straight edge that is longer than a card, it is other paper, on which cards lie. And how many
such papers are examined, the largest first, which bounds the time. At 2 of the first 76 and 5;
nothing differs at 12, or at 80 of the last. At 6 of the second two cards and one place more. In 43
photos with five white things each between, below and on cards, by somebody who looked for false
outlines, 148 instead of 168 places without a card are outlined with `_MOST_CARDS` and the limit on
straight edges (110 if heaps are not searched)."""
_EVERY, _TURN_DEG = 2, 10.0
"""Only every second pixel and a few directions of a box are tried, which saves time. With all
pixels 82 and 7, in steps of 5 degrees 80 and 7."""
_OF_TABLE, _FROM_MIDDLE = 1.5, 0.05
"""How many times as much the table in a box counts against it as paper counts for it; and how much
a long side between its middle and the paper's does, as a share of a card. At 3 of the first 80 and
9; at 0 of the second 72 and 7, at .2 75 and 4."""
_SHARE, _MOST_TABLE = 0.14, 0.01
"""Least share of a box that is such paper, and greatest share that is table. At .1 of the first 81
and 7, at .2 60 and 5; at .003 of the second 77 and 5, at .03 83 and 12."""

Mask = NDArray[np.uint8]


def cards_in_heaps(
    view: PaperView, px_per_mm: float, known: Boxes, found: Boxes, layout: CardLayout
) -> Strips:
    """Find boxes that explain the paper that is left between read cards and others that were found.

    Parameters
    ----------
    view : PaperView
        Of which `free` is 0 in read cards.
    px_per_mm : float
        Its pixels per millimetre.
    known, found : float array, shape (cards, 4, 2)
        Corners of read cards, and of others that were found, pixels.
    layout : CardLayout

    Returns
    -------
    Strips
        In pixels, those with the greatest share of such paper first; none if much of the table is
        as light as paper.
    """
    size = np.array([layout.width_mm, layout.height_mm]) * px_per_mm
    rest = without(view, found)
    left = rest.free > 0
    paper = _opened((view.light >= _LIGHT[0]) & (view.light <= _LIGHT[1]) & left, _OPENED_PX)
    if cv2.countNonZero(paper) > _MOST_WHITE * np.count_nonzero(left):
        return Strips.none()
    table, edge = _opened((view.light < TABLE) & left, _TABLE_PX), ends_of_table(rest)
    # not what is not free, since paper at the photo's border is beside no card
    cards = count_covers(left.shape, np.concatenate([known, found]))
    beside = cv2.dilate(cards, np.ones((2 * _BESIDE_PX + 1,) * 2, np.uint8))
    contours, _ = cv2.findContours(paper, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    areas = np.array([cv2.contourArea(contour) for contour in contours]) / np.prod(size)
    (able,) = np.nonzero((areas >= _SHARE / 2) & (areas <= _MOST_AREA))
    papers = [contours[n] for n in able[np.argsort(-areas[able], kind="stable")]]
    between = [
        paper
        for paper in papers
        if _is_between(paper, beside, edge) and not has_longer_side(paper, edge, size)
    ]
    found_in = (list(_cards_in(paper, table, size)) for paper in between[:_MOST_PAPERS])
    seen = [card for cards in found_in if len(cards) <= _MOST_CARDS for card in cards]
    seen.sort(key=lambda card: -card[0])
    middles, boxes = (np.array([card[part] for card in seen], float) for part in (1, 2))
    return Strips(middles.reshape(-1, 2), boxes.reshape(-1, 4, 2))


def _is_between(contour: cv2.typing.MatLike, beside: cv2.typing.MatLike, edge: Mask) -> bool:
    """Whether paper is beside cards that were read or found, and borders on the table elsewhere."""
    column, row = contour[:, 0].T
    near = beside[row, column] > 0
    ends = edge[row, column][~near]
    return bool(near.mean() >= _BESIDE and ends.sum() >= _SHARP * len(ends))


def _opened(mask: NDArray[np.bool_], width: int) -> Mask:
    """A mask without what is narrower than this."""
    square = np.ones((width, width), np.uint8)
    return np.asarray(cv2.morphologyEx(mask.view(np.uint8), cv2.MORPH_OPEN, square), np.uint8)


def _cards_in(
    contour: cv2.typing.MatLike, table: Mask, size: NDArray[np.float64]
) -> Iterator[tuple[float, NDArray[np.float64], Boxes]]:
    """One box after the other that explains paper inside a contour: the share of it that is paper,
    a point in this paper, and its corners."""
    margin = int(size.max())
    low = np.maximum(contour.min((0, 1)) - margin, 0)
    right, under = contour.max((0, 1)) + margin + 1
    around = table[low[1] : under, low[0] : right]
    whole = np.zeros(around.shape, np.uint8)
    cv2.drawContours(whole, [contour - low], 0, 1, cv2.FILLED)
    paper, other = whole[::_EVERY, ::_EVERY], around[::_EVERY, ::_EVERY]
    card = np.asarray(size / _EVERY, float)
    for _ in range(_MOST_CARDS + 1):
        if cv2.countNonZero(paper) < _SHARE * card.prod():
            break
        box = _best(paper, other, card)
        inside = np.zeros(paper.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round(box).astype(np.int32), 1)
        mine = cv2.bitwise_and(inside, paper)
        share, of_table = (
            cv2.countNonZero(mask) / card.prod() for mask in (mine, cv2.bitwise_and(inside, other))
        )
        if share < _SHARE or of_table > _MOST_TABLE:
            break
        yield float(share), _EVERY * _middle(mine) + low, _EVERY * box + low
        paper = np.asarray(cv2.subtract(paper, inside), np.uint8)


def _best(paper: Mask, table: Mask, size: NDArray[np.float64]) -> Boxes:
    """The box that holds most paper and least of the table, and is nearest to the paper."""
    wanted = paper.astype(np.float32) - np.float32(_OF_TABLE) * table
    row, column = np.indices(paper.shape, np.float32)
    middle = _middle(paper)
    away = np.hypot(column - middle[0], row - middle[1]) * (_FROM_MIDDLE / size.max())
    found = []
    for degrees in np.arange(0, 180, _TURN_DEG).tolist():
        card = cv2.boxPoints(((0.0, 0.0), size.tolist(), degrees))
        reach = int(np.ceil(np.abs(card).max()))
        kernel = np.zeros((2 * reach + 1,) * 2, np.float32)
        cv2.fillConvexPoly(
            kernel, np.round(card + reach).astype(np.int32), 1 / float(np.prod(size))
        )
        held = cv2.filter2D(wanted, cv2.CV_32F, kernel, borderType=cv2.BORDER_CONSTANT) - away
        best = np.unravel_index(held.argmax(), held.shape)
        found.append((float(held[best]), card + best[::-1]))
    return np.asarray(max(found, key=lambda one: one[0])[1], float)


def _middle(mask: cv2.typing.MatLike) -> NDArray[np.float64]:
    """The point of a mask that is nearest to its centre of mass."""
    row, column = np.nonzero(mask)
    places = np.stack([column, row], -1)
    nearest = np.linalg.norm(places - places.mean(0), axis=1).argmin()
    return places[nearest].astype(float)
