"""Health checks for load balancers and monitors: alive, ready, metrics."""

import hmac
import ipaddress
import logging
import threading
import time
from collections.abc import Callable
from typing import cast

from flask import Blueprint, Flask, abort, current_app, jsonify, request
from flask.typing import ResponseReturnValue
from sqlalchemy import func, literal, select
from werkzeug.local import LocalProxy

from study_app.core.config import metrics_token
from study_app.core.database import db, is_sqlite
from study_app.core.migrations import is_current
from study_app.core.storage.chosen_store import store_of
from study_app.web.operations import measurements

log = logging.getLogger(__name__)

blueprint = Blueprint("health", __name__)

PROBE = "ready/probe"
CHECK_SECONDS = 3
# Checks that take longer count as failed.
ANSWER_SECONDS = 2
# Prefixes of headers that proxies add.
PROXY_HEADERS = ("forwarded", "x-forwarded-", "x-real-ip", "via")


@blueprint.get("/healthz")
def alive() -> ResponseReturnValue:
    """Whether the process answers."""
    return "alive\n", {"Content-Type": "text/plain"}


@blueprint.get("/readyz")
def ready() -> ResponseReturnValue:
    """Whether the database accepts changes and has this version; also whether files can be written.

    The object store is the same for all hosts, and scores are saved without it. So a host stays
    ready when it is away: otherwise a load balancer would send requests to no host at all.
    """
    found = current_app.extensions["readiness"].found()
    return jsonify(found), 200 if found["database"] and found["version"] else 503


@blueprint.get("/metrics")
def metrics() -> ResponseReturnValue:
    """Metrics for Prometheus, for requests from this machine or with the token."""
    if not (_is_local() or _has_token()):
        abort(404)
    return measurements.text(), {"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}


def _is_local() -> bool:
    """Whether the request is from this machine, not through a proxy."""
    if any(name.lower().startswith(PROXY_HEADERS) for name, _value in request.headers):
        return False
    try:
        return ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False


def _has_token() -> bool:
    token = metrics_token()
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return bool(token) and hmac.compare_digest(given.encode(), token.encode())


class Readiness:
    """The checks, made once in a few seconds, since they are open to anybody, and one at a time.

    A host that is cut off from its database notices that only after a minute. Until then, load
    balancers ask again and again: they are answered, and use no further connections or threads.
    """

    def __init__(self) -> None:
        self._lock, self._ended, self._at = threading.Lock(), threading.Event(), float("-inf")
        self._ended.set()
        self._found: dict[str, bool] = {}

    def found(self) -> dict[str, bool]:
        """What holds; a check that does not end soon does not."""
        with self._lock:
            if self._ended.is_set() and time.monotonic() - self._at > CHECK_SECONDS:
                self._ended.clear()
                self._found = dict.fromkeys(CHECKS, False)
                app = cast("LocalProxy[Flask]", current_app)._get_current_object()
                threading.Thread(target=self._check, args=(app,), daemon=True).start()
        self._ended.wait(ANSWER_SECONDS)
        return dict(self._found)

    def _check(self, app: Flask) -> None:
        try:
            with app.app_context():
                for name, check in CHECKS.items():
                    self._found[name] = _holds(name, check)
        finally:
            self._at = time.monotonic()
            self._ended.set()


def _holds(name: str, check: Callable[[], bool]) -> bool:
    try:
        return check()
    except Exception:
        log.warning("not ready: %s", name, exc_info=True)
        db.session.rollback()
        return False


def _answers() -> bool:
    """Whether the database accepts changes, which a standby of PostgreSQL does not."""
    is_postgresql = not is_sqlite(db.engine.url)
    asked = func.current_setting("transaction_read_only") if is_postgresql else literal("off")
    answers = db.session.scalar(select(asked)) == "off"
    # The next check has a connection of its own.
    db.session.rollback()
    return answers


def _is_current() -> bool:
    return is_current(db.engine)


def _can_write() -> bool:
    store = store_of(current_app.config["SETTINGS"])
    store.put(PROBE, b"ready", durable=False)
    return store.get(PROBE) == b"ready"


CHECKS = {"database": _answers, "version": _is_current, "files": _can_write}
