"""The recorded rows of tables, as they are read from the database and added to it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import bindparam, insert, select
from sqlalchemy.orm import Session

from study_app.core.database.prepared import Prepared
from study_app.models import Event, Group, Scan, Sitting
from study_app.sittings.recording.sitting_lock import LockedSitting
from study_app.sittings.recording.table_state import Row, fold

# Built once and sent by the connection, because saves of a table run them.
_NUMBERS = select(Group.id, Group.number).where(Group.sitting_id == bindparam("sitting_id"))
_ADD = Prepared(insert(Scan), ("act_id", "stimulus_id", "group_id", "how"))
_ADD_SEEN = insert(Scan)


def rows_of(session: Session, sitting: Sitting) -> list[Row]:
    """Every recorded row of a sitting, oldest first."""
    return rows_by_sitting(session, [sitting.id])[sitting.id]


def rows_by_sitting(session: Session, ids: Sequence[int]) -> defaultdict[int, list[Row]]:
    """Every recorded row of these sittings, oldest first."""
    found = session.execute(
        select(
            Event.sitting_id, Event.id, Scan.stimulus_id, Scan.group_id, Event.undoes_id, Scan.how
        )
        .join(Event, Scan.event_id == Event.id)
        .where(Event.sitting_id.in_(ids))
        .order_by(Scan.id)
    )
    rows = defaultdict(list)
    for sitting_id, event, stimulus, group, undoes, how in found:
        rows[sitting_id].append(Row(event, stimulus, group, undoes, how))
    return rows


def placed_of(session: Session, sitting: Sitting) -> dict[int, int]:
    """Current group of each card of a sitting, in the order of placement."""
    rows = session.execute(
        select(Scan.stimulus_id, Scan.group_id)
        .join(Event, Scan.event_id == Event.id)
        .where(Event.sitting_id == sitting.id)
        .order_by(Scan.id)
    )
    return fold(Row(0, *row) for row in rows)


def numbers(session: Session, sitting: Sitting | LockedSitting) -> dict[int, int]:
    """The number of every group."""
    return dict(session.connection().execute(_NUMBERS, {"sitting_id": sitting.id}).all())


def add(session: Session, rows: Sequence[Row], how: str, seen: Mapping[int, Any]) -> None:
    """Store the rows of an event; `seen` says how and where photos show some of the cards."""
    for is_seen, alike in groupby(rows, key=lambda row: row.stimulus in seen):
        stored = [
            {
                "act_id": row.event,
                "stimulus_id": row.stimulus,
                "group_id": row.group,
                **(seen[row.stimulus] if is_seen else {"how": how}),
            }
            for row in alike
        ]
        if is_seen:
            session.connection().execute(_ADD_SEEN, stored)
        else:
            _ADD.send_rows(session.connection(), stored)
