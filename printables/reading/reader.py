"""Reading a photo of cards: their codes, places and groups.

The passes run from cheap to expensive, each only on what is left: zxing-cpp reads the whole photo;
then the photo is searched for likely symbols, whose grids are fitted to a fraction of a module
(`symbols.search`); these are decoded from grey levels (`symbols.codewords`) or recognised among the
known deck (`deck.matching`). Likely symbols that remain unread, and cards without a visible symbol
(`printables.tabletop.missing_cards`), are reported as unread.

Coordinates are pixels of the upright photo (EXIF orientation applied), x to the right and y down,
with the centre of the first pixel at (0, 0).
"""

from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from printables.cards.card import CardLayout
from printables.cards.codes import MODULES, decode, header_group
from printables.reading.advice import Sight, advise
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.findings import Code, Doubt, Finding
from printables.reading.passes import see_symbols
from printables.reading.photos.photo import MOST_BYTES, PhotoSource, load_grey
from printables.reading.sharpness import edge_blur, is_streaked
from printables.reading.sighted import ReadSymbol, Sighted
from printables.reading.wording import in_words
from printables.tabletop.card_edges import PaperView, cut_short
from printables.tabletop.doubts import (
    bridged_groups,
    close_groups,
    groups_across,
    groups_beside,
    overlapping_cards,
)
from printables.tabletop.grouping import TablePlan, group_cards
from printables.tabletop.hidden_places import HiddenPlaces, find_hidden_places
from printables.tabletop.light import clipped_share
from printables.tabletop.missing_cards import find_missing_cards
from printables.tabletop.occluded_cards import find_occluded_cards, on_a_card
from printables.tabletop.plane import map_points
from printables.tabletop.top_view import FINE_PX_PER_MM, TopView

_BLEACHED = 0.8
"""Share of a card that is as light as the photo can show, from which a lamp hides its code."""
_NEAR_EDGE = 0.015
"""Share of the photo's longer side within which an unread card counts as cut off by its edge: the
outline of such a card is moved inside."""


@dataclass(frozen=True, eq=False)
class PhotoReading:
    """The result of reading a photo.

    Attributes
    ----------
    width, height : int
        Of the upright photo, pixels.
    symbols : tuple of ReadSymbol
        In reading order of groups. A code appears twice if two cards have it.
    foreign : tuple of ReadSymbol
        Card codes that are not in the known deck: header cards, other decks, other sets.
    unread : float array, shape (cards, 4, 2)
        Outlines, in pixels, of unread cards.
    findings : tuple of Finding
        Missing cards and why, and doubtful groups.
    plan : TablePlan or None
        Outlines of `symbols` on the table, in the same order; None if nothing was read.
    """

    width: int
    height: int
    symbols: tuple[ReadSymbol, ...]
    foreign: tuple[ReadSymbol, ...]
    unread: NDArray[np.float64]
    findings: tuple[Finding, ...]
    plan: TablePlan | None

    @property
    def groups(self) -> int:
        """Number of groups among the read cards."""
        return len({symbol.group for symbol in self.symbols})

    @property
    def advice(self) -> tuple[str, ...]:
        """What to do or to check, as sentences; empty if there is nothing."""
        asked = (found for found in self.findings if found.code != Code.CARDS_PLACED)
        return tuple(in_words(found) for found in asked)

    @property
    def unread_mm(self) -> NDArray[np.float64]:
        """Outlines of unread cards on the table, in millimetres."""
        if self.plan is None:
            return np.zeros((0, 4, 2))
        return map_points(self.plan.to_table, self.unread)


def read_photo(
    photo: PhotoSource,
    deck: KnownDeck | None = None,
    groups: int | None = None,
    most_bytes: int = MOST_BYTES,
) -> PhotoReading:
    """Read the cards in a photo.

    Parameters
    ----------
    photo : path, bytes or uint8 array
        See `printables.reading.photos.photo.load_grey`.
    deck : KnownDeck, optional
        The cards that can be in the photo: allows recognising symbols that are too small, too
        blurred or too dim to decode, and separating foreign codes from the deck's.
    groups : int, optional
        Number of groups in the photo, if known.
    most_bytes : int
        Limit on the file's size.

    Returns
    -------
    PhotoReading

    Raises
    ------
    PaperError
        If the photo cannot be opened, or has fewer cards than groups.
    """
    return _reading(see_symbols(load_grey(photo, most_bytes), deck), groups)


def read_codes(
    photo: PhotoSource, deck: KnownDeck | None = None, most_bytes: int = MOST_BYTES
) -> PhotoReading:
    """Read only the codes in a photo and their places, as `read_photo` does.

    The cards are in no group (0), and nothing is said about unread cards: in a frame of a live
    camera, that would take longer than the codes.

    Parameters
    ----------
    photo : path, bytes or uint8 array
    deck : KnownDeck, optional
    most_bytes : int
        As for `read_photo`.

    Returns
    -------
    PhotoReading

    Raises
    ------
    PaperError
        If the photo cannot be opened.
    """
    seen = see_symbols(load_grey(photo, most_bytes), deck)
    height, width = seen.grey.shape
    own = _own(seen)
    ours, foreign = (tuple(compress(seen.symbols, kind)) for kind in (own, ~own))
    plan = None
    if len(own):
        plan = TablePlan(seen.plan.to_table, seen.plan.outlines[: len(own)][own])
    return PhotoReading(width, height, ours, foreign, np.zeros((0, 4, 2)), (), plan)


def _own(seen: Sighted) -> NDArray[np.bool_]:
    """Which of the symbols read are cards of the deck, if there is one."""
    deck = seen.deck
    return np.array([deck is None or s.code in deck.places for s in seen.symbols], bool)


def _unread_cards(seen: Sighted) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Outlines, in millimetres, of unread cards and of scraps of paper."""
    plan = seen.plan
    known = plan.outlines[: len(seen.symbols)]
    corners = seen.unread.corners()
    spoilt = np.zeros((0, 4, 2))
    if len(known):
        patches = np.concatenate([corners, seen.blobs])
        read = TablePlan(plan.to_table, known)
        spoilt = find_occluded_cards(seen.grey, patches, read, seen.layout, len(corners))
    # a card's paper shows its outline better than a symbol that could not be read
    alone = ~on_a_card(map_points(plan.to_table, corners.mean(1)), spoilt)
    unread = np.concatenate([plan.outlines[len(known) :][alone], spoilt])
    if len(known):
        unread = np.concatenate([unread, _cards_by_edges(seen, known, unread)])
    papers, scraps = seen.blank_cards_beside(np.concatenate([known, unread]))
    return np.concatenate([unread, papers]), scraps


def _cards_by_edges(
    seen: Sighted, known: NDArray[np.float64], unread: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Outlines of further unread cards, if the deck or paper on the table says that there are."""
    explained = np.concatenate([known, unread])
    placed, most = _placed(seen.symbols, seen.deck), None
    if placed:
        most = placed[0].facts["expected"] - placed[0].facts["placed"] - len(unread)
    elif not len(unread) and not any(map(len, seen.blank_cards_beside(explained))):
        most = 0
    if most is not None and most <= 0:
        return np.zeros((0, 4, 2))
    view, plan = seen.view, seen.plan
    top = TopView.of(view.grey, view.scale, plan.to_table, plan.outlines, FINE_PX_PER_MM)
    return find_missing_cards(top, explained, seen.layout, most)


def _advice(seen: Sighted, unread: NDArray[np.float64]) -> tuple[Finding, ...]:
    """Advice on reading the cards with these outlines in the photo."""
    corners = seen.all_corners()
    if len(corners) and not len(unread):
        return ()
    blur = edge_blur(seen.grey)
    if not len(corners):
        return advise(0, 0, Sight(None, blur))
    side = np.median(np.linalg.norm(corners[:, 0] - corners[:, 2], axis=1)) / 2**0.5
    height, width = seen.grey.shape
    near = _NEAR_EDGE * max(height, width)
    over = ((unread < near) | (unread > np.array([width, height]) - near)).any((1, 2))
    bleached = sum(clipped_share(seen.grey, outline) > _BLEACHED for outline in unread)
    cut = _cut_short(seen, unread[~over])
    streaked = is_streaked(seen.grey, corners)
    sight = Sight(float(side) / MODULES, blur, streaked, int(over.sum()), bleached, cut)
    return advise(len(unread), len(seen.unread), sight)


def _cut_short(seen: Sighted, unread: NDArray[np.float64]) -> int:
    """How many unread cards, outlines in pixels, scissors cut too short."""
    top, read = seen.top, seen.plan.outlines[: len(seen.symbols)]
    if not len(read) or not len(unread):
        return 0
    view = PaperView.of(top.grey, top.from_mm(read), top.px_per_mm)
    boxes = top.from_mm(map_points(seen.plan.to_table, unread))
    return int(cut_short(view, boxes).sum())


def _reading(seen: Sighted, groups: int | None) -> PhotoReading:
    height, width = seen.grey.shape
    deck, layout = seen.deck, seen.layout
    own = _own(seen)
    ours, foreign = (list(compress(seen.symbols, kind)) for kind in (own, ~own))
    if not len(seen.all_corners()):
        unread = seen.unread.corners()
        return PhotoReading(width, height, (), (), unread, _advice(seen, unread), None)
    plan = seen.plan
    others, scraps = _unread_cards(seen)
    cards, between = (plan.outlines[: len(own)][kind] for kind in (own, ~own))
    labels = group_cards(cards, groups, np.concatenate([between, others]))
    order = np.argsort(labels, kind="stable")
    ringed = TablePlan(plan.to_table, others).in_photo()
    placed = _placed(ours, deck)
    missing = placed[0].facts["expected"] - placed[0].facts["placed"] if placed else None
    hidden = HiddenPlaces.none()
    if missing is not None and missing > len(others):
        short = min(layout.width_mm, layout.height_mm)
        hidden = find_hidden_places(seen.top, plan.outlines[: len(own)], others, short)
    doubts = (
        _doubts(cards, labels, (others, scraps, hidden.squares), layout) if groups is None else []
    )
    torn = TablePlan(plan.to_table, scraps).in_photo()
    paper = _unexplained(torn) if missing != 0 else []
    beyond = ((torn < 0) | (torn > [width - 1, height - 1])).any((1, 2)) & bool(missing)
    paper += _hidden(groups_beside(cards, labels, hidden.wide, others))
    findings = (*placed, *_advice(seen, np.concatenate([ringed, torn[beyond]])), *paper, *doubts)
    return PhotoReading(
        width,
        height,
        tuple(replace(ours[card], group=int(labels[card])) for card in order),
        tuple(foreign),
        ringed,
        findings,
        TablePlan(plan.to_table, cards[order]),
    )


def _placed(ours: list[ReadSymbol], deck: KnownDeck | None) -> list[Finding]:
    """Number of the deck's cards in the photo, without header cards."""
    if deck is None:
        return []
    expected = [code for code in deck.codes if header_group(decode(code)) is None]
    placed = {symbol.code for symbol in ours} & set(expected)
    return [Finding(Code.CARDS_PLACED, {"placed": len(placed), "expected": len(expected)})]


def _unexplained(scraps: NDArray[np.float64]) -> list[Finding]:
    if not len(scraps):
        return []
    places = np.round(scraps, 1).tolist()
    return [Finding(Code.PAPER_UNEXPLAINED, {"count": len(scraps), "places": places})]


def _hidden(groups: list[int]) -> list[Finding]:
    return [Finding(Code.CARDS_HIDDEN, {"groups": groups})] if groups else []


def _doubts(
    cards: NDArray[np.float64],
    labels: NDArray[np.intp],
    unread: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]],
    layout: CardLayout,
) -> list[Finding]:
    """Groups in doubt because of unread or hidden cards, scraps or narrow gaps; and overlaps."""
    others, scraps, hidden = unread
    short, long = sorted((layout.width_mm, layout.height_mm))
    reasons = (
        (Doubt.UNREAD_BETWEEN, bridged_groups(cards, labels, others)),
        (Doubt.PAPER_BETWEEN, groups_across(cards, labels, scraps, short)),
        (Doubt.HIDDEN_BETWEEN, groups_across(cards, labels, hidden, long)),
        (Doubt.GAP_UNCLEAR, close_groups(cards, labels)),
    )
    uncertain: dict[tuple[int, ...], Doubt] = {}
    for doubt, found in reasons:
        for groups in found:
            uncertain.setdefault(tuple(groups), doubt)
    piled = [{"count": count, "group": group} for count, group in overlapping_cards(cards, labels)]
    return [
        *(
            Finding(Code.GROUPS_UNCERTAIN, {"groups": list(groups), "reason": str(doubt)})
            for groups, doubt in uncertain.items()
        ),
        *(Finding(Code.CARDS_PILED, facts) for facts in piled),
    ]
