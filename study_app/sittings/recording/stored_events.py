"""Events of a table as they are stored: each once, under the id that the page gave it."""

from collections.abc import Collection, Iterable

from sqlalchemy import bindparam, insert, select
from sqlalchemy.orm import Session

from study_app.accounts.audit import recording
from study_app.core.database.prepared import Prepared
from study_app.core.errors import StudyError
from study_app.core.text.languages import gettext
from study_app.models import Event, Photo, Sitting, now
from study_app.sittings import sittings
from study_app.sittings.recording.opening import is_key
from study_app.sittings.recording.refusals import BadEvent
from study_app.sittings.recording.sitting_lock import LockedSitting

# Built once and sent by the connection, because every save of a table runs them.
_SENT = select(Event.id).where(
    Event.sitting_id == bindparam("sitting_id"), Event.client_id == bindparam("client_id")
)
_COLUMNS = ("sitting_id", "client_id", "kind", "reason", "undoes_id", "researcher_id", "at")
_ADD = Prepared(insert(Event).returning(Event.id), _COLUMNS)


class NotRecording(StudyError):
    """The sitting is not in the state for recording; a withdrawn one never will be again."""

    status = 409

    def __init__(self, sitting: Sitting | LockedSitting) -> None:
        if sitting.state == "withdrawn":
            self.status = 410
            super().__init__(
                gettext(
                    "Sitting %(code)s was withdrawn; nothing more is recorded.", code=sitting.code
                )
            )
            return
        if sitting.state == "finished":
            sentence = gettext(
                "Sitting %(code)s is finished, not being recorded; reopen it to correct it.",
                code=sitting.code,
            )
        else:
            sentence = gettext(
                "Sitting %(code)s is not being recorded yet; begin recording.", code=sitting.code
            )
        super().__init__(sentence)


def check_writable(sitting: Sitting | LockedSitting, client_id: str) -> None:
    """Refuse an event on a table that is not being recorded, or one without an id."""
    if sitting.state != "recording":
        raise NotRecording(sitting)
    if not is_key(client_id):
        raise BadEvent(gettext("it has no id"))


def is_sent(session: Session, sitting: Sitting, client_id: str) -> bool:
    """Whether an event of that id is already stored."""
    known = {"sitting_id": sitting.id, "client_id": client_id}
    return session.connection().scalar(_SENT, known) is not None


def photo_of(session: Session, sitting: Sitting | LockedSitting, photo_id: int) -> Photo:
    """A photo of this sitting that an event names."""
    photo = session.get(Photo, photo_id)
    if photo is None or photo.sitting_id != sitting.id:
        raise BadEvent(gettext("it names a photo that is not of this table"))
    return photo


def settle(event: int, photos: Iterable[Photo]) -> None:
    """Mark these photos as settled by this event."""
    for photo in photos:
        photo.settled_by_id = photo.settled_by_id or event


def reopen(session: Session, photos: Collection[Photo]) -> bool:
    """Let photos that were discarded await review again, since somebody chose them again; returns
    whether any were discarded."""
    events = {photo.settled_by_id for photo in photos}
    discards = select(Event.id).where(Event.id.in_(events), Event.kind == "set_aside")
    found = set(session.scalars(discards))
    for photo in photos:
        if photo.settled_by_id in found:
            photo.settled_by_id = None
    return bool(found)


def add_event(
    session: Session,
    sitting: Sitting | LockedSitting,
    client_id: str,
    kind: str,
    **columns: str | int | None,
) -> int:
    """Store an event with additional columns, without rows yet; the return value is its number."""
    event = {"sitting_id": sitting.id, "client_id": client_id, "kind": kind, "at": now()}
    event |= {"reason": "", "undoes_id": None, "researcher_id": None, **columns}
    ((number,),) = _ADD.send(session.connection(), event)
    recording.note_stored(session, Event, sitting.code, sitting.study_id, kind=kind)
    if isinstance(sitting, Sitting):
        sittings.touch(sitting)
    return number
