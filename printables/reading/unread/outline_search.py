"""Searching for symbols again where cards were not read.

The outline of a card tells where its symbol is, in two or four ways in which the card may lie.
Symbols of which something covers a part are searched for, too (`part_search`).
"""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.reading.detections import Detections
from printables.reading.photos.ink import clipped_shares
from printables.reading.photos.overexposure import widen_overexposed_lines
from printables.reading.symbols.busy_places import busy_places
from printables.reading.symbols.dark_squares import poses_of_squares
from printables.reading.symbols.search import View, distinct
from printables.reading.unread.part_search import search_halves
from printables.reading.unread.unread_cards import (
    UnreadCards,
    count_missing,
    dark_places,
    find_unread_cards,
    leave_out_odd_sizes,
)
from printables.tabletop.grouping import TablePlan
from printables.tabletop.outlines import shared_part, symbol_places
from printables.tabletop.plane import map_points

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
_OTHERS = 0.2
"""Least share of the symbol of another deck's card that an outline of an unread card covers for it
to be that card's. Of cards of 88 x 58 mm, an outline of 66 x 46 mm covers .29 at least if it begins
at another edge."""

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
    leave_out_odd_sizes(detected)
    for _ in range(_MOST_SEARCHES):
        if not search_halves(detected, dark_places(detected)):
            break
    places = places_like_symbols(detected) if count_missing(detected) else np.zeros((0, 2))
    few = len(places) <= _FEW_PLACES * len(detected.symbols)
    if few:
        search_halves(detected, places)
    missed = _no_other_cards(detected, find_unread_cards(detected))
    before, plan = len(detected.symbols), detected.plan
    if search_outlines(detected, np.concatenate([missed.outlines, missed.inner])):
        missed = _left(detected, missed, before, plan)
    missed = _searched(detected, missed, dark_places(detected, missed))
    if not few and missed.likely.sum() < (count_missing(detected) or 0):
        missed = _searched(detected, missed, places)
    return _no_other_cards(detected, missed.with_uncertain(detected))


def _no_other_cards(detected: Detections, missed: UnreadCards) -> UnreadCards:
    """Leave out outlines on symbols of other decks: those cards may have another size."""
    symbols = map_points(detected.plan.to_table, detected.read_corners[~detected.own])
    kept = [all(shared_part(s, o) < _OTHERS for s in symbols) for o in missed.outlines]
    parts = ("outlines", "likely", "whole", "connecting")
    return replace(missed, **{p: getattr(missed, p)[np.array(kept, bool)] for p in parts})


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
    poses = poses_of_squares(view, view.from_photo(corners), detected.blur())
    before, seen = len(detected.symbols), replace(detected, grey=grey, view=view)
    seen.add_poses(distinct(poses))
    if len(seen.symbols) == before:
        return False
    detected.symbols, detected.unread = seen.symbols, seen.unread
    return True


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
