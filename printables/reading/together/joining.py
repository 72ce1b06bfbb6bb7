"""Joining overlapping photos of one table by the cards that they share.

The photos are placed on one table (`placing`). Cards that a photo shows together are grouped as in
that photo, which is the most exact; other cards are grouped by their distance on the joined table,
where unread cards connect groups as they do in one photo. Contradictions are reported, not resolved
by guessing.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from printables.errors import PaperError
from printables.reading.deck.unread_once import UnreadCard, unread_once
from printables.reading.deck.unseen_cards import Frame, unseen_cards
from printables.reading.findings import Code, Doubt, Finding
from printables.reading.reader import PhotoReading
from printables.reading.together.placing import outlines_of, place_on_table, plan_of
from printables.reading.together.view import as_places
from printables.reading.wording import in_words
from printables.tabletop.combining import Disagreement, Views, combine_groupings
from printables.tabletop.doubts import bridged_groups, groups_across_foreign
from printables.tabletop.grouping import LARGEST_GAP_MM, group_cards, nearest_groups

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class JoinedTable:
    """One table from several photos.

    Attributes
    ----------
    groups : dict from str to int
        Group of each code, numbered from 1 over all photos; cards in two places, and on two tables,
        are left out.
    findings : tuple of Finding
        Cards in two places, photos that disagree, share no card with the others or show another
        table, groups in doubt, and cards that are nowhere to be seen.
    unread : tuple of UnreadCard
        Cards that were not read in any photo, each in the photo that shows it best.
    """

    groups: dict[str, int]
    findings: tuple[Finding, ...]
    unread: tuple[UnreadCard, ...]

    @property
    def conflicts(self) -> tuple[str, ...]:
        """The findings as sentences."""
        return tuple(in_words(finding) for finding in self.findings)


def join_photos(readings: Sequence[PhotoReading], groups: int | None = None) -> JoinedTable:
    """Join overlapping photos of one table into one grouping.

    Parameters
    ----------
    readings : sequence of PhotoReading
    groups : int, optional
        Number of groups on the whole table, if known.

    Returns
    -------
    JoinedTable
        Photos are numbered by their position in `readings`, from 1. Photos that share no card with
        the others, or show another table, form separate groups.

    Raises
    ------
    PaperError
        If no card was read in any photo, or there are fewer cards than groups (unless no card is
        left to group).
    """
    shown = [outlines_of(reading) for reading in readings]
    if not any(shown):
        raise PaperError("no card was read in any photo; take the photos again from closer")
    table, findings = place_on_table(readings, shown)
    findings += [
        Finding(Code.CARD_IN_TWO_PLACES, {"card": code, "groups": []})
        for code in sorted(table.conflicting)
    ]
    once = table.once()
    codes, outlines = list(once), as_places(list(once.values()))
    cards = {code: places[0] for code, places in table.places.items()}
    unread = unread_once(table.unread, cards, shown)
    everything = [finding for reading in readings for finding in reading.findings]
    findings += unseen_cards(_frames(readings, unread), everything)
    bridges = as_places([card.outline for card in unread])
    if groups is not None and codes:
        labels = group_cards(outlines, groups, bridges)
    else:
        views = _views_of(readings, codes)
        labels, doubts = combine_groupings(outlines, views, bridges)
        findings += [_doubt(finding, codes) for finding in doubts]
    beside = nearest_groups(outlines, labels, bridges)
    if groups is None:
        foreign = [at(readings[photo].foreign_mm) for photo, at in table.photos.items()]
        strange = groups_across_foreign(outlines, labels, np.concatenate(foreign), bridges)
        unsure = bridged_groups(outlines, labels, bridges, bridges[:0])
        unsure = [between for between in unsure if not set(between).isdisjoint(beside)]
        findings += _in_doubt(unsure, Doubt.UNREAD_BETWEEN, findings)
        findings += _in_doubt(strange, Doubt.FOREIGN_BETWEEN, findings)
    joined = dict(zip(codes, labels.tolist(), strict=True))
    for finding in findings:
        if finding.code == Code.CARD_IN_TWO_PLACES:
            finding.facts["groups"] = _groups_around(finding.facts["card"], readings, joined)
    left = [replace(card, beside=group) for card, group in zip(unread, beside, strict=True)]
    return JoinedTable(joined, tuple(findings), tuple(left))


def with_unread_once(readings: Sequence[PhotoReading]) -> list[PhotoReading]:
    """Keep each unread card only in the photo that shows it best, as for rings over the photos.

    Parameters
    ----------
    readings : sequence of PhotoReading
        Photos of one table.

    Returns
    -------
    list of PhotoReading
    """
    if not any(reading.symbols for reading in readings):
        return list(readings)
    left = _places_left(readings, join_photos(readings).unread)
    return [
        replace(reading, unread=reading.unread[places])
        for reading, places in zip(readings, left, strict=True)
    ]


def _frames(readings: Sequence[PhotoReading], unread: Sequence[UnreadCard]) -> list[Frame]:
    """What each photo shows; each unread card in one photo only."""
    return [
        replace(reading.frame, unread=reading.unread[places])
        for reading, places in zip(readings, _places_left(readings, unread), strict=True)
    ]


def _places_left(readings: Sequence[PhotoReading], unread: Sequence[UnreadCard]) -> list[list[int]]:
    """For each photo, the indices of the unread cards that it shows best."""
    return [[card.place for card in unread if card.photo == n] for n in range(len(readings))]


def _in_doubt(
    uncertain: Sequence[list[int]], reason: Doubt, findings: Sequence[Finding]
) -> list[Finding]:
    """Groups in doubt for a reason, unless they are in doubt already."""
    doubted = [found.facts["groups"] for found in findings if found.code == Code.GROUPS_UNCERTAIN]
    return [
        Finding(Code.GROUPS_UNCERTAIN, {"groups": groups, "reason": str(reason)})
        for groups in uncertain
        if groups not in doubted
    ]


def _groups_around(
    code: str, readings: Sequence[PhotoReading], joined: dict[str, int]
) -> list[int]:
    """The joined groups of a card, from the other cards of its group in each photo."""
    found = set()
    for reading in readings:
        for symbol in reading.symbols:
            if symbol.code == code:
                mates = [s.code for s in reading.symbols if s.group == symbol.group]
                around = Counter(joined[mate] for mate in mates if mate in joined)
                found |= {group for group, _count in around.most_common(1)}
    return sorted(found)


def _views_of(readings: Sequence[PhotoReading], codes: Sequence[str]) -> Views:
    """What photos show of the cards with some codes, in their order."""
    place = {code: number for number, code in enumerate(codes)}
    views = Views.none(len(readings), len(codes))
    for photo, reading in enumerate(readings):
        amid = reading.frame.amid(LARGEST_GAP_MM)
        for symbol, *view in zip(reading.symbols, plan_of(reading), amid, strict=True):
            if symbol.code in place:
                at = photo, place[symbol.code]
                views.groups[at] = symbol.group
                views.outlines[at], views.amid[at] = view
    return views


def _doubt(finding: Disagreement | list[int], codes: list[str]) -> Finding:
    """A doubt about indices of cards as a finding about codes."""
    if isinstance(finding, list):
        facts = {"groups": finding, "reason": str(Doubt.GAP_UNCLEAR)}
        return Finding(Code.GROUPS_UNCERTAIN, facts)
    cards = [codes[card] for card in finding.cards]
    photos = [photo + 1 for photo in finding.photos]
    return Finding(Code.PHOTOS_DISAGREE, {"cards": cards, "photos": photos})
