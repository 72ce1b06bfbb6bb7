"""Missing files that database rows refer to, and how to restore them."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from study_app.core.config import Settings
from study_app.core.storage import photo_store, pictures
from study_app.core.storage.chosen_store import store_of
from study_app.core.text.languages import in_number, rcounted
from study_app.models import Photo, Picture, Sitting, Stimulus, StimulusSet

MISSING = rcounted(
    "%(count)s file is missing (first: %(first)s): import the same sketches again, or restore a "
    "backup.",
    "%(count)s files are missing (first: %(first)s): import the same sketches again, or restore a "
    "backup.",
)


def files(session: Session, settings: Settings, study_id: int | None = None) -> list[str]:
    """The files of an installation, or of one study, that are missing.

    Parameters
    ----------
    session : database session
    settings : study_app.core.config.Settings
    study_id : int, optional
        By default all studies.

    Returns
    -------
    list of str
        Their names in the store, in order.
    """
    shown, taken = select(Picture.sha256, Picture.form), select(Photo.sha256)
    if study_id is not None:
        shown = shown.join(Stimulus, Stimulus.sha256 == Picture.sha256)
        shown = shown.join(StimulusSet).where(StimulusSet.study_id == study_id)
        taken = taken.join(Sitting).where(Sitting.study_id == study_id)
    names = {
        name
        for sha256, form in session.execute(shown.distinct())
        for name in pictures.names(sha256, form)
    }
    names |= {photo_store.original_name(sha256) for sha256 in session.scalars(taken)}
    return sorted(store_of(settings).absent(names))


def sentence(missing: Sequence[str]) -> str:
    """A sentence about missing files; empty if no file is missing."""
    if not missing:
        return ""
    return in_number(MISSING, len(missing), first=missing[0])
