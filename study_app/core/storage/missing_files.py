"""Missing files that database rows refer to, and how to restore them."""

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from basics.plurals import counted
from study_app.core.config import Settings
from study_app.core.storage import photo_store, pictures
from study_app.models import Photo, Picture, Sitting, Stimulus, StimulusSet

REMEDY = "import the same sketches again, or restore a backup"


def files(session: Session, settings: Settings, study_id: int | None = None) -> list[str]:
    """The files of an installation, or of one study, that are missing.

    Parameters
    ----------
    session : database session
    settings : study_app.core.config.Settings
    study_id : int, optional
        All studies when left out.

    Returns
    -------
    list of str
        Places in the instance folder, in order.
    """
    shown, taken = select(Picture.sha256, Picture.form), select(Photo.sha256)
    if study_id is not None:
        shown = shown.join(Stimulus, Stimulus.sha256 == Picture.sha256)
        shown = shown.join(StimulusSet).where(StimulusSet.study_id == study_id)
        taken = taken.join(Sitting).where(Sitting.study_id == study_id)
    paths = [
        path
        for sha256, form in session.execute(shown.distinct())
        for path in pictures.paths(settings, sha256, form)
    ]
    paths += [photo_store.original_path(settings, sha256) for sha256 in session.scalars(taken)]
    return sorted({place(settings, path) or str(path) for path in paths if not path.is_file()})


def place(settings: Settings, path: str | Path) -> str | None:
    """The path of a file within the instance folder, or None if it is elsewhere."""
    try:
        return Path(path).relative_to(settings.instance).as_posix()
    except ValueError:
        return None


def sentence(missing: Sequence[str]) -> str:
    """A sentence about missing files; empty if no file is missing."""
    if not missing:
        return ""
    are = counted(len(missing), "file is", "files are")
    return f"{are} missing in the instance folder (first: {missing[0]}): {REMEDY}."
