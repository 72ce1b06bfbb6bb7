"""Searching a table of which some cards are known for the symbols of others.

In a top view, all symbols have the same size. They are dark squares framed by white; only in
overexposed areas, where paper and a light table are equally white and thin lines are lost, are they
searched for by their finder patterns.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import MODULES
from printables.reading.detections import Detections
from printables.reading.photos.overexposure import clipped_level
from printables.reading.symbols.dark_squares import dark_squares, poses_of_squares, squares_at
from printables.reading.symbols.finder_patterns import find_symbols
from printables.reading.symbols.pose import Poses, maps_from_corners
from printables.reading.symbols.search import distinct
from printables.tabletop.grouping import TablePlan
from printables.tabletop.light import paper_level
from printables.tabletop.plane import map_points
from printables.tabletop.top_view import TopView

MODULE_PX = 1.7
"""Pixels per module at which finder patterns are searched for. No scene tried differs at 1.3 or
2.3."""
_NEIGHBOURS_MM = 250.0
"""Search radius around a known card, in millimetres. At 125, 18 more of 150 cards of "messenger"
stay unread; no scene tried differs at 500, which searches more."""
_CLIPPED = 245
"""Grey level, of 255, from which paper counts as overexposed. At 252, 8 more of 150 cards of
"careless" stay unread; no scene tried reads other cards at 128 or 235, where larger areas are
searched. If the photo's clipped level is lower, that is used: in one of 4 overexposed photos by a
fourth simulator, 57 instead of 4 of 58 cards are read."""
_CLIPPED_WINDOW, _CLIPPED_SHARE = 2.0, 0.3
"""Side of a window, in sides of a symbol, and least share of its pixels with this grey level for
its middle to count as overexposed, too: a lamp's reflection may be smaller than the distance
between the read cards that show how light paper is. Without it, 7 of 400 cards in a lamp's
reflection on a white table are missed that are read with it, and five of 141 of "careless"."""
_LIGHT, _RIM_PX = 200, 5
"""Grey level, of 255, that paper has at least beside a symbol in an overexposed area; and width of
the rims of known cards that are left out, in pixels of the top view. Both only save time."""
_MOST_GLARE_PX = 24_000_000
"""Pixels of the largest overexposed area that is searched. Bounds time and memory."""

Points = NDArray[np.float64]


def search_top_view(detected: Detections) -> bool:
    """Find symbols as dark squares.

    Parameters
    ----------
    detected : Detections

    Returns
    -------
    bool
        Whether any were read.
    """
    before, plan = len(detected.symbols), detected.plan
    top = detected.top.near(plan.outlines, _NEIGHBOURS_MM)
    module_px = top.px_per_mm * detected.layout.symbol.width / MODULES
    found = top.in_mm(dark_squares(top.grey, module_px, *_search_area(detected, top)))
    squares = squares_at(detected.untried(found), detected.layout.symbol.width)
    corners = detected.view.from_photo(
        map_points(np.asarray(np.linalg.inv(plan.to_table)), squares)
    )
    poses = poses_of_squares(detected.view, corners, detected.blur())
    detected.add_poses(distinct(poses))
    return len(detected.symbols) > before


def search_glare(detected: Detections) -> bool:
    """Find symbols by their finder patterns in overexposed areas.

    Parameters
    ----------
    detected : Detections

    Returns
    -------
    bool
        Whether any were read.
    """
    before, plan = len(detected.symbols), detected.plan
    top = detected.top.near(plan.outlines, _NEIGHBOURS_MM)
    taken = detected.grey if detected.overexposed is None else detected.overexposed
    least = min(_CLIPPED, clipped_level(taken))
    if int(top.grey.max()) < least:
        return False
    paper, covered = _search_area(detected, top)
    overexposed = np.asarray(cv2.inRange(paper, least, 255), np.uint8)
    overexposed |= _clipped(detected, top, least)
    overexposed[covered > 0] = 0
    searched = overexposed & _near_light(detected, top, covered)
    parts = _parts(top, overexposed, searched, detected.layout.symbol.width)
    for poses in [_symbols_within(detected, plan, top, part, searched) for part in parts]:
        detected.add_poses(distinct(poses))
    return len(detected.symbols) > before


def _clipped(detected: Detections, top: TopView, least: int) -> NDArray[np.uint8]:
    """A mask of the places around which much of a top view is clipped, 255 or 0."""
    side = round(_CLIPPED_WINDOW * detected.layout.symbol.width * top.px_per_mm)
    share = cv2.blur(cv2.inRange(top.grey, least, 255), (side, side))
    return np.asarray(cv2.inRange(share, int(255 * _CLIPPED_SHARE), 255), np.uint8)


def _near_light(
    detected: Detections, top: TopView, covered: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """A mask of the places near something uncovered that is as light as overexposed paper."""
    light = cv2.bitwise_and(cv2.inRange(top.grey, _LIGHT, 255), cv2.bitwise_not(covered))
    # the rims of known cards are narrower than a card's paper beside its symbol
    light = cv2.morphologyEx(light, cv2.MORPH_OPEN, np.ones((_RIM_PX, _RIM_PX), np.uint8))
    reach = 2 * round(detected.layout.symbol.width * top.px_per_mm) + 1
    return np.asarray(cv2.dilate(light, np.ones((reach, reach), np.uint8)), np.uint8)


def _search_area(detected: Detections, top: TopView) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The grey level of paper in a top view, and a mask of areas that are not searched."""
    known = detected.plan.outlines[: len(detected.symbols)]
    cards = top.from_mm(known if len(known) else detected.plan.outlines).astype(np.float32)
    paper = paper_level(top.grey, cards, top.px_per_mm)
    covered = np.full(top.grey.shape, 255, np.uint8)
    reach = round(_NEIGHBOURS_MM * top.px_per_mm)
    middles = cards.mean(1, keepdims=True)
    for middle in np.round(middles[:, 0]).astype(int).tolist():
        cv2.circle(covered, middle, reach, 0, -1)
    for inside in np.round(middles + 0.95 * (cards - middles))[: len(known)].astype(np.int32):
        cv2.fillConvexPoly(covered, inside, 255)
    return paper, covered


def _parts(
    top: TopView, mask: NDArray[np.uint8], searched: NDArray[np.uint8], side_mm: float
) -> list[tuple[Points, Points]]:
    """Two corners, in millimetres, of each part of a mask that is large enough for a symbol and has
    places that are searched."""
    side = side_mm * top.px_per_mm
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((int(side / 2),) * 2)))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for contour in contours:
        left, over, width, height = cv2.boundingRect(contour)
        some = searched[over : over + height, left : left + width].any()
        if some and min(width, height) >= side:
            ends = np.array([[left, over], [left + width, over + height]], float)
            low, high = top.in_mm(ends)
            found.append((low - side_mm, high + side_mm))
    return found


def _symbols_within(
    detected: Detections,
    plan: TablePlan,
    top: TopView,
    part: tuple[Points, Points],
    mask: NDArray[np.uint8],
) -> Poses:
    """Poses of symbols by their finder patterns, in a part of the table and where a mask of the top
    view is not 0."""
    low, high = part
    density = MODULE_PX * MODULES / detected.layout.symbol.width
    size = ((high - low) * density).astype(int)
    if np.prod(size) > _MOST_GLARE_PX:
        return Poses(np.zeros((0, 2, 3)), np.zeros(0))
    onto = np.array([[density, 0, -low[0] * density], [0, density, -low[1] * density], [0, 0, 1]])
    flat = onto @ plan.to_table
    grey = np.asarray(cv2.warpPerspective(detected.grey, flat, size.tolist()), np.uint8)
    scale = density / top.px_per_mm
    shift = (top.low_mm - low) * density
    enlarged = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
    searched = np.asarray(cv2.warpAffine(mask, enlarged, size.tolist()), np.uint8)
    poses = find_symbols(grey, MODULE_PX, map_points(flat, detected.read_corners), searched)
    corners = detected.view.from_photo(map_points(np.asarray(np.linalg.inv(flat)), poses.corners()))
    return Poses(maps_from_corners(corners), poses.correlation)
