"""The cards in a photo that were not read: their outlines on the table, and scraps of paper."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from printables.reading.deck.covered_symbols import SymbolsInPart, find_covers
from printables.reading.deck.glimpsed_cards import KINDS
from printables.reading.detections import Detections
from printables.reading.symbols.decoding import are_mirror_images
from printables.reading.symbols.pose import are_on_symbols
from printables.tabletop.blank_cards import cards_of_strips
from printables.tabletop.edges.card_edges import measure_sides
from printables.tabletop.edges.covering_cards import covering_cards
from printables.tabletop.edges.left_paper import Strips
from printables.tabletop.edges.paper_colour import has_light_places
from printables.tabletop.edges.patterns import are_of_table
from printables.tabletop.grouping import TablePlan
from printables.tabletop.missing_cards import MissingCards, find_missing_cards
from printables.tabletop.occluded_cards import dark_spots, find_occluded_cards, on_a_card
from printables.tabletop.outlines import is_same_card
from printables.tabletop.plane import map_points
from printables.tabletop.top_view import FINE_PX_PER_MM, TopView

_SAME_PLACE = 0.75
"""Greatest share of a clear outline that a card read later covers: if more, the outline is that
card's, else that of a card on it. In 27 careless photos by a second simulator, 397 instead of 390
of 527 unread cards are outlined, one grouping more is exact, and 31 instead of 30 places without a
card are outlined; 36, if unclear outlines stay, too."""
_LEAST_STRETCH = 0.7, 0.35
"""Least length, in sides, of the longest stretch of edges of a card whose symbol something covers
in part, and of one whose symbol cannot be read. In 107 photos by another simulator, 14 outlines of
the first kind belong to cards, with stretches of at least 1.0; of 17 others, 16 have at most .54.
In 136 photos by a fourth simulator, 150 instead of 162 places without a card and two cards fewer
are outlined with the second; at .7 146 such places, and 14 cards fewer than without."""
_SIZES, _FEWEST_READ = (0.8, 1.12), 3
"""Least and greatest size of an unread symbol on the table, as a share of the deck's, and fewest
symbols read from which sizes are known. In 61 photos (23 by a fourth simulator), sizes of 46 unread
symbols are between .82 and 1.05, and ten of 16 flowers of cloths have other ones."""
_RIM = 0.12
"""Share of a read card's sides beside each edge where no dark places are searched for, since the
table beside the card may be dark. At .05, a photo of "ordinary" (300 cards, seed 91) has 209 areas
to search instead of 6, and takes twice as long."""


@dataclass(frozen=True, eq=False)
class UnreadCards:
    """Unread cards and scraps of paper.

    Attributes
    ----------
    outlines : float array, shape (cards, 4, 2)
        Of unread cards, millimetres.
    scraps : float array, shape (scraps, 4, 2)
        Outlines of paper that is too small to give the position of a card, millimetres.
    strips : Strips
        Paper beside cards that none of the outlines explains, millimetres.
    heaps : Strips
        Paper between cards that neither the outlines nor `inner` explain, millimetres.
    inner : float array, shape (inner, 4, 2)
        Outlines of cards on most of which others or objects lie, millimetres, whose positions are
        less certain.
    sheets : float array, shape (sheets, 4, 2)
        Rectangles around larger sheets of paper, millimetres.
    likely : bool array, shape (cards,)
        Whether each of `outlines` is probably a card whose position is known: strips beside other
        cards show only roughly where their cards are.
    whole : bool array, shape (cards,)
        Whether each of them is a card on which no object lies.
    connecting : bool array, shape (cards,)
        Whether the groups beside each of them are probably one.
    """

    outlines: NDArray[np.float64]
    scraps: NDArray[np.float64]
    strips: Strips
    heaps: Strips
    inner: NDArray[np.float64]
    sheets: NDArray[np.float64]
    likely: NDArray[np.bool_]
    whole: NDArray[np.bool_]
    connecting: NDArray[np.bool_]

    def papers(self, missing: int) -> NDArray[np.float64]:
        """Paper to look at for missing cards, millimetres: `scraps`, and also `sheets` if fewer
        than `missing` cards are probably outlined."""
        if missing <= self.likely.sum():
            return self.scraps
        return np.concatenate([self.scraps, self.sheets])

    def beside(self, cards: NDArray[np.float64]) -> "UnreadCards":
        """Leave out those that are one of some cards, which were read since, shape (cards, 4, 2),
        millimetres."""
        other, bare = (
            np.array([not is_same_card(place, cards) for place in places], bool)
            for places in (self.outlines, self.scraps)
        )
        below = [not is_same_card(place, cards, _SAME_PLACE) for place in self.outlines]
        other |= self.connecting & np.array(below, bool)
        marks = [mark[other] for mark in (self.likely, self.whole, self.connecting)]
        inner = self.inner[[not is_same_card(place, cards) for place in self.inner]]
        found, scraps = self.outlines[other], self.scraps[bare]
        return UnreadCards(found, scraps, self.strips, self.heaps, inner, self.sheets, *marks)

    def with_uncertain(self, detected: Detections) -> "UnreadCards":
        """These, and as far as cards are missing those whose positions are less certain: `inner`,
        those that cover symbols, those whose symbols were glimpsed, and those of strips and
        heaps."""
        missing = count_missing(detected) or 0
        other = [not is_same_card(place, self.outlines, _SAME_PLACE) for place in self.inner]
        inner = self.inner[np.array(other, bool)]
        inner = inner[: max(missing - int(self.likely.sum()), 0)]
        found = np.concatenate([self.outlines, inner])
        over = _cards_on_symbols(detected, found) if len(found) < missing else found[:0]
        found = np.concatenate([found, over[: max(missing - len(found), 0)]])
        for kind in KINDS:
            seen = detected.cards_glimpsed(found, kind)
            found = np.concatenate([found, seen[: max(missing - len(found), 0)]])
        read = detected.plan.outlines[: len(detected.symbols)]
        strips = self.strips[~on_a_card(self.strips.middles, np.concatenate([read, found]))]
        # if they are more than the missing cards, some belong to other paper
        if len(strips.outlines) <= missing - len(found):
            found = np.concatenate([found, strips.outlines])
        heaps = self.heaps[~on_a_card(self.heaps.middles, np.concatenate([read, found]))]
        found = np.concatenate([found, heaps.outlines[: max(missing - len(found), 0)]])
        more = np.zeros(len(found) - len(self.outlines), bool)
        marks = [np.append(mark, more) for mark in (self.likely, self.whole, self.connecting)]
        none = Strips.none()
        return UnreadCards(found, self.scraps, none, none, inner[:0], self.sheets, *marks)


def leave_out_odd_sizes(detected: Detections) -> None:
    """Leave out unread symbols of another size than the deck's, such as flowers of a cloth.

    Parameters
    ----------
    detected : Detections
        Its `unread` are fewer then.
    """
    if not len(detected.unread) or len(detected.symbols) < _FEWEST_READ:
        return
    flat = map_points(detected.plan.to_table, detected.unread.corners())
    across, down = (flat[:, n] - flat[:, 0] for n in (1, 3))
    area = np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0])
    size = np.sqrt(area) / detected.layout.symbol.width
    detected.unread = detected.unread[(size >= _SIZES[0]) & (size <= _SIZES[1])]


def find_unread_cards(detected: Detections) -> UnreadCards:
    """Find unread cards in a photo by their symbols, their edges and their paper.

    Parameters
    ----------
    detected : Detections

    Returns
    -------
    UnreadCards
    """
    plan = detected.plan
    known = plan.outlines[: len(detected.symbols)]
    corners = detected.unread.corners()
    behind = are_mirror_images(detected.grey, detected.unread.maps)
    # their cards lie on the other sides of them
    upright, blobs = corners[~behind], detected.blobs
    blobs = blobs[~are_on_symbols(blobs.mean(1), corners[behind])]
    spoilt = np.zeros((0, 4, 2))
    if len(known):
        patches = np.concatenate([upright, blobs])
        read = TablePlan(plan.to_table, known)
        spoilt = find_occluded_cards(detected.grey, patches, read, detected.layout, len(upright))
    spoilt = spoilt[_have_edges(detected, spoilt, _LEAST_STRETCH[0])]
    # a card's paper shows its outline better than a symbol that could not be read
    alone = ~behind & ~on_a_card(map_points(plan.to_table, corners.mean(1)), spoilt)
    upright = plan.outlines[len(known) :][alone]
    if detected.deck is not None and len(known):
        upright = upright[_have_edges(detected, upright, _LEAST_STRETCH[1])]
    unread = np.concatenate([upright, spoilt])
    unread = np.concatenate([unread, detected.cards_glimpsed(unread, "row")])
    # if more were found than are missing, some are not cards
    missing, marks = count_missing(detected), np.ones((3, len(unread)), bool)
    marks[[0, 2]] = missing is None or len(unread) <= missing
    by_edges = _cards_by_edges(detected, known, unread) if len(known) else MissingCards.none()
    unread, marks = np.concatenate([unread, by_edges.outlines]), np.append(marks, by_edges.marks, 1)
    papers, scraps = detected.blank_cards_beside(np.concatenate([known, unread]))
    papers = papers[~are_of_table(papers, known, missing)]
    of_papers = np.ones((3, len(papers)), bool)
    of_papers[[0, 2]] = missing is None or len(papers) <= missing
    unread, marks = np.concatenate([unread, papers]), np.append(marks, of_papers, 1)
    hidden, used = cards_of_strips(scraps, np.concatenate([known, unread]), detected.layout)
    # if they are more than the missing cards, some belong to other paper
    if missing is not None and len(hidden) <= missing - marks[0].sum():
        unread, scraps = np.concatenate([unread, hidden]), scraps[~used]
    unsure = np.zeros((3, len(unread) - marks.shape[1]), bool)
    marks = np.append(marks, unsure, 1)
    left = by_edges.strips, by_edges.heaps, by_edges.inner, by_edges.sheets
    return UnreadCards(unread, scraps, *left, *marks)


def _have_edges(
    detected: Detections, outlines: NDArray[np.float64], least: float
) -> NDArray[np.bool_]:
    """Whether outlines from symbols, in millimetres, have edges along them: a flower on a cloth may
    look like a symbol, also with paper around it."""
    if not len(outlines):
        return np.zeros(0, bool)
    sides = measure_sides(detected.paper, detected.top.from_mm(outlines))
    return np.asarray(sides.stretch >= least)


def _cards_by_edges(
    detected: Detections, known: NDArray[np.float64], unread: NDArray[np.float64]
) -> MissingCards:
    """More unread cards, if the deck or paper on the table shows that there are any."""
    explained = np.concatenate([known, unread])
    missing = most = count_missing(detected)
    if most is not None:
        # some of them are not cards if they are more than the missing ones
        most -= len(unread) if len(unread) <= most else 0
    elif not len(unread) and not any(map(len, detected.blank_cards_beside(explained))):
        most = 0
    if most is not None and most <= 0:
        return MissingCards.none()
    view, plan = detected.view, detected.plan
    top = TopView.of(view.grey, view.scale, plan.to_table, plan.outlines, FINE_PX_PER_MM)
    colours = None
    if detected.colours is not None:
        colours = partial(detected.colours.seen_in, to_table=plan.to_table)
    if missing is not None and missing > len(detected.symbols):
        # most of the deck is not in this photo
        most = None
    light = has_light_places(detected.paper)
    return find_missing_cards(top, explained, detected.layout, most, colours, light)


def _cards_on_symbols(detected: Detections, others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cards that cover symbols which were recognised by the part in sight, none of the others."""
    deck, plan = detected.deck, detected.plan
    read = detected.symbols
    places = np.array([n for n, one in enumerate(read) if one.code in detected.in_part], np.intp)
    if deck is None or not len(places):
        return others[:0]
    modules = deck.modules[[deck.places[read[place].code] for place in places]]
    symbols = SymbolsInPart(places, detected.read_corners[places], modules)
    covered = find_covers(detected.grey, plan.to_table, symbols)
    outlines = plan.outlines[: len(read)]
    return covering_cards(detected.top, covered, outlines, others, detected.layout)


def count_missing(detected: Detections) -> int | None:
    """Count the cards of the deck that were not read; of several decks, those on this table.

    Parameters
    ----------
    detected : Detections

    Returns
    -------
    int or None
        None if there is no deck.
    """
    if detected.deck is None:
        return None
    read = {symbol.code for symbol in detected.symbols}
    return len(detected.deck.cards_laid(read) - read)


def dark_places(detected: Detections, missed: UnreadCards | None = None) -> NDArray[np.float64]:
    """Find places where a symbol may be that was not read: on the cards read, or on others.

    Parameters
    ----------
    detected : Detections
    missed : UnreadCards, optional
        The unread cards and scraps of paper, instead of the cards read.

    Returns
    -------
    float array, shape (places, 2)
        Millimetres; none if no card of a deck is missing.
    """
    if not count_missing(detected) or not detected.symbols:
        return np.zeros((0, 2))
    plan = detected.plan
    symbols = map_points(plan.to_table, detected.read_corners)
    if missed is None:
        return dark_spots(detected.top, symbols, plan.outlines[: len(symbols)], _RIM)
    papers = np.concatenate([missed.outlines, missed.scraps])
    return dark_spots(detected.top, symbols, papers, 0.0)


def outlines_read(detected: Detections) -> NDArray[np.float64]:
    """Compute the outlines of the cards read, in the photo's pixels.

    Parameters
    ----------
    detected : Detections

    Returns
    -------
    float array, shape (cards, 4, 2)
        Pixels of the photo.
    """
    plan = detected.plan
    return TablePlan(plan.to_table, plan.outlines[: len(detected.symbols)]).in_photo()
