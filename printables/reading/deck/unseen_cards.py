"""Cards of the deck of which the photos show nothing: they may lie under another card.

A neat pile looks like its uppermost card. That cards are missing only says something about the
table if the photos show all of it, so two things are required: beside every card read there is
bare table before a photo's edge, and most of the deck was read. A photo of a part of the table
rarely has both.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import decode, header_group
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.findings import Code, Finding
from printables.tabletop.grouping import TablePlan
from printables.tabletop.plane import map_points

_MARGIN_MM = 15.0
"""Width of the bare table around a card, in millimetres. Chosen by trial, like the next two. With
48 cards in neat piles, cards are said to be nowhere in 19 of 20 photos of "plain", in 9 of 16 of
"ordinary" and in 2 of 12 of "careless", where things lie on the cards; without piles, in none of 28
photos of the whole table and in none of 32 of all groups but one."""
_MOST_UNSEEN = 0.2
"""Greatest share of the deck that is missing for the photos to show the whole table."""
_ROOM = 1.0
"""How many times as many cards as have room below a thing must be missing, and one more, for some
of them to be elsewhere. In 14 of 30 photos of piles beside a cup (seeds 700020 to 700049 of
`tests.bench.tables.pictured_with`) cards are said to be nowhere, at 2 in 8; in 5 of 69 careless
photos, at 2 in 1. In 630 photos of `tests/bench/bench_hidden.py`, where things hide all of them, in
the same 8 at both, at .7 in 10."""


@dataclass(frozen=True, eq=False)
class Frame:
    """What a photo shows of a table.

    Attributes
    ----------
    codes : sequence of str
        Of the deck's cards that were read.
    plan : TablePlan or None
        Their outlines; None if nothing was read.
    unread, hidden : float arrays, shape (places, 4, 2)
        Outlines of unread cards, and of places where a card may be hidden, pixels.
    width, height : int
        Of the photo, pixels.
    """

    codes: Sequence[str]
    plan: TablePlan | None
    unread: NDArray[np.float64]
    hidden: NDArray[np.float64]
    width: int
    height: int

    def clear(self) -> set[str]:
        """Codes of the cards beside which the photo shows the table on all sides."""
        return set(compress(self.codes, self.amid(_MARGIN_MM)))

    def amid(self, margin_mm: float) -> NDArray[np.bool_]:
        """Whether the photo shows the table on all sides of each card, as far as a margin."""
        if self.plan is None:
            return np.zeros(0, bool)
        grown = _grown(self.plan.outlines, margin_mm)
        return self._holds(TablePlan(self.plan.to_table, grown).in_photo())

    def holds_unread(self) -> bool:
        """Whether the unread cards extend nowhere beyond the photo."""
        return bool(self._holds(self.unread).all())

    def room(self) -> float:
        """How many cards the hidden places may hide, side by side."""
        if self.plan is None or not len(self.hidden):
            return 0.0
        hidden = map_points(self.plan.to_table, self.hidden)
        return float(_areas(hidden).sum() / np.median(_areas(self.plan.outlines)))

    def _holds(self, corners: NDArray[np.float64]) -> NDArray[np.bool_]:
        inside = (corners >= 0) & (corners <= [self.width - 1, self.height - 1])
        return np.asarray(inside.all((1, 2)))


def unseen_cards(frames: Sequence[Frame], findings: Sequence[Finding]) -> list[Finding]:
    """Report cards of the deck that are nowhere in photos of the whole table.

    Parameters
    ----------
    frames : sequence of Frame
    findings : sequence of Finding
        Of these photos.

    Returns
    -------
    list of Finding
        Empty if there is no deck, the photos may show only a part of the table, other paper may be
        the missing cards, or things may hide all of them.
    """
    whole = [f.facts["expected"] for f in findings if f.code == Code.CARDS_PLACED]
    expected = max(whole, default=0)
    if not expected:
        return []
    read = {code for frame in frames for code in frame.codes}
    missing = expected - sum(header_group(decode(code)) is None for code in read)
    paper = [f.facts["count"] for f in findings if f.code == Code.PAPER_UNEXPLAINED]
    unseen = missing - sum(len(frame.unread) for frame in frames) - sum(paper)
    if unseen <= 0 or missing > _MOST_UNSEEN * expected:
        return []
    hidden = any(finding.code == Code.CARDS_HIDDEN for finding in findings)
    if hidden and unseen <= 1 + _ROOM * sum(frame.room() for frame in frames):
        return []
    if read - set().union(*(frame.clear() for frame in frames)):
        return []
    if not all(frame.holds_unread() for frame in frames):
        return []
    return [Finding(Code.CARDS_UNSEEN, {"count": unseen})]


def cards_placed(codes: Iterable[str], deck: KnownDeck | None) -> list[Finding]:
    """Count the deck's cards in a photo, without header cards; of several decks, those laid there.

    Parameters
    ----------
    codes : iterable of str
        Those that were read.
    deck : KnownDeck or None

    Returns
    -------
    list of Finding
        One; empty if there is no deck.
    """
    if deck is None:
        return []
    expected = deck.cards_laid(read := set(codes))
    facts = {"placed": len(expected & read), "expected": len(expected)}
    return [Finding(Code.CARDS_PLACED, facts)]


def _areas(outlines: NDArray[np.float64]) -> NDArray[np.float64]:
    first, second = outlines[:, 2] - outlines[:, 0], outlines[:, 3] - outlines[:, 1]
    return np.asarray(abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / 2)


def _grown(outlines: NDArray[np.float64], margin_mm: float) -> NDArray[np.float64]:
    """Outlines of cards with a margin on each side."""
    right, below = (
        margin_mm * side / np.linalg.norm(side, axis=1, keepdims=True)
        for side in (outlines[:, 1] - outlines[:, 0], outlines[:, 3] - outlines[:, 0])
    )
    off = [-right - below, right - below, right + below, below - right]
    return np.asarray(outlines + np.stack(off, axis=1))
