"""Upgrading a database to this version, with all its rows.

Every process asks at its start whether that is needed; only an upgrade imports Alembic.
"""

from __future__ import annotations

import shutil
import sqlite3
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect, text

from study_app.core.background import job_queue
from study_app.core.errors import StudyError

if TYPE_CHECKING:
    from alembic.config import Config

# Each script is named after its revision.
VERSIONS = Path(__file__).parent / "versions"


class NewerDatabase(StudyError):
    """The database was created by a newer version of this program."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"The database is at revision {revision}, which this version does not know; "
            "install the version that made it, or newer."
        )


def configuration(connection: Connection | None = None) -> Config:
    """The Alembic configuration of this package, on an open connection."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(VERSIONS.parent))
    config.attributes["connection"] = connection
    return config


@cache
def revisions() -> list[str]:
    """The revisions that this program knows, the newest last."""
    return sorted(path.name.partition("_")[0] for path in VERSIONS.glob("[0-9]*.py"))


def is_current(engine: Engine) -> bool:
    """Whether a database is at the newest revision and has a job queue."""
    if _revision(engine) != revisions()[-1]:
        return False
    return engine.dialect.name != "postgresql" or job_queue.is_ready(engine)


def refuse_newer(engine: Engine) -> None:
    """Refuse a database that a newer version has upgraded.

    Raises
    ------
    NewerDatabase
    """
    present = _revision(engine)
    if present and present not in revisions():
        raise NewerDatabase(present)


def upgrade(engine: Engine) -> None:
    """Upgrade the database of `engine` to the newest revision; a SQLite file is copied first."""
    refuse_newer(engine)
    present = _revision(engine)
    if present != revisions()[-1]:
        _run(engine, present)
    if engine.dialect.name == "postgresql" and not job_queue.is_ready(engine):
        job_queue.prepare(engine)


def _run(engine: Engine, present: str | None) -> None:
    from alembic import command

    if present and engine.dialect.name == "sqlite":
        _copy(Path(engine.url.database or ""), present)
    with engine.connect() as connection:
        command.upgrade(configuration(connection), "head")


def _revision(engine: Engine) -> str | None:
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        return connection.scalar(text("SELECT version_num FROM alembic_version"))


def _copy(path: Path, revision: str) -> None:
    """Copy a SQLite database before an upgrade, after a checkpoint of its write-ahead log."""
    with sqlite3.connect(path) as source:
        source.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    source.close()
    shutil.copy2(path, path.with_suffix(f".before-{revision}.sqlite3"))
