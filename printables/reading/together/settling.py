"""What photos of one table leave open together.

A photo shows a part of the table. Cards that it cuts off or that something covers look like paper
without a readable card, or like an object that may hide a card, although another photo reads them.
The photos are joined by the cards that they share, and what a photo reports about a place that a
card read in another photo takes is dropped. So is paper that is an unread card in another photo,
and an unread card if most photos that show its place show none there: the outline of a card that
the photo's edge cuts off is often wrong. Groups that only such a place connected are separated. All
else stays.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import decode, header_group
from printables.reading.findings import Code, Doubt, Finding
from printables.reading.reader import PhotoReading
from printables.reading.together.placing import place_photos
from printables.reading.together.view import NOWHERE, PhotoView, Places, as_places, paper_of
from printables.reading.unread.heaps import overlaid_groups
from printables.tabletop.doubts import (
    ROUGH_MM,
    bridged_groups,
    groups_across,
    groups_beside,
)
from printables.tabletop.grouping import TablePlan, group_cards
from printables.tabletop.hiding.hidden_places import mostly_hidden_groups
from printables.tabletop.outlines import shared_part
from printables.tabletop.plane import map_points

_COVERED = 0.4
"""Share of a place that cards read in other photos must cover to explain it."""
_RIM_MM = 10.0
"""Error of a place on the joined table, in millimetres; cards are enlarged by it."""


def settle(readings: Sequence[PhotoReading]) -> list[PhotoReading]:
    """Drop what other photos of the same table explain.

    Parameters
    ----------
    readings : sequence of PhotoReading
        Photos of one table, read with its deck. Those that contradict the others are not changed.

    Returns
    -------
    list of PhotoReading
        With the findings, unread cards and hidden places that remain, but not cards that are
        nowhere in one photo, since others may show them. If the photos together show the whole
        deck, none remain except doubts about gaps, and cards that overlap. Of a group
        that falls apart, the largest part keeps its number, and the others get new ones.
    """
    if sum(reading.plan is not None for reading in readings) < 2:
        return list(readings)
    cards, placements = place_photos(readings)
    if not all(placement.agrees for placement in placements):
        agreeing = [one for one, at in zip(readings, placements, strict=True) if at.agrees]
        together = iter(settle(agreeing))
        pairs = zip(readings, placements, strict=True)
        return [next(together) if at.agrees else one for one, at in pairs]
    whole = _is_whole(readings)
    views = [PhotoView.of(*photo) for photo in zip(readings, placements, strict=True)]
    unread = [NOWHERE if view is None else view.unread for view in views]
    refuted = [np.array([_is_refuted(at, views) for at in places], bool) for places in unread]
    left = [places[~wrong] for places, wrong in zip(unread, refuted, strict=True)]
    settled, said = [], NOWHERE
    for number, (reading, placement) in enumerate(zip(readings, placements, strict=True)):
        here = {symbol.code for symbol in reading.symbols}
        elsewhere = as_places([at for code, at in cards.items() if code not in here])
        photo = _Photo(reading, placement, elsewhere, whole, refuted[number])
        others = left[:number] + left[number + 1 :]
        settled.append(photo.settled(np.concatenate([said, *others])))
        said = np.concatenate([said, photo.paper_on_table(settled[-1])])
    return settled


def _is_whole(readings: Sequence[PhotoReading]) -> bool:
    """Whether the photos together show every card of the deck."""
    expected = [
        finding.facts["expected"]
        for reading in readings
        for finding in reading.findings
        if finding.code == Code.CARDS_PLACED
    ]
    if not expected:
        return False
    seen = {symbol.code for reading in readings for symbol in reading.symbols}
    return sum(header_group(decode(code)) is None for code in seen) >= max(expected)


def _is_refuted(place: NDArray[np.float64], views: Sequence[PhotoView | None]) -> bool:
    """Whether most photos that show a place show no unread card there."""
    bare = [view.is_bare(place) for view in views if view is not None and view.shows(place)]
    return 2 * sum(bare) > len(bare)


@dataclass(frozen=True, eq=False)
class _Photo:
    """A photo, its position on the joined table, the cards that only other photos read, and which
    of its unread cards other photos refute."""

    reading: PhotoReading
    placement: Callable[[Places], Places]
    elsewhere: Places
    whole: bool
    refuted: NDArray[np.bool_]

    def settled(self, said: Places) -> PhotoReading:
        """The reading with what remains; `said` is paper and unread cards that others report."""
        reading = self.reading
        if reading.plan is None:
            return reading
        unread = self._left(reading.unread[~self.refuted])
        hidden, hiding = map(self._left, reading.hidden)
        left = replace(reading, unread=unread, hidden=(hidden, hiding))
        scraps = self._left(as_places(paper_of(reading)), said)
        found = (self._still(finding, left, scraps) for finding in reading.findings)
        left = replace(left, findings=tuple(finding for finding in found if finding))
        return left if len(unread) == len(reading.unread) else self._separated(left)

    def _separated(self, left: PhotoReading) -> PhotoReading:
        """The reading without connections of groups by unread cards that did not remain."""
        outlines, labels = self._cards()
        # a group that only unread cards connect is always in doubt, unless groups were counted
        doubted = {
            finding.facts["groups"][0]
            for finding in self.reading.findings
            if finding.code == Code.GROUPS_UNCERTAIN
            and finding.facts["reason"] == Doubt.UNREAD_BETWEEN
            and len(finding.facts["groups"]) == 1
        }
        parts = group_cards(outlines, None, np.concatenate([left.headers_mm, left.unread_mm]))
        for group in sorted(doubted):
            found, counts = np.unique(parts[labels == group], return_counts=True)
            for part in np.delete(found, counts.argmax()):
                labels[(labels == group) & (parts == part)] = labels.max() + 1
        assert left.plan is not None
        order = np.argsort(labels, kind="stable")
        symbols = tuple(replace(left.symbols[card], group=int(labels[card])) for card in order)
        plan = TablePlan(left.plan.to_table, outlines[order])
        return replace(left, symbols=symbols, plan=plan)

    def paper_on_table(self, left: PhotoReading) -> Places:
        """The remaining paper on the joined table."""
        return self._on_table(as_places(paper_of(left)))

    def _on_table(self, places: Places) -> Places:
        if not len(places) or self.reading.plan is None:
            return NOWHERE
        return self.placement(map_points(self.reading.plan.to_table, places))

    def _left(self, places: Places, said: Places = NOWHERE) -> Places:
        """The places, in pixels, that no card read elsewhere takes and no other photo reports."""
        if self.whole:
            return places[:0]
        taken = _taken(self._on_table(places), self.elsewhere)
        return places[~taken & ~_taken(self._on_table(places), said)]

    def _still(self, finding: Finding, left: PhotoReading, scraps: Places) -> Finding | None:
        """A finding in view of what remains; None if nothing does."""
        facts = finding.facts
        if finding.code == Code.CARDS_UNSEEN:
            return None
        if finding.code == Code.PAPER_UNEXPLAINED:
            more = {"count": len(scraps), "places": scraps.tolist()}
            return replace(finding, facts=facts | more) if len(scraps) else None
        if finding.code == Code.CARDS_UNREAD:
            count = len(left.unread) + self._beyond(scraps)
            return replace(finding, facts=facts | {"count": count}) if count else None
        if finding.code == Code.CARDS_HIDDEN:
            groups = self._groups_beside(left)
            groups = [group for group in facts["groups"] if group in groups]
            return replace(finding, facts=facts | {"groups": groups}) if groups else None
        if finding.code == Code.CARDS_OVERLAID:
            groups = overlaid_groups(*self._cards(), left.unread_mm, self._mm(scraps))
            groups = [group for group in facts["groups"] if group in groups]
            return replace(finding, facts={"groups": groups}) if groups else None
        if finding.code == Code.GROUPS_UNCERTAIN:
            return finding if self._in_doubt(facts, left, scraps) else None
        return finding

    def _beyond(self, scraps: Places) -> int:
        """Number of scraps of paper that extend beyond the photo's edge."""
        most = [self.reading.width - 1, self.reading.height - 1]
        return int(((scraps < 0) | (scraps > most)).any((1, 2)).sum())

    def _groups_beside(self, left: PhotoReading) -> list[int]:
        """The groups beside places that may hide a card."""
        if not len(self.reading.hidden[1]):  # stored by a version without the places
            return [] if self.whole else sorted({symbol.group for symbol in left.symbols})
        outlines, labels = self._cards()
        return groups_beside(outlines, labels, self._mm(left.hidden[1]), left.unread_mm)

    def _in_doubt(self, facts: dict[str, Any], left: PhotoReading, scraps: Places) -> bool:
        """Whether these groups are still in doubt."""
        reason = facts["reason"]
        if reason in (Doubt.GAP_UNCLEAR, Doubt.FOREIGN_BETWEEN):
            return True
        if reason == Doubt.HIDDEN_BETWEEN and self._is_old():
            return not self.whole
        outlines, labels = self._cards()
        short, long = sorted(np.linalg.norm(outlines[0, :2] - outlines[0, 1:3], axis=1))
        mine = set(facts["groups"])
        if reason == Doubt.UNREAD_BETWEEN:
            # here every unread card may cover another, so that more groups are beside it
            return any(
                facts["groups"] == groups or 1 < len(facts["groups"]) == len(mine & set(groups))
                for groups in bridged_groups(outlines, labels, left.unread_mm, outlines[:0])
            )
        places, reach = self._mm(scraps), short / 2
        if reason == Doubt.HIDDEN_BETWEEN:
            beside = self._groups_beside(left)
            # some of the outlines may show no card
            most = self._missing(left)
            for missing in range(max(most - len(left.unread), 0), most + 1):
                if facts["groups"] == mostly_hidden_groups(labels, beside, missing):
                    return True
            places, reach = self._mm(left.hidden[0]), long / 2 + ROUGH_MM
        return any(mine <= set(gs) for gs in groups_across(outlines, labels, places, reach))

    def _missing(self, left: PhotoReading) -> int:
        """Number of cards of the deck that were read neither in this photo nor in the others."""
        expected = [f.facts["expected"] for f in left.findings if f.code == Code.CARDS_PLACED]
        return sum(expected) - len(left.symbols) - len(self.elsewhere)

    def _is_old(self) -> bool:
        """Whether the reading was stored by a version without the hidden places."""
        return not len(self.reading.hidden[0])

    def _cards(self) -> tuple[Places, NDArray[np.intp]]:
        assert self.reading.plan is not None
        labels = np.array([symbol.group for symbol in self.reading.symbols], np.intp)
        return self.reading.plan.outlines, labels

    def _mm(self, places: Places) -> Places:
        assert self.reading.plan is not None
        return map_points(self.reading.plan.to_table, places)


def _taken(places: Places, cards: Places) -> NDArray[np.bool_]:
    """Whether cards, enlarged by the error of places, cover each place."""
    if not len(places) or not len(cards):
        return np.zeros(len(places), bool)
    off = cards - cards.mean(1, keepdims=True)
    cards = cards + _RIM_MM * off / np.linalg.norm(off, axis=2, keepdims=True)
    reach = np.ptp(cards, axis=1).max() + np.ptp(places, axis=1).max()
    near = np.linalg.norm(places.mean(1)[:, None] - cards.mean(1), axis=2) < reach
    return np.array(
        [
            sum(shared_part(place, card) for card in cards[beside]) >= _COVERED
            for place, beside in zip(places, near, strict=True)
        ]
    )
