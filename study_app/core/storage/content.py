"""Files whose SHA-256 is checked whenever they are read.

Originals and photos are named by their SHA-256. Files made from an original (the picture, its
thumbnail, its lines) are named by the original's; their own are in checksums/<aa>/<sha256>.json.

A damaged file is moved to "damaged/…" and then counts as missing: importing the same sketches or
restoring a backup restores it.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from study_app.core.storage.stores import FileDamaged, FileMissing, Store

DAMAGED = "damaged/"
_NAMED = re.compile(r"([a-z]+)/[0-9a-f]{2}/([0-9a-f]{64})(\.[a-z]+)?")
# Number of originals whose checksums a process caches.
MOST_REMEMBERED = 20_000


def read(store: Store, name: str) -> bytes:
    """The content of an undamaged file.

    Raises
    ------
    study_app.core.storage.stores.FileMissing, FileDamaged
    """
    # Read twice before it counts as damaged: the network may drop bytes, or it was just rewritten.
    for _attempt in range(2):
        content = store.get(name)
        if _is_stored(store, name, hashlib.sha256(content).hexdigest()):
            return content
        _noted.cache_clear()
    set_aside(store, name)
    raise FileDamaged(name)


def local(store: Store, name: str, folder: Path) -> Path:
    """A path to read a file at, as `Store.local`; it is checked as by `read`."""
    for _attempt in range(2):
        path = store.local(name, folder)
        with path.open("rb") as file:
            if _is_stored(store, name, hashlib.file_digest(file, "sha256").hexdigest()):
                return path
        _noted.cache_clear()
    set_aside(store, name)
    raise FileDamaged(name)


def note(store: Store, sha256: str, made: Mapping[str, bytes]) -> None:
    """Store the checksums of files made from an original, by name."""
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in made.items()}
    store.put(checksums_name(sha256), json.dumps(sums).encode(), durable=False)


def checksums_name(sha256: str) -> str:
    """The name of the file with an original's checksums."""
    return f"checksums/{sha256[:2]}/{sha256}.json"


def _is_stored(store: Store, name: str, sha256: str) -> bool:
    """Whether content is what was stored under the name; true if that is unknown."""
    found = _NAMED.fullmatch(name)
    if not found:
        return True
    if not found[3]:
        return found[2] == sha256
    return _noted(store, checksums_name(found[2])).get(name, sha256) == sha256


@lru_cache(MOST_REMEMBERED)
def _noted(store: Store, checksums: str) -> Mapping[str, str]:
    try:
        return dict(json.loads(store.get(checksums)))
    except (FileMissing, ValueError):
        # Stored by an earlier version, or the file of checksums is damaged.
        return {}


def set_aside(store: Store, name: str) -> None:
    """Move a damaged file to "damaged/…", with what can still be read of it."""
    store.rename(name, DAMAGED + name)


def delete(store: Store, name: str) -> None:
    """Delete a file and its damaged copy."""
    store.delete(name)
    store.delete(DAMAGED + name)
