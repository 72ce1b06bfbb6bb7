"""Claims on a file: held by one process at a time, and let go when it ends, however it ends."""

import errno
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from study_app.core.errors import StudyError

# Beyond any content: Windows keeps others from reading what is claimed.
_CLAIMED_BYTE = 2**30


class InstallationHeld(StudyError):
    """Another process serves the installation, or brings its database up to date."""

    status = 409

    def __init__(self, instance: Path) -> None:
        super().__init__(
            f"{instance}: another process serves this installation, restores it or brings its "
            "database up to date; end that first, or wait."
        )


@contextmanager
def installation(instance: Path, patience_seconds: float = 0) -> Iterator[None]:
    """Hold an installation against every other server, restore and upgrade.

    Parameters
    ----------
    instance : pathlib.Path
    patience_seconds : float
        How long to wait for another process to let go of it.

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
    """Claim an open file until it is closed; false where another process holds it."""
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
        # Some network folders know no claims, and nothing tells then whether another holds it.
        if fault.errno not in (errno.ENOLCK, errno.ENOTSUP):
            raise
    return True
