"""Metrics of requests for Prometheus and the log: by route, never by URL.

The URLs of participants contain their tokens.
"""

import logging
import os
import time
from functools import cache

from flask import Flask, Response, g, request
from prometheus_client import (
    CollectorRegistry,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
    multiprocess,
)
from sqlalchemy import func, select

from study_app.core.database import db
from study_app.models import Job

log = logging.getLogger("study_app.requests")

METHODS = {"GET", "HEAD", "POST", "OPTIONS"}
BUCKETS = (0.005, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30)

_registry = CollectorRegistry()
ProcessCollector(registry=_registry)
_seconds = Histogram(
    "sketch_study_request_seconds",
    "Time in the application by method, route and status",
    ["method", "route", "status"],
    buckets=BUCKETS,
    registry=_registry,
)


def init_app(app: Flask) -> None:
    """Measure every request."""
    app.before_request(_begin)
    app.after_request(_note)


def text() -> bytes:
    """All metrics in Prometheus' format: of every process on this port, and of the jobs."""
    registry = _registry
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)
    return generate_latest(registry) + generate_latest(_jobs())


def _jobs() -> CollectorRegistry:
    registry = CollectorRegistry()
    gauge = Gauge(
        "sketch_study_jobs",
        "Jobs that wait or run",
        ["state"],
        registry=registry,
        multiprocess_mode="max",
    )
    running = Job.state == "running"
    counted = select(func.count(), func.count(Job.owner)).where(running)
    every, owned = db.session.execute(counted).one()
    gauge.labels("waiting").set(every - owned)
    gauge.labels("running").set(owned)
    return registry


# Bounded by the number of labels, which are routes, never addresses.
_seconds_of = cache(_seconds.labels)


def _begin() -> None:
    g.began = time.perf_counter()


def _note(response: Response) -> Response:
    seconds = time.perf_counter() - g.get("began", time.perf_counter())
    method = request.method if request.method in METHODS else "other"
    route = request.url_rule.rule if request.url_rule else "none"
    _seconds_of(method, route, str(response.status_code)).observe(seconds)
    if log.isEnabledFor(logging.INFO):
        fields = {"method": method, "route": route, "status": response.status_code}
        log.info("request", extra={"request": fields | {"ms": round(seconds * 1000, 1)}})
    return response
