"""Joining overlapping photos of one table by the cards that they share.

Each photo gives the outlines of its cards on its own plane, in millimetres. Photo after photo is
registered with those joined before, so that shared cards coincide. Cards that a photo shows
together are grouped as in that photo, which is the most exact; other cards are grouped by their
distance on the joined table, where unread cards connect groups as they do in one photo.
Contradictions are reported, not resolved by guessing.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from printables.errors import PaperError
from printables.reading.deck.unread_once import UnreadCard, UnreadView, unread_once
from printables.reading.deck.unseen_cards import Frame, unseen_cards
from printables.reading.findings import Code, Doubt, Finding
from printables.reading.reader import PhotoReading
from printables.reading.wording import in_words
from printables.tabletop.combining import Disagreement, Views, combine_groupings
from printables.tabletop.doubts import bridged_groups, groups_across_foreign
from printables.tabletop.grouping import LARGEST_GAP_MM, group_cards, nearest_groups
from printables.tabletop.registration import SAME_PLACE_MM, SimilarityTransform

_APART_MM = 1000.0
"""Distance, in millimetres, between parts of a table that share no card: far more than any gap
within a group."""

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class JoinedTable:
    """One table from several photos.

    Attributes
    ----------
    groups : dict from str to int
        Group of each code, numbered from 1 over all photos; cards in two places are left out.
    findings : tuple of Finding
        Cards in two places, photos that disagree or share no card with the others, groups in doubt,
        and cards that are nowhere to be seen.
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
        the others form separate groups.

    Raises
    ------
    PaperError
        If no card was read in any photo, or there are fewer cards than groups.
    """
    shown = [_outlines(reading) for reading in readings]
    if not any(shown):
        raise PaperError("no card was read in any photo; take the photos again from closer")
    table, findings = _join_shown(readings, shown)
    findings += [
        Finding(Code.CARD_IN_TWO_PLACES, {"card": code, "groups": []})
        for code in sorted(table.conflicting)
    ]
    codes = [code for code in table.places if code not in table.conflicting]
    outlines = np.array([table.places[code][0] for code in codes]).reshape(-1, 4, 2)
    cards = {code: places[0] for code, places in table.places.items()}
    unread = unread_once(table.unread, cards, shown)
    everything = [finding for reading in readings for finding in reading.findings]
    findings += unseen_cards(_frames(readings, unread), everything)
    bridges = np.array([card.outline for card in unread]).reshape(-1, 4, 2)
    if groups is not None:
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


def _join_shown(
    readings: Sequence[PhotoReading], shown: list["_Outlines"]
) -> tuple["_Table", list[Finding]]:
    """All cards on one table; photos that share no card are placed side by side."""
    table, findings = _Table({}, set()), []
    for photos in _overlapping(shown):
        part = _Table({}, set())
        for photo in photos:
            part.add(shown[photo], photo, readings[photo])
        if table.places:
            names = sorted(photo + 1 for photo in photos)
            findings.append(Finding(Code.PHOTO_APART, {"photos": names}))
        table.place_beside(part)
    return table, findings


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
        for symbol, *view in zip(reading.symbols, _plan_of(reading), amid, strict=True):
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


_Outlines = dict[str, list[Points]]


@dataclass(frozen=True, eq=False)
class Placement:
    """The position of a photo on the joined table.

    Attributes
    ----------
    move : SimilarityTransform
        From the photo's millimetres to those of the joined table.
    known, off : float arrays, shape (cards, 4, 2) and (cards, 2)
        Cards that earlier photos show at the same place, on the joined table, and by how much
        `move` misses each.
    agrees : bool
        Whether those are most of the cards that earlier photos show as well.
    shift : float array, shape (2,)
        Distance to the right of the photos with which it shares no card.
    """

    move: SimilarityTransform
    known: Points
    off: Points
    agrees: bool = True
    shift: Points = field(default_factory=lambda: np.zeros(2))

    def __call__(self, outlines: Points) -> Points:
        """Outlines on the joined table, each corrected by the error of the nearest shared card."""
        placed = self.move(outlines)
        if len(self.known) and len(placed):
            apart = placed.mean(1)[:, None] - self.known.mean(1)
            placed = placed + self.off[np.linalg.norm(apart, axis=2).argmin(1)][:, None]
        return np.asarray(placed + self.shift)


def place_photos(readings: Sequence[PhotoReading]) -> tuple[dict[str, Points], list[Placement]]:
    """Find where on the joined table each photo's cards are.

    Parameters
    ----------
    readings : sequence of PhotoReading

    Returns
    -------
    cards : dict from str to float array, shape (4, 2)
        Outline of each code that is in one place, millimetres.
    placements : list of Placement
        Of each photo; those that share no card with the others are far apart.
    """
    table, _findings = _join_shown(readings, [_outlines(reading) for reading in readings])
    cards = {code: at[0] for code, at in table.places.items() if code not in table.conflicting}
    none = Placement(SimilarityTransform(), np.zeros((0, 4, 2)), np.zeros((0, 2)))
    return cards, [table.photos.get(photo, none) for photo in range(len(readings))]


def _outlines(reading: PhotoReading) -> _Outlines:
    """Outlines of each code in a photo, in the photo's millimetres."""
    found: _Outlines = {}
    for symbol, outline in zip(reading.symbols, _plan_of(reading), strict=True):
        found.setdefault(symbol.code, []).append(outline)
    return found


def _plan_of(reading: PhotoReading) -> Points:
    return np.zeros((0, 4, 2)) if reading.plan is None else reading.plan.outlines


def _overlapping(shown: list[_Outlines]) -> list[list[int]]:
    """Photos connected by shared cards; each photo comes after one that it overlaps."""
    waiting = {photo for photo, cards in enumerate(shown) if cards}
    components = []
    while waiting:
        component = [max(waiting, key=lambda photo: (len(shown[photo]), -photo))]
        waiting -= set(component)
        seen = set(shown[component[0]])
        while shared := {photo: len(seen & set(shown[photo])) for photo in waiting}:
            best = max(shared, key=lambda photo: (shared[photo], -photo))
            if not shared[best]:
                break
            component.append(best)
            seen |= set(shown[best])
            waiting.remove(best)
        components.append(component)
    return components


@dataclass
class _Table:
    """The joined table: outlines by code, in the first photo's millimetres; codes that are in two
    places; unread cards; and the position of each photo."""

    places: _Outlines
    conflicting: set[str]
    unread: list[UnreadView] = field(default_factory=list)
    photos: dict[int, Placement] = field(default_factory=dict)

    def add(self, cards: _Outlines, photo: int, reading: PhotoReading) -> None:
        """Add a photo's cards to those joined so far."""
        self.conflicting |= {code for code, outlines in cards.items() if len(outlines) > 1}
        once = {code: outlines[0] for code, outlines in cards.items()}
        shared = [code for code in once if code in self.places]
        origin = np.array([once[code] for code in shared]).reshape(-1, 4, 2)
        known = np.array([self.places[code][0] for code in shared]).reshape(-1, 4, 2)
        move = SimilarityTransform.estimate(origin, known)
        off = (known - move(origin)).mean(1)
        there = np.linalg.norm(off, axis=1) <= SAME_PLACE_MM
        self.conflicting |= {code for code, stayed in zip(shared, there, strict=True) if not stayed}
        for code, outline in once.items():
            self.places.setdefault(code, [move(outline)])
        self.photos[photo] = Placement(
            move, known[there], off[there], bool(2 * there.sum() >= len(there))
        )
        outlines = self.photos[photo](reading.unread_mm)
        for place, both in enumerate(zip(outlines, reading.unread, strict=True)):
            view = UnreadView(photo, place, *both, reading.width, reading.height)
            self.unread.append(view)

    def place_beside(self, other: "_Table") -> None:
        """Place another table's cards to the right, too far away to be in one group."""
        shift = np.zeros(2)
        if self.places:
            mine, theirs = (
                np.array([outlines[0] for outlines in table.places.values()])[..., 0]
                for table in (self, other)
            )
            shift[0] = mine.max() + _APART_MM - theirs.min()
        self.places |= {code: [outlines[0] + shift] for code, outlines in other.places.items()}
        self.conflicting |= other.conflicting
        self.photos |= {photo: replace(at, shift=shift) for photo, at in other.photos.items()}
        self.unread += [replace(card, outline=card.outline + shift) for card in other.unread]
