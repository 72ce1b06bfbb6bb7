"""Instance lock: a file lock held by one process at a time, released when the process ends."""

import errno
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from study_app.core.errors import StudyError

# Beyond any content: on Windows, locked bytes cannot be read by others.
_CLAIMED_BYTE = 2**30


class InstallationHeld(StudyError):
    """Another process serves the installation or upgrades its database."""

    status = 409

    def __init__(self, instance: Path) -> None:
        super().__init__(
            f"{instance}: another process is serving, restoring or upgrading this installation; "
            "stop it first, or wait."
        )


@contextmanager
def installation(instance: Path, patience_seconds: float = 0) -> Iterator[None]:
    """Lock an installation against other servers, restores and upgrades.

    Parameters
    ----------
    instance : pathlib.Path
    patience_seconds : float
        How long to wait for another process to release it.

    Raises
    ------
    InstallationHeld
    """
    instance.mkdir(mode=0o700, parents=True, exist_ok=True)
    end = time.monotonic() + patience_seconds
    with (instance / "claim").open("ab") as file:
        while not claim(file):
            if time.monotonic() >= end:
                raise InstallationHeld(instance)
            time.sleep(0.05)
        yield


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
