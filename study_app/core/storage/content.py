"""Content-addressed files: named by their SHA-256, and compared with it whenever they are read.

A file that is not what its name says is moved to "damaged/…". From then on it counts as missing:
importing the same sketches or restoring a backup brings it back.
"""

import hashlib
import re
from pathlib import Path

from study_app.core.storage.stores import FileDamaged, Store

DAMAGED = "damaged/"
_SHA256 = re.compile(r"[0-9a-f]{64}")
PIECE_BYTES = 1 << 20


def read(store: Store, name: str) -> bytes:
    """The content of a content-addressed file.

    Raises
    ------
    study_app.core.storage.stores.FileMissing, FileDamaged
    """
    # Read again before it is called damaged: a network may drop bytes once.
    for _attempt in range(2):
        content = store.get(name)
        if is_named(name, hashlib.sha256(content).hexdigest()):
            return content
    set_aside(store, name)
    raise FileDamaged(name)


def local(store: Store, name: str, folder: Path) -> Path:
    """A path to read a content-addressed file at, as `Store.local`; it is checked as by `read`."""
    path = store.local(name, folder)
    with path.open("rb") as file:
        if is_named(name, hashlib.file_digest(file, "sha256").hexdigest()):
            return path
    set_aside(store, name)
    raise FileDamaged(name)


def is_named(name: str, sha256: str) -> bool:
    """Whether content of that SHA-256 may have the name; a name without one says nothing."""
    stem = name.rpartition("/")[2]
    return not _SHA256.fullmatch(stem) or stem == sha256


def set_aside(store: Store, name: str) -> None:
    """Move a damaged file out of the way; what can still be read of it is kept."""
    store.rename(name, DAMAGED + name)


def delete(store: Store, name: str) -> None:
    """Delete a file, and what was set aside of it."""
    store.delete(name)
    store.delete(DAMAGED + name)
