"""Results that take a while, kept in memory under what they were computed from.

Nothing here is state of a study: whatever is forgotten is computed again from the judgments.
"""

import hashlib
import json
import threading
from collections import OrderedDict

from flask import current_app

from study_app.core import jobs
from study_app.models import Job

MOST = 64


class Kept:
    """Results by key, the longest unused forgotten first; and the jobs that make missing ones."""

    def __init__(self):
        self._results = OrderedDict()
        self._underway = {}
        self._lock = threading.RLock()

    def get(self, key):
        """The result of a key, or None."""
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
            return self._results.get(key)

    def put(self, key, result):
        """Keep a result."""
        with self._lock:
            self._results[key] = result
            while len(self._results) > MOST:
                self._results.popitem(last=False)

    def job(self, session, study_id, key, work):
        """The number of the job that makes the result of `key`: the one under way, or a new one."""
        with self._lock:
            under_way = session.get(Job, self._underway.get(key, 0))
            if under_way is None or under_way.state != "running":
                self._underway[key] = jobs.start(study_id, "gold", work)
            return self._underway[key]


def kept():
    """What this server has computed."""
    return current_app.extensions.setdefault("gold", Kept())


def fingerprint(*facts):
    """SHA-256 of plain values: two gold standards of one fingerprint are the same."""
    return hashlib.sha256(json.dumps(facts, default=str).encode()).hexdigest()
