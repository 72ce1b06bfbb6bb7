"""Sheets of paper on the table, such as notes: their edges look like those of cards."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.tabletop.edges.paper_view import PaperView
from printables.tabletop.hiding.openings import opened_roughly

WHITE, _MOST_WHITE = 0.85, 0.15
"""Least brightness of a sheet of paper, as a share of paper's, and the share of the bare table with
that brightness above which sheets cannot be distinguished from the table. In the photos of
`refining._FINE_DEG`, two cards fewer are missed at .95 of the first and as many at .7; at .5
of the second seven more are missed, and one photo (seed 80027) has wrong groups without a doubt."""
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
_WIDE, _WIDE_FILLED = 1.1, 0.85
"""Width of the disk that fits into a sheet on a table of which more is white, as a share of a
card's shorter side, and least share of its bounding rectangle that it fills then: the disk leaves
out its corners, and parts of the checks beside it remain."""
_SEVERAL = 0.08
"""Greatest relative error of a rectangle's sides as multiples of a card's, for cards that lie edge
to edge and are no sheet, and of one side for cards that lie on each other along it. Not varied in
any measurement."""


def leave_out_sheets(
    view: PaperView,
    outside: NDArray[np.bool_],
    size: NDArray[np.float64],
    least_white: float = WHITE,
) -> None:
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
    """
    white, filled = _white(view, least_white), _FILLED
    most = _MOST_WHITE * cv2.countNonZero(view.free)
    if cv2.countNonZero(white) > most:
        # checks and stripes of a cloth are as light as paper, but narrower than a sheet
        white, filled = opened_roughly(_WIDE * size.min(), white), _WIDE_FILLED
        if cv2.countNonZero(white) > most:
            return
    opened = cv2.morphologyEx(white, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    least = float(_LEAST_SHEET * np.prod(size))
    large = [contour for contour in contours if cv2.contourArea(contour) >= least]
    if not large:
        return
    least = float(_LEAST_LIGHTER * np.prod(size))
    beyond = cv2.dilate(outside.astype(np.uint8), np.ones((9, 9), np.uint8))
    for contour in large:
        area, (_, sides, _) = cv2.contourArea(contour), cv2.minAreaRect(contour)
        column, row = contour[:, 0].T
        cut = beyond[row, column].any() or min(column.min(), row.min()) == 0
        cut |= column.max() == white.shape[1] - 1 or row.max() == white.shape[0] - 1
        sheet = cut or (area > filled * np.prod(sides) and not _are_cards(sides, size))
        if sheet and not _has_lighter(view.light, contour, least):
            cv2.fillConvexPoly(view.free, cv2.convexHull(contour), 0)


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
