"""Groups proposed from photos of a table, which the conductor confirms or corrects.

Overlapping photos are joined by the cards that they share (`printables.join_photos`). A group
that is already recorded keeps its cards; a card that the conductor put into a group stays there; a
header card gives the number of the group that it is in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import starmap
from typing import TYPE_CHECKING, Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

import printables
from printables.reading.findings import Finding
from study_app.models import Photo, Sitting
from study_app.sittings.photos.conflicts import HeaderConflict
from study_app.sittings.photos.group_keys import GroupKeys, Kept, Recorded
from study_app.sittings.photos.headers import number_groups
from study_app.sittings.recording.table_rows import rows_of
from study_app.sittings.recording.table_state import fold, set_by_hand

if TYPE_CHECKING:
    from printables.reading.deck.unread_once import UnreadCard
    from printables.reading.reader import PhotoReading


@dataclass(frozen=True)
class Unread:
    """An unread card on a photo: its place among the photo's unread cards, from 0.

    `key` is the nearest group, or None; `elsewhere` has photos and places that also show it.
    """

    photo: int
    place: int
    key: str | None
    elsewhere: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Proposal:
    """Groups shown in photos.

    Attributes
    ----------
    groups : list of dict
        `key` of a recorded group or a new one, `cards`, stimuli, and `header`, the number on its
        header card or None. New groups with a header card come first; the others then get the
        remaining numbers.
    conflicts : list of HeaderConflict
    findings : list of Finding
        Contradictions between photos, with keys for groups.
    unread : list of Unread
        Each card once, on the photo that shows it best, without cards that another photo reads.
    of_photo : dict of int to list of Finding
        What each of several photos leaves open in view of the others, with the groups of its own
        reading.
    kept : list of Kept
        Cards that stay where the conductor put them.
    """

    groups: Sequence[dict[str, Any]]
    conflicts: Sequence[HeaderConflict] = ()
    findings: Sequence[Finding] = ()
    unread: Sequence[Unread] = ()
    of_photo: Mapping[int, Sequence[Finding]] = field(default_factory=dict)
    kept: Sequence[Kept] = ()


def propose_for(
    session: Session, sitting: Sitting, photos: Sequence[Photo], groups: int | None = None
) -> Proposal:
    """Propose groups for the cards of some photos of a sitting.

    Parameters
    ----------
    session : database session
    sitting : Sitting
    photos : list of Photo
    groups : int, optional
        Number of groups that the conductor counted.

    Returns
    -------
    Proposal

    Raises
    ------
    PaperError
        If there are fewer cards than groups.
    """
    key = {g.id: g.key for g in sitting.groups}
    rows = rows_of(session, sitting)
    placed = {s: key[g] for s, g in fold(rows).items()}
    by_hand = {s: None if g is None else key[g] for s, g in set_by_hand(rows).items()}
    recorded = Recorded(placed, {g.key: g.number for g in sitting.groups}, by_hand)
    sized = [(p.id, {**p.reading, "width": p.width, "height": p.height}) for p in photos]
    return propose(sized, recorded, groups)


def propose(
    photos: Sequence[tuple[int, Mapping[str, Any]]],
    recorded: Recorded,
    groups: int | None = None,
) -> Proposal:
    """Propose groups for the cards of some photos.

    Parameters
    ----------
    photos : list of (int, dict)
        Number of each photo, and its reading as stored by `photo_files.add`, with the photo's
        `width` and `height`; without them, photos do not refute each other's unread cards.
    recorded : Recorded
    groups : int, optional
        Number of groups that the conductor counted.

    Returns
    -------
    Proposal
    """
    readings = [reading for _id, reading in photos]
    rings = [list(range(len(reading.get("unread", ())))) for reading in readings]
    left = {}
    if len(readings) > 1:
        settled = printables.settle([_as_read(reading) for reading in readings])
        left = {number: seen.findings for (number, _), seen in zip(photos, settled, strict=True)}
        rings = [_left_unread(*both) for both in zip(readings, settled, strict=True)]
        readings = [_as_settled(*each) for each in zip(readings, settled, rings, strict=True)]
    shown = [photo for photo, reading in enumerate(readings) if reading["cards"]]
    if not shown:
        numbered = zip((number for number, _ in photos), rings, strict=True)
        unread = [Unread(number, place, None) for number, places in numbered for place in places]
        return Proposal([], unread=unread, of_photo=left)
    table = _joined(readings, groups) if len(shown) > 1 else _alone(shown[0], readings, groups)
    table = table._replace(unread=_beside_duplicates(table, readings))
    headers, conflicts = number_groups(readings, table.groups)
    cards: dict[int, list[int]] = {group: [] for group in sorted(set(table.groups.values()))}
    for stimulus, group in table.groups.items():
        cards[group].append(stimulus)
    keys = GroupKeys(recorded, cards)
    keys.continue_recorded()
    for group, number in headers.items():
        conflicts += keys.number(group, number)
    keys.open_others(photos[shown[0]][0])
    kept = keys.keep()

    def ring(photo: int, place: int) -> tuple[int, int]:
        return photos[photo][0], rings[photo][place]

    unread = [
        Unread(
            *ring(card.photo, card.place),
            None if card.beside is None else keys.of[card.beside],
            tuple(starmap(ring, card.elsewhere)),
        )
        for card in table.unread
    ]
    findings = [named_groups(finding, keys.of) for finding in table.findings]
    return Proposal(keys.proposed(headers), conflicts, findings, unread, left, kept)


def _left_unread(reading: Mapping[str, Any], seen: PhotoReading) -> list[int]:
    """Which of a reading's unread cards remain in view of other photos."""
    left = {place.tobytes() for place in seen.unread}
    unread = enumerate(_places(reading.get("unread", ())))
    return [number for number, place in unread if place.tobytes() in left]


def _as_settled(
    reading: Mapping[str, Any], seen: PhotoReading, left: Sequence[int]
) -> Mapping[str, Any]:
    """A reading with the groups, unread cards and findings that remain in view of other photos."""
    # a code may be there twice
    group = {(symbol.code, symbol.corners.tobytes()): symbol.group for symbol in seen.symbols}
    places = [(card["code"], np.array(card["corners"]).tobytes()) for card in reading["cards"]]
    cards = zip(reading["cards"], places, strict=True)
    unread = {
        name: [reading[name][place] for place in left]
        for name in ("unread", "unread_mm")
        if reading.get(name)
    }
    settled = {
        "cards": [{**card, "group": group[place]} for card, place in cards],
        "findings": [finding.as_json() for finding in seen.findings],
    }
    return {**reading, **settled, **unread}


def named_groups(finding: Finding, key: Mapping[int, str]) -> Finding:
    """A finding with keys for its groups."""
    facts = dict(finding.facts)
    if "groups" in facts:
        facts["groups"] = list(dict.fromkeys(key[group] for group in facts["groups"]))
    if "group" in facts:
        facts["group"] = key[facts["group"]]
    return Finding(finding.code, facts)


class _Table(NamedTuple):
    """The group of each stimulus; findings; unread cards."""

    groups: dict[int, int]
    findings: Sequence[Finding]
    unread: Sequence[UnreadCard]


def _alone(photo: int, readings: Sequence[Mapping[str, Any]], groups: int | None) -> _Table:
    """What one photo shows, as it was read, or in so many groups."""
    # loaded with the first photo: it needs SciPy
    from printables.reading.deck.unread_once import UnreadCard
    from printables.tabletop.grouping import group_cards, nearest_groups

    reading = readings[photo]
    cards = reading["cards"]
    labels = np.array([card["group"] for card in cards])
    outlines, unread = _outlines(cards), _unread_mm(reading)
    if groups is not None:
        # a header card connects its group, as when the photo was read
        labels = group_cards(outlines, groups, np.concatenate([unread, _headers(reading)]))
    seen = {card["stimulus"]: int(group) for card, group in zip(cards, labels, strict=True)}
    beside = nearest_groups(outlines, labels, unread)
    left = [UnreadCard(photo, n, unread[n], group) for n, group in enumerate(beside)]
    return _Table(seen, (), left)


def _joined(readings: Sequence[Mapping[str, Any]], groups: int | None) -> _Table:
    """The joint groups of several photos."""
    stimulus = {c["code"]: c["stimulus"] for reading in readings for c in reading["cards"]}
    table = printables.join_photos([_as_read(reading) for reading in readings], groups)
    seen = {stimulus[code]: group for code, group in table.groups.items()}
    return _Table(seen, table.findings, table.unread)


def _beside_duplicates(
    table: _Table, readings: Sequence[Mapping[str, Any]]
) -> Sequence[UnreadCard]:
    """The unread cards; those nearest to a duplicate are beside the group that it is in."""
    beside = {
        (photo, place): group
        for photo, reading in enumerate(readings)
        for place, group in _of_duplicates(reading, table.groups).items()
    }
    return [
        replace(card, beside=beside.get((card.photo, card.place), card.beside))
        for card in table.unread
    ]


def _of_duplicates(reading: Mapping[str, Any], groups: Mapping[int, int]) -> dict[int, int | None]:
    """For unread cards of a photo, by place, that are nearest to a duplicate: its group.

    It is that of the nearest card with which the photo shows it; None if there is no other card.
    """
    from printables.tabletop.grouping import nearest_groups

    # older readings have no places of duplicates
    twice = [card for card in reading.get("wrong", ()) if "place_mm" in card]
    if not twice:
        return {}
    cards = [*reading["cards"], *twice]
    outlines = _outlines(cards)
    middles = outlines.mean(1)
    found: dict[int, int | None] = {}
    nearest = nearest_groups(outlines, np.arange(len(cards)), _unread_mm(reading))
    for place, at in enumerate(nearest):
        if at is not None and at >= len(reading["cards"]):
            mates = [
                (float(np.linalg.norm(middles[at] - middle)), groups[card["stimulus"]])
                for card, middle in zip(reading["cards"], middles, strict=False)
                if card["group"] == cards[at]["group"] and card["stimulus"] in groups
            ]
            found[place] = min(mates)[1] if mates else None
    return found


def _as_read(reading: Mapping[str, Any]) -> PhotoReading:
    """A stored reading in the reader's form, with the parts that joining needs."""
    cards, findings = reading["cards"], reading.get("findings", ())
    symbols = tuple(
        printables.ReadSymbol(c["code"], np.array(c["corners"]), c["how"], c["margin"], c["group"])
        for c in cards
    )
    to_table = to_table_of(cards) if cards else None
    plan = None if to_table is None else printables.TablePlan(to_table, _outlines(cards))
    return printables.PhotoReading(
        reading.get("width", 0),
        reading.get("height", 0),
        symbols,
        (),
        _places(reading.get("unread", ())),
        tuple(Finding.from_json(stored) for stored in findings),
        plan,
        (_places(reading.get("hidden", ())), _places(reading.get("hiding", ()))),
        _headers(reading),
        _places(reading.get("foreign_mm", ())),
    )


def _headers(reading: Mapping[str, Any]) -> NDArray[np.float64]:
    # older readings have no places of header cards
    return _outlines([header for header in reading["headers"] if "place_mm" in header])


def to_table_of(cards: Sequence[Mapping[str, Any]]) -> NDArray[np.float64] | None:
    """The homography from a photo's pixels to the table's millimetres.

    Parameters
    ----------
    cards : sequence of dict
        At least one card of a stored reading.

    Returns
    -------
    float array, shape (3, 3), or None
        None if the cards' corners do not determine it.
    """
    pixels = _places([card["outline"] for card in cards])
    found, _inliers = cv2.findHomography(pixels.reshape(-1, 2), _outlines(cards).reshape(-1, 2))
    return None if found is None else np.asarray(found, float)


def _places(outlines: Sequence[Any]) -> NDArray[np.float64]:
    return np.array(outlines, float).reshape(-1, 4, 2)


def _outlines(cards: Iterable[Mapping[str, Any]]) -> NDArray[np.float64]:
    return _places([card["place_mm"] for card in cards])


def _unread_mm(reading: Mapping[str, Any]) -> NDArray[np.float64]:
    # older readings have no places of unread cards
    return _places(reading.get("unread_mm", ()))
