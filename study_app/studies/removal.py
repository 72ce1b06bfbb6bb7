"""Deletion of a study: a count of its data, its rows, and files that no other study uses."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, FromClause, delete, func, insert, select
from sqlalchemy.orm import Session

from study_app.accounts.audit import recording
from study_app.cards.print_jobs import forget_print
from study_app.core.config import Settings
from study_app.core.database.references import with_references
from study_app.core.errors import StudyError
from study_app.core.text.languages import in_number, rcounted, rgettext
from study_app.models import Base, Job, Photo, RetiredSetNumber, Stimulus, StimulusSet, Study
from study_app.stimuli import stimuli
from study_app.stimuli.importing import uploads
from study_app.studies.people.withdrawal import delete_traces, note_traces

# Data counted on the confirmation page.
COUNTED = {
    "stimulus": rcounted("%(count)s picture", "%(count)s pictures"),
    "deck": rcounted("%(count)s printed deck", "%(count)s printed decks"),
    "participant": rcounted("%(count)s participant", "%(count)s participants"),
    "sitting": rcounted("%(count)s sitting at a table", "%(count)s sittings at a table"),
    "photo": rcounted("%(count)s photo", "%(count)s photos"),
    "web_sitting": rcounted("%(count)s sitting on the web", "%(count)s sittings on the web"),
    "score": rcounted("%(count)s score", "%(count)s scores"),
    "system": rcounted("%(count)s system", "%(count)s systems"),
}


class NameDiffers(StudyError):
    """The name typed to confirm the deletion is not the study's."""

    def __init__(self, name: str) -> None:
        super().__init__(
            rgettext(
                "Nothing was deleted. To confirm, type the name of the study, %(name)s.",
                name=repr(name),
            )
        )


class WorkUnderWay(StudyError):
    """A running job would still write into the study."""

    status = 409

    def __init__(self, kind: str) -> None:
        super().__init__(
            rgettext(
                "Nothing was deleted: a job (%(kind)s) is still running. Wait until it ends.",
                kind=repr(kind),
            )
        )


@dataclass(frozen=True)
class FilesToDelete:
    """Files of a deleted study that may be unused now.

    Attributes
    ----------
    study_id : int
    pictures, photos : list of str
        SHA-256 of each.
    jobs : list of int
        Ids of jobs that may have left a print run.
    """

    study_id: int
    pictures: Sequence[str]
    photos: Sequence[str]
    jobs: Sequence[int]


def rows_of(study_id: int) -> dict[FromClause, ColumnElement[bool]]:
    """The rows of each table that belong to a study: they refer to it, or to such a row."""
    return with_references({Study.__table__: Study.id == study_id})


def losses(session: Session, study: Study) -> list[str]:
    """The data deleted with a study, in words: "300 pictures", "12 sittings at a table", …."""
    owned = with_references({Study.__table__: Study.id == study.id}, one_way=True)
    counts = []
    for name, words in COUNTED.items():
        table = Base.metadata.tables[name]
        count = session.scalar(select(func.count()).select_from(table).where(owned[table]))
        if count:
            counts.append(in_number(words, count))
    return counts


def remove(session: Session, study: Study, typed_name: str) -> FilesToDelete:
    """Delete a study with every row that belongs to it; the numbers of its sets stay reserved.

    Parameters
    ----------
    session : Session
        Session of a writing transaction.
    study : Study
    typed_name : str
        The name typed to confirm.

    Returns
    -------
    Leftovers
        To be passed to `forget_files` after the commit.

    Raises
    ------
    NameDiffers, WorkUnderWay
    """
    if typed_name.strip() != study.name:
        raise NameDiffers(study.name)
    jobs = session.scalars(select(Job).where(Job.study_id == study.id)).all()
    if running := next((job for job in jobs if job.state == "running"), None):
        raise WorkUnderWay(running.kind)
    study_id, name, job_ids = study.id, study.name, [job.id for job in jobs]
    owned = rows_of(study_id)
    shown = set(session.scalars(select(Stimulus.sha256).where(owned[Stimulus.__table__])))
    photos = set(session.scalars(select(Photo.sha256).where(owned[Photo.__table__])))
    numbers = session.scalars(select(StimulusSet.number).where(StimulusSet.study_id == study_id))
    retired = [{"number": number} for number in numbers]
    # The study's audit list is deleted too; this entry stays, in the researcher's own list.
    recording.note(session, "deleted", "study", study.name)
    with recording.silent(session):
        session.expunge_all()
        for table in reversed(Base.metadata.sorted_tables):
            if table in owned:
                session.execute(delete(table).where(owned[table]))
        if retired:
            session.execute(insert(RetiredSetNumber), retired)
        unseen = stimuli.drop_unshown(session, shown)
    photos -= set(session.scalars(select(Photo.sha256).where(Photo.sha256.in_(photos))))
    note_traces(session, study_id, sorted(photos), name)
    return FilesToDelete(study_id, unseen, sorted(photos), job_ids)


def forget_files(settings: Settings, leftovers: FilesToDelete) -> None:
    """Delete the files of a removed study that no other study uses."""
    stimuli.forget_pictures(settings, leftovers.pictures)
    for job_id in leftovers.jobs:
        forget_print(settings, job_id)
    uploads.discard_all(settings, leftovers.study_id)
    delete_traces(settings, leftovers.study_id, leftovers.photos)
