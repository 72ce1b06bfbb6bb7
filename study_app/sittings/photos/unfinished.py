"""Photos in the store while their rows are not written yet."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from study_app.core.config import Settings
from study_app.core.database import own_session
from study_app.core.storage import noted_files, photo_store
from study_app.sittings.withdrawal import unused_photos

FOLDER = "unfinished_photos"


@contextmanager
def saved(settings: Settings, photos: Iterable[bytes]) -> Iterator[list[str]]:
    """Store photos while their rows are written; deleted again if these are not.

    If the database cannot be reached, or the process is killed, `clear` deletes them: a
    photo without a row would never be deleted, whoever withdraws.

    Yields
    ------
    list of str
        Their SHA-256.
    """
    with noted_files.noted(settings, FOLDER, _forget) as note:
        names = []
        for content in photos:
            note(photo_store.name_of(content))
            names.append(photo_store.save(settings, content))
        yield names


def clear(settings: Settings) -> None:
    """Delete photos whose rows were not written, by processes that ended."""
    noted_files.clear(settings, FOLDER, _forget)


def _forget(settings: Settings, photos: Iterable[str]) -> None:
    with own_session() as session:
        unused = unused_photos(session, list(photos))
    photo_store.delete(settings, unused)
