"""Finding blank cards (face down, or with an unreadable code) and scraps of paper as white areas.

In a top view of the table, a card is a white rectangle of known size. The read cards nearby show
how light paper is at each place. This method is quick and finds cards on tables that are darker
than paper; `missing_cards` finds the others by their edges.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.cards.card import CardLayout
from printables.tabletop.light import paper_level
from printables.tabletop.occluded_cards import on_a_card
from printables.tabletop.top_view import TopView

_LEAST_PX_PER_SIDE = 12
"""Length of a card's shorter side, in pixels, below which no search is made. Chosen by trial; at 40
all 11 face-down cards of "face down" (150 cards) are missed."""
_PAPER = (0.83, 0.55)
"""Least grey of paper, as shares of its level nearby: the usual threshold, and one for dark tables
and shadows. At (.70, .55) both covered cards of "things" and two of "messenger" are missed, at
(.90, .55) one in each of "things" and "careless"."""
_SIZE_TOLERANCE = 0.12
"""Greatest relative error of a rectangle's sides. No scene tried differs at .05 or .3."""
_AREA = (0.7, 1.3)
"""Least and greatest area of a white area that may be a card, in cards. Not varied in any
measurement."""
_LEAST_FILL = 0.86
"""Share of its bounding rectangle that a card fills. At .7 a gap between cards is reported in "cut"
(300 cards), with wrong groups; no scene differs at .95."""
_SLIVER_MM, _LEAST_SCRAP, _MOST_SCRAPS = 5.0, 0.04, 25
"""Least width of a scrap of paper in millimetres, its least area as a share of a card's, and the
most scraps on a table: with more, parts of the table are as white as paper ("striped", "checked").
Without the last limit "careless" (60 cards) has a false doubt."""
_MOST_WHITE = 0.12
"""Greatest share of the bare table that may be as white as paper for scraps to be paper: of a
striped cloth, more is. In 120 photos of a part of a deck (`bench_reading --first 5300 --scenes 20
--only plain,ordinary,careless --counts 12,40 --deck 300`), 25 places without a card are outlined,
at .2 32 and without the limit 50, with 60 of 88 unread cards each time; at .06, none differed."""
_RING_PX, _SHARP_FALL = 4, 0.2
"""Width of the ring around a scrap in pixels, and by how much darker it must be than the scrap, as
a share of paper's grey. Without this test "careless" and "face down" (150 cards) have false
doubts."""
_LEAST_STRIP, _BEYOND_MM = 0.25, 6.0
"""Least width of a strip of a card, as a share of the card's side across it, and distance from the
strip in millimetres at which known cards are looked for. In eight photos (`bench_reading --first
4600 --scenes 4 --only columns --counts 60,150`) 18 of 30 unread cards are outlined, 15 without
strips; at .12 of the first 19, at .4 17. The second was not varied in any measurement."""


def find_blank_cards(
    top: TopView, outlines: NDArray[np.float64], layout: CardLayout
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find white rectangles of a card's size outside the known cards.

    Parameters
    ----------
    top : TopView
    outlines : float array, shape (cards, 4, 2)
        All cards known so far, millimetres.
    layout : CardLayout

    Returns
    -------
    cards : float array, shape (cards, 4, 2)
        Corners on the table, millimetres.
    scraps : float array, shape (scraps, 4, 2)
        Corners of white areas that are too small to give the position of a card, millimetres.
    """
    none = np.zeros((0, 4, 2))
    top_view, density = top.grey, top.px_per_mm
    if density * min(layout.width_mm, layout.height_mm) < _LEAST_PX_PER_SIDE:
        return none, none
    known = top.from_mm(outlines).astype(np.float32)
    level = paper_level(top_view, known, density)
    size = np.sort([layout.width_mm, layout.height_mm]) * density
    least, most = (share * float(np.prod(size)) for share in _AREA)
    papers: list[NDArray[np.float32]] = []
    whites: list[NDArray[np.uint8]] = []
    covered = np.zeros(top_view.shape, np.uint8)
    _cover(covered, known)
    # on dark tables and at the edge of a shadow, half of paper's grey separates it from the table
    for share in _PAPER:
        whites.append(_uncovered(top_view, level, share, covered))
        contours, _ = cv2.findContours(whites[-1], cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        # a table as light as paper has thousands of contours
        sized = (contour for contour in contours if least < cv2.contourArea(contour) < most)
        whole = [contour for contour in sized if _is_card(contour, size)]
        papers += [np.asarray(cv2.boxPoints(cv2.minAreaRect(c)), np.float32) for c in whole]
        _cover(covered, np.array(papers).reshape(-1, 4, 2))
    white = np.asarray(cv2.subtract(whites[0], covered), np.uint8)
    bare = cv2.countNonZero(top_view) - cv2.countNonZero(cv2.bitwise_and(top_view, covered))
    seen = _scraps(white, size, density) if cv2.countNonZero(white) <= _MOST_WHITE * bare else []
    scraps = [
        np.asarray(cv2.boxPoints(cv2.minAreaRect(contour)), np.float32)
        for contour in seen
        if _stands_out(contour, top_view, level, covered)
    ]
    cards, rest = (
        top.in_mm(np.array(found, float).reshape(-1, 4, 2)) for found in (papers, scraps)
    )
    return cards, rest


def cards_of_strips(
    strips: NDArray[np.float64], known: NDArray[np.float64], layout: CardLayout
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Estimate the outlines of cards of which other cards leave only a strip in sight.

    A strip is as long as a side of its card. Known cards cover the rest: beyond one end of the
    strip, or beyond both, as in the middle of a fan.

    Parameters
    ----------
    strips : float array, shape (strips, 4, 2)
        Rectangles around scraps of paper, millimetres.
    known : float array, shape (cards, 4, 2)
        Outlines of known cards, millimetres.
    layout : CardLayout

    Returns
    -------
    outlines : float array, shape (cards, 4, 2)
        Millimetres.
    used : bool array, shape (strips,)
        The strips that belong to these cards, in the same order.
    """
    size = np.array([layout.width_mm, layout.height_mm])
    turned = np.stack([strips, np.roll(strips, -1, axis=1)])
    along, across = turned[:, :, 1] - turned[:, :, 0], turned[:, :, 3] - turned[:, :, 0]
    length, width = (np.linalg.norm(side, axis=2) for side in (along, across))
    errors = np.abs(length / size[:, None, None] - 1)
    full = size[::-1, None, None]
    able = (width >= _LEAST_STRIP * full) & (width <= (1 + _SIZE_TOLERANCE) * full)
    errors = np.where(able, errors, np.inf).reshape(4, -1)
    used = errors.min(0) < _SIZE_TOLERANCE
    side, turn = np.unravel_index(errors.argmin(0)[used], (2, 2))
    (places,) = np.nonzero(used)
    ahead = along[turn, places] / length[turn, places, None]
    aside, seen = across[turn, places] / width[turn, places, None], width[turn, places]
    middles, hidden = strips[places].mean(1), size[1 - side] - seen
    ends = (seen / 2 + _BEYOND_MM)[:, None] * aside
    before, after = (on_a_card(middles + way * ends, known).astype(float) for way in (-1, 1))
    middles = middles + ((after - before) * hidden / 2)[:, None] * aside
    right, down = (size[side] / 2)[:, None] * ahead, (size[1 - side] / 2)[:, None] * aside
    corners = [middles - right - down, middles + right - down]
    corners += [middles + right + down, middles - right + down]
    return np.stack(corners, 1), used


def _uncovered(
    top_view: NDArray[np.uint8],
    level: NDArray[np.uint8],
    share: float,
    covered: NDArray[np.uint8],
) -> NDArray[np.uint8]:
    """A mask of areas as white as paper outside known cards."""
    white = cv2.compare(top_view, cv2.convertScaleAbs(level, alpha=share), cv2.CMP_GT)
    white = cv2.morphologyEx(white, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    # wood grain leaves thousands of specks, and measuring each takes time
    white = cv2.morphologyEx(white, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return np.asarray(cv2.subtract(white, covered), np.uint8)


def _scraps(
    white: NDArray[np.uint8], size: NDArray[np.float64], density: float
) -> list[cv2.typing.MatLike]:
    """The white areas left without specks and slivers; empty if there are too many."""
    thick = max(round(_SLIVER_MM * density), 3)
    left = cv2.morphologyEx(white, cv2.MORPH_OPEN, np.ones((thick, thick), np.uint8))
    contours, _ = cv2.findContours(left, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    least = float(_LEAST_SCRAP * size[0] * size[1])
    scraps = [
        contour
        for contour in contours
        if cv2.contourArea(contour) > least and max(cv2.minAreaRect(contour)[1]) < 1.3 * size[1]
    ]
    return scraps if len(scraps) <= _MOST_SCRAPS else []


def _stands_out(
    contour: cv2.typing.MatLike,
    top_view: NDArray[np.uint8],
    level: NDArray[np.uint8],
    covered: NDArray[np.uint8],
) -> bool:
    """Whether the grey level drops sharply around a scrap, as it does at the edge of paper."""
    left, top, width, height = cv2.boundingRect(contour)
    corner = np.maximum([left - _RING_PX, top - _RING_PX], 0)
    part = (
        slice(corner[1], top + height + _RING_PX),
        slice(corner[0], left + width + _RING_PX),
    )
    inside = np.zeros(top_view[part].shape, np.uint8)
    cv2.drawContours(inside, [contour - corner], 0, 255, -1)
    around = cv2.dilate(inside, np.ones((2 * _RING_PX - 1,) * 2, np.uint8))
    ring = (around > 0) & (inside == 0) & (covered[part] == 0)
    if not ring.any():
        return False
    share = top_view[part] / np.maximum(level[part].astype(float), 1)
    return bool(np.median(share[inside > 0]) - np.median(share[ring]) > _SHARP_FALL)


def _cover(covered: NDArray[np.uint8], known: NDArray[np.float32]) -> None:
    """Add known cards to a mask, slightly enlarged for inexact cuts."""
    middles = known.mean(1, keepdims=True)
    for grown in np.round(middles + (known - middles) * 1.06).astype(np.int32):
        cv2.fillConvexPoly(covered, grown, 255)


def _is_card(contour: cv2.typing.MatLike, size: NDArray[np.float64]) -> bool:
    """Whether a white area is a rectangle of a card's size."""
    box = np.sort(cv2.minAreaRect(contour)[1])
    fits = (np.abs(box / size - 1) < _SIZE_TOLERANCE).all()
    return bool(fits and cv2.contourArea(contour) / np.prod(box) > _LEAST_FILL)
