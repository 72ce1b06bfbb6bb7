"""Joining overlapping photos of one table by the cards that they share.

Each photo gives its cards' outlines on its own plane in millimetres; it is rotated and shifted so
that shared cards coincide with those of the photos joined before. Cards in the same photo are
grouped as in that photo, which is the most exact; cards that no photo shows together are grouped by
their distance on the joined table, where unread cards connect groups as they do in one photo.
Contradictions are reported, not resolved by guessing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from printables.errors import PaperError
from printables.reading.findings import Code, Doubt, Finding
from printables.reading.reader import PhotoReading
from printables.reading.wording import in_words
from printables.tabletop.combining import Disagreement, group_seen_together
from printables.tabletop.grouping import group_cards

_SAME_PLACE_MM = 45.0
"""A card's shorter side: who moves a card moves it further, and lenses and tilt misplace the far
end of a table of 150 cards by 30 mm ("joined")."""
_ROUGH_MM = 60.0
"""Millimetres within which a card supports a proposed move of a photo, before it is refined. Chosen
by trial."""
_APART_MM = 1000.0
"""Millimetres between tables that share no card, far more than any gap inside a group."""

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class JoinedTable:
    """One table from several photos.

    Attributes
    ----------
    groups : dict from str to int
        Group of each code, numbered from 1 over all photos; conflicting codes are left out.
    findings : tuple of Finding
        Cards in two places, photos that disagree or share no card with the others, doubtful groups.
    """

    groups: dict[str, int]
    findings: tuple[Finding, ...]

    @property
    def conflicts(self) -> tuple[str, ...]:
        """The findings as sentences."""
        return tuple(in_words(finding) for finding in self.findings)


def join_photos(readings: Sequence[PhotoReading], groups: int | None = None) -> JoinedTable:
    """Make one grouping of overlapping photos of one table.

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
    table, findings = _Table({}, set()), []
    for photos in _overlapping(shown):
        part = _Table({}, set())
        for photo in photos:
            part.add(shown[photo], readings[photo].unread_mm)
        if table.places:
            names = sorted(photo + 1 for photo in photos)
            findings.append(Finding(Code.PHOTO_APART, {"photos": names}))
        table.set_beside(part)
    findings += [Finding(Code.CARD_IN_TWO_PLACES, {"card": code}) for code in sorted(table.torn)]
    codes = [code for code in table.places if code not in table.torn]
    outlines = np.array([table.places[code][0] for code in codes]).reshape(-1, 4, 2)
    bridges = np.array(table.unread).reshape(-1, 4, 2)
    if groups is not None:
        labels = group_cards(outlines, groups, bridges)
    else:
        seen = _seen_groups(readings, codes)
        labels, doubts = group_seen_together(outlines, seen, bridges)
        findings += [_doubt(finding, codes) for finding in doubts]
    return JoinedTable(dict(zip(codes, labels.tolist(), strict=True)), tuple(findings))


def _seen_groups(readings: Sequence[PhotoReading], codes: list[str]) -> NDArray[np.intp]:
    """Group of each code in each photo, shape (photos, codes); 0 if the photo does not show it."""
    place = {code: number for number, code in enumerate(codes)}
    seen = np.zeros((len(readings), len(codes)), np.intp)
    for photo, reading in enumerate(readings):
        for symbol in reading.symbols:
            if symbol.code in place:
                seen[photo, place[symbol.code]] = symbol.group
    return seen


def _doubt(finding: Disagreement | list[int], codes: list[str]) -> Finding:
    if isinstance(finding, list):
        facts = {"groups": finding, "reason": str(Doubt.GAP_UNCLEAR)}
        return Finding(Code.GROUPS_UNCERTAIN, facts)
    cards = [codes[card] for card in finding.cards]
    photos = [photo + 1 for photo in finding.photos]
    return Finding(Code.PHOTOS_DISAGREE, {"cards": cards, "photos": photos})


_Outlines = dict[str, list[Points]]


def _outlines(reading: PhotoReading) -> _Outlines:
    found: _Outlines = {}
    for symbol, outline in zip(reading.symbols, _plan_of(reading), strict=True):
        found.setdefault(symbol.code, []).append(outline)
    return found


def _plan_of(reading: PhotoReading) -> Points:
    return np.zeros((0, 4, 2)) if reading.plan is None else reading.plan.outlines


def _overlapping(shown: list[_Outlines]) -> list[list[int]]:
    """Photos connected by shared cards, each after one that it overlaps."""
    waiting = {photo for photo, cards in enumerate(shown) if cards}
    islands = []
    while waiting:
        island = [max(waiting, key=lambda photo: (len(shown[photo]), -photo))]
        waiting -= set(island)
        seen = set(shown[island[0]])
        while shared := {photo: len(seen & set(shown[photo])) for photo in waiting}:
            best = max(shared, key=lambda photo: (shared[photo], -photo))
            if not shared[best]:
                break
            island.append(best)
            seen |= set(shown[best])
            waiting.remove(best)
        islands.append(island)
    return islands


@dataclass
class _Table:
    """Outlines by code, in millimetres of the first photo; codes in two places; unread cards."""

    places: _Outlines
    torn: set[str]
    unread: list[Points] = field(default_factory=list)

    def add(self, cards: _Outlines, unread: Points) -> None:
        """Add a photo's cards to those joined so far."""
        self.torn |= {code for code, outlines in cards.items() if len(outlines) > 1}
        once = {code: outlines[0] for code, outlines in cards.items()}
        shared = [code for code in once if code in self.places]
        move = _Move.between(
            np.array([once[code] for code in shared]).reshape(-1, 4, 2),
            np.array([self.places[code][0] for code in shared]).reshape(-1, 4, 2),
        )
        for code, outline in once.items():
            moved = move(outline)
            known = self.places.setdefault(code, [moved])[0]
            if np.linalg.norm(known.mean(0) - moved.mean(0)) > _SAME_PLACE_MM:
                self.torn.add(code)
        self.unread += [move(outline) for outline in unread]

    def set_beside(self, other: "_Table") -> None:
        """Place another table's cards to the right, too far away to share a group."""
        shift = np.zeros(2)
        if self.places:
            mine, theirs = (
                np.array([outlines[0] for outlines in table.places.values()])[..., 0]
                for table in (self, other)
            )
            shift[0] = mine.max() + _APART_MM - theirs.min()
        self.places |= {code: [outlines[0] + shift] for code, outlines in other.places.items()}
        self.torn |= other.torn
        self.unread += [outline + shift for outline in other.unread]


@dataclass(frozen=True)
class _Move:
    """Rotation, scaling and shift, as complex numbers: z -> turn * z + shift."""

    turn: complex = 1.0
    shift: complex = 0.0

    def __call__(self, points: Points) -> Points:
        moved = self.turn * (points[..., 0] + 1j * points[..., 1]) + self.shift
        return np.stack([moved.real, moved.imag], -1)

    @classmethod
    def between(cls, origin: Points, target: Points) -> "_Move":
        """The move that most cards agree on; each card proposes one, from its four corners."""
        if not len(origin):
            return cls()
        proposals = [cls._fit(a[None], b[None]) for a, b in zip(origin, target, strict=True)]
        agreeing = [
            np.linalg.norm((move(origin) - target).mean(1), axis=-1) < _ROUGH_MM
            for move in proposals
        ]
        best = max(agreeing, key=np.count_nonzero)
        move = cls._fit(origin[best], target[best])
        near = np.linalg.norm((move(origin) - target).mean(1), axis=-1) < _SAME_PLACE_MM
        return cls._fit(origin[near], target[near]) if near.any() else move

    @classmethod
    def _fit(cls, origin: Points, target: Points) -> "_Move":
        a = (origin[..., 0] + 1j * origin[..., 1]).ravel()
        b = (target[..., 0] + 1j * target[..., 1]).ravel()
        centred = a - a.mean()
        turn = complex((centred.conj() @ (b - b.mean())) / (centred.conj() @ centred))
        return cls(turn, complex(b.mean() - turn * a.mean()))
