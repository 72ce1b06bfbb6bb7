"""Undoing an event: its cards, names and photos return to their previous state.

Nothing is deleted. Undoing adds another event with its own rows; later changes to the same card or
group remain.
"""

from typing import NamedTuple

from sqlalchemy import bindparam, exists, or_, select
from sqlalchemy.orm import Session, aliased

from study_app.core.text.languages import gettext
from study_app.models import Event, GroupDescription, Photo, Scan, Sitting
from study_app.sittings.recording.refusals import BadEvent
from study_app.sittings.recording.stored_events import add_event, check_writable, is_sent
from study_app.sittings.recording.table_rows import rows_of
from study_app.sittings.recording.table_state import not_undone, put_back

NOT_UNDONE = ("undo", "finish", "reopen", "import")

_UNDONE = aliased(Event)
# Built once, because every save of a table runs it.
_UNDOABLE = (
    select(Event.id)
    .where(
        Event.sitting_id == bindparam("sitting_id"),
        Event.kind.not_in(NOT_UNDONE),
        ~exists().where(_UNDONE.undoes_id == Event.id),
        or_(
            exists().where(Scan.event_id == Event.id),
            exists().where(GroupDescription.event_id == Event.id),
            exists().where(Photo.settled_by_id == Event.id),
        ),
    )
    .order_by(Event.id.desc())
    .limit(bindparam("most"))
)


class Words(NamedTuple):
    """A name and a note that an event gave a group."""

    event: int
    undoes: int | None
    name: str
    note: str


def undo(
    session: Session,
    sitting: Sitting,
    client_id: str,
    undone: str,
    researcher_id: int | None = None,
) -> None:
    """Revert an event's changes, except those changed again since.

    Parameters
    ----------
    undone : str
        Client id of the event to undo.
    """
    check_writable(sitting, client_id)
    if is_sent(session, sitting, client_id):
        return
    query = select(Event).where(Event.sitting_id == sitting.id, Event.client_id == undone)
    event = session.scalar(query)
    if event is None or event.kind in NOT_UNDONE:
        raise BadEvent(gettext("there is no such event to undo"))
    back = put_back(rows_of(session, sitting), event.id)
    how = {scan.stimulus_id: scan.how for scan in event.scans}
    columns = {"reason": "undone", "researcher_id": researcher_id, "undoes_id": event.id}
    answer = add_event(session, sitting, client_id, "undo", **columns)
    for stimulus, group in sorted(back.items()):
        session.add(Scan(event_id=answer, stimulus_id=stimulus, group_id=group, how=how[stimulus]))
    _call_as_before(session, sitting, event, answer)
    for photo in session.scalars(select(Photo).where(Photo.settled_by_id == event.id)):
        photo.settled_by_id = None
    session.flush()


def _call_as_before(session: Session, sitting: Sitting, event: Event, answer: int) -> None:
    """Restore the names and notes of groups that the event was the last to describe."""
    query = select(Event.id, Event.undoes_id).where(Event.sitting_id == sitting.id)
    undoes = dict(session.execute(query).all())
    for group in sitting.groups:
        words = [Words(d.event_id, undoes[d.event_id], d.name, d.note) for d in group.descriptions]
        *before, last = [None, *not_undone(words)]
        if last and last.event == event.id:
            name, note = before[-1][2:] if before[-1] else ("", "")
            group.descriptions.append(GroupDescription(event_id=answer, name=name, note=note))


def undoable(session: Session, sitting: Sitting, most: int) -> list[int]:
    """Numbers of the newest events that changed something and are not undone yet, newest first."""
    return list(session.scalars(_UNDOABLE, {"sitting_id": sitting.id, "most": most}))
