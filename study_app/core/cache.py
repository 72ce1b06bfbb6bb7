"""In-memory cache of slow results, by a fingerprint of their input.

It is no state of a study: results that were dropped are computed again from the judgments. Each
process has one, and empties it after a withdrawal, whichever process this reached.
"""

import hashlib
import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from flask import current_app
from sqlalchemy import select

from study_app.core import shared_results
from study_app.core.config import Settings
from study_app.core.database import db, is_sqlite, writing
from study_app.models import InstallationNote

MOST = 64
# How often a process looks whether another one emptied the caches.
LOOK_SECONDS = 5
CLEARS = "clears of caches"
Result = TypeVar("Result")


class Cache:
    """Results by key, least recently used dropped first."""

    def __init__(self) -> None:
        self._results: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.RLock()
        # How often it was emptied: what was computed from what a person withdrew is not stored.
        self.clears = 0
        self._looked, self._told = float("-inf"), ""

    def follow(self) -> None:
        """Empty it if another process did so with its own."""
        if time.monotonic() - self._looked < LOOK_SECONDS:
            return
        self._looked = time.monotonic()
        note = select(InstallationNote.value).where(InstallationNote.name == CLEARS)
        with db.engine.connect() as connection:
            told = connection.scalar(note) or ""
        if told != self._told:
            self._told = told
            self.clear()

    def get(self, key: Hashable) -> Any:
        """The result of a key, or None."""
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
            return self._results.get(key)

    def put(self, key: Hashable, result: object, clears: int | None = None) -> None:
        """Keep a result, unless the cache was emptied since its `clears` were read."""
        with self._lock:
            if clears not in (None, self.clears):
                return
            self._results[key] = result
            while len(self._results) > MOST:
                self._results.popitem(last=False)

    def kept(self, key: Hashable, stamp: object, compute: Callable[[], Result]) -> Result:
        """The result of a key that was computed at the same stamp, or a new one."""
        clears = self.clears
        last: tuple[object, Result] | None = self.get(key)
        if last is None or last[0] != stamp:
            last = stamp, compute()
            self.put(key, last, clears)
        return last[1]

    def drop(self, key: Hashable) -> None:
        """Forget one result."""
        with self._lock:
            self._results.pop(key, None)

    def clear(self) -> None:
        """Forget every result, since somebody whose observations are in them withdrew."""
        with self._lock:
            self._results.clear()
            self.clears += 1


def cached() -> Cache:
    """This process's cache."""
    cache: Cache = current_app.extensions.setdefault("gold", Cache())
    if not is_sqlite(db.engine.url):
        cache.follow()
    return cache


def clear_everywhere(settings: Settings) -> None:
    """Forget every result on every host, since somebody whose observations are in them withdrew."""
    cached().clear()
    if is_sqlite(db.engine.url):
        return
    with writing() as session:
        note = session.get(InstallationNote, CLEARS, with_for_update=True)
        number = int(note.value) + 1 if note else 1
        session.merge(InstallationNote(name=CLEARS, value=str(number)))
    shared_results.forget_all(settings)


def fingerprint(*facts: object) -> str:
    """SHA-256 of plain values; gold standards with the same fingerprint are equal."""
    return hashlib.sha256(json.dumps(facts, default=str).encode()).hexdigest()
