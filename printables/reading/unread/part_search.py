"""Searching for symbols of which something covers a part.

Near cards that cover each other, symbols are searched for of which only a half is in sight: where
there is much detail, and where something dark is on their paper. Finder patterns that belong to no
such half, whole or covered in part themselves, tell where unread cards lie.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import MODULES
from printables.reading.deck.cut_patterns import cut_patterns, may_be_cut
from printables.reading.deck.glimpsed_cards import Glimpse, Kind
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.deck.matching import Matches, settled_on_cards
from printables.reading.deck.placed_symbols import (
    PlacedSymbols,
    clearly_placed,
    placed_by_finders,
    placed_on_cut,
    shine_through,
    usual_turns,
)
from printables.reading.deck.visible_part import match_placed, match_visible
from printables.reading.detections import Detections
from printables.reading.symbols.half_symbols import (
    BY_PAIRS,
    BY_ROWS,
    Finders,
    HalfSymbols,
    clear_finders,
    half_symbols,
    places_of_finders,
)
from printables.reading.symbols.pose import Poses, middles_of
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

Points = NDArray[np.float64]
Kinds = Mapping[Kind, PlacedSymbols]


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
    places = places_of_finders(mosaic.grey, _MODULE_PX, mosaic.numbers)
    found = clear_finders(mosaic.grey, _MODULE_PX, places)
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
    detected.glimpsed += _cut_glimpses(detected, mosaic, places, flat)


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
    finders = finders[_add_matched(detected, deck, grey, matches, finders, to_photo)]
    beside = map_points(np.asarray(np.linalg.inv(to_photo)), detected.read_corners)
    usual = usual_turns(finders.peaks, beside)
    ways = placed_by_finders(grey, _MODULE_PX, finders, usual)
    for way, parts in enumerate(_PARTS):
        clearest = ways[way][np.argsort(ways[way].wrong, kind="stable")[:_MOST_PATTERNS]]
        matches = match_placed(grey, _MODULE_PX, clearest, deck, _read_codes(detected), parts)
        left = _add_matched(detected, deck, grey, matches, finders, to_photo)
        finders, ways = finders[left], [placed[left] for placed in ways]
    rows = half_symbols(grey, _MODULE_PX, finders, BY_ROWS)
    detected.glimpsed += _glimpses(grey, rows, finders, ways[0], to_photo)


def _read_codes(detected: Detections) -> set[str]:
    return {symbol.code for symbol in detected.symbols}


def _add_matched(
    detected: Detections,
    deck: KnownDeck,
    grey: NDArray[np.uint8],
    matches: Matches,
    finders: Finders,
    to_photo: Points,
) -> NDArray[np.bool_]:
    """Add symbols that were recognised; returns which finder patterns belong to none of them."""
    read = matches.cards >= 0
    maps = settled_on_cards(grey, matches.maps[read], deck.modules[matches.cards[read]])
    in_view = Poses(maps, matches.margin[read]).corners()
    codes = [deck.codes[card] for card in matches.cards[read]]
    detected.add_in_part(codes, map_points(to_photo, in_view), matches.margin[read])
    return finders.are_beside(in_view.mean(1), _MODULE_PX)


def _glimpses(
    grey: NDArray[np.uint8],
    rows: HalfSymbols,
    finders: Finders,
    placed: PlacedSymbols,
    to_photo: Points,
) -> list[Glimpse]:
    """Symbols that rows of finder patterns show, and then single ones."""
    rows = rows[np.argsort(-rows.correlation, kind="stable")]
    # a row begins with the upper left pattern
    sure = PlacedSymbols(rows.maps, np.zeros(len(rows), np.intp), 1 - rows.correlation)
    alone = finders.are_beside(middles_of(rows.maps), _MODULE_PX)
    found: Kinds = {"row": sure, "single": clearly_placed(placed[alone], _MODULE_PX)}
    upright = {k: one[~shine_through(grey, one.maps, finders)] for k, one in found.items()}
    return _in_photo(upright, to_photo)


def _in_photo(found: Kinds, to_photo: Points) -> list[Glimpse]:
    """Symbols by their poses."""
    return [
        Glimpse(corners, kind, pattern)
        for kind, placed in found.items()
        for corners, pattern in zip(
            map_points(to_photo, Poses(placed.maps, placed.wrong).corners()),
            map_points(to_photo, placed.middles),
            strict=True,
        )
    ]


def _cut_glimpses(
    detected: Detections,
    mosaic: Mosaic,
    places: Points,
    flat: Points,
) -> list[Glimpse]:
    """Symbols that finder patterns show which known cards cover in part."""
    known = map_points(flat @ np.linalg.inv(detected.plan.to_table), detected.plan.outlines)
    covered = mosaic.drawn(known[: len(detected.symbols)])
    places = places[may_be_cut(places, _MODULE_PX, covered)]
    on_table, _ = mosaic.on_table(places)
    read = map_points(flat, detected.read_corners)
    beside = Finders(on_table, usual_turns(on_table, read))
    new = beside.are_beside(read.mean(1), _MODULE_PX)
    shifts, usual = (on_table - places)[new], beside.turns[new]
    cut = cut_patterns(mosaic.grey, _MODULE_PX, Finders(places[new], usual), covered)
    ways, _ = placed_by_finders(mosaic.grey, _MODULE_PX, cut.finders, usual[cut.places], covered)
    maps = ways.maps.copy()
    maps[:, :, 2] += shifts[cut.places]
    placed = placed_on_cut(PlacedSymbols(maps, ways.ways, ways.wrong), _MODULE_PX)
    return _in_photo({"cut": placed}, np.asarray(np.linalg.inv(flat)))
