"""Check that all servers of an installation sign cookies with the same key."""

import hashlib
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from study_app.core.database import instance_lock
from study_app.core.errors import StudyError
from study_app.models import InstallationNote

NOTE = "secret key"


class KeyDiffers(StudyError):
    """Another server of this database signs with another key."""

    status = 409

    def __init__(self, instance: Path) -> None:
        super().__init__(
            "Another server of this database signs cookies with another secret key. Set "
            "SKETCH_STUDY_SECRET_KEY to the same on all of them, or copy its file secret_key to "
            f"{instance}."
        )


def note_if_alone(engine: Engine, instance: Path, secret_key: bytes) -> bool:
    """Before the instance lock is taken: note a fingerprint of the key if no server runs.

    Returns
    -------
    bool
        Whether no server runs.
    """
    alone = instance_lock.installation(engine, instance)
    with suppress(instance_lock.InstallationHeld), alone, Session(engine) as session:
        session.merge(InstallationNote(name=NOTE, value=_mark(secret_key)))
        session.commit()
        return True
    return False


def refuse_other(engine: Engine, instance: Path, secret_key: bytes) -> None:
    """After the instance lock is taken: compare the key with the noted one.

    The first of several servers that start together on a new database notes its own.

    Raises
    ------
    KeyDiffers
    """
    with Session(engine) as session:
        own = insert(InstallationNote).values(name=NOTE, value=_mark(secret_key))
        session.execute(own.on_conflict_do_nothing())
        session.commit()
        noted = session.get_one(InstallationNote, NOTE)
        if noted.value != _mark(secret_key):
            raise KeyDiffers(instance)


def _mark(secret_key: bytes) -> str:
    return hashlib.sha256(b"mark of the secret key" + secret_key).hexdigest()
