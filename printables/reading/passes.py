"""The passes over a photo, in order: each searches for symbols that earlier passes did not read."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import compress

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from printables.cards.codes import MODULES
from printables.reading.deck.clipped_symbols import FEWEST
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.detections import Detections, ReadSymbol
from printables.reading.photos.overexposure import (
    is_overexposed,
    widen_overexposed_lines,
    widened_everywhere,
)
from printables.reading.photos.shadows import evened, has_hard_shadows
from printables.reading.symbols.blobs import MODULE_PX as BLOBS_PX
from printables.reading.symbols.dark_squares import dark_squares, poses_of_squares, squares_at
from printables.reading.symbols.decoding import Decoded, are_mirrored, right_way_round
from printables.reading.symbols.finder_patterns import find_symbols
from printables.reading.symbols.pose import Poses, maps_from_corners
from printables.reading.symbols.search import (
    SCALES,
    View,
    distinct,
    enlarged,
    find_poses,
    first_look,
)
from printables.tabletop.grouping import TablePlan
from printables.tabletop.light import paper_level
from printables.tabletop.plane import map_points
from printables.tabletop.top_view import TopView

_MOST_SEARCHES = 3
"""Most searches of a top view; each symbol found extends the area of the next. With one, 14 of 146
cards are missed in "careless" (150 cards), with two, 18 of 138 in "messenger"."""
_EXTENDED_MM = 100.0
"""Distance of a new symbol from those known before, in millimetres, from which it extends the area
enough for another search. Only saves time: none of 42 photos of "ordinary" and "careless" differs
without it."""
_MODULE_PX = 1.7
"""Pixels per module at which finder patterns are searched for. No scene tried differs at 1.3 or
2.3."""
_NEIGHBOURS_MM = 250.0
"""Search radius around a known card, in millimetres. At 125, 18 more of 150 cards of "messenger"
stay unread; no scene tried differs at 500, which searches more."""
_CLIPPED = 245
"""Grey level, of 255, from which paper counts as overexposed. At 252, 8 more of 150 cards of
"careless" stay unread; no scene tried reads other cards at 128 or 235, where larger areas are
searched."""
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


def detect_symbols(grey: NDArray[np.uint8], deck: KnownDeck | None) -> Detections:
    """Run all passes over a photo.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    deck : KnownDeck or None

    Returns
    -------
    Detections
    """
    detected = _detected(grey, widen_overexposed_lines(grey), deck)
    if not len(detected.all_corners()) and detected.overexposed is not None:
        widened = widened_everywhere(grey)
        detected = _detected(widened, widened, deck, grey)
        detected.replace_photo(grey)
    own = [symbol.how for symbol in compress(detected.symbols, detected.own)]
    if detected.overexposed is not None and "decoded" not in own and len(own) < FEWEST:
        detected.symbols = list(compress(detected.symbols, ~detected.own))
        detected.overexposed = None
    return detected


def _detected(
    grey: NDArray[np.uint8],
    widened: NDArray[np.uint8],
    deck: KnownDeck | None,
    overexposed: NDArray[np.uint8] | None = None,
) -> Detections:
    """Run all passes over a photo, those after the first with its dark lines widened."""
    detected = _decode_photo(grey, deck)
    if not _is_complete(detected):
        if overexposed is None and is_overexposed(grey):
            overexposed = grey
        before, detected.overexposed = detected.view, overexposed
        detected.replace_photo(widened)
        _search_photo(detected)
        if overexposed is None and detected.own.sum() >= FEWEST and is_overexposed(grey, True):
            detected.overexposed = grey
        _search_repeatedly(detected)
        # the edges of paper are not to be widened
        detected.replace_photo(grey, before)
    return detected


def detect_turned(grey: NDArray[np.uint8], deck: KnownDeck | None) -> tuple[Detections, bool]:
    """Run all passes over a photo, turned round if it is mirrored, as front cameras save it.

    zxing-cpp decodes mirrored symbols as well, but no other pass finds them, and the cards'
    outlines would be on the wrong side of their symbols.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    deck : KnownDeck or None

    Returns
    -------
    detected : Detections
    mirrored : bool
        Whether the photo was turned round.
    """
    detected = detect_symbols(grey, deck)
    own = list(compress(detected.symbols, detected.own))
    # cards of other decks may be a mirrored picture beside the table
    read = own or detected.symbols
    if not (_are_mirrored(detected.grey, read) if read else len(detected.unread)):
        return detected, False
    turned = detect_symbols(np.asarray(cv2.flip(grey, 1), np.uint8), deck)
    if not own and not turned.own.any() and not _is_right(turned, len(detected.symbols)):
        return detected, False
    return turned, True


def _is_right(turned: Detections, before: int) -> bool:
    """Whether a photo that was turned round has at least `before` symbols the right way round."""
    read = turned.symbols
    return bool(read) and len(read) >= before and not _are_mirrored(turned.grey, read)


def _are_mirrored(grey: NDArray[np.uint8], read: Iterable[ReadSymbol]) -> bool:
    return are_mirrored(grey, [Decoded(symbol.code, symbol.corners) for symbol in read])


def _search_repeatedly(detected: Detections) -> None:
    """Search the top view and areas of glare until nothing more is found or nothing is left."""

    def found(look: Callable[[Detections], bool]) -> bool:
        return bool(len(detected.all_corners())) and not _is_complete(detected) and look(detected)

    for _ in range(_MOST_SEARCHES):
        before = len(detected.symbols)
        if not found(_search_top_view) or not _extends(detected, before):
            break
    if found(_search_glare):
        found(_search_top_view)


def _extends(detected: Detections, before: int) -> bool:
    """Whether symbols read since there were `before` extend the area that is searched."""
    middles = detected.plan.outlines[: len(detected.symbols)].mean(1)
    if not before:
        return True
    return bool((cdist(middles[before:], middles[:before]).min(1) > _EXTENDED_MM).any())


def _is_complete(detected: Detections) -> bool:
    """Whether every card of the deck was read and there is no other paper on the table."""
    if detected.deck is None or not set(detected.deck.codes) <= {
        symbol.code for symbol in detected.symbols
    }:
        return False
    return not len(detected.blank_cards_beside(detected.plan.outlines)[0])


def _decode_photo(grey: NDArray[np.uint8], deck: KnownDeck | None) -> Detections:
    """Decode the photo, or enough of it, with zxing-cpp."""
    found, view = first_look(grey, deck is not None)
    found = right_way_round(grey, found)
    detected = Detections(grey, deck, view)
    detected.add_decoded(found, view.refined_corners(found))
    return detected


def _search_photo(detected: Detections) -> None:
    """Find symbols with a quiet zone as blobs; if there is none, by their finder patterns."""
    _search_by_blobs(detected)
    if not detected.symbols and detected.view.scale <= 1:
        # at 0.8 pixels per module, symbols are detected in the photo but cannot be read
        detected.view = enlarged(detected.grey)
        _search_by_blobs(detected)
    _search_in_shadows(detected)
    if not len(detected.all_corners()):
        _search_by_finder_patterns(detected)


def _search_by_blobs(detected: Detections) -> None:
    """Find symbols as dark blobs, at the scale of the symbols read or at several scales."""
    found = [Decoded(symbol.code, symbol.corners) for symbol in detected.symbols]
    detected.view, poses, blobs = find_poses(detected.grey, detected.view, found)
    detected.blobs = detected.view.to_photo_corners(blobs)
    detected.add_poses(poses)


def _search_in_shadows(detected: Detections) -> None:
    """Find symbols as dark blobs in a version of the photo without its hard shadows."""
    view = detected.view
    shaded = has_hard_shadows(view.grey, view.from_photo(detected.read_corners))
    if not shaded or _is_complete(detected):
        return
    even = View(evened(view.grey, BLOBS_PX), view.scale, True, evened=True)
    found = [Decoded(symbol.code, symbol.corners) for symbol in detected.symbols]
    seen = replace(detected, view=even, symbols=detected.symbols.copy())
    seen.add_poses(find_poses(seen.grey, even, found)[1])
    # grain without its shades resembles symbols that cannot be read
    detected.add_read(seen.symbols[len(found) :])


def _search_by_finder_patterns(detected: Detections) -> None:
    """Find symbols without a quiet zone by their finder patterns, at several scales."""
    looks = []
    for scale in SCALES:
        view = View.at(detected.grey, scale, False)
        poses = find_symbols(view.grey, _MODULE_PX)
        looks.append((view, distinct(poses)))
    detected.view, poses = max(looks, key=lambda look: len(look[1]))
    detected.add_poses(poses)


def _search_top_view(detected: Detections) -> bool:
    """Find symbols as dark squares in a top view of the table; returns whether any were read."""
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


def _search_glare(detected: Detections) -> bool:
    """Find symbols by their finder patterns in overexposed areas; returns whether any were read."""
    before, plan = len(detected.symbols), detected.plan
    top = detected.top.near(plan.outlines, _NEIGHBOURS_MM)
    if int(top.grey.max()) < _CLIPPED:
        return False
    paper, covered = _search_area(detected, top)
    overexposed = np.asarray(cv2.inRange(paper, _CLIPPED, 255), np.uint8)
    overexposed |= _clipped(detected, top)
    overexposed[covered > 0] = 0
    searched = overexposed & _near_light(detected, top, covered)
    parts = _parts(top, overexposed, searched, detected.layout.symbol.width)
    for poses in [_symbols_within(detected, plan, top, part, searched) for part in parts]:
        detected.add_poses(distinct(poses))
    return len(detected.symbols) > before


def _clipped(detected: Detections, top: TopView) -> NDArray[np.uint8]:
    """A mask of the places around which much of a top view is clipped, 255 or 0."""
    side = round(_CLIPPED_WINDOW * detected.layout.symbol.width * top.px_per_mm)
    share = cv2.blur(cv2.inRange(top.grey, _CLIPPED, 255), (side, side))
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
    density = _MODULE_PX * MODULES / detected.layout.symbol.width
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
    poses = find_symbols(grey, _MODULE_PX, map_points(flat, detected.read_corners), searched)
    corners = detected.view.from_photo(map_points(np.asarray(np.linalg.inv(flat)), poses.corners()))
    return Poses(maps_from_corners(corners), poses.correlation)
