"""What may hide missing cards: unread cards on others, and things on the table."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from printables.reading.detections import Detections
from printables.reading.unread.unread_cards import UnreadCards, count_missing
from printables.tabletop.edges.card_edges import covered_share
from printables.tabletop.edges.paper_colour import has_light_places
from printables.tabletop.grouping import TablePlan
from printables.tabletop.hiding.hidden_places import CloserLook, HiddenPlaces, find_hidden_places

_COVERED, _SOME = 0.1, 0.05
"""Least share of a card's edges that is not in sight for something to lie on the card, and if a
part of its symbol is not in sight either. In 10 photos of `tests/bench/bench_hidden.py`, whole
cards have up to .03, and cards of which at least a twelfth is covered have .09 to .37; pens and
coins cover less. The second was not varied in any measurement."""

_FEW = 3
"""Most cards without an outline for which only places that surely are things may hide them. At 5,
two groupings of the photos of `table_looks` are wrong without a warning; at 2, 124 instead of 119
right ones are in doubt."""


def cover_no_card(detected: Detections, missed: UnreadCards) -> NDArray[np.bool_]:
    """Whether each unread card surely has no other card under it.

    Either its edges are in sight all around, which they would not be beside a card under it, or as
    many cards are surely outlined as are missing.

    Parameters
    ----------
    detected : Detections
    missed : UnreadCards

    Returns
    -------
    bool array, shape (cards,)
        For each of `missed.outlines`.
    """
    sure, missing = missed.whole & missed.likely, count_missing(detected)
    if not sure.any() or (missing is not None and sure.sum() >= missing):
        return sure
    wanted = np.append(np.zeros(len(detected.symbols), bool), sure)
    covered = _covered_shares(detected, missed, wanted)[len(detected.symbols) :]
    return np.asarray(sure & (covered < _COVERED))


def _covered_shares(
    detected: Detections, missed: UnreadCards, wanted: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Share of the edges of each known card, read or not, that is not in sight. On a table as light
    as paper, edges are also in sight where the colour changes; this is looked up if a wanted card
    may be covered."""
    read = detected.plan.outlines[: len(detected.symbols)]
    boxes = detected.top.from_mm(np.concatenate([read, missed.outlines]))
    shares = covered_share(detected.paper, boxes)
    if detected.colours is None or not len(read) or (shares < _SOME)[wanted].all():
        return shares
    if not has_light_places(detected.paper):
        return shares
    paper = detected.colours.paper_in(detected.top, detected.plan.to_table, read)
    some = shares > 0
    shares[some] = np.minimum(shares[some], covered_share(paper, boxes, some))
    return shares


def hiding_places(
    detected: Detections,
    missed: UnreadCards,
    missing: int,
    in_doubt: Callable[[NDArray[np.float64], float], object] | None = None,
) -> tuple[HiddenPlaces, NDArray[np.float64], NDArray[np.float64]]:
    """Find places where missing cards may be hidden.

    None are found if each missing card has an outline on which nothing lies, and no object covers a
    card that was read by a part of its symbol: it may lie on a missing card, too, whose outline is
    then one of something else.

    Parameters
    ----------
    detected : Detections
    missed : UnreadCards
    missing : int
        Number of cards that were not read.
    in_doubt : function, optional
        Called with places that may hide a whole card, shape (squares, 4, 2), and the length by
        which the card may extend beyond them, both in millimetres; true if they leave groups in
        doubt. Then the places are examined more closely, if at most `_FEW` missing cards have no
        outline.

    Returns
    -------
    hidden : HiddenPlaces
    covered : float array, shape (cards, 4, 2)
        Outlines of known cards whose edges something covers; it may cover more, millimetres.
    unclear : float array, shape (squares, 4, 2)
        Those of `hidden` that leave groups in doubt: those that may hide a whole card, or none if
        as many cards are probably outlined as are missing, millimetres.
    """
    none = missed.outlines[:0]
    outlined = missed.whole.sum() >= missing
    in_part = [symbol.code in detected.in_part for symbol in detected.symbols]
    if not missing or (outlined and not any(in_part)):
        return HiddenPlaces.none(), none, none
    read, layout = detected.plan.outlines[: len(detected.symbols)], detected.layout
    short = min(layout.width_mm, layout.height_mm)
    known = np.concatenate([read, missed.outlines])
    share = _covered_shares(detected, missed, np.ones(len(known), bool))
    share[len(read) :][_beyond_photo(detected, missed.outlines)] = 0
    covered = share >= _COVERED
    if outlined and not (share[: len(read)][in_part] >= _SOME).any():
        return HiddenPlaces.none(), none, none
    # an unread card's outline may be the edge of an object that hides another card
    clear = ~covered[: len(read)]
    closer, left = None, missing - missed.likely.sum()
    if detected.colours is not None and left > 0:
        colours = partial(detected.colours.seen_in, to_table=detected.plan.to_table)
        closer = CloserLook(colours, in_doubt if left <= _FEW else None)
    hidden = find_hidden_places(detected.top, read, missed.outlines, short, clear, closer)
    unclear = hidden.wide if left > 0 else none
    return hidden, np.asarray(known[covered]), unclear


def _beyond_photo(detected: Detections, outlines: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether outlines, in millimetres, extend beyond the photo."""
    height, width = detected.grey.shape
    corners = TablePlan(detected.plan.to_table, outlines).in_photo()
    return np.asarray(((corners < 0) | (corners > [width - 1, height - 1])).any((1, 2)))
