"""Background jobs: they report progress, and users can leave the page meanwhile."""

import logging
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from flask import Flask, current_app
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError

from study_app.core import acting, system_errors
from study_app.core.database import db, writing
from study_app.core.errors import NotFound, StudyError
from study_app.models import Job, now

log = logging.getLogger(__name__)

REPORT_SECONDS = 0.3
# Number of parallel jobs; others wait, and are shown as running without progress.
MOST_AT_ONCE = 4
# Seconds for which a job tries to store its end; until then its page shows it as running.
END_TRIES, END_SECONDS = 60, 5

_pool = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="job")


class Progress:
    """Passed to a job to report its progress."""

    def __init__(self, job_id: int) -> None:
        self.job_id = job_id
        self._reported = 0.0

    def __call__(self, done: int, total: int, message: str = "") -> None:
        """Report that `done` of `total` parts are done; stored a few times a second at most."""
        if time.monotonic() - self._reported < REPORT_SECONDS and done < total:
            return
        self._reported = time.monotonic()
        _write(self.job_id, done=done, total=total, message=message)


# The work of a job; the mapping that it returns is the job's result, whose "message" is shown.
Work = Callable[[Progress], Mapping[str, Any] | None]


def start(study_id: int, kind: str, work: Work) -> int:
    """Queue `work(progress)` as a background job and return its number.

    `work` runs in an application context; the dict that it returns becomes the job's result, whose
    "message" is shown. A StudyError ends the job as failed, with its sentence.
    """
    with writing() as session:
        job = Job(study_id=study_id, kind=kind)
        session.add(job)
        session.flush()
        job_id = job.id
    app = current_app._get_current_object()  # type: ignore[attr-defined]  # it is a proxy
    _pool.submit(_run, app, job_id, work, acting.current())
    return job_id


def find(study_id: int, job_id: int) -> Job:
    """The job with a number in the study."""
    job = db.session.get(Job, job_id)
    if job is None or job.study_id != study_id:
        raise NotFound("job", str(job_id))
    return job


def newest(study_id: int, kind: str) -> Job | None:
    """The last job of a kind, or None, so that a page can show work in progress."""
    query = select(Job).where(Job.study_id == study_id, Job.kind == kind)
    return db.session.scalars(query.order_by(Job.id.desc()).limit(1)).first()


def mark_interrupted() -> None:
    """At start-up, mark jobs as interrupted that were running when the server ended."""
    with writing() as session:
        session.execute(
            update(Job)
            .where(Job.state == "running")
            .values(
                state="interrupted",
                ended_at=now(),
                message="The server stopped before this finished. Start it again.",
            )
        )


def _run(app: Flask, job_id: int, work: Work, actor: acting.Actor) -> None:
    with app.app_context(), acting.acting(actor):
        try:
            result = work(Progress(job_id)) or {}
            end = {"state": "done", "result": result, "message": result.get("message", "Done.")}
        except StudyError as refusal:
            end = {"state": "failed", "message": str(refusal)}
        except Exception as fault:
            log.exception("job %s failed", job_id)
            told = system_errors.sentence(fault) or "Unexpected error; see the server's log."
            end = {"state": "failed", "message": told}
        _write_end(job_id, end)


def _write_end(job_id: int, end: Mapping[str, Any]) -> None:
    """Store how a job ended, retrying while the disk is full or the database unavailable."""
    for left in reversed(range(END_TRIES)):
        try:
            return _write(job_id, ended_at=now(), **end)
        except OperationalError:
            if not left:
                # Nobody waits for the pool, so only the log can report it.
                log.exception("the end of job %s was not written", job_id)
                raise
            log.warning("the end of job %s cannot be written yet", job_id)
            time.sleep(END_SECONDS)


def _write(job_id: int, **values: Any) -> None:
    with writing() as session:
        session.execute(update(Job).where(Job.id == job_id).values(**values))
