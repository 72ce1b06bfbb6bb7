"""Instance lock: held by one process at a time, released when the process ends.

With SQLite it is a file lock. With PostgreSQL it is an advisory lock, which the servers of an
installation share, and which an upgrade or a restore holds exclusively.
"""

import errno
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from study_app.core.errors import StudyError

# Beyond any content, because on Windows locked bytes cannot be read by others.
_CLAIMED_BYTE = 2**30
# An arbitrary number, the same in every version.
_DATABASE_KEY = 0x736B65746368
_RETRY_SECONDS = 0.05
_WATCH_SECONDS = 5.0


class InstallationHeld(StudyError):
    """Another process serves the installation or upgrades its database."""

    status = 409

    def __init__(self, instance: Path) -> None:
        super().__init__(
            f"{instance}: another process is serving, restoring or upgrading this installation, "
            "with PostgreSQL perhaps on another host; stop it first, or wait."
        )


@contextmanager
def installation(
    engine: Engine,
    instance: Path,
    patience_seconds: float = 0,
    *,
    together: bool = False,
    regained: Callable[[], None] | None = None,
) -> Iterator[None]:
    """Lock an installation against servers, restores and upgrades.

    Parameters
    ----------
    engine : sqlalchemy.Engine
        Engine of its database.
    instance : pathlib.Path
    patience_seconds : float
        How long to wait for another process to release it.
    together : bool
        On PostgreSQL: share the lock with other processes.
    regained : callable, optional
        Called when the lock was lost with its connection, and others could have it meanwhile.

    Raises
    ------
    InstallationHeld
    """
    with (
        _file(instance)
        if engine.dialect.name == "sqlite"
        else _database(engine, together, regained) as take
    ):
        end = time.monotonic() + patience_seconds
        while not take():
            if time.monotonic() >= end:
                raise InstallationHeld(instance)
            time.sleep(_RETRY_SECONDS)
        yield


@contextmanager
def _file(instance: Path) -> Iterator[Callable[[], bool]]:
    instance.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (instance / "claim").open("ab") as file:
        # The jobs of a server that was killed may go on for a moment.
        yield lambda: claim(file) and _has_no_jobs(instance)


@contextmanager
def jobs(instance: Path) -> Iterator[None]:
    """Lock an installation on SQLite for the process that runs the jobs of its server.

    Raises
    ------
    InstallationHeld
    """
    with (instance / "claim-jobs").open("ab") as file:
        if not claim(file):
            raise InstallationHeld(instance)
        yield


def _has_no_jobs(instance: Path) -> bool:
    with (instance / "claim-jobs").open("ab") as file:
        return claim(file)


@contextmanager
def _database(
    engine: Engine, together: bool, regained: Callable[[], None] | None
) -> Iterator[Callable[[], bool]]:
    lock = _AdvisoryLock(engine, together, regained)
    try:
        yield lock.take
    finally:
        lock.release()


class _AdvisoryLock:
    """A lock on a separate connection.

    A shared lock is taken again if its connection is lost, as when the database server restarts:
    otherwise a restore could begin while servers run.
    """

    def __init__(self, engine: Engine, together: bool, regained: Callable[[], None] | None) -> None:
        self._engine, self._together, self._ended = engine, together, threading.Event()
        self._regained = regained
        self._watching = threading.Thread(target=self._watch, daemon=True)
        self._connection = self._connect()

    def take(self) -> bool:
        """Take it if it is free."""
        taken = self._try(self._connection)
        if taken and self._together:
            self._watching.start()
        return taken

    def release(self) -> None:
        """Release it."""
        self._ended.set()
        if self._watching.is_alive():
            self._watching.join(timeout=5)
        with suppress(SQLAlchemyError):
            # Explicitly, since after a mere close the database releases it a moment later.
            self._connection.scalar(select(func.pg_advisory_unlock_all()))
        self._connection.close()

    def _connect(self) -> Connection:
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        connection.detach()
        return connection

    def _try(self, connection: Connection) -> bool:
        shared = func.pg_try_advisory_lock_shared
        take = shared if self._together else func.pg_try_advisory_lock
        return bool(connection.scalar(select(take(_DATABASE_KEY))))

    def _watch(self) -> None:
        is_lost = False
        while not self._ended.wait(_WATCH_SECONDS):
            try:
                if is_lost:
                    self._connection.close()
                    self._connection = self._connect()
                    # It may be in use by a restore; the next round tries again.
                    is_lost = not self._try(self._connection)
                    if not is_lost and self._regained:
                        self._regained()
                else:
                    self._connection.scalar(select(1))
            except SQLAlchemyError:
                is_lost = True


def claim(file: IO[bytes]) -> bool:
    """Lock an open file until it is closed; false if another process holds the lock."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(_CLAIMED_BYTE)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as fault:
        # Some network file systems have no locks; then other processes cannot be detected.
        if fault.errno not in (errno.ENOLCK, errno.ENOTSUP):
            raise
    return True
