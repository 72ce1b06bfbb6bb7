"""Places where a card may be hidden: under hands and things, or in a lamp's glare.

A bare table has few light levels, relative to paper at the same place: one, or its pattern's.
What lies on it or shines on it has others.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.tabletop.light import paper_level
from printables.tabletop.top_view import TopView

_LEVELS, _BRIGHTEST = 50, 60
"""Number of light levels up to the light of paper, and the highest level that is distinguished."""
_RARE, _LEAST_TONE = 0.05, 0.1
"""Share of the most frequent level's places from which a level is the table's, and the share of all
places that neighbouring levels need to be a tone of its pattern. Without hidden places, "careless"
(150 cards) has wrong groups and no doubt."""
_AROUND_MM = 150.0
"""Millimetres around read cards in which hidden cards matter to their groups."""
_RIM = 1.25
"""Growth of a known card, in its sizes, that covers its shadow and blur."""
_CELL_MM = 20.0
"""Side of the squares into which hidden places are cut, and their least width: a pen is narrower
and hides no card."""


def find_hidden_places(
    top: TopView, read: NDArray[np.float64], unread: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Find squares of the table that show neither the bare table nor a known card.

    Parameters
    ----------
    top : TopView
    read, unread : float array, shape (cards, 4, 2)
        Outlines of known cards, millimetres.

    Returns
    -------
    float array, shape (squares, 4, 2)
        Corners, millimetres.
    """
    cards = top.from_mm(read)
    level = paper_level(top.grey, cards.astype(np.float32), top.px_per_mm)
    light = cv2.blur(np.asarray(top.grey / np.maximum(level, 1).astype(np.float32)), (3, 3))
    bare = np.zeros(top.grey.shape, np.uint8)
    for card in cards:
        reach = round(_AROUND_MM * top.px_per_mm)
        cv2.circle(bare, np.round(card.mean(0)).astype(int).tolist(), reach, 1, -1)
    for card in (*cards, *top.from_mm(unread)):
        grown = card.mean(0) + _RIM * (card - card.mean(0))
        cv2.fillConvexPoly(bare, np.round(grown).astype(np.int32), 0)
    bare[top.grey == 0] = 0
    levels = np.clip(light * _LEVELS, 0, _BRIGHTEST).astype(np.uint8)
    count = np.bincount(levels[bare > 0], minlength=_BRIGHTEST + 1)
    strange = (~_of_table(count)[levels] & (bare > 0)).astype(np.uint8)
    return _squares(top, strange)


def _of_table(count: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which levels are the bare table's, from the number of places with each."""
    smooth = np.convolve(count, [0.25, 0.5, 0.25], "same")
    frequent = smooth >= max(_RARE * smooth.max(), 1)
    run = np.cumsum(np.diff(frequent, prepend=False))
    total = np.bincount(run, weights=count)
    return np.asarray(frequent & (total[run] >= _LEAST_TONE * count.sum()))


def _squares(top: TopView, mask: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Squares that cover the wide parts of a mask, in millimetres."""
    side = max(round(_CELL_MM * top.px_per_mm), 1)
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    disk = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    wide = cv2.morphologyEx(closed, cv2.MORPH_OPEN, disk)
    shares = wide.astype(np.float32)
    part = cv2.resize(shares, None, fx=1 / side, fy=1 / side, interpolation=cv2.INTER_AREA)
    row, column = np.nonzero(part > 0.5)
    corner = np.stack([column, row], -1)[:, None] * float(side)
    return top.in_mm(corner + side * np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]))
