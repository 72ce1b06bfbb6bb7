"""Results that take a while, kept in memory under what they were computed from.

Nothing here is state of a study: whatever is forgotten is computed again from the judgments.
"""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from flask import current_app
from sqlalchemy.orm import Session

from study_app.core import jobs
from study_app.core.jobs import Work
from study_app.models import Job

MOST = 64


class Cache:
    """Results by key, the longest unused forgotten first; and the jobs that make missing ones."""

    def __init__(self) -> None:
        self._results: OrderedDict[Hashable, Any] = OrderedDict()
        self._underway: dict[Hashable, int] = {}
        self._lock = threading.RLock()

    def get(self, key: Hashable) -> Any:
        """The result of a key, or None."""
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
            return self._results.get(key)

    def put(self, key: Hashable, result: object) -> None:
        """Keep a result."""
        with self._lock:
            self._results[key] = result
            while len(self._results) > MOST:
                self._results.popitem(last=False)

    def drop(self, key: Hashable) -> None:
        """Forget one result."""
        with self._lock:
            self._results.pop(key, None)

    def clear(self) -> None:
        """Forget every result, since somebody whose observations are in them withdrew."""
        with self._lock:
            self._results.clear()

    def job(self, session: Session, study_id: int, key: Hashable, work: Work) -> int:
        """The number of the job that makes the result of `key`: the one under way, or a new one."""
        with self._lock:
            under_way = session.get(Job, self._underway.get(key, 0))
            if under_way is None or under_way.state != "running":
                self._underway[key] = jobs.start(study_id, "gold", work)
            return self._underway[key]


def cached() -> Cache:
    """What this server has computed."""
    return current_app.extensions.setdefault("gold", Cache())


def fingerprint(*facts: object) -> str:
    """SHA-256 of plain values: two gold standards of one fingerprint are the same."""
    return hashlib.sha256(json.dumps(facts, default=str).encode()).hexdigest()
