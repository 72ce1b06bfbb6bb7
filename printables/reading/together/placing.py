"""Placing photos of one table on each other, by the cards that they share.

Each photo gives the outlines of its cards on its own plane, in millimetres. Photo after photo is
registered with those placed before, so that shared cards coincide. A photo that shares no card with
the others is placed far away, and so is one that contradicts them (see `PlacedTable.is_shown`):
cards were moved in between, or it shows another table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from printables.reading.deck.unread_once import UnreadView
from printables.reading.findings import Code, Finding
from printables.reading.reader import PhotoReading
from printables.reading.together.view import PhotoView, as_places
from printables.tabletop.outlines import shared_part
from printables.tabletop.registration import SAME_PLACE_MM, SimilarityTransform

_APART_MM = 1000.0
"""Distance, in millimetres, between tables and between parts of one that share no card: far more
than any gap within a group."""
_CLASH = 0.5
"""Least share of a card that a card in another photo covers if they cannot be on one table. Without
it, 71 instead of 79 of 81 pairs of photos that show two tables and share a card are recognised. In
36 pairs that show one table, no two cards share so much."""

Points = NDArray[np.float64]
Outlines = dict[str, list[Points]]
"""Of each code, millimetres: several if it is in several places."""


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
        Whether at least half of the cards that it shares with earlier photos are in `known`, and it
        was not placed apart as a photo of another table.
    shift : float array, shape (2,)
        Distance to the right of the photos to which it does not belong.
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
        Of each photo; those that share no card with the others, or show another table, are far
        away.
    """
    table, _findings = place_on_table(readings, [outlines_of(reading) for reading in readings])
    cards = table.once()
    none = Placement(SimilarityTransform(), np.zeros((0, 4, 2)), np.zeros((0, 2)))
    return cards, [table.photos.get(photo, none) for photo in range(len(readings))]


def outlines_of(reading: PhotoReading) -> Outlines:
    """Outlines of each code in a photo, in the photo's own millimetres."""
    found: Outlines = {}
    for symbol, outline in zip(reading.symbols, plan_of(reading), strict=True):
        found.setdefault(symbol.code, []).append(outline)
    return found


def plan_of(reading: PhotoReading) -> Points:
    """Outlines of all symbols of a photo, in the photo's own millimetres, shape (cards, 4, 2)."""
    return np.zeros((0, 4, 2)) if reading.plan is None else reading.plan.outlines


def _overlapping(shown: Sequence[Outlines]) -> list[list[int]]:
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
class PlacedTable:
    """A table on which photos are placed.

    Attributes
    ----------
    places : dict from str to list of float arrays, shape (4, 2)
        Outlines by code, in the first photo's millimetres; one on each table placed beside.
    conflicting : set of str
        Codes that are in two places of one table.
    unread : list of UnreadView
        Unread cards of all photos.
    photos : dict from int to Placement
        By the photo's index.
    views : list of PhotoView
        What the photos show, before any is shifted.
    """

    places: Outlines = field(default_factory=dict)
    conflicting: set[str] = field(default_factory=set)
    unread: list[UnreadView] = field(default_factory=list)
    photos: dict[int, Placement] = field(default_factory=dict)
    views: list[PhotoView] = field(default_factory=list)

    def placement_of(self, cards: Outlines) -> Placement:
        """The position of a photo with some cards, by those that are on this table."""
        shared = [code for code in cards if code in self.places]
        origin = as_places([cards[code][0] for code in shared])
        known = as_places([self.places[code][0] for code in shared])
        move = SimilarityTransform.estimate(origin, known)
        off = (known - move(origin)).mean(1)
        there = np.linalg.norm(off, axis=1) <= SAME_PLACE_MM
        most = bool(2 * there.sum() >= len(there))
        return Placement(move, known[there], off[there], most)

    def is_shown(self, cards: Outlines, reading: PhotoReading, placement: Placement) -> bool:
        """Whether a photo that shares cards with this table shows the same table.

        It does if more shared cards are in their places than count against it: shared cards that
        moved, plus either other cards that lie in each other's places, or those that are missing
        where both sides would show them, whichever are more. Cards that only one side lacks may
        just not have been read, so the smaller of the two sides counts.
        """
        view = PhotoView.of(reading, placement)
        if view is None:
            return True
        new = as_places([at[0] for code, at in cards.items() if code not in self.places])
        moved = len(cards) - len(new) - len(placement.known)
        new = placement(new)
        others = as_places([at[0] for code, at in self.places.items() if code not in cards])
        missing = sum(any(seen.lacks(place) for seen in self.views) for place in new)
        both = min(missing, sum(map(view.lacks, others)))
        return moved + max(both, _count_clashes(new, others)) < len(placement.known)

    def add(self, cards: Outlines, photo: int, reading: PhotoReading, placement: Placement) -> None:
        """Add a photo's cards, in their places, to those of the photos before."""
        self.conflicting |= {code for code, outlines in cards.items() if len(outlines) > 1}
        for code, (outline, *_others) in cards.items():
            moved = placement.move(outline)
            known = self.places.setdefault(code, [moved])[0]
            if np.linalg.norm((known - moved).mean(0)) > SAME_PLACE_MM:
                self.conflicting.add(code)
        self.photos[photo] = placement
        view = PhotoView.of(reading, placement)
        self.views += [] if view is None else [view]
        outlines = placement(reading.unread_mm)
        for place, both in enumerate(zip(outlines, reading.unread, strict=True)):
            seen = UnreadView(photo, place, *both, reading.width, reading.height)
            self.unread.append(seen)

    def once(self) -> dict[str, Points]:
        """The outline of each code that is in one place."""
        places = self.places.items()
        return {c: at[0] for c, at in places if len(at) == 1 and c not in self.conflicting}

    def place_beside(self, other: "PlacedTable") -> None:
        """Place another table's cards to the right, too far away to be in one group."""
        shift = np.zeros(2)
        if self.places:
            mine, theirs = (
                np.concatenate([np.array(outlines) for outlines in table.places.values()])[..., 0]
                for table in (self, other)
            )
            shift[0] = mine.max() + _APART_MM - theirs.min()
        self.conflicting |= other.conflicting
        for code, outlines in other.places.items():
            self.places.setdefault(code, []).append(outlines[0] + shift)
        self.photos |= {photo: replace(at, shift=shift) for photo, at in other.photos.items()}
        self.unread += [replace(card, outline=card.outline + shift) for card in other.unread]


def place_on_table(
    readings: Sequence[PhotoReading], shown: Sequence[Outlines]
) -> tuple[PlacedTable, list[Finding]]:
    """Place the cards of all photos in one coordinate system.

    Parameters
    ----------
    readings : sequence of PhotoReading
    shown : sequence of dict from str to list of float arrays, shape (4, 2)
        The cards of each, from `outlines_of`.

    Returns
    -------
    table : PlacedTable
    findings : list of Finding
        Photos that share no card with the others, or show another table: these are placed far away.
    """
    table, findings = PlacedTable(), []
    for photos in _overlapping(shown):
        first, *others = _tables(readings, shown, photos)
        if table.places:
            names = sorted(photo + 1 for photo in photos)
            findings.append(Finding(Code.PHOTO_APART, {"photos": names}))
        table.place_beside(first)
        for other in others:
            names = sorted(photo + 1 for photo in other.photos)
            findings.append(Finding(Code.PHOTO_DIFFERS, {"photos": names}))
            other.photos = {at: replace(one, agrees=False) for at, one in other.photos.items()}
            table.place_beside(other)
    return table, findings


def _tables(
    readings: Sequence[PhotoReading], shown: Sequence[Outlines], photos: Sequence[int]
) -> list[PlacedTable]:
    """Group photos that share cards by the table that they show, the table of most photos first."""
    tables: list[PlacedTable] = []
    for photo in photos:
        if not _add_to_best(tables, shown[photo], photo, readings[photo]):
            tables.append(PlacedTable())
            alone = tables[-1].placement_of(shown[photo])
            tables[-1].add(shown[photo], photo, readings[photo], alone)
    # a photo may have come before the one that connects it
    for single in [table for table in tables if len(table.photos) == 1]:
        (photo,) = single.photos
        others = [table for table in tables if table is not single]
        if _add_to_best(others, shown[photo], photo, readings[photo]):
            tables = others
    return sorted(tables, key=lambda one: (-len(one.photos), -len(one.places)))


def _add_to_best(
    tables: Sequence[PlacedTable], cards: Outlines, photo: int, reading: PhotoReading
) -> bool:
    """Add a photo to the table that it shows; if several, to the one where most of its cards are in
    their places. Returns whether there is one."""
    sharing = (table for table in tables if not cards.keys().isdisjoint(table.places))
    placed = [(table, table.placement_of(cards)) for table in sharing]
    shown = [(table, at) for table, at in placed if table.is_shown(cards, reading, at)]
    if shown:
        table, placement = max(shown, key=lambda one: len(one[1].known))
        table.add(cards, photo, reading, placement)
    return bool(shown)


def _count_clashes(places: Points, others: Points) -> int:
    """Number of places that another card covers."""
    near = cdist(places.mean(1), others.mean(1)) < SAME_PLACE_MM
    return sum(
        any(shared_part(place, other) > _CLASH for other in others[beside])
        for place, beside in zip(places, near, strict=True)
    )
