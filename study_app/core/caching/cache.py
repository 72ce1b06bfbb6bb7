"""In-memory cache of slow results, by a fingerprint of their input.

Dropped results are computed again from the judgments. Each
process has one, and empties it after a withdrawal, whichever process this reached.
"""

import hashlib
import json
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any, TypeVar

from flask import Flask, current_app
from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite

from study_app.core.caching import shared_results
from study_app.core.config import Settings
from study_app.core.database import db, is_sqlite, session_in_use, writing
from study_app.models import InstallationNote

MAX_RESULTS = 64
# How often a process checks whether another one emptied the caches.
POLL_SECONDS = 5
CLEARS = "clears of caches"
FOLLOWS = "follows clears of caches"
# The fingerprint under which jobs store several results; each has the stamp of its own input.
TOGETHER = "together"
Result = TypeVar("Result")
# Stamp and result by id.
Stamped = dict[int, tuple[Hashable, Any]]


class Cache:
    """Results by key, least recently used dropped first."""

    def __init__(self) -> None:
        self._results: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.RLock()
        # How often it was emptied: results computed from withdrawn data are not stored.
        self.clears = 0
        self._looked, self._cleared = float("-inf"), ""

    def follow(self, seconds: float) -> None:
        """Empty the cache if another process emptied its own; checked at most every `seconds`."""
        if time.monotonic() - self._looked < seconds:
            return
        self._looked = time.monotonic()
        cleared = _mark_of_clears()
        if cleared != self._cleared:
            self._cleared = cleared
            self.clear()

    def get(self, key: Hashable) -> Any:
        """The result of a key, or None."""
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
            return self._results.get(key)

    def put(self, key: Hashable, result: object, clears: int | None = None) -> None:
        """Store a result, unless the cache was emptied since `clears` was read."""
        with self._lock:
            if clears not in (None, self.clears):
                return
            self._results[key] = result
            while len(self._results) > MAX_RESULTS:
                self._results.popitem(last=False)

    def get_or_compute(self, key: Hashable, stamp: object, compute: Callable[[], Result]) -> Result:
        """The cached result for a key and stamp, or a newly computed one."""
        clears = self.clears
        last: tuple[object, Result] | None = self.get(key)
        if last is None or last[0] != stamp:
            last = stamp, compute()
            self.put(key, last, clears)
        return last[1]

    def has(self, key: Hashable, stamp: object) -> bool:
        """Whether `get_or_compute` has a result that was computed at a stamp."""
        last: tuple[object, object] | None = self.get(key)
        return last is not None and last[0] == stamp

    def each(
        self,
        key: Hashable,
        stamps: Mapping[int, Hashable],
        compute: Callable[[Sequence[int]], Mapping[int, Result]],
    ) -> dict[int, Result]:
        """A result for each of many items; computed for those that are new or changed.

        Parameters
        ----------
        key : hashable
            The key of all these results.
        stamps : dict of int to hashable
            By item, a value that changes with its input; results with the stamp None are not
            cached.
        compute : callable
            Computes the results of the items that it is given; it may leave some out.
        """
        clears = self.clears
        known: Stamped = self.get(key) or {}
        missing = _changed(known, stamps)
        computed = compute(missing) if missing else {}
        new = {one: (stamps[one], computed.get(one)) for one in missing}
        stamped = {one: result for one, result in new.items() if stamps[one] is not None}
        if stamped:
            self.put(key, known | stamped, clears)
        found = {one: (new[one] if one in new else known[one])[1] for one in stamps}
        return {one: result for one, result in found.items() if result is not None}

    def changed(self, key: Hashable, stamps: Mapping[int, Hashable]) -> list[int]:
        """The items whose results `each` would compute."""
        return _changed(self.get(key) or {}, stamps)

    def drop(self, key: Hashable) -> None:
        """Delete one result."""
        with self._lock:
            self._results.pop(key, None)

    def clear(self) -> None:
        """Delete all results, after a withdrawal."""
        with self._lock:
            self._results.clear()
            self.clears += 1


def _mark_of_clears() -> str:
    note = select(InstallationNote.value).where(InstallationNote.name == CLEARS)
    session = session_in_use()
    # With two connections each, the threads of a server could wait for each other's. On SQLite, a
    # transaction that has begun does not see the latest mark.
    if session is not None and not is_sqlite(db.engine.url):
        return session.connection().scalar(note) or ""
    with db.engine.connect() as connection:
        return connection.scalar(note) or ""


def _changed(known: Stamped, stamps: Mapping[int, Hashable]) -> list[int]:
    return [o for o, stamp in stamps.items() if o not in known or known[o][0] != stamp]


def cached() -> Cache:
    """This process's cache."""
    return _followed(POLL_SECONDS)


def follow_others(app: Flask) -> None:
    """On SQLite: follow the cache of the server from a process that runs its jobs."""
    app.extensions[FOLLOWS] = True


def _followed(seconds: float) -> Cache:
    cache: Cache = current_app.extensions.setdefault("gold", Cache())
    if FOLLOWS in current_app.extensions or not is_sqlite(db.engine.url):
        cache.follow(seconds)
    return cache


def share(about: tuple[str, int], keys: Collection[Hashable], clears: int) -> None:
    """Store cached results for the web processes of every host; for jobs.

    Parameters
    ----------
    about : (str, int)
        What the job computed, and the number of its set or task.
    keys : collection of hashable
        Keys of results in the cache. They have stamps (`Cache.each`, `Cache.get_or_compute`), so
        that they are used only for the input that they were computed from.
    clears : int
        `Cache.clears` before they were computed.
    """
    cache = cached()
    found = {key: cache.get(key) for key in keys}
    shared_results.put(about, TOGETHER, found, lambda: _followed(0).clears == clears)


def adopt(about: tuple[str, int]) -> None:
    """Put the results stored by such a job into this process's cache."""
    cache = _followed(0)
    clears = cache.clears
    for key, result in (shared_results.fetch(about, TOGETHER) or {}).items():
        if result is not None:
            cache.put(key, result, clears)


def clear_everywhere(settings: Settings) -> None:
    """Delete all results in every process, after a withdrawal."""
    cached().clear()
    # Stored results first: a process that empties its cache must not read them again.
    shared_results.delete_all(settings)
    insert: Any = (sqlite if is_sqlite(db.engine.url) else postgresql).insert
    note = insert(InstallationNote).values(name=CLEARS, value=secrets.token_hex(8))
    with writing() as session:
        session.execute(
            note.on_conflict_do_update(index_elements=["name"], set_={"value": note.excluded.value})
        )


def fingerprint(*facts: object) -> str:
    """SHA-256 of plain values; gold standards with the same fingerprint are equal."""
    return hashlib.sha256(json.dumps(facts, default=str).encode()).hexdigest()
