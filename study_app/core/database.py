"""The database: one engine, one way to write, one way to bring it up to date."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import Connection, event
from sqlalchemy.engine import URL, Engine
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry

from study_app.core.errors import StudyError
from study_app.core.orm_session import CarefulSession

db = SQLAlchemy(disable_autonaming=True, session_options={"class_": CarefulSession})

BUSY_TIMEOUT_MS = 30_000

# SQLite admits one writer; waiting here in turn beats its own polling, which lets late comers pass.
_turn = threading.Lock()


def engine_options(database_url: str) -> dict[str, int | bool]:
    """What the engine is made with: enough connections for every thread of the server."""
    return {"pool_size": 40, "max_overflow": 40, "pool_pre_ping": not is_sqlite(database_url)}


def is_sqlite(database_url: str | URL) -> bool:
    """Whether an address names a SQLite file."""
    return str(database_url).startswith("sqlite")


class DatabaseDamaged(StudyError):
    """A SQLite file that does not hold together, such as a copy of one that was being written."""

    def __init__(self, path: str | None, finding: str) -> None:
        super().__init__(
            f"{path}: is damaged ({finding}); was it copied while a server ran? "
            "Move it away and bring back a backup with `sketch-study restore`; `backup` makes one "
            "of an installation that runs."
        )


def refuse_damaged(engine: Engine) -> None:
    """Look through a SQLite file before it is served: a page would find the damage too late.

    Raises
    ------
    DatabaseDamaged
    """
    if not is_sqlite(engine.url):
        return
    try:
        with engine.connect() as connection:
            finding = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    except DatabaseError as fault:
        finding = str(fault.orig)
    if finding != "ok":
        raise DatabaseDamaged(engine.url.database, " ".join(str(finding).split()))


@contextmanager
def opened(app: Flask) -> Iterator[None]:
    """The context of an application that is closed at the end."""
    try:
        with app.app_context():
            yield
    finally:
        close(app)


def close(app: Flask) -> None:
    """Close the connections of an application that nobody uses any more.

    An open one keeps the file of a SQLite database from being moved on Windows.
    """
    with app.app_context():
        db.engine.dispose()


@contextmanager
def writing() -> Iterator[Session]:
    """A transaction that may write: it sees every earlier write, and commits whole or not at all.

    On SQLite it begins with BEGIN IMMEDIATE: a transaction that reads first and asks to write later
    would lose updates silently. Decode photos and draw PDFs before entering.
    """
    session = db.session()
    session.rollback()
    with _turn if is_sqlite(db.engine.url) else _no_turn():
        session.connection(execution_options={"begin": "IMMEDIATE"})
        try:
            yield session
            session.commit()
        except BaseException:
            session.rollback()
            raise


def scrub() -> None:
    """Let no deleted row stay readable in the files of a SQLite database.

    Deleted bytes are overwritten in the database (`secure_delete`), but its write-ahead log holds
    earlier pages until it is folded in and emptied.
    """
    if not is_sqlite(db.engine.url):
        return
    db.session.rollback()
    with _turn, db.engine.connect() as connection:
        connection.connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


@contextmanager
def _no_turn() -> Iterator[None]:
    yield


@event.listens_for(Engine, "connect")
def _prepare_sqlite(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    if type(connection).__module__.split(".")[0] != "sqlite3":
        return
    connection.isolation_level = None
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        # What somebody withdrew is overwritten, not only left out of the tables.
        "secure_delete=ON",
        f"busy_timeout={BUSY_TIMEOUT_MS}",
    ):
        connection.execute(f"PRAGMA {pragma}")


@event.listens_for(Engine, "begin")
def _begin_sqlite(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        kind = connection.get_execution_options().get("begin", "DEFERRED")
        connection.exec_driver_sql(f"BEGIN {kind}")
