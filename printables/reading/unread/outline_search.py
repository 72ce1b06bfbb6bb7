"""Searching for symbols again where cards were not read.

The outline of a card tells where its symbol is, in two or four ways in which the card may lie. Near
cards that cover each other, symbols are searched for of which only a half is in sight: where
there is much detail, and where something dark is on their paper. Finder patterns that belong to no
such half tell where unread cards lie.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.cards.card import CardLayout
from printables.cards.codes import MODULES
from printables.reading.deck.glimpsed_cards import (
    Glimpse,
    PlacedSymbols,
    clearly_placed,
    placed_by_finders,
)
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.deck.matching import Matches
from printables.reading.deck.visible_part import match_placed, match_visible
from printables.reading.detections import Detections
from printables.reading.photos.ink import clipped_shares
from printables.reading.photos.overexposure import widen_overexposed_lines
from printables.reading.symbols.busy_places import busy_places
from printables.reading.symbols.dark_squares import poses_of_squares
from printables.reading.symbols.half_symbols import (
    BY_PAIRS,
    BY_ROWS,
    Finders,
    HalfSymbols,
    clear_finders,
    half_symbols,
)
from printables.reading.symbols.pose import Poses
from printables.reading.symbols.search import View, distinct
from printables.reading.unread.unread_cards import (
    UnreadCards,
    count_missing,
    dark_places,
    find_unread_cards,
)
from printables.tabletop.grouping import TablePlan
from printables.tabletop.mosaic import Area, Mosaic, areas_around, moved
from printables.tabletop.plane import map_points

_MODULE_PX = 2.0
"""Pixels of a module in the top views in which halves of symbols are searched for."""
_MOST_PX = 24_000_000
"""Pixels of the largest such view. Bounds time and memory."""
_RIM = 12
"""Pixels around each part of such a view: half of a finder pattern with its separator, and more, so
that no other part is compared with it. If they show the table rather than the part's border, one
card fewer is read in 111 photos of two simulators, at 9 two fewer."""
_REACH = 1.2
"""Distance of a finder pattern from a dark place, in sides of a symbol, up to which it is searched
for. In 12 careless photos by another simulator, 2 fewer of 2,040 cards are read at 1.0, and 5 more
at 1.4, which takes longer."""
_PARTS = (None, 2)
"""How many parts of a symbol are tried in the best pose on a finder pattern, and in the second best
one; all if None. In 33 photos by a third simulator, 4 of 70 such symbols are read in the second."""
_MOST_PATTERNS = 12
"""Most single finder patterns of an area by which symbols are recognised. Bounds the time where
something is printed with such patterns: in 61 photos by that simulator, at most 4 of an area belong
to symbols that are not recognised."""
_NEAR, _WITHIN, _STEPS = 2.3, 0.8, 3
"""Scales of read cards within which, and outside which, symbols of other cards are searched for,
and places per side of a symbol. Not varied in any measurement."""
_MOST_BUSY = 0.12
"""Greatest share of these places with as much detail as symbols. Bounds the time: in 24 photos by
another simulator at most .11 have, in a photo of our own 14 %, where the search takes longer than
everything else."""
_FEW_PLACES = 1.5
"""How many of these places there may be for each card read to be searched before paper is, rather
than only if paper does not explain all missing cards. Only saves time: a sixth for 300 cards."""
_MOST_SEARCHES = 3
"""Most searches for halves of symbols on cards that were read: what one finds may show more
places. Bounds the time."""

Points = NDArray[np.float64]


def search_again(detected: Detections) -> UnreadCards:
    """Search for symbols again where cards were not read, and find the cards that remain.

    Parameters
    ----------
    detected : Detections

    Returns
    -------
    UnreadCards
    """
    for _ in range(_MOST_SEARCHES):
        if not search_halves(detected, dark_places(detected)):
            break
    places = places_like_symbols(detected) if count_missing(detected) else np.zeros((0, 2))
    few = len(places) <= _FEW_PLACES * len(detected.symbols)
    if few:
        search_halves(detected, places)
    missed = find_unread_cards(detected)
    before, plan = len(detected.symbols), detected.plan
    if search_outlines(detected, missed.outlines):
        missed = _left(detected, missed, before, plan)
    missed = _searched(detected, missed, dark_places(detected, missed))
    if not few and missed.likely.sum() < (count_missing(detected) or 0):
        missed = _searched(detected, missed, places)
    return missed.with_uncertain(detected)


def _searched(detected: Detections, missed: UnreadCards, places: Points) -> UnreadCards:
    """The unread cards that remain after halves of symbols were searched for at some places."""
    before, plan = len(detected.symbols), detected.plan
    if not search_halves(detected, places):
        return missed
    search_halves(detected, dark_places(detected))
    return _left(detected, missed, before, plan)


def _left(detected: Detections, missed: UnreadCards, before: int, plan: TablePlan) -> UnreadCards:
    """The unread cards that are left, after more symbols than `before` were read; `plan` is that
    of before."""
    if detected.plan.to_table is not plan.to_table:
        return find_unread_cards(detected)
    return missed.beside(detected.plan.outlines[before : len(detected.symbols)])


def search_outlines(detected: Detections, outlines: Points) -> bool:
    """Find symbols on cards of which only the outlines are known.

    Parameters
    ----------
    detected : Detections
    outlines : float array, shape (cards, 4, 2)
        Millimetres, clockwise, starting at any corner.

    Returns
    -------
    bool
        Whether any symbols were read.
    """
    to_photo = np.asarray(np.linalg.inv(detected.plan.to_table))
    corners = map_points(to_photo, symbol_places(outlines, detected.layout))
    if not len(corners):
        return False
    grey, view = detected.grey, detected.view
    if clipped_shares(grey, corners).any():
        grey = widen_overexposed_lines(grey, 1.0)
        view = View.at(grey, view.scale, view.known)
    poses = poses_of_squares(view.grey, view.from_photo(corners), detected.blur())
    before, seen = len(detected.symbols), replace(detected, grey=grey, view=view)
    seen.add_poses(distinct(poses))
    if len(seen.symbols) == before:
        return False
    detected.symbols, detected.unread = seen.symbols, seen.unread
    return True


def symbol_places(outlines: Points, card: CardLayout) -> Points:
    """Where the symbol of each card may be, for every way in which the card may be turned.

    Parameters
    ----------
    outlines : float array, shape (cards, 4, 2)
        Millimetres.
    card : CardLayout

    Returns
    -------
    float array, shape (places, 4, 2)
        Millimetres.
    """
    box, size = card.symbol, np.array([card.width_mm, card.height_mm])
    ends = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * box.width + [box.x, box.y]) / size
    places = []
    for turn in range(4):
        turned = np.roll(outlines, turn, axis=1)
        sides = np.stack([turned[:, 1] - turned[:, 0], turned[:, 3] - turned[:, 0]], 1)
        wide, high = np.linalg.norm(sides, axis=2).T
        # the long sides must be those of the layout
        fits = (wide - high) * (size[0] - size[1]) >= 0
        places.append((turned[:, :1] + ends @ sides)[fits])
    return np.concatenate(places)


def places_like_symbols(detected: Detections) -> Points:
    """Find places near the cards read, but not on them, with as much detail as symbols have.

    Parameters
    ----------
    detected : Detections

    Returns
    -------
    float array, shape (places, 2)
        Millimetres.
    """
    if not detected.symbols:
        return np.zeros((0, 2))
    cards = detected.plan.outlines[: len(detected.symbols)]
    middles = cards.mean(1, keepdims=True)
    low = np.floor((middles + _NEAR * (cards - middles)).min((0, 1)))
    around, within = (
        np.round(middles + size * (cards - middles) - low).astype(np.int32)
        for size in (_NEAR, _WITHIN)
    )
    across, down = around.max((0, 1)).tolist()
    near = np.zeros((down + 1, across + 1), np.uint8)
    for part, value in ((around, 255), (within, 0)):
        for card in part:
            cv2.fillConvexPoly(near, card, value)
    step = round(detected.layout.symbol.width / _STEPS)
    row, column = np.nonzero(near[::step, ::step])
    places = low + step * np.stack([column, row], -1)
    in_photo = map_points(np.asarray(np.linalg.inv(detected.plan.to_table)), places)
    busy = busy_places(detected.view, in_photo, detected.read_corners.mean(1))
    # a patterned table has as much detail nearly everywhere
    return np.asarray(places[busy & (busy.mean() <= _MOST_BUSY)])


def search_halves(detected: Detections, places: Points) -> bool:
    """Find symbols of the deck of which something covers up to a half.

    Parameters
    ----------
    detected : Detections
    places : float array, shape (places, 2)
        Where a part of such a symbol may be, millimetres.

    Returns
    -------
    bool
        Whether any symbols were read.
    """
    before = len(detected.symbols)
    if detected.deck is not None:
        density = _MODULE_PX * MODULES / detected.layout.symbol.width
        reach = _REACH * detected.layout.symbol.width
        areas = list(areas_around(places, reach, density, _MOST_PX))
        whole = sum(area.searched.size for area in areas) <= _MOST_PX
        for some in [areas] if whole else [[area] for area in areas]:
            _search_areas(detected, detected.deck, some, density)
    return len(detected.symbols) > before


def _search_areas(
    detected: Detections, deck: KnownDeck, areas: Sequence[Area], density: float
) -> None:
    """Search areas by pairs of finder patterns, then by those that are left."""
    if not areas:
        return
    flat = np.diag([density, density, 1]) @ detected.plan.to_table
    mosaic = Mosaic.of(detected.grey, flat, areas, _RIM)
    found = clear_finders(mosaic.grey, _MODULE_PX, mosaic.numbers, np.zeros((0, 2)))
    peaks, numbers = mosaic.on_table(found.peaks)
    finders = Finders(peaks, found.turns)
    clear = finders.are_beside(_middles(detected, flat), _MODULE_PX)
    for number in np.unique(numbers[clear]).tolist():
        low = areas[number].low
        mine = finders[clear & (numbers == number)]
        mine = mine[mine.are_beside(_middles(detected, flat), _MODULE_PX)]
        to_photo = np.asarray(np.linalg.inv(moved(-low) @ flat))
        within = Finders(mine.peaks - low, mine.turns)
        _search_area(detected, deck, mosaic.part(number), within, to_photo)


def _middles(detected: Detections, flat: Points) -> Points:
    """Centres of the symbols read, mapped by a homography."""
    return np.asarray(map_points(flat, detected.read_corners).mean(1))


def _search_area(
    detected: Detections,
    deck: KnownDeck,
    grey: NDArray[np.uint8],
    finders: Finders,
    to_photo: Points,
) -> None:
    """Search the picture of an area by its finder patterns."""
    found = half_symbols(grey, _MODULE_PX, finders, BY_PAIRS)
    matches = match_visible(grey, _MODULE_PX, found, deck, _read_codes(detected))
    finders = finders[_add_matched(detected, deck, matches, finders, to_photo)]
    beside = map_points(np.asarray(np.linalg.inv(to_photo)), detected.read_corners)
    ways = placed_by_finders(grey, _MODULE_PX, finders, beside)
    for way, parts in enumerate(_PARTS):
        clearest = ways[way][np.argsort(ways[way].wrong, kind="stable")[:_MOST_PATTERNS]]
        matches = match_placed(grey, _MODULE_PX, clearest, deck, _read_codes(detected), parts)
        left = _add_matched(detected, deck, matches, finders, to_photo)
        finders, ways = finders[left], [placed[left] for placed in ways]
    rows = half_symbols(grey, _MODULE_PX, finders, BY_ROWS)
    detected.glimpsed += _glimpses(rows, finders, ways[0], to_photo)


def _read_codes(detected: Detections) -> set[str]:
    return {symbol.code for symbol in detected.symbols}


def _add_matched(
    detected: Detections, deck: KnownDeck, matches: Matches, finders: Finders, to_photo: Points
) -> NDArray[np.bool_]:
    """Add symbols that were recognised; returns which finder patterns belong to none of them."""
    read = matches.cards >= 0
    in_view = Poses(matches.maps[read], matches.margin[read]).corners()
    codes = [deck.codes[card] for card in matches.cards[read]]
    detected.add_in_part(codes, map_points(to_photo, in_view), matches.margin[read])
    return finders.are_beside(in_view.mean(1), _MODULE_PX)


def _glimpses(
    rows: HalfSymbols, finders: Finders, placed: PlacedSymbols, to_photo: Points
) -> list[Glimpse]:
    """Symbols that rows of finder patterns show, and then single ones."""
    order = np.argsort(-rows.correlation, kind="stable")
    sure = Poses(rows.maps[order], rows.correlation[order]).corners()
    alone = finders.are_beside(sure.mean(1), _MODULE_PX)
    maps = clearly_placed(placed[alone], _MODULE_PX)
    other = Poses(maps, np.ones(len(maps))).corners()
    return [
        Glimpse(corners, is_sure)
        for found, is_sure in ((sure, True), (other, False))
        for corners in map_points(to_photo, found)
    ]
