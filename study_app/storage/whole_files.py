"""One way to write a file that is stored: whole or not at all."""

import contextlib
import os
import tempfile
from pathlib import Path


def write_whole(path: Path, content: bytes, durable: bool = True) -> None:
    """Write bytes beside their place and rename them into it.

    Parameters
    ----------
    path : pathlib.Path
    content : bytes
    durable : bool
        Wait until the disk has them; false for what an import can make again.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, written = tempfile.mkstemp(dir=path.parent, prefix=".part-")
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
