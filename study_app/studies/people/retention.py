"""Retention dates of data that could identify people, and reminders.

Nothing is deleted automatically: a page shows what is due, and a researcher deletes it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from study_app.core.text.languages import rtranslatable
from study_app.models import Photo, Sitting, Study
from study_app.models.participation import PlatformIdentity, WebSitting, WebTask
from study_app.models.rights import Retention
from study_app.participation.people.payments import forget_identities
from study_app.sittings.withdrawal import delete_photo

REMINDED_BEFORE = timedelta(days=30)
KINDS = {
    "photos": rtranslatable("photos of tables"),
    "platform_ids": rtranslatable("platform IDs"),
    "study": rtranslatable("the whole study"),
}


class Reminder(NamedTuple):
    """Data of a study that are due for deletion.

    Attributes
    ----------
    study : Study
    kind : str
        A key of `KINDS`.
    until : date
    overdue : bool
    """

    study: Study
    kind: str
    until: date
    overdue: bool

    @property
    def what(self) -> str:
        """The data to be deleted, in words."""
        return KINDS[self.kind]


@dataclass(frozen=True)
class Dates:
    """The retention date of each kind of data; None if no date is set."""

    photos: date | None = None
    platform_ids: date | None = None
    study: date | None = None


def dates_of(session: Session, study_id: int) -> Dates:
    """The retention dates of a study."""
    stored = session.get(Retention, study_id)
    if stored is None:
        return Dates()
    return Dates(stored.photos_until, stored.platform_ids_until, stored.study_until)


def set_dates(session: Session, study_id: int, dates: Dates) -> None:
    """Set the retention dates of a study."""
    stored = session.get(Retention, study_id)
    if stored is None:
        stored = Retention(study_id=study_id)
        session.add(stored)
    stored.photos_until, stored.platform_ids_until = dates.photos, dates.platform_ids
    stored.study_until = dates.study


def reminders(session: Session, today: date, study_id: int | None = None) -> list[Reminder]:
    """Data due within 30 days, or overdue and not deleted yet; earliest first.

    Parameters
    ----------
    today : date
    study_id : int, optional
        By default all studies.
    """
    chosen = select(Retention, Study).join(Study, Study.id == Retention.study_id)
    if study_id is not None:
        chosen = chosen.where(Study.id == study_id)
    due = []
    for stored, study in session.execute(chosen):
        for kind, until in vars(dates_of(session, stored.study_id)).items():
            if until and until <= today + REMINDED_BEFORE and _present(session, study.id, kind):
                due.append(Reminder(study, kind, until, until < today))
    return sorted(due, key=lambda one: (one.until, one.study.id))


def delete_photos(
    session: Session, study_id: int, researcher_id: int | None = None
) -> Sequence[str]:
    """Delete every photo of a study; returns SHA-256 as `withdraw_assessor`."""
    chosen = select(Photo).join(Sitting).where(Sitting.study_id == study_id).order_by(Photo.id)
    unused: list[str] = []
    for photo in session.scalars(chosen).all():
        unused += delete_photo(session, photo, researcher_id)
    return unused


def delete_platform_ids(session: Session, study_id: int) -> int:
    """Delete the platform IDs of a study; returns how many."""
    tasks = session.scalars(select(WebTask).where(WebTask.study_id == study_id)).all()
    return sum(forget_identities(session, task) for task in tasks)


def _present(session: Session, study_id: int, kind: str) -> bool:
    if kind == "photos":
        chosen = select(Photo.id).join(Sitting).where(Sitting.study_id == study_id)
        return session.scalar(chosen.limit(1)) is not None
    if kind == "platform_ids":
        known = select(PlatformIdentity.sitting_id).join(
            WebSitting, WebSitting.id == PlatformIdentity.sitting_id
        )
        own = known.join(WebSitting.task).where(WebTask.study_id == study_id)
        return session.scalar(own.limit(1)) is not None
    return True
