"""Data for the recording page of a table, as plain values."""

from collections import defaultdict
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from study_app.core.database import restores
from study_app.core.text.languages import rtranslatable
from study_app.models import Event, Photo, Scan, Sitting
from study_app.sittings.recording import known_cards
from study_app.sittings.recording.events import Recorded, Wanted
from study_app.sittings.recording.opening import Opening
from study_app.sittings.recording.table_rows import rows_of
from study_app.sittings.recording.table_state import fold, groups_in_use
from study_app.sittings.recording.undo import undoable

# What the conductor did, as the history of a sitting says it.
WORDS = {
    "place": rtranslatable("placed"),
    "move": rtranslatable("moved"),
    "merge": rtranslatable("groups merged"),
    "split": rtranslatable("group split"),
    "confirm": rtranslatable("photo confirmed"),
    "take_away": rtranslatable("removed from the table"),
    "describe": rtranslatable("name or note changed"),
    "set_aside": rtranslatable("photo discarded"),
    "undo": rtranslatable("a step undone"),
    "import": rtranslatable("groups imported"),
    "finish": rtranslatable("finished"),
    "reopen": rtranslatable("reopened"),
}
MOVES = {"move", "merge", "split", "take_away"}
EVENTS_SHOWN = 30
EVENTS_UNDONE = 10


def deck_view(session: Session, sitting: Sitting) -> dict[str, Any]:
    """The cards of the table, and every code that identifies one of them."""
    deck = known_cards.deck_of(session, sitting)
    return {
        "set": deck.set.name,
        "deck": deck.letter,
        "cards": [
            {
                "id": s.id,
                "card": s.card,
                "name": s.name,
                "code": deck.code(s.card),
                "version": s.sha256[:8],
            }
            for s in deck.stimuli.values()
        ],
        "headers": known_cards.header_codes(),
    }


def table(session: Session, sitting: Sitting) -> dict[str, Any]:
    """The group of every card, the last events, and the photos that are not confirmed."""
    rows = rows_of(session, sitting)
    opening = Opening(sitting, groups_in_use(rows), ())
    placed = defaultdict(list)
    for stimulus, group in fold(rows).items():
        placed[group].append(stimulus)
    return {
        "revision": sitting.revision,
        "restored": restores.mark(session),
        "state": sitting.state,
        "groups": [
            {
                "key": group.key,
                "number": group.number,
                "name": group.name,
                "note": group.note,
                "cards": placed[group.id],
                "free": opening.is_free(group),
            }
            for group in sitting.groups
        ],
        "acts": _undoable_events(session, sitting),
        "photos": [photo_view(photo, discarded) for photo, discarded in _photos(session, sitting)],
    }


def change(revision: int, since: int, wanted: Wanted, done: Recorded) -> dict[str, Any]:
    """What an event changed, for a page that knows the table of the revision `since` before it.

    `groups` are those that cards went into: each is a new one, or takes the place of the one with
    its number, which is free then.
    """
    event = {"id": wanted.client_id, "kind": wanted.kind, "cards": len(done.placed)}
    return {
        "since": since,
        "revision": revision,
        "groups": [{"key": key, "number": number} for key, number in done.groups.items()],
        "placed": list(done.placed.items()),
        "act": event if done.placed else None,
    }


def last_events(session: Session, sitting: Sitting) -> list[dict[str, Any]]:
    """The newest events first, each with its number of cards and whether it was undone.

    The reasons of moves are words of the program, and are left out.
    """
    undone = set(session.scalars(select(Event.undoes_id).where(Event.sitting_id == sitting.id)))
    query = (
        select(Event.id, Event.client_id, Event.kind, Event.reason, Event.at, func.count(Scan.id))
        .outerjoin(Scan, Scan.event_id == Event.id)
        .where(Event.sitting_id == sitting.id)
        .group_by(Event.id)
        .order_by(Event.id.desc())
        .limit(EVENTS_SHOWN)
    )
    return [
        {
            "id": client_id,
            "words": WORDS[kind],
            "reason": "" if kind in MOVES else reason,
            "at": at.isoformat(),
            "cards": cards,
            "undone": event_id in undone,
        }
        for event_id, client_id, kind, reason, at, cards in session.execute(query)
    ]


def _undoable_events(session: Session, sitting: Sitting) -> list[dict[str, Any]]:
    """Events that can be undone, newest first; kept short, since every response includes them."""
    possible = undoable(session, sitting, EVENTS_UNDONE)
    query = (
        select(Event.client_id, Event.kind, func.count(Scan.id))
        .outerjoin(Scan, Scan.event_id == Event.id)
        .where(Event.id.in_(possible))
        .group_by(Event.id)
        .order_by(Event.id.desc())
    )
    return [{"id": n, "kind": kind, "cards": cards} for n, kind, cards in session.execute(query)]


def _photos(session: Session, sitting: Sitting) -> list[tuple[Photo, bool]]:
    """The photos, each with whether it was discarded."""
    query = (
        select(Photo, Event.kind)
        .outerjoin(Event, Event.id == Photo.settled_by_id)
        .where(Photo.sitting_id == sitting.id)
        .order_by(Photo.id)
    )
    return [(row.Photo, row.kind == "set_aside") for row in session.execute(query)]


def photo_view(photo: Photo, discarded: bool = False) -> dict[str, Any]:
    """A photo without its reading."""
    return {
        "id": photo.id,
        "one_group": photo.one_group,
        "settled": photo.settled_by_id is not None,
        "discarded": discarded,
        "read": not photo.reading.get("waiting", False),
        "cards": len(photo.reading["cards"]),
        "unread": len(photo.reading["unread"]),
    }
