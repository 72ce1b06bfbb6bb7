"""Connections to the database: engine, write transactions, damaged files."""

import logging
import select
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from flask import Flask
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import Connection, event
from sqlalchemy.engine import URL, Engine
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError, InvalidatePoolError
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry

from study_app.core.database.orm_session import CarefulSession
from study_app.core.errors import StudyError

log = logging.getLogger(__name__)

db = SQLAlchemy(disable_autonaming=True, session_options={"class_": CarefulSession})

BUSY_TIMEOUT_MS = 30_000
# For how long a scrub waits for readers, and how often it is repeated: for ten minutes.
SCRUB_WAIT_MS, SCRUB_SECONDS, SCRUB_TRIES = 500, 5, 120

# A request that waits longer for a locked row fails, as on SQLite, and is sent again. A host that
# disappears from the network (power, cable) is noticed in a minute and its locks are released; by
# default that takes two hours.
ON_POSTGRESQL = {
    # Whatever the default of the database is: `writing` sees what was stored while it waited.
    "default_transaction_isolation": "read committed",
    "lock_timeout": f"{BUSY_TIMEOUT_MS}ms",
    # A process that is suspended in a transaction answers on the network, and would keep its locks.
    "idle_in_transaction_session_timeout": "300s",
    "tcp_keepalives_idle": "30s",
    "tcp_keepalives_interval": "10s",
    "tcp_keepalives_count": "3",
}
# The same from this side: a database server that disappears. The first three are for connections
# that wait; what was sent and not received would be sent again for a quarter of an hour. A new
# connection would be tried for two minutes.
KEEPALIVES = {
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
    "connect_timeout": 10,
}
# Otherwise texts of a database without an encoding arrive as bytes.
ENCODING = {"client_encoding": "utf8"}

# Whether a connection was never used.
_IS_NEW = "sketch_study.is_new"
# The sessions that `own_session` has opened in a thread.
_own = threading.local()

# SQLite has one writer at a time; this queue is fair, unlike SQLite's polling.
_write_lock = threading.Lock()


def engine_options(database_url: str) -> dict[str, Any]:
    """Options of the engine.

    SQLite has a connection for every thread of the server. PostgreSQL limits the connections of all
    servers together, by default to 100: enough for four processes and their jobs. There each
    connection is a process that is slow at first: none is closed after a rush, and those that were
    used last are used first.
    """
    here = is_sqlite(database_url)
    return {
        "pool_size": 40 if here else 16,
        "max_overflow": 40 if here else 0,
        "pool_use_lifo": not here,
        "connect_args": {} if here else {**KEEPALIVES, **ENCODING},
        # The log must not contain what people wrote.
        "hide_parameters": True,
    }


def is_sqlite(database_url: str | URL) -> bool:
    """Whether a URL is for a SQLite file."""
    return str(database_url).startswith("sqlite")


class DatabaseDamaged(StudyError):
    """A damaged SQLite file, such as a copy taken while it was being written."""

    def __init__(self, path: str | None, finding: str) -> None:
        super().__init__(
            f"{path}: is damaged ({finding}); was it copied while a server ran? "
            "Move it away and restore a backup with `sketch-study restore`; `backup` can be used "
            "while a server runs."
        )


class DatabaseNotUnicode(StudyError):
    """A PostgreSQL database that cannot store every script."""

    def __init__(self, encoding: str) -> None:
        super().__init__(
            f"The database has the encoding {encoding}. Create a database with the encoding UTF8 "
            "(createdb --encoding UTF8 --template template0) and use it."
        )


def refuse_damaged(engine: Engine) -> None:
    """Check a SQLite file before it is served.

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
    """An application context; the application is closed at its end."""
    try:
        with app.app_context():
            yield
    finally:
        close(app)


def close(app: Flask) -> None:
    """Close the connections of an application that is no longer used.

    On Windows, an open connection would prevent a SQLite file from being moved.
    """
    with app.app_context():
        db.engine.dispose()


@contextmanager
def own_session() -> Iterator[CarefulSession]:
    """A session beside that of the request or job: to read what a computation needs, closed before
    it begins, or to save its result.

    A page ends its own transaction first (`db.session.rollback()`): with two connections each, the
    threads of a server could wait for each other's.
    """
    session = cast(CarefulSession, db.session.session_factory())
    opened_here: list[CarefulSession] = _own.__dict__.setdefault("sessions", [])
    opened_here.append(session)
    try:
        yield session
    finally:
        opened_here.remove(session)
        session.close()


def session_in_use() -> CarefulSession | None:
    """The session with whose connection this thread is reading, or None.

    What has to be read meanwhile is read with it, too: for the same reason.
    """
    sessions = [_session(), *_own.__dict__.get("sessions", [])]
    return next((one for one in reversed(sessions) if one.in_transaction()), None)


def only_read() -> None:
    """Let the session of this request read without a transaction, until `writing`.

    On PostgreSQL, BEGIN and ROLLBACK make a page wait twice more. After a ROLLBACK, the driver also
    makes the server forget all statements that it has prepared.
    """
    if not is_sqlite(db.engine.url):
        _session().read_alone()


@contextmanager
def writing(own: CarefulSession | None = None) -> Iterator[Session]:
    """A write transaction: it sees all earlier writes, and commits completely or not at all.

    On SQLite it begins with BEGIN IMMEDIATE, since a transaction that reads first and writes later
    would silently lose updates. Decode photos and draw PDFs before entering.

    Parameters
    ----------
    own : CarefulSession, optional
        From `own_session`; by default the session of the request or job, whose transaction ends.
    """
    session = own or _session()
    session.rollback()
    session.read_together()
    with _write_lock if is_sqlite(db.engine.url) else _no_lock():
        session.connection(execution_options={"begin": "IMMEDIATE"})
        try:
            yield session
            session.commit()
        except BaseException:
            session.rollback()
            raise


def scrub() -> None:
    """Remove deleted rows from the files of a SQLite database.

    Deleted bytes are overwritten in the database (`secure_delete`), but its write-ahead log holds
    earlier pages until a checkpoint truncates it. While something is still being read, such as for
    a backup, that is tried again in a thread.
    """
    if not is_sqlite(db.engine.url):
        return
    db.session.rollback()
    if not _truncate_log(db.engine):
        threading.Thread(target=_truncate_later, args=(db.engine,), name="scrub").start()


def _truncate_later(engine: Engine) -> None:
    for _ in range(SCRUB_TRIES):
        time.sleep(SCRUB_SECONDS)
        if _truncate_log(engine):
            return
    log.error("deleted rows are still in the database's log; restart the server to remove them")


def _truncate_log(engine: Engine) -> bool:
    """Truncate the write-ahead log unless a reader needs it; nobody can write meanwhile."""
    with _write_lock, engine.connect() as connection:
        cursor = connection.connection.cursor()
        try:
            cursor.execute(f"PRAGMA busy_timeout={SCRUB_WAIT_MS}")
            return cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
        finally:
            cursor.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")


def _session() -> CarefulSession:
    """The session of the request or job."""
    return cast(CarefulSession, db.session())


@contextmanager
def _no_lock() -> Iterator[None]:
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
        # Deleted data are overwritten, not only unlinked.
        "secure_delete=ON",
        f"busy_timeout={BUSY_TIMEOUT_MS}",
    ):
        connection.execute(f"PRAGMA {pragma}")


@event.listens_for(Engine, "connect")
def _prepare_postgresql(connection: Any, record: ConnectionPoolEntry) -> None:
    if type(connection).__module__.split(".")[0] != "psycopg":
        return
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise DatabaseNotUnicode(encoding)
    connection.autocommit = True
    connection.execute(";".join(f"SET {name} = '{value}'" for name, value in ON_POSTGRESQL.items()))
    connection.autocommit = False
    record.info[_IS_NEW] = True


@event.listens_for(Engine, "checkout")
def _refuse_ended(connection: Any, record: ConnectionPoolEntry, _in_use: Any) -> None:
    """Replace the connections of a PostgreSQL server that has ended or was restarted.

    An unused connection has nothing to read unless the server ends it. Asking the server each time,
    as `pool_pre_ping` does, would make every request wait once more.
    """
    if type(connection).__module__.split(".")[0] != "psycopg":
        return
    is_new = record.info.pop(_IS_NEW, False)
    try:
        if _has_news(connection.fileno()):
            # It can also be a message for people, which this reads.
            connection.autocommit = True
            connection.execute("")
            connection.autocommit = False
    except connection.Error as fault:
        if is_new:
            # Another one would not be better.
            raise
        raise InvalidatePoolError() from fault


def _has_news(descriptor: int) -> bool:
    """Whether there is something to read."""
    if sys.platform == "win32":
        return bool(select.select([descriptor], [], [], 0)[0])
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))


@event.listens_for(Engine, "begin")
def _begin_sqlite(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        kind = connection.get_execution_options().get("begin", "DEFERRED")
        if kind is not None:
            connection.exec_driver_sql(f"BEGIN {kind}")
