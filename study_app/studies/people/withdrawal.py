"""Withdrawing a person with all their data, and clean-up after the commit."""

import logging
import secrets
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from flask import Flask
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from study_app.core import acting, database
from study_app.core.caching import cache
from study_app.core.config import Settings
from study_app.core.database import own_session, writing
from study_app.core.storage import photo_store
from study_app.models import InstallationNote, Participant
from study_app.operations import older_copies
from study_app.participation.people import exclusion
from study_app.participation.people import withdrawal as web
from study_app.participation.people.people import web_sittings_of
from study_app.results.exports import archive
from study_app.sittings import withdrawal as tables
from study_app.sittings.photos import unfinished

log = logging.getLogger(__name__)

# Notes of files that still have to be deleted: the study, and the SHA-256 of a photo.
TO_DELETE = "to delete "
POLL_SECONDS = 60


@dataclass
class Erasure:
    """A transaction that deletes data of people.

    Attributes
    ----------
    session : Session
    photos : list of str
        SHA-256 of photos that no sitting uses any more, to be added by the caller.
    """

    session: Session
    photos: list[str] = field(default_factory=list)


@contextmanager
def erasing(settings: Settings, study_id: int, about: str) -> Iterator[Erasure]:
    """A write transaction that deletes data of people; then the files that still have them.

    What has to be deleted after the commit is noted in the transaction, so that it is deleted later
    if the server is killed.

    Parameters
    ----------
    settings : Settings
    study_id : int
    about : str
        Who or what is withdrawn, for the audit list: a code.
    """
    with writing() as session:
        # First, since an exclusion takes its locks in the same order.
        exclusion.hold(session, study_id)
        erasure = Erasure(session)
        yield erasure
        note_traces(session, study_id, erasure.photos, about)
    delete_traces(settings, study_id, erasure.photos)


def withdraw_person(
    session: Session, person: Participant, researcher_id: int | None = None
) -> list[str]:
    """Delete everything that a person did in a study, at tables and on the web.

    Returns
    -------
    list of str
        SHA-256 of photos that no sitting uses any more, for `Erasure`.
    """
    for sitting in web_sittings_of(session, person):
        web.withdraw(session, sitting, "researcher")
    return tables.withdraw_assessor(session, person, researcher_id)


def note_traces(session: Session, study_id: int, photos: Collection[str], about: str) -> None:
    """Note in a transaction what `delete_traces` will delete after the commit."""
    for photo in photos or [""]:
        name = TO_DELETE + secrets.token_hex(12)
        session.add(InstallationNote(name=name, value=f"{study_id} {photo}"))
    session.flush()
    older_copies.outdate(session, study_id, about)


def delete_traces(settings: Settings, study_id: int, photos: Collection[str] = ()) -> None:
    """Delete what files and caches still contain of deleted rows of a study.

    Call it after the commit. Deletes the newest export, every cached result, the files of `photos`,
    older copies of the installation, and the deleted rows in the files of SQLite.
    """
    with own_session() as session:
        # A photo may have been added again, after a server was killed.
        unused = tables.unused_photos(session, photos)
    photo_store.delete(settings, unused)
    archive.delete(settings, study_id)
    cache.clear_everywhere(settings)
    older_copies.delete_outdated(settings)
    with writing() as session:
        done = [f"{study_id} {photo}" for photo in photos or [""]]
        noted = InstallationNote.name.startswith(TO_DELETE), InstallationNote.value.in_(done)
        session.execute(delete(InstallationNote).where(*noted))
    database.scrub()


def catch_up(settings: Settings) -> None:
    """Finish the deletions of killed servers, and delete copies that other hosts made outdated, and
    photos whose rows were not written."""
    with own_session() as session:
        noted = select(InstallationNote.value).where(InstallationNote.name.startswith(TO_DELETE))
        left = [value.partition(" ") for value in session.scalars(noted)]
    for study_id, _, photo in left:
        delete_traces(settings, int(study_id), [photo] if photo else [])
    older_copies.delete_outdated(settings)
    unfinished.clear(settings)


def keep_up(app: Flask) -> threading.Event:
    """Catch up at once, then every minute in a thread, until the event is set."""
    stopped = threading.Event()
    with app.app_context(), acting.acting(acting.SERVER):
        catch_up(app.config["SETTINGS"])

    def work() -> None:
        acting.begin(acting.SERVER)
        while not stopped.wait(POLL_SECONDS):
            try:
                with app.app_context():
                    catch_up(app.config["SETTINGS"])
            except Exception:
                log.exception("what withdrawals left could not be deleted")

    threading.Thread(target=work, name="withdrawals", daemon=True).start()
    return stopped
