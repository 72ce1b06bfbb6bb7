"""Files that are compared with their SHA-256 whenever they are read.

Originals and photos are named by it. What is made of an original (the picture, its thumbnail, its
lines) is named by the original's, and its own is noted in checksums/<aa>/<sha256>.json.

A file that is not what was stored is moved to "damaged/…". From then on it counts as missing:
importing the same sketches or restoring a backup brings it back.
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
# Of so many originals a process remembers the checksums of what was made of them.
MOST_REMEMBERED = 20_000


def read(store: Store, name: str) -> bytes:
    """The content of a file, if it is what was stored.

    Raises
    ------
    study_app.core.storage.stores.FileMissing, FileDamaged
    """
    # Read again before it is called damaged: a network may drop bytes, or it was just made anew.
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
    """Note the checksums of what was made of an original: files by name."""
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in made.items()}
    store.put(checksums_name(sha256), json.dumps(sums).encode(), durable=False)


def checksums_name(sha256: str) -> str:
    """Where the checksums of what was made of an original are."""
    return f"checksums/{sha256[:2]}/{sha256}.json"


def _is_stored(store: Store, name: str, sha256: str) -> bool:
    """Whether content of that SHA-256 was stored under the name; true if that is not known."""
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
        # It was stored by an earlier version, or its note is damaged.
        return {}


def set_aside(store: Store, name: str) -> None:
    """Move a damaged file out of the way; what can still be read of it is kept."""
    store.rename(name, DAMAGED + name)


def delete(store: Store, name: str) -> None:
    """Delete a file, and what was set aside of it."""
    store.delete(name)
    store.delete(DAMAGED + name)
