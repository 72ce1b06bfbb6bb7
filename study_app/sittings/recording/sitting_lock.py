"""Locking a sitting for one event, with the statement that counts the event."""

from typing import NamedTuple

from sqlalchemy import bindparam, update
from sqlalchemy.orm import Session

from study_app.core.database.prepared import Prepared
from study_app.core.errors import NotFound
from study_app.core.text.languages import translatable
from study_app.models import Sitting
from study_app.models.sittings import code_of
from study_app.sittings.sittings import number_of

# Built once and sent by the connection, because every save of a table runs it.
_LOCK = Prepared(
    update(Sitting)
    .where(Sitting.study_id == bindparam("study"), Sitting.number == bindparam("written"))
    .values(revision=Sitting.revision + 1)
    .returning(
        Sitting.id,
        Sitting.study_id,
        Sitting.number,
        Sitting.set_id,
        Sitting.deck_number,
        Sitting.state,
        Sitting.revision,
    )
)


class LockedSitting(NamedTuple):
    """The columns of a locked sitting that an event needs; the revision includes the event."""

    id: int
    study_id: int
    number: int
    set_id: int
    deck_number: int | None
    state: str
    revision: int

    @property
    def code(self) -> str:
        """Its code on pages and in files: T012."""
        return code_of(self.number)


def lock_sitting(session: Session, study_id: int, written: str) -> LockedSitting:
    """Lock a sitting for one event, with one statement; it blocks other writers."""
    known = {"study": study_id, "written": number_of(written)}
    locked = _LOCK.send(session.connection(), known)
    if not locked:
        raise NotFound(translatable("sitting"), written[:40])
    return LockedSitting(*locked[0])
