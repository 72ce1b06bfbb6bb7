"""The passes over a photo: each reads symbols that the passes before it did not."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import MODULES
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.sighted import Sighted
from printables.reading.symbols.dark_squares import dark_squares, poses_of_squares, squares_at
from printables.reading.symbols.decoding import Decoded, decode_frame
from printables.reading.symbols.finders import find_symbols
from printables.reading.symbols.pose import Poses, maps_from_corners
from printables.reading.symbols.search import LADDER, View, distinct, enlarged, find_poses
from printables.tabletop.grouping import TablePlan
from printables.tabletop.light import paper_level
from printables.tabletop.plane import map_points
from printables.tabletop.top_view import TopView

_MOST_LOOKS = 3
"""With one look 14 of 146 cards are missed in "careless" (150 cards), with two 18 of 138 in
"messenger"."""
_MODULE_PX = 1.7
"""Pixels per module at which finder patterns are searched for. No scene tried differs at 1.3 or
2.3."""
_NEIGHBOURS_MM = 250.0
"""Search radius around a read card, in millimetres; each card found extends the search. Chosen by
trial, and not varied in any measurement since."""
_CLIPPED = 245
"""Grey level of 255 from which paper counts as overexposed. Chosen by trial, and not varied in any
measurement since."""
_MOST_BLEACHED_PX = 24_000_000
"""Pixels of the largest overexposed part that is searched, which bounds time and memory."""

Points = NDArray[np.float64]


def see_symbols(grey: NDArray[np.uint8], deck: KnownDeck | None) -> Sighted:
    """All symbols of a photo that the passes find."""
    seen = _first_look(grey, deck)
    if not _nothing_left(seen):
        _look_closely(seen)
        _look_on(seen)
    return seen


def _look_on(seen: Sighted) -> None:
    """Look again as long as that finds symbols and some may be left."""

    def found(look: Callable[[Sighted], bool]) -> bool:
        return bool(len(seen.all_corners())) and not _nothing_left(seen) and look(seen)

    # a generator stops at the first look that finds nothing
    all(found(_look_again) for _ in range(_MOST_LOOKS))
    if found(_look_into_glare):
        found(_look_again)


def _nothing_left(seen: Sighted) -> bool:
    """Whether every card of the deck was read and the table has no other paper."""
    if seen.deck is None or not set(seen.deck.codes) <= {symbol.code for symbol in seen.symbols}:
        return False
    return not len(seen.blank_cards_beside(seen.plan.outlines)[0])


def _first_look(grey: NDArray[np.uint8], deck: KnownDeck | None) -> Sighted:
    """Decode the whole photo with zxing-cpp."""
    found = decode_frame(grey)
    seen = Sighted(grey, deck, View.of(grey, found))
    seen.add_decoded(found, seen.view.settled(found))
    return seen


def _look_closely(seen: Sighted) -> None:
    """Find symbols with a white rim, at the scale of those found or at several."""
    _look_for_blobs(seen)
    if not seen.symbols and seen.view.scale <= 1:
        # at 0.8 pixels a module, the photo's own scale shows symbols that cannot be read
        seen.view = enlarged(seen.grey)
        _look_for_blobs(seen)
    if not len(seen.all_corners()):
        _look_without_rim(seen)


def _look_for_blobs(seen: Sighted) -> None:
    found = [Decoded(symbol.code, symbol.corners) for symbol in seen.symbols]
    seen.view, poses, blobs = find_poses(seen.grey, seen.view, found)
    seen.blobs = seen.view.to_photo_corners(blobs)
    seen.add_poses(poses)


def _look_without_rim(seen: Sighted) -> None:
    """Find symbols by their finder patterns at several scales, if none has a white rim."""
    looks = []
    for scale in LADDER:
        view = View.at(seen.grey, scale, False)
        poses = find_symbols(view.grey, _MODULE_PX)
        looks.append((view, distinct(poses)))
    seen.view, poses = max(looks, key=lambda look: len(look[1]))
    seen.add_poses(poses)


def _look_again(seen: Sighted) -> bool:
    """Find symbols in a top view of the table; returns whether any were read."""
    before, plan = len(seen.symbols), seen.plan
    top = seen.top.near(plan.outlines, _NEIGHBOURS_MM)
    module_px = top.px_per_mm * seen.layout.symbol.width / MODULES
    found = top.in_mm(dark_squares(top.grey, module_px, *_unexplained(seen, top)))
    squares = squares_at(seen.untried(found), seen.layout.symbol.width)
    corners = seen.view.from_photo(map_points(np.asarray(np.linalg.inv(plan.to_table)), squares))
    poses = poses_of_squares(seen.view.grey, corners, seen.blur())
    seen.add_poses(distinct(poses))
    return len(seen.symbols) > before


def _look_into_glare(seen: Sighted) -> bool:
    """Find symbols by their finder patterns where a lamp overexposes paper; returns whether any
    were read."""
    before, plan = len(seen.symbols), seen.plan
    top = seen.top.near(plan.outlines, _NEIGHBOURS_MM)
    paper, covered = _unexplained(seen, top)
    bleached = np.asarray(cv2.inRange(paper, _CLIPPED, 255), np.uint8)
    bleached[covered > 0] = 0
    parts = _parts(top, bleached, seen.layout.symbol.width)
    for poses in [_symbols_within(seen, plan, top, part, bleached) for part in parts]:
        seen.add_poses(distinct(poses))
    return len(seen.symbols) > before


def _unexplained(seen: Sighted, top: TopView) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The grey level of paper in a top view, and a mask of where no symbol can be."""
    known = seen.plan.outlines[: len(seen.symbols)]
    cards = top.from_mm(known if len(known) else seen.plan.outlines).astype(np.float32)
    paper = paper_level(top.grey, cards, top.px_per_mm)
    covered = np.full(top.grey.shape, 255, np.uint8)
    reach = round(_NEIGHBOURS_MM * top.px_per_mm)
    middles = cards.mean(1, keepdims=True)
    for middle in np.round(middles[:, 0]).astype(int).tolist():
        cv2.circle(covered, middle, reach, 0, -1)
    for inside in np.round(middles + 0.95 * (cards - middles))[: len(known)].astype(np.int32):
        cv2.fillConvexPoly(covered, inside, 255)
    return paper, covered


def _parts(top: TopView, mask: NDArray[np.uint8], side_mm: float) -> list[tuple[Points, Points]]:
    """Two corners, in millimetres, of each part of a mask that is large enough for a symbol."""
    side = side_mm * top.px_per_mm
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((int(side / 2),) * 2)))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for contour in contours:
        left, over, width, height = cv2.boundingRect(contour)
        if min(width, height) >= side:
            ends = np.array([[left, over], [left + width, over + height]], float)
            low, high = top.in_mm(ends)
            found.append((low - side_mm, high + side_mm))
    return found


def _symbols_within(
    seen: Sighted,
    plan: TablePlan,
    top: TopView,
    part: tuple[Points, Points],
    mask: NDArray[np.uint8],
) -> Poses:
    """Poses of symbols by their finder patterns in a part of the table, where a mask of the top
    view is not 0."""
    low, high = part
    density = _MODULE_PX * MODULES / seen.layout.symbol.width
    size = ((high - low) * density).astype(int)
    if np.prod(size) > _MOST_BLEACHED_PX:
        return Poses(np.zeros((0, 2, 3)), np.zeros(0))
    onto = np.array([[density, 0, -low[0] * density], [0, density, -low[1] * density], [0, 0, 1]])
    flat = onto @ plan.to_table
    grey = np.asarray(cv2.warpPerspective(seen.grey, flat, size.tolist()), np.uint8)
    scale = density / top.px_per_mm
    shift = (top.low_mm - low) * density
    enlarged = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
    searched = np.asarray(cv2.warpAffine(mask, enlarged, size.tolist()), np.uint8)
    poses = find_symbols(grey, _MODULE_PX, map_points(flat, seen.read_corners), searched)
    corners = seen.view.from_photo(map_points(np.asarray(np.linalg.inv(flat)), poses.corners()))
    return Poses(maps_from_corners(corners), poses.correlation)
