"""Atomic writing of stored files."""

import contextlib
import os
import tempfile
from pathlib import Path

# Prefix of the temporary name.
PARTIAL = ".part-"


def write_whole(path: Path, content: bytes, durable: bool = True) -> None:
    """Write bytes to a temporary file and rename it.

    Parameters
    ----------
    path : pathlib.Path
    content : bytes
    durable : bool
        Whether to wait until the bytes are on disk; false for files that an import can recreate.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, written = tempfile.mkstemp(dir=path.parent, prefix=PARTIAL)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        Path(written).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(written).unlink()
        raise
