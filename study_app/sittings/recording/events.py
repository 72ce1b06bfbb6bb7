"""Recording a table: every event is stored once and never changed.

Each writer locks the sitting's row, so two tablets write one after the other. Each event has an id
from the page: sent twice, it is stored once.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from study_app.core.errors import StudyError
from study_app.core.texts import whole
from study_app.models import Event, GroupDescription, Photo, Scan, Sitting
from study_app.sittings import sittings
from study_app.sittings.recording import known_cards
from study_app.sittings.recording.opening import Opening, is_key
from study_app.sittings.recording.refusals import BadEvent
from study_app.sittings.recording.table_state import Row, fold, groups_in_use

HOW_BY_PAGE = {"hand", "scanner", "camera"}
MOVING_KINDS = {"move": "moved", "merge": "groups merged", "split": "group split", "confirm": ""}


class NotRecording(StudyError):
    """A sitting that is not in the state for recording."""

    status = 409

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(
            f"Sitting {sitting.code} is {sitting.state}, not being recorded; "
            + ("reopen it to correct it." if sitting.state == "finished" else "begin recording.")
        )


@dataclass(frozen=True)
class Wanted:
    """An event requested by the conductor.

    Attributes
    ----------
    client_id : str
        Made by the page; the same each time it is sent.
    kind : str
        "place" leaves cards in other groups where they are; "move", "merge", "split" and
        "confirm" move them; "take_away" takes them off the table.
    placements : list of (str, list of int)
        Key of a group, and the stimuli to put there; a new group is opened if needed.
    how : str
        "hand", "scanner" or "camera"; cards seen in one of `photos` are "decoded" or "matched".
    photos : tuple of int
        Photos in which the cards were read; the event settles them.
    reason : str
    """

    client_id: str
    kind: str
    placements: Sequence[tuple[str, Sequence[int]]]
    how: str = "hand"
    photos: tuple[int, ...] = ()
    reason: str = ""


def rows_of(session: Session, sitting: Sitting) -> list[Row]:
    """Every recorded row of a sitting, oldest first."""
    return rows_by_sitting(session, [sitting.id])[sitting.id]


def rows_by_sitting(session: Session, ids: Sequence[int]) -> defaultdict[int, list[Row]]:
    """Every recorded row of these sittings, oldest first."""
    found = session.execute(
        select(Event.sitting_id, Event.id, Scan.stimulus_id, Scan.group_id, Event.undoes_id)
        .join(Event, Scan.event_id == Event.id)
        .where(Event.sitting_id.in_(ids))
        .order_by(Scan.id)
    )
    rows = defaultdict(list)
    for sitting_id, event, stimulus, group, undoes in found:
        rows[sitting_id].append(Row(event, stimulus, group, undoes))
    return rows


def record(
    session: Session, sitting: Sitting, wanted: Wanted, researcher_id: int | None = None
) -> dict[int, int]:
    """Store an event.

    Parameters
    ----------
    session : database session
        Inside `writing()`.
    sitting : Sitting
        Locked by `sittings.find(…, lock=True)`.
    wanted : Wanted
    researcher_id : int, optional

    Returns
    -------
    dict of int to int
        Stimuli that were not placed since they are in another group, with the number of that
        group; the same if the event is sent again.
    """
    _check(sitting, wanted)
    rows = rows_of(session, sitting)
    placed = fold(rows)
    present = sent_before(session, sitting, wanted.client_id)
    groups = {g.key: g for g in sitting.groups}
    if present is None:
        named = {stimulus for _key, stimuli in wanted.placements for stimulus in stimuli}
        if named - known_cards.of_table(session, sitting, named):
            raise BadEvent("it names a card that is not on this table")
        _write(session, sitting, wanted, rows, researcher_id)
        groups = {g.key: g for g in sitting.groups}
    if wanted.kind != "place":
        return {}
    number = {g.id: g.number for g in groups.values()}
    return {
        stimulus: number[placed[stimulus]]
        for key, stimuli in wanted.placements
        for stimulus in stimuli
        if stimulus in placed and (key not in groups or placed[stimulus] != groups[key].id)
    }


def check_writable(sitting: Sitting, client_id: str) -> None:
    """Refuse an event on a table that is not being recorded, or one without an id."""
    if sitting.state != "recording":
        raise NotRecording(sitting)
    if not is_key(client_id):
        raise BadEvent("it has no id")


def _check(sitting: Sitting, wanted: Wanted) -> None:
    check_writable(sitting, wanted.client_id)
    if wanted.kind not in {"place", "take_away", *MOVING_KINDS} or wanted.how not in HOW_BY_PAGE:
        raise BadEvent(f"there is no act {wanted.kind[:20]!r} by {wanted.how[:20]!r}")
    stimuli = [s for _key, stimuli in wanted.placements for s in stimuli]
    if len(stimuli) != len(set(stimuli)):
        raise BadEvent("it puts a card into two groups")


def sent_before(session: Session, sitting: Sitting, client_id: str) -> Event | None:
    """The event with that id, if it is already stored."""
    query = select(Event).where(Event.sitting_id == sitting.id, Event.client_id == client_id)
    return session.scalar(query)


def _write(
    session: Session,
    sitting: Sitting,
    wanted: Wanted,
    rows: Sequence[Row],
    researcher_id: int | None,
) -> None:
    """Add the event with its rows; cards that lie where they should get none."""
    placed = fold(rows)
    opening = Opening(sitting, groups_in_use(rows), {key for key, _ in wanted.placements})
    photos = [photo_of(session, sitting, photo_id) for photo_id in wanted.photos]
    reason = whole(wanted.reason, 500, "The reason") or MOVING_KINDS.get(wanted.kind, "")
    if wanted.kind == "confirm" and _moves(sitting, wanted, placed):
        reason = reason or "as a photo shows"
    columns = {"reason": reason, "researcher_id": researcher_id}
    event = add_event(session, sitting, wanted.client_id, wanted.kind, **columns)
    settle(event, photos)
    for photo in photos:
        # one that showed several groups after all is a photo of a table
        photo.one_group = photo.one_group and wanted.kind != "confirm"
    seen = _seen_in(photos)
    for key, stimuli in wanted.placements:
        group: str | None
        going: Sequence[int]
        if wanted.kind == "take_away":
            going, group = [s for s in stimuli if s in placed], None
        elif wanted.kind == "place":
            going, group = [s for s in stimuli if s not in placed], key
        else:
            going, group = stimuli, key
        if not going:
            continue
        opened = opening.group(session, group) if group else None
        for stimulus in going:
            if opened is None or placed.get(stimulus) != opened.id:
                session.add(
                    Scan(
                        event_id=event.id,
                        stimulus_id=stimulus,
                        group_id=opened and opened.id,
                        **seen.get(stimulus, {"how": wanted.how}),
                    )
                )
    session.flush()


def _moves(sitting: Sitting, wanted: Wanted, placed: Mapping[int, int]) -> bool:
    """Whether an event moves a card from another group."""
    key = {group.id: group.key for group in sitting.groups}
    return any(
        stimulus in placed and key[placed[stimulus]] != goes_to
        for goes_to, stimuli in wanted.placements
        for stimulus in stimuli
    )


def _seen_in(photos: Iterable[Photo]) -> dict[int, dict[str, Any]]:
    """Where in the photos each card was seen: in the first that shows it."""
    seen: dict[int, dict[str, Any]] = {}
    for photo in photos:
        for card in photo.reading["cards"]:
            seen.setdefault(
                card["stimulus"],
                {
                    "how": card["how"],
                    "margin": card["margin"],
                    "corners": card["corners"],
                    "photo_id": photo.id,
                },
            )
    return seen


def photo_of(session: Session, sitting: Sitting, photo_id: int) -> Photo:
    """A photo of this sitting that an event names."""
    photo = session.get(Photo, photo_id)
    if photo is None or photo.sitting_id != sitting.id:
        raise BadEvent("it names a photo that is not of this table")
    return photo


def settle(event: Event, photos: Iterable[Photo]) -> None:
    """Mark these photos as settled by this event."""
    for photo in photos:
        photo.settled_by_id = photo.settled_by_id or event.id


def add_event(
    session: Session, sitting: Sitting, client_id: str, kind: str, **columns: str | int | None
) -> Event:
    """Store an event with additional columns, without rows yet."""
    event = Event(sitting_id=sitting.id, client_id=client_id, kind=kind, **columns)
    session.add(event)
    session.flush()
    sittings.touch(sitting)
    return event


@dataclass(frozen=True)
class Description:
    """The conductor's name for a group, and a note; `client_id` as for any event."""

    client_id: str
    key: str
    name: str
    note: str


def describe(
    session: Session, sitting: Sitting, wanted: Description, researcher_id: int | None = None
) -> None:
    """Store a group's name and note."""
    check_writable(sitting, wanted.client_id)
    if sent_before(session, sitting, wanted.client_id):
        return
    group = next((g for g in sitting.groups if g.key == wanted.key), None)
    if group is None:
        raise BadEvent("it names no group of this table")
    name, note = whole(wanted.name, 80, "The name"), whole(wanted.note, 2000, "The note")
    reason = f"group {group.number}: {name or 'no name'}" + (f" ({note})" if note else "")
    columns = {"reason": reason, "researcher_id": researcher_id}
    event = add_event(session, sitting, wanted.client_id, "describe", **columns)
    group.descriptions.append(GroupDescription(event_id=event.id, name=name, note=note))
    session.flush()


def set_aside(
    session: Session,
    sitting: Sitting,
    client_id: str,
    photo_ids: Iterable[int],
    researcher_id: int | None = None,
) -> None:
    """Discard some photos from review; their files stay."""
    check_writable(sitting, client_id)
    if sent_before(session, sitting, client_id):
        return
    photos = [photo_of(session, sitting, photo_id) for photo_id in photo_ids]
    event = add_event(session, sitting, client_id, "set_aside", researcher_id=researcher_id)
    settle(event, photos)
    session.flush()
