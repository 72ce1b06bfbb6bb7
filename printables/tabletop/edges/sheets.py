"""Sheets of paper on the table, such as notes: their edges look like those of cards."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.tabletop.edges.card_edges import measure_sides
from printables.tabletop.edges.paper_view import Boxes, PaperView
from printables.tabletop.hiding.openings import opened_roughly

WHITE, _MOST_WHITE = 0.85, 0.15
"""Least brightness of a sheet of paper, as a share of paper's, and the share of the bare table with
that brightness above which sheets cannot be distinguished from the table. In the photos of
`refining._FINE_DEG`, two cards fewer are missed at .95 of the first and as many at .7; at .5 of the
second seven more are missed, and one photo (seed 80027) has wrong groups without a warning."""
WHITE_IN_COLOUR = 0.75
"""The first of these numbers where colours are used, since other paper than the cards' is darker
there. In the photos of `paper_colour._LIGHT`, 89 instead of 81 places without a card are outlined
at .85; if colours are not used, a stripe of glare is one sheet with cards below."""
_LEAST_SHEET, _FILLED = 1.25, 0.9
"""Least area of a sheet, in cards, and least share of its bounding rectangle that it fills; cards
that touch fill less. In the photos of `refining._FINE_DEG` one more card is missed at 1.05 of
the first; no photo differs at 2, or at .7 or .98 of the second."""
_LIGHTER, _LEAST_LIGHTER = 1.15, 0.5
"""How many times lighter than the rest of a sheet an area is that cannot be on paper, and its least
size in cards: a table in the sun is as light as paper in the shade, and cards in the sun are
lighter. In 59 photos by a second simulator one more card is outlined, and no other outline
differs, at 1.1 or 1.25 of the first either. The second was not varied in any measurement."""
_WIDE = 1.1
"""Width of the disk that fits into a sheet on which other paper or checks border, as a share of a
card's shorter side."""
_WHITE_WITHIN, _LEAST_WIDE = 0.85, 2.2
"""Least share of the bounding rectangle of the widest part of some paper that is white for that
part to be a sheet, on which other paper or checks may border, and its least area in cards: two
cards face down that touch out of line are less. In 78 photos by a fourth simulator, in which index
cards and letters lie among cards, 24 more cards are read and 92 instead of 110 places without a
card are outlined, and as many cards. Of 450 drawn cards that touch or cover one other, 445 are
found, and 422 at 1.25 of the second."""
_ALONE, _LEAST_STRETCH = 0.97, 0.6
"""Least share in sight of each side of such a sheet if no known card lies on it; else least length,
in sides, of a stretch of its edges without a break, unless its paper has an edge longer than a
card: the middle of a heap of cards is as white and as wide, but has no straight edges. With an
earlier version, without the second, 706 instead of 727 of 944 unread cards in 37
careless photos by a fifth simulator and 59 instead of 58 places without a card are outlined, and
three more cards are read. In these, it was .1 to .47 in heaps, and .63 and 3.9 of two notes; of
four sheets in photos of `bench_hidden` 1.8 to 2.5. The first was not varied in any measurement."""
_SEVERAL = 0.08
"""Greatest relative error of a rectangle's sides as multiples of a card's, for cards that lie edge
to edge and are no sheet, and of one side for cards that lie on each other along it. Not varied in
any measurement."""
TABLE, _EDGE_PX, _STRAIGHT_PX = 0.8, 3, 2.5
"""Greatest light of the table, as a share of paper's, distance in pixels within which it begins at
the edge of paper, and by how many pixels a straight edge may bend. In the photos of
`paper_in_heaps._LIGHT`, 74 cards and 7 places without a card are outlined at .75 of the first, 79
and 7 at .84; 75 and 6 at 2 of the second, 79 and 10 at 5. The last was not varied."""
_LONGER, _AT_TABLE = 1.12, 0.8
"""Length of a straight edge of paper, in long sides of a card, from which that paper is no card,
and least share of the edge at which the table begins. In drawings of letters, receipts and
envelopes with cards over two opposite sides, 109 instead of 52 of 120 are left out with this rule,
and four instead of two of 60 heaps. These numbers were not varied in any measurement."""


def leave_out_sheets(
    view: PaperView,
    outside: NDArray[np.bool_],
    size: NDArray[np.float64],
    least_white: float = WHITE,
) -> Boxes:
    """Mask rectangles of paper that are larger than a card, or cut off by the photo's edge.

    Parameters
    ----------
    view : PaperView
        Its `free` becomes 0 there.
    outside : bool array, shape (height, width)
        Where the photo shows nothing.
    size : float array, shape (2,)
        Width and height of a card, pixels.
    least_white : float
        Least brightness of a sheet, as a share of paper's.

    Returns
    -------
    float array, shape (sheets, 4, 2)
        Rectangles around the sheets, pixels.
    """
    sheets: list[cv2.typing.MatLike] = []
    white = _white(view, least_white)
    most = _MOST_WHITE * cv2.countNonZero(view.free)
    seen: cv2.typing.MatLike = white
    if cv2.countNonZero(white) > most:
        # checks and stripes of a cloth are as light as paper, but narrower than a sheet
        seen = opened_roughly(_WIDE * size.min(), white)
        if cv2.countNonZero(seen) > most:
            return np.zeros((0, 4, 2))
    seen = cv2.morphologyEx(seen, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    beyond = cv2.dilate(outside.astype(np.uint8), np.ones((9, 9), np.uint8))
    least = float(_LEAST_LIGHTER * np.prod(size))
    for paper in _large(seen, size):
        for sheet in [paper] if _is_cut(paper, beyond) else _sheets(paper, white, view, size):
            if not _has_lighter(view.light, sheet, least):
                cv2.fillConvexPoly(view.free, cv2.convexHull(sheet), 0)
                sheets.append(cv2.boxPoints(cv2.minAreaRect(sheet)))
    return np.array(sheets, float).reshape(-1, 4, 2)


def ends_of_table(view: PaperView) -> NDArray[np.uint8]:
    """Find the pixels at or next to something dark, such as the table.

    Parameters
    ----------
    view : PaperView

    Returns
    -------
    uint8 array, shape (height, width)
        1 there, 0 elsewhere.
    """
    dark = ((view.light < TABLE) & (view.free > 0)).view(np.uint8)
    return np.asarray(cv2.dilate(dark, np.ones((2 * _EDGE_PX + 1,) * 2, np.uint8)), np.uint8)


def has_longer_side(
    contour: cv2.typing.MatLike, ends: NDArray[np.uint8], size: NDArray[np.float64]
) -> bool:
    """Whether paper has a straight edge that borders on the table and is longer than a card.

    Parameters
    ----------
    contour : int array, shape (points, 1, 2)
    ends : uint8 array, shape (height, width)
        As `ends_of_table` gives it.
    size : float array, shape (2,)
        Width and height of a card, pixels.

    Returns
    -------
    bool
    """
    corners = cv2.approxPolyDP(contour, _STRAIGHT_PX, True)[:, 0].astype(float)
    sides = np.roll(corners, -1, axis=0) - corners
    long = np.hypot(*sides.T) >= _LONGER * size.max()
    along = np.linspace(0.02, 0.98, 40)[:, None, None] * sides[long] + corners[long]
    column, row = np.round(along).astype(np.intp).transpose(2, 0, 1)
    return bool((ends[row, column].mean(0) >= _AT_TABLE).any())


def _large(mask: cv2.typing.MatLike, size: NDArray[np.float64]) -> list[cv2.typing.MatLike]:
    """Contours of the parts of a mask that are larger than a card."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    least = float(_LEAST_SHEET * np.prod(size))
    return [contour for contour in contours if cv2.contourArea(contour) >= least]


def _is_cut(contour: cv2.typing.MatLike, beyond: cv2.typing.MatLike) -> bool:
    """Whether paper reaches the end of the picture, or of what the photo shows in it."""
    column, row = contour[:, 0].T
    height, width = beyond.shape
    at_end = min(column.min(), row.min()) == 0
    at_end |= column.max() == width - 1 or row.max() == height - 1
    return bool(at_end or beyond[row, column].any())


def _sheets(
    paper: cv2.typing.MatLike,
    white: NDArray[np.uint8],
    view: PaperView,
    size: NDArray[np.float64],
) -> list[cv2.typing.MatLike]:
    """The outlines of sheets in paper: its own if it is a rectangle, else those of wide parts."""
    _, sides, _ = cv2.minAreaRect(paper)
    if cv2.contourArea(paper) > _FILLED * np.prod(sides):
        return [] if _are_cards(sides, size) else [paper]
    left, over, width, height = cv2.boundingRect(paper)
    place = np.s_[over : over + height, left : left + width]
    end = np.array(white.shape[::-1]) - 1
    # a disk must not fit into the end of the picture
    part = np.pad(white[place], 2)
    wide = _large(opened_roughly(_WIDE * size.min(), part), size)
    closed = cv2.morphologyEx(part, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    rectangles = [cv2.minAreaRect(one) for one in wide]
    filled = [_white_share(one, closed, np.pad(view.free[place], 2)) for one in rectangles]
    likely = [
        cv2.boxPoints(one) + np.array([left - 2, over - 2])
        for one, share in zip(rectangles, filled, strict=True)
        if share >= _WHITE_WITHIN
        and np.prod(one[1]) >= _LEAST_WIDE * np.prod(size)
        and not _are_cards(one[1], size)
    ]
    boxes = np.array(likely, float).reshape(-1, 4, 2)
    edges = measure_sides(view, boxes)
    kept = (edges.shown.min(1, initial=1) >= _ALONE) | (edges.stretch >= _LEAST_STRETCH)
    if not kept.all() and has_longer_side(paper, ends_of_table(view), size):
        kept[:] = True
    return list(np.round(boxes[kept]).clip(0, end).astype(np.int32)[:, :, None])


def _white_share(
    rectangle: cv2.typing.RotatedRect, white: cv2.typing.MatLike, free: cv2.typing.MatLike
) -> float:
    """Share of a rectangle that is white where no known card is."""
    mask = np.zeros(white.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(cv2.boxPoints(rectangle)).astype(np.int32), 1)
    seen = cv2.bitwise_and(free, free, mask=mask)
    return cv2.countNonZero(cv2.bitwise_and(white, white, mask=seen)) / max(
        cv2.countNonZero(seen), 1
    )


def _white(view: PaperView, least: float) -> NDArray[np.uint8]:
    """Where the table is at least as light as this share of paper's light."""
    return np.asarray(cv2.bitwise_and((view.light >= least).view(np.uint8), view.free), np.uint8)


def _are_cards(sides: Sequence[float], size: NDArray[np.float64]) -> bool:
    """Whether a rectangle may be several cards, edge to edge or on each other along a side."""
    cards = np.divide.outer(sides, size)
    errors = np.abs(cards - np.round(cards))
    ways = errors.diagonal().max(), errors[:, ::-1].diagonal().max()
    return bool(min(ways) < _SEVERAL or np.abs(cards - 1).min() < _SEVERAL)


def _has_lighter(light: NDArray[np.float32], contour: cv2.typing.MatLike, least: float) -> bool:
    """Whether an area of at least this size inside a contour is much lighter than the rest, as
    paper on a table in the sun."""
    left, over, width, height = cv2.boundingRect(contour)
    mask = np.zeros((height, width), np.uint8)
    cv2.drawContours(mask, [contour], -1, 1, cv2.FILLED, offset=(-left, -over))
    inside = light[over : over + height, left : left + width][mask > 0]
    return bool((inside > _LIGHTER * np.median(inside)).sum() >= least)
