"""Upgrading a database to this version, with all its rows."""

import shutil
import sqlite3
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine

from study_app.core.background import job_queue
from study_app.core.errors import StudyError


class NewerDatabase(StudyError):
    """The database was created by a newer version of this program."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"The database is at revision {revision}, which this version does not know; "
            "install the version that made it, or newer."
        )


def configuration(connection: Connection | None = None) -> Config:
    """The Alembic configuration of this package, on an open connection."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    return config


@cache
def _scripts() -> ScriptDirectory:
    """The revisions that this program knows, loaded once."""
    return ScriptDirectory.from_config(configuration())


def is_current(engine: Engine) -> bool:
    """Whether a database is at the newest revision and has a job queue."""
    if _revision(engine) != _scripts().get_current_head():
        return False
    return engine.dialect.name != "postgresql" or job_queue.is_ready(engine)


def refuse_newer(engine: Engine) -> None:
    """Refuse a database that a newer version has upgraded.

    Raises
    ------
    NewerDatabase
    """
    present = _revision(engine)
    if present and present not in {s.revision for s in _scripts().walk_revisions()}:
        raise NewerDatabase(present)


def upgrade(engine: Engine) -> None:
    """Upgrade the database of `engine` to the newest revision; a SQLite file is copied first."""
    refuse_newer(engine)
    present = _revision(engine)
    if present != _scripts().get_current_head():
        _run(engine, present)
    if engine.dialect.name == "postgresql" and not job_queue.is_ready(engine):
        job_queue.prepare(engine)


def _run(engine: Engine, present: str | None) -> None:
    if present and engine.dialect.name == "sqlite":
        _copy(Path(engine.url.database or ""), present)
    with engine.connect() as connection:
        command.upgrade(configuration(connection), "head")


def _revision(engine: Engine) -> str | None:
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def _copy(path: Path, revision: str) -> None:
    """Copy a SQLite database before an upgrade, after a checkpoint of its write-ahead log."""
    with sqlite3.connect(path) as source:
        source.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    source.close()
    shutil.copy2(path, path.with_suffix(f".before-{revision}.sqlite3"))
