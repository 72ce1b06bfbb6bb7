"""The export of a study as a ZIP, made by a job; only the newest is stored."""

import zipfile
from collections.abc import Hashable
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from basics.progress import Report
from study_app.core.background import jobs
from study_app.core.background.jobs import Progress
from study_app.core.config import Settings
from study_app.core.database import own_session
from study_app.core.errors import StudyError
from study_app.core.storage import missing_files
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.work_folder import work_folder
from study_app.core.text.languages import rgettext
from study_app.models import Job, Participant
from study_app.results.exports import export_study, left_out

EPOCH = (1980, 1, 1, 0, 0, 0)


class ExportGone(StudyError):
    """The study has no current export."""

    status = 404

    def __init__(self) -> None:
        super().__init__(
            rgettext(
                "This study has no current export: none was made, or somebody withdrew "
                "since the last one. Start a new export."
            )
        )


class WithdrewMeanwhile(StudyError):
    """Data in the export were deleted while it was made."""

    def __init__(self) -> None:
        super().__init__(
            rgettext("Somebody withdrew during this export, so it was discarded. Start it again.")
        )


def archive_name(study_id: int) -> str:
    """The name of a study's newest ZIP in the store."""
    return f"exports/study-{int(study_id)}.zip"


def is_there(settings: Settings, study_id: int) -> bool:
    """Whether a study has a current export."""
    return store_of(settings).exists(archive_name(study_id))


def find(settings: Settings, study_id: int) -> str:
    """The name of a study's newest ZIP; refuses if nothing was exported."""
    if not is_there(settings, study_id):
        raise ExportGone()
    return archive_name(study_id)


def is_named(session: Session, study_id: int) -> bool:
    """Whether the newest ZIP of a study names researchers, as its export was asked to."""
    finished = Job.study_id == study_id, Job.kind == "export", Job.state == "done"
    # Of two at once, the one that ended later has replaced the other's ZIP.
    newest = select(Job.arguments).where(*finished).order_by(Job.ended_at.desc()).limit(1)
    return bool((session.scalar(newest) or {}).get("named"))


def delete(settings: Settings, study_id: int) -> None:
    """Delete the newest ZIP of a study, after a withdrawal."""
    store_of(settings).delete(archive_name(study_id))


@jobs.kind("export", repeatable=True)
def export(progress: Progress, address: str, named: bool) -> dict[str, Any]:
    """A job: export its study, for download at `address`."""
    message = make(progress.settings, progress.study_id, named, progress)
    return {"message": message, "download": address}


def make(settings: Settings, study_id: int, named: bool, progress: Report) -> str:
    """Export a study into its ZIP; returns a sentence about it."""
    with work_folder(settings) as made:
        folder = made / "export"
        folder.mkdir()
        withdrawn_before = withdrawn(study_id)
        absent = export_study(settings, study_id, folder, progress, named)
        write_zip(folder, made / "export.zip")
        refuse_withdrawn(study_id, withdrawn_before)
        # A suspended worker that goes on must not replace a newer export.
        progress(100, 100)
        store_of(settings).move_in(archive_name(study_id), made / "export.zip")
    try:
        # Who withdrew while it was moved found no ZIP to delete.
        refuse_withdrawn(study_id, withdrawn_before)
    except WithdrewMeanwhile:
        delete(settings, study_id)
        raise
    if not absent:
        return rgettext("The export is ready.")
    return rgettext("The export is ready. %(more)s", more=missing_files.sentence(absent))


def withdrawn(study_id: int) -> Hashable:
    """A value that changes when data of people in a study are deleted."""
    with own_session() as session:
        people = select(Participant.code).where(
            Participant.study_id == study_id, Participant.withdrawn_at.is_not(None)
        )
        return (
            tuple(left_out.withdrawals(session, study_id)),
            tuple(session.scalars(people.order_by(Participant.code))),
            left_out.deletions(session, study_id),
        )


def refuse_withdrawn(study_id: int, before: Hashable) -> None:
    """Refuse an export if data were deleted since `withdrawn` gave this value.

    Raises
    ------
    WithdrewMeanwhile
    """
    if withdrawn(study_id) != before:
        raise WithdrewMeanwhile()


def write_zip(folder: Path, path: Path) -> None:
    """Pack a folder reproducibly: files in order of their names, without times."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for file in sorted(p for p in folder.rglob("*") if p.is_file()):
            entry = zipfile.ZipInfo(file.relative_to(folder).as_posix(), EPOCH)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            with file.open("rb") as source, archive.open(entry, "w") as target:
                while block := source.read(1 << 20):
                    target.write(block)
