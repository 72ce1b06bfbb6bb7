"""Withdrawing a person with all their data, and clean-up after the commit."""

from collections.abc import Collection

from sqlalchemy.orm import Session

from study_app.core import database
from study_app.core.caching import cache
from study_app.core.config import Settings
from study_app.core.storage import photo_store
from study_app.models import Participant
from study_app.participation.people import withdrawal as web
from study_app.participation.people.people import web_sittings_of
from study_app.results.exports import archive
from study_app.sittings import withdrawal as tables


def withdraw_person(
    session: Session, person: Participant, researcher_id: int | None = None
) -> list[str]:
    """Delete everything that a person did in a study, at tables and on the web.

    Returns
    -------
    list of str
        SHA-256 of photos that no sitting uses any more, for `delete_traces`.
    """
    for sitting in web_sittings_of(session, person):
        web.withdraw(session, sitting, "researcher")
    return tables.withdraw_assessor(session, person, researcher_id)


def delete_traces(settings: Settings, study_id: int, photos: Collection[str] = ()) -> None:
    """Delete what files and caches still contain of deleted rows of a study.

    Call it after the commit. Deletes the newest export, every cached result, the files of `photos`,
    and the deleted rows in the files of SQLite.
    """
    photo_store.delete(settings, photos)
    archive.delete(settings, study_id)
    cache.clear_everywhere(settings)
    database.scrub()
