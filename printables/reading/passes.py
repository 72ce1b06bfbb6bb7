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
from printables.reading.photos.first_look import Look, look_closely
from printables.reading.photos.overexposure import (
    CLIPPED,
    clipped_level,
    is_overexposed,
    widen_overexposed_lines,
    widened_everywhere,
)
from printables.reading.photos.shadows import evened, has_hard_shadows
from printables.reading.symbols.blobs import MODULE_PX as BLOBS_PX
from printables.reading.symbols.decoding import Decoded, are_mirrored, right_way_round
from printables.reading.symbols.finder_patterns import find_symbols
from printables.reading.symbols.search import (
    SCALES,
    SIDE_PX,
    View,
    distinct,
    enlarged,
    find_poses,
    sides_of,
)
from printables.reading.table_search import MODULE_PX, search_glare, search_top_view

_MOST_SEARCHES = 3
"""Most searches of a top view; each symbol found extends the area of the next. With one, 14 of 146
cards are missed in "careless" (150 cards), with two, 18 of 138 in "messenger"."""
_MOST_GLARE_SEARCHES = 6
"""Most searches of overexposed areas, each of which extends the area of the next. In 10 photos
overexposed by two stops, by a fourth simulator, 459 instead of 425 cards are read with more than
one. Bounds the time."""
_FEW = 0.05
"""If more than this share of the deck is missing, a blurred version is searched, and all of the
photo is decoded if only a smaller version or its middle was. The limit saves time; up to that many
cards may be missed if they have gaps in their print, are much smaller than the others or have no
quiet zone. Not varied in any measurement."""
_CLOSES_GAPS = 0.35
"""Blur, in modules, that closes gaps in print. In 13 photos by a seventh simulator whose print has
gaps, 1,184 instead of 1,102 of 1,201 cards are read with this version. Not varied in any
measurement."""
_SOFTENED = 0.7
"""Blur, in modules, of the version of a photo in which all is searched again if many cards are
missing and codes are in sight that cannot be read, or none is: some apps sharpen photos until
modules have rims, and motion blur leaves stripes. In 4 careless photos of 150 cards that were
sharpened strongly, 548 instead of 397 cards are read; 520 at .6 and 554 at .8, but fewer of 540
worn cards in sharpened photos (351 at .6, 329 at .8, 288 without)."""
_EXTENDED_MM = 100.0
"""Distance of a new symbol from those known before, in millimetres, from which it extends the area
enough for another search. Saves time: without it, none of 42 photos of "ordinary" and "careless"
differs, and two more of 2,040 cards are read in 12 of "sun"."""


def detect_symbols(
    grey: NDArray[np.uint8], deck: KnownDeck | None, look: Look | None = None, quick: bool = False
) -> Detections:
    """Run all passes over a photo.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    deck : KnownDeck or None
    look : Look, optional
        What a first look at a small version of it showed.
    quick : bool
        Whether no blurred version is searched, as in a frame of a film, which others follow.

    Returns
    -------
    Detections
    """
    detected = _detected(grey, widen_overexposed_lines(grey), deck, None, look, quick)
    if not len(detected.all_corners()) and detected.overexposed is not None:
        widened = widened_everywhere(grey)
        detected = _detected(widened, widened, deck, grey, None, quick)
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
    look: Look | None = None,
    quick: bool = False,
) -> Detections:
    """Run all passes over a photo and, if more cards are read blurred, over a blurred version."""
    look = look or look_closely(grey, {} if deck is None else deck.places)
    detected, lacks_codes = _passed(grey, widened, deck, overexposed, look)
    if lacks_codes and not quick:
        softened = _blurred(grey, 1.0, detected, _SOFTENED)
        closely = look_closely(softened, {} if deck is None else deck.places)
        again, _ = _passed(softened, softened, deck, overexposed, closely)
        again.replace_photo(grey)
        detected = max(detected, again, key=_count_own)
    closer = None if look.complete else _closer_look(detected)
    if closer is None:
        return detected
    again = _detected(grey, widened, deck, overexposed, closer, quick)
    return max(detected, again, key=_count_own)


def _count_own(detected: Detections) -> int:
    """Number of cards of the deck that were read."""
    return int(detected.own.sum())


def _passed(
    grey: NDArray[np.uint8],
    widened: NDArray[np.uint8],
    deck: KnownDeck | None,
    overexposed: NDArray[np.uint8] | None,
    look: Look,
) -> tuple[Detections, bool]:
    """Run all passes over a photo, those after the first with its dark lines widened. Also whether
    many cards are missing and a blurred version may show more of them."""
    lacks_codes, detected = False, _decoded(grey, deck, look)
    if not _is_complete(detected):
        if overexposed is None and is_overexposed(grey):
            overexposed = grey
        before, detected.overexposed = detected.view, overexposed
        detected.replace_photo(widened)
        _search_photo(detected)
        if overexposed is None and detected.own.sum() >= FEWEST and is_overexposed(grey, True):
            detected.overexposed = grey
        if detected.overexposed is not None and (level := clipped_level(grey)) < CLIPPED:
            detected.replace_photo(widen_overexposed_lines(grey, clipped=level))
        _search_repeatedly(detected)
        if _lacks_many(detected):
            left = _search_blurred(detected) or len(detected.unread) or not detected.symbols
            lacks_codes = bool(left) and _lacks_many(detected)
        # the edges of paper are not to be widened
        detected.replace_photo(grey, before)
    return detected, lacks_codes


def _lacks_many(detected: Detections) -> bool:
    """Whether more than a few cards of the deck are missing."""
    deck = detected.deck
    return deck is not None and len(_missing(detected)) > _FEW * len(deck.codes)


def _missing(detected: Detections) -> set[str]:
    """Codes of the deck that were not read."""
    if detected.deck is None:
        return set()
    return set(detected.deck.codes) - {symbol.code for symbol in detected.symbols}


def _closer_look(detected: Detections) -> Look | None:
    """A look at all of the photo itself if many cards are missing and it shows some of them: they
    are much smaller than the others, or have no quiet zone."""
    if not _lacks_many(detected):
        return None
    closer, missing = look_closely(detected.grey, ()), _missing(detected)
    return closer if any(symbol.code in missing for symbol in closer.found) else None


def detect_turned(
    grey: NDArray[np.uint8], deck: KnownDeck | None, look: Look | None = None
) -> tuple[Detections, bool]:
    """Run all passes over a photo, turned round if it is mirrored, as front cameras save it.

    zxing-cpp decodes mirrored symbols as well, but no other pass finds them, and the cards'
    outlines would be on the wrong side of their symbols.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    deck : KnownDeck or None
    look : Look, optional
        As for `detect_symbols`.

    Returns
    -------
    detected : Detections
    mirrored : bool
        Whether the photo was turned round.
    """
    detected = detect_symbols(grey, deck, look)
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
    """Search the top view and areas of glare as long as a search extends the area."""

    def found(look: Callable[[Detections], bool]) -> bool:
        return bool(len(detected.all_corners())) and not _is_complete(detected) and look(detected)

    def repeat(look: Callable[[Detections], bool], most: int) -> bool:
        start = len(detected.symbols)
        for _ in range(most):
            before = len(detected.symbols)
            if not found(look) or not _extends(detected, before):
                break
        return len(detected.symbols) > start

    repeat(search_top_view, _MOST_SEARCHES)
    if repeat(search_glare, _MOST_GLARE_SEARCHES):
        found(search_top_view)


def _extends(detected: Detections, before: int) -> bool:
    """Whether symbols read since there were `before` extend the area that is searched."""
    middles = detected.plan.outlines[: len(detected.symbols)].mean(1)
    if not before:
        return True
    return bool((cdist(middles[before:], middles[:before]).min(1) > _EXTENDED_MM).any())


def _is_complete(detected: Detections) -> bool:
    """Whether every card of the deck was read and there is no other paper on the table."""
    if detected.deck is None or _missing(detected):
        return False
    return not len(detected.blank_cards_beside(detected.plan.outlines)[0])


def _decoded(grey: NDArray[np.uint8], deck: KnownDeck | None, look: Look) -> Detections:
    """The symbols decoded in a look at a photo."""
    found, view = look.of_photo(grey)
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
    # grain without its shades resembles symbols that cannot be read
    _add_read_in(detected, View(evened(view.grey, BLOBS_PX), view.scale, True, evened=True))


def _search_blurred(detected: Detections) -> bool:
    """Find symbols as dark blobs in a blurred version of the photo, in which gaps in print are
    closed; returns whether any were read."""
    if not len(detected.all_corners()):
        return False
    view, before = detected.view, len(detected.symbols)
    soft = _blurred(view.grey, view.scale, detected, _CLOSES_GAPS)
    _add_read_in(detected, View(soft, view.scale, view.known))
    return len(detected.symbols) > before


def _blurred(
    grey: NDArray[np.uint8], scale: float, detected: Detections, modules: float
) -> NDArray[np.uint8]:
    """A version of the photo at some scale, blurred by a part of the detected symbols' modules."""
    corners = detected.all_corners()
    side = np.median(sides_of(corners)) if len(corners) else SIDE_PX
    module_px = scale * float(side) / MODULES
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), modules * module_px), np.uint8)


def _add_read_in(detected: Detections, view: View) -> None:
    """Add the symbols that are read among the blobs of a changed version of the view."""
    found = [Decoded(symbol.code, symbol.corners) for symbol in detected.symbols]
    seen = replace(detected, view=view, symbols=detected.symbols.copy())
    seen.add_poses(find_poses(view.grey, view, found)[1])
    detected.add_read(seen.symbols[len(found) :])


def _search_by_finder_patterns(detected: Detections) -> None:
    """Find symbols without a quiet zone by their finder patterns, at several scales."""
    looks = []
    for scale in SCALES:
        view = View.at(detected.grey, scale, False)
        poses = find_symbols(view.grey, MODULE_PX)
        looks.append((view, distinct(poses)))
    detected.view, poses = max(looks, key=lambda look: len(look[1]))
    detected.add_poses(poses)
