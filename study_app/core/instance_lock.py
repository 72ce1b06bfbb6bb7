"""Instance lock: held by one process at a time, released when the process ends.

With SQLite it is a lock of a file. With PostgreSQL it is a lock of the database, which the servers
of an installation share and whoever upgrades or restores it holds alone.
"""

import errno
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from sqlalchemy import Engine, func, select

from study_app.core.errors import StudyError

# Beyond any content: on Windows, locked bytes cannot be read by others.
_CLAIMED_BYTE = 2**30
# Any number, the same in every version.
_DATABASE_KEY = 0x736B65746368
_RETRY_SECONDS = 0.05


class InstallationHeld(StudyError):
    """Another process serves the installation or upgrades its database."""

    status = 409

    def __init__(self, instance: Path) -> None:
        super().__init__(
            f"{instance}: another process is serving, restoring or upgrading this installation; "
            "stop it first, or wait."
        )


@contextmanager
def installation(
    engine: Engine, instance: Path, patience_seconds: float = 0, *, together: bool = False
) -> Iterator[None]:
    """Lock an installation against servers, restores and upgrades.

    Parameters
    ----------
    engine : sqlalchemy.Engine
        Of its database.
    instance : pathlib.Path
    patience_seconds : float
        How long to wait for another process to release it.
    together : bool
        On PostgreSQL: with other processes that ask for it so.

    Raises
    ------
    InstallationHeld
    """
    with (
        _file(instance) if engine.dialect.name == "sqlite" else _database(engine, together) as take
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
        yield lambda: claim(file)


@contextmanager
def _database(engine: Engine, together: bool) -> Iterator[Callable[[], bool]]:
    """A connection of its own: its end releases the lock."""
    take = func.pg_try_advisory_lock_shared if together else func.pg_try_advisory_lock
    with engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT")
        connection.detach()
        yield lambda: bool(connection.scalar(select(take(_DATABASE_KEY))))


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
