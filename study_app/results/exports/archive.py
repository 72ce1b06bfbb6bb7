"""An export as one zip, made by a job; the newest of each study is kept until the next."""

import tempfile
import zipfile
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from basics.output import output_file
from study_app.core.config import Settings
from study_app.core.database import db
from study_app.core.errors import StudyError
from study_app.core.jobs import Progress, Work
from study_app.core.storage import missing_files
from study_app.results.exports import export_study, left_out
from study_app.results.exports.left_out import Withdrawn

EPOCH = (1980, 1, 1, 0, 0, 0)


class ExportGone(StudyError):
    """Only the newest export of a study is kept."""

    status = 404

    def __init__(self) -> None:
        super().__init__(
            "This study has no current export: none was made, or somebody withdrew since the "
            "last one. Start a new export."
        )


class WithdrewMeanwhile(StudyError):
    """An export that contains scores deleted while it was made."""

    def __init__(self) -> None:
        super().__init__(
            "Somebody withdrew during this export, so it was discarded. Start it again."
        )


def archive_path(settings: Settings, study_id: int) -> Path:
    """The path of the newest zip of a study."""
    return Path(settings.instance) / "exports" / f"study-{int(study_id)}.zip"


def find(settings: Settings, study_id: int) -> Path:
    """The newest zip of a study."""
    path = archive_path(settings, study_id)
    if not path.exists():
        raise ExportGone()
    return path


def forget(settings: Settings, study_id: int) -> None:
    """Remove the newest zip of a study, since somebody whose scores it holds withdrew."""
    archive_path(settings, study_id).unlink(missing_ok=True)


def work_of(settings: Settings, study_id: int, address: str, named: bool) -> Work:
    """A job's work: export the study into its zip, to be fetched at `address`."""

    def work(progress: Progress) -> dict[str, Any]:
        # Beside its zip: what a killed server leaves here is cleared by the next one.
        place = archive_path(settings, study_id).parent
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".sketch-study-", dir=place) as made:
            folder = Path(made)
            gone = _withdrawn(db.session(), study_id)
            absent = export_study(db.session(), settings, study_id, folder, progress, named)
            with output_file(archive_path(settings, study_id), force=True) as path:
                write_zip(folder, path)
                db.session.rollback()
                if _withdrawn(db.session(), study_id) != gone:
                    raise WithdrewMeanwhile()
        told = f"The export is ready. {missing_files.sentence(absent)}".strip()
        return {"message": told, "download": address}

    return work


def _withdrawn(session: Session, study_id: int) -> tuple[list[Withdrawn], int]:
    """Who withdrew, and how many photos were deleted."""
    return left_out.withdrawals(session, study_id), left_out.deletions(session, study_id)


def write_zip(folder: Path, path: Path) -> None:
    """Pack a folder: files in the order of their names, without times, the same bytes each time."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for file in sorted(p for p in folder.rglob("*") if p.is_file()):
            entry = zipfile.ZipInfo(file.relative_to(folder).as_posix(), EPOCH)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            with file.open("rb") as source, archive.open(entry, "w") as target:
                while block := source.read(1 << 20):
                    target.write(block)
