"""Reading a photo of cards: their codes, positions and groups.

The passes run from cheap to expensive, each only on what earlier passes left. First zxing-cpp reads
the photo, or a part or small version of it (`photos.first_look`). Then it is searched for symbols,
whose grids are fitted to a fraction of a module (`symbols.search`) and recognised among the known
deck (`deck.matching`) or decoded from grey levels (`symbols.codewords`). It is searched again where
outlines of cards (`tabletop.missing_cards`) and strips of covered ones (`blank_cards` there) say
that symbols are (`unread.outline_search`). The rest is unread.

Coordinates are pixels of the upright photo (EXIF orientation applied), x to the right and y down;
the first pixel's centre is (0, 0).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, compress

import numpy as np
from numpy.typing import NDArray

from basics.threads import Ahead
from printables.cards.card import CardLayout
from printables.cards.codes import decode, header_group
from printables.reading.advice import advise_on, hidden_findings
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.deck.unseen_cards import Frame, cards_placed, unseen_cards
from printables.reading.detections import Detections, Mirror, ReadSymbol
from printables.reading.findings import Code, Doubt, Finding, paper_findings, put_together
from printables.reading.passes import detect_symbols, detect_turned
from printables.reading.photos.colours import Colours
from printables.reading.photos.first_look import load_and_look
from printables.reading.photos.photo import MOST_BYTES, PhotoSource, file_content, load_grey
from printables.reading.threads import one_thread
from printables.reading.unread.heaps import overlaid_groups, overlapping_cards
from printables.reading.unread.hiding import cover_no_card, hiding_places
from printables.reading.unread.left_print import with_left_print
from printables.reading.unread.outline_search import search_again
from printables.reading.unread.unread_cards import count_missing
from printables.reading.wording import in_words
from printables.tabletop.doubts import (
    bridged_groups,
    close_groups,
    groups_across,
    groups_across_foreign,
    groups_beside,
)
from printables.tabletop.grouping import TablePlan, group_cards
from printables.tabletop.hiding.hidden_places import mostly_hidden_groups
from printables.tabletop.plane import map_points

_NO_PLACES = np.zeros((0, 4, 2))


@dataclass(frozen=True, eq=False)
class PhotoReading:
    """The result of reading a photo.

    Attributes
    ----------
    width, height : int
        Of the upright photo, pixels.
    symbols : tuple of ReadSymbol
        Sorted by group. A code appears twice if two cards have it.
    foreign : tuple of ReadSymbol
        Card codes that are not in the known deck: first header cards, then other decks and sets.
    unread : float array, shape (cards, 4, 2)
        Outlines of unread cards, pixels.
    findings : tuple of Finding
        Why cards were not read, and which groups are in doubt.
    plan : TablePlan or None
        Outlines of `symbols` on the table, in the same order; None if nothing was read.
    hidden : tuple of float arrays, shape (places, 4, 2)
        Where a card may be hidden, pixels: all such places, and those that may hide a whole card.
    headers_mm, foreign_mm : float arrays, shape (cards, 4, 2)
        Outlines on the table, millimetres, of the header cards in `foreign` and of its other cards,
        in the same order.
    """

    width: int
    height: int
    symbols: tuple[ReadSymbol, ...]
    foreign: tuple[ReadSymbol, ...]
    unread: NDArray[np.float64]
    findings: tuple[Finding, ...]
    plan: TablePlan | None
    hidden: tuple[NDArray[np.float64], NDArray[np.float64]] = (_NO_PLACES, _NO_PLACES)
    headers_mm: NDArray[np.float64] = field(default_factory=lambda: _NO_PLACES)
    foreign_mm: NDArray[np.float64] = field(default_factory=lambda: _NO_PLACES)

    @property
    def groups(self) -> int:
        """Number of groups among the read cards."""
        return len({symbol.group for symbol in self.symbols})

    @property
    def advice(self) -> tuple[str, ...]:
        """What to do or to check, as sentences; empty if all is well."""
        asked = (found for found in self.findings if found.code != Code.CARDS_PLACED)
        return tuple(in_words(found) for found in put_together(asked))

    @property
    def frame(self) -> Frame:
        """What the photo shows of the table."""
        codes = [symbol.code for symbol in self.symbols]
        hidden = self.hidden[0]
        return Frame(codes, self.plan, self.unread, hidden, self.width, self.height)

    @property
    def foreign_outlines(self) -> NDArray[np.float64]:
        """Outlines of the cards in `foreign`, pixels, shape (cards, 4, 2)."""
        if self.plan is None:
            return _NO_PLACES
        outlines = np.concatenate([self.headers_mm, self.foreign_mm])
        return TablePlan(self.plan.to_table, outlines).in_photo()

    @property
    def unread_mm(self) -> NDArray[np.float64]:
        """Outlines of unread cards on the table, in millimetres."""
        if self.plan is None:
            return np.zeros((0, 4, 2))
        return map_points(self.plan.to_table, self.unread)


@one_thread
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
        The cards that may be in the photo. With it, symbols can be recognised that are too small,
        too blurred or too dim to decode, and other codes are reported as foreign.
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
    content, name = file_content(photo, most_bytes)
    grey, look = load_and_look(content, deck.places if deck else (), most_bytes, name)
    colours = Colours.begun(content, most_bytes, grey.shape)
    detected, mirrored = detect_turned(grey, deck, look)
    detected.colours = colours and colours.turned(mirrored)
    reading = _reading(detected, groups)
    unseen = unseen_cards([reading.frame], reading.findings)
    reading = replace(reading, findings=(*reading.findings, *unseen))
    return _turned_back(reading) if mirrored else reading


@one_thread
def read_codes(
    photo: PhotoSource, deck: KnownDeck | None = None, most_bytes: int = MOST_BYTES
) -> PhotoReading:
    """Read only the codes in a photo and their positions.

    Cards are not grouped (their group is 0) and unread cards are not reported: for a frame of a
    live camera, that would take longer than reading the codes.

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
    detected = detect_symbols(load_grey(photo, most_bytes), deck, quick=True)
    height, width = detected.grey.shape
    if not detected.symbols:
        return PhotoReading(width, height, (), (), _NO_PLACES, (), None)
    kinds = _kinds(detected)
    ours, headers, strange = (tuple(compress(detected.symbols, kind)) for kind in kinds)
    cards, between, others = (detected.plan.outlines[: len(kinds[0])][kind] for kind in kinds)
    return PhotoReading(
        width,
        height,
        ours,
        headers + strange,
        _NO_PLACES,
        (),
        TablePlan(detected.plan.to_table, cards),
        headers_mm=between,
        foreign_mm=others,
    )


def _kinds(detected: Detections) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Which of the symbols read are cards of the deck, header cards of any deck, and others."""
    own = detected.own
    codes = (decode(symbol.code) for symbol in detected.symbols)
    headers = ~own & np.array([header_group(code) is not None for code in codes], bool)
    return own, headers, ~own & ~headers


def _turned_back(reading: PhotoReading) -> PhotoReading:
    """The reading of a photo that was turned round, in the pixels of the mirrored photo."""
    back = Mirror(reading.width)
    everything, wide = reading.hidden
    return replace(
        reading,
        symbols=back.symbols(reading.symbols),
        foreign=back.symbols(reading.foreign),
        unread=back(reading.unread),
        findings=(Finding(Code.PHOTO_MIRRORED), *map(back.finding, reading.findings)),
        plan=reading.plan and back.plan(reading.plan),
        hidden=(back(everything), back(wide)),
    )


def _reading(detected: Detections, groups: int | None) -> PhotoReading:
    """Group the cards read, and find unread cards and doubts."""
    height, width = detected.grey.shape
    if not len(detected.all_corners()):
        unread = detected.unread.corners()
        return PhotoReading(width, height, (), (), unread, advise_on(detected, unread), None)
    missed = search_again(detected)
    kinds, plan = _kinds(detected), detected.plan
    ours, *foreign = (tuple(compress(detected.symbols, kind)) for kind in kinds)
    others, scraps = missed.outlines, missed.scraps
    cards, between, strange = (plan.outlines[: len(kinds[0])][kind] for kind in kinds)
    placed = cards_placed((symbol.code for symbol in ours), detected.deck)
    missing = count_missing(detected)
    outlined = Ahead(partial(with_left_print, detected, others))
    # if every card of the deck was read, other paper and objects belong to no group
    lost = (others, scraps) if missing != 0 else (_NO_PLACES,) * 2
    # a header card is part of its group; cards of other decks are part of none
    connecting = np.concatenate([between, lost[0][missed.connecting[: len(lost[0])]]])
    labels = group_cards(cards, groups, connecting)
    across = partial(groups_across, cards, labels)
    hidden, covered, unclear = hiding_places(detected, missed, missing or 0, across)
    may_hide = np.concatenate([hidden.wide, covered])
    beside = groups_beside(cards, labels, may_hide, others)
    over = mostly_hidden_groups(labels, beside, (missing or 0) - int(missed.likely.sum()))
    alone = cover_no_card(detected, missed)[: len(lost[0])]
    sure = missing is not None and missing <= missed.likely.sum()
    unsure = (lost[0], alone, sure), lost[1], (unclear, hidden.beyond_mm), over
    doubts = [] if groups else _doubts(cards, labels, (between, strange), unsure, detected.layout)
    doubts += _heaps(cards, labels, *lost)
    order = np.argsort(labels, kind="stable")
    papers = missed.papers(missing or 0) if missing != 0 else _NO_PLACES
    unread_px, scraps_px, papers_px, hidden_px, hiding_px = (
        TablePlan(plan.to_table, at).in_photo()
        for at in (outlined.result(), lost[1], papers, hidden.squares, may_hide)
    )
    beyond = ((scraps_px < 0) | (scraps_px > [width - 1, height - 1])).any((1, 2)) & bool(missing)
    lost_px = np.concatenate([unread_px, scraps_px[beyond]])[:missing]
    paper = [*paper_findings(papers_px), *hidden_findings(detected, beside, hiding_px)]
    doubts += [] if groups else _beside_lost_cards(paper)
    return PhotoReading(
        width,
        height,
        tuple(replace(ours[place], group=int(labels[place])) for place in order),
        tuple(chain(*foreign)),
        unread_px,
        (*placed, *advise_on(detected, lost_px), *paper, *doubts),
        TablePlan(plan.to_table, cards[order]),
        (hidden_px, hiding_px),
        between,
        strange,
    )


def _doubts(
    cards: NDArray[np.float64],
    labels: NDArray[np.intp],
    foreign: tuple[NDArray[np.float64], NDArray[np.float64]],
    unclear: tuple[
        tuple[NDArray[np.float64], NDArray[np.bool_], bool],
        NDArray[np.float64],
        tuple[NDArray[np.float64], float],
        list[int],
    ],
    layout: CardLayout,
) -> list[Finding]:
    """Groups in doubt because of unread, hidden or foreign cards, scraps or narrow gaps. `foreign`
    are header cards and cards of other decks; `unclear` unread cards, which of them cover no other
    card, whether no other is missing, scraps, hidden places and how far cards may extend beyond
    them, and groups of which most cards may be hidden."""
    (others, alone, sure), scraps, (hidden, beyond), over = unclear
    headers, strange = foreign
    short = min(layout.width_mm, layout.height_mm)
    reasons = (
        (Doubt.UNREAD_BETWEEN, bridged_groups(cards, labels, others, headers, alone, sure)),
        (Doubt.FOREIGN_BETWEEN, groups_across_foreign(cards, labels, strange, others)),
        (Doubt.PAPER_BETWEEN, groups_across(cards, labels, scraps, short / 2)),
        (Doubt.HIDDEN_BETWEEN, groups_across(cards, labels, hidden, beyond)),
        (Doubt.GAP_UNCLEAR, close_groups(cards, labels, others)),
    )
    uncertain: dict[tuple[int, ...], Doubt] = {}
    for doubt, found in reasons:
        wider = [set(groups) for groups in found]
        for groups in found:
            # one of several groups that may be one is in doubt with all of them
            if len(groups) == 1 or not any(set(groups) < others for others in wider):
                uncertain.setdefault(tuple(groups), doubt)
    if over and not uncertain:
        uncertain[tuple(over)] = Doubt.HIDDEN_BETWEEN
    return [
        Finding(Code.GROUPS_UNCERTAIN, {"groups": list(groups), "reason": str(doubt)})
        for groups, doubt in uncertain.items()
    ]


def _beside_lost_cards(paper: Sequence[Finding]) -> list[Finding]:
    """Groups in doubt beside cards that may be lost since the photo is overexposed: where many are
    lost, the cards read may be anywhere in their groups."""
    lost = [finding.facts["groups"] for finding in paper if finding.facts.get("overexposed")]
    facts = {"reason": str(Doubt.HIDDEN_BETWEEN)}
    return [Finding(Code.GROUPS_UNCERTAIN, {"groups": groups} | facts) for groups in lost]


def _heaps(
    cards: NDArray[np.float64],
    labels: NDArray[np.intp],
    unread: NDArray[np.float64],
    scraps: NDArray[np.float64],
) -> list[Finding]:
    """Fans and piles, whether or not their codes can be seen."""
    piled = [{"count": count, "group": group} for count, group in overlapping_cards(cards, labels)]
    known = {pile["group"] for pile in piled}
    overlaid = [g for g in overlaid_groups(cards, labels, unread, scraps) if g not in known]
    return [
        *(Finding(Code.CARDS_PILED, facts) for facts in piled),
        *([Finding(Code.CARDS_OVERLAID, {"groups": overlaid})] if overlaid else []),
    ]
