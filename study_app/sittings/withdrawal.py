"""Withdrawing an assessor or a sitting at a table, and deleting a photo permanently.

Only a code, the time of the withdrawal, and who did it remain.
"""

from collections.abc import Collection, Sequence

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from study_app.models import (
    DeletedPhoto,
    Event,
    Group,
    GroupDescription,
    Participant,
    Photo,
    Scan,
    Sitting,
    SittingAssessor,
    now,
)
from study_app.models.exclusion import Exclusion
from study_app.models.systems import GoldFigure
from study_app.sittings.sittings import touch


def sittings_of(session: Session, person: Participant) -> Sequence[Sitting]:
    """Every sitting of a person at a table, joint sittings included."""
    own = select(SittingAssessor.sitting_id).where(SittingAssessor.participant_id == person.id)
    return session.scalars(
        select(Sitting).where(Sitting.id.in_(own)).order_by(Sitting.number)
    ).all()


def withdraw_assessor(
    session: Session, person: Participant, researcher_id: int | None = None
) -> list[str]:
    """Delete everything that an assessor sorted and wrote, alone or with another assessor.

    Parameters
    ----------
    session : Session
        Session of a writing transaction.
    person : Participant
    researcher_id : int, optional
        The researcher who does it.

    Returns
    -------
    list of str
        SHA-256 of photos that no sitting uses any more: delete their files after the commit.
    """
    photos: list[str] = []
    for sitting in sittings_of(session, person):
        # A second entry is deleted with its first.
        if sitting.first_entry_id is None:
            photos += withdraw_sitting(session, sitting, researcher_id)
    session.execute(delete(Exclusion).where(Exclusion.participant_id == person.id))
    person.withdrawn_at = person.withdrawn_at or now()
    person.age_band = person.gender = None
    return unused_photos(session, photos)


def withdraw_sitting(
    session: Session, sitting: Sitting, researcher_id: int | None = None
) -> list[str]:
    """Delete everything of one sitting, its second entry included; as `withdraw_assessor`.

    A withdrawn sitting keeps the time of its withdrawal.
    """
    if sitting.state == "withdrawn":
        return []
    again = session.scalars(select(Sitting).where(Sitting.first_entry_id == sitting.id)).all()
    photos = [sha256 for one in (sitting, *again) for sha256 in _delete_rows(session, one)]
    for one in again:
        session.execute(delete(SittingAssessor).where(SittingAssessor.sitting_id == one.id))
    session.execute(delete(Sitting).where(Sitting.id.in_([one.id for one in again])))
    _keep_only_code(sitting, researcher_id)
    figure = delete(GoldFigure).where(GoldFigure.study_id == sitting.study_id)
    session.execute(figure.where(GoldFigure.target == f"set-{sitting.set_id}"))
    session.flush()
    return unused_photos(session, photos)


def delete_photo(session: Session, photo: Photo, researcher_id: int | None = None) -> list[str]:
    """Delete a photo permanently; cards recorded from it stay, without their place in it.

    Returns
    -------
    list of str
        As for `withdraw_assessor`.
    """
    sitting, sha256 = photo.sitting, photo.sha256
    read = update(Scan).where(Scan.photo_id == photo.id)
    session.execute(read.values(photo_id=None, corners=None))
    session.delete(photo)
    session.add(DeletedPhoto(sitting_id=sitting.id, researcher_id=researcher_id))
    touch(sitting)
    session.flush()
    return unused_photos(session, [sha256])


def deleted_photos(session: Session, sitting: Sitting) -> Sequence[DeletedPhoto]:
    """Records of deleted photos of a sitting."""
    chosen = select(DeletedPhoto).where(DeletedPhoto.sitting_id == sitting.id)
    return session.scalars(chosen.order_by(DeletedPhoto.id)).all()


def unused_photos(session: Session, photos: Collection[str]) -> list[str]:
    """The photos, by SHA-256, that no sitting of any study uses."""
    named = set(session.scalars(select(Photo.sha256).where(Photo.sha256.in_(photos))))
    return sorted(set(photos) - named)


def _delete_rows(session: Session, sitting: Sitting) -> Sequence[str]:
    """Delete every row of a sitting; return the SHA-256 of its photos."""
    photos = session.scalars(select(Photo.sha256).where(Photo.sitting_id == sitting.id)).all()
    events = select(Event.id).where(Event.sitting_id == sitting.id)
    session.execute(delete(Scan).where(Scan.event_id.in_(events)))
    session.execute(delete(GroupDescription).where(GroupDescription.event_id.in_(events)))
    for table in (Photo, DeletedPhoto, Group):
        session.execute(delete(table).where(table.sitting_id == sitting.id))
    session.execute(update(Event).where(Event.sitting_id == sitting.id).values(undoes_id=None))
    session.execute(delete(Event).where(Event.sitting_id == sitting.id))
    session.execute(delete(Exclusion).where(Exclusion.sitting_id == sitting.id))
    session.expire(sitting, ["groups"])
    return photos


def _keep_only_code(sitting: Sitting, researcher_id: int | None) -> None:
    sitting.state = "withdrawn"
    sitting.withdrawn_at, sitting.withdrawn_by_id = now(), researcher_id
    sitting.started_at = sitting.stopped_at = sitting.finished_at = None
    sitting.notes = sitting.missing_reason = ""
    sitting.instructions = sitting.imported_from = sitting.deck_id = None
    touch(sitting)
