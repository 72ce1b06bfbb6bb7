"""Background jobs: they report progress, and users can leave the page in the meantime.

A job is a kind and its arguments, stored in a row, so that another process can run it. On SQLite
`serve` runs jobs in a process of its own, other servers in threads. On PostgreSQL workers run them,
of a server or separately. When the process of a job dies, another one repeats the job, or its page
says to start it again.
"""

import json
import logging
import secrets
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from flask import Flask, current_app
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session
from werkzeug.local import LocalProxy

from basics import memory
from basics.errors import Refusal
from basics.wordings import packed, unpacked
from study_app.core import acting, system_errors
from study_app.core.background import job_queue
from study_app.core.config import Settings
from study_app.core.database import attempts, db, is_sqlite, own_session, writing
from study_app.core.errors import NotFound, StudyError
from study_app.core.storage.stores import StoreUnavailable
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.models import Job, now

log = logging.getLogger(__name__)

RUNNER = "job runner"
REPORT_SECONDS = 0.3
# Number of parallel jobs; others wait, and are shown as running without progress.
MOST_AT_ONCE = 4
# How often a job tries to store its start and its end; until then its page shows it as running.
WRITE_TRIES, WRITE_PAUSE_SECONDS = 60, 5
RESTARTING = rtranslatable("This stopped unexpectedly and is starting again.")
# For how long a repeatable job begins again after the first time that `is_outage` was true.
OUTAGE_SECONDS = 180
_pool = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="job")


class TakenOver(Exception):
    """The job now runs elsewhere, or its study was deleted."""


class Progress:
    """Passed to a job to report its progress.

    Attributes
    ----------
    job_id, study_id : int
    settings : study_app.core.config.Settings
    """

    def __init__(self, job: Job, settings: Settings) -> None:
        self.job_id, self.study_id, self.settings = job.id, job.study_id, settings
        self._owner = job.owner
        self._reported = 0.0

    def __call__(self, done: int, total: int, message: str = "") -> None:
        """Report that `done` of `total` parts are done; stored a few times a second at most.

        Raises
        ------
        TakenOver
        """
        if time.monotonic() - self._reported < REPORT_SECONDS and done < total:
            return
        self._reported = time.monotonic()
        if not _write(self.job_id, self._owner, done=done, total=total, message=packed(message)):
            raise TakenOver

    def refuse_taken_over(self, session: Session) -> None:
        """Before rows are written or files deleted: until the transaction ends, the job stays here.

        A host that was suspended may go on after another one has taken over its job.

        Raises
        ------
        TakenOver
        """
        is_own = Job.id == self.job_id, Job.owner == self._owner, Job.state == "running"
        if session.scalar(select(Job.id).where(*is_own).with_for_update()) is None:
            raise TakenOver

    def keep(self, session: Session, result: Mapping[str, Any]) -> None:
        """Store the result in the transaction that writes the job's last rows.

        If its process dies before it writes the end, the job is done and is not repeated.
        """
        kept = {**result, "message": packed(result["message"])}
        session.execute(update(Job).where(Job.id == self.job_id).values(result=kept))


# The work of a job; the mapping that it returns is the job's result, whose "message" is shown.
Work = Callable[..., Mapping[str, Any] | None]
AnyWork = TypeVar("AnyWork", bound=Work)
Written = TypeVar("Written")


@dataclass(frozen=True)
class _Kind:
    work: Work
    repeatable: bool


_kinds: dict[str, _Kind] = {}


def kind(name: str, *, repeatable: bool) -> Callable[[AnyWork], AnyWork]:
    """Register the work of a kind of job: `work(progress, **arguments)`, in an application context.

    Parameters
    ----------
    name : str
    repeatable : bool
        Whether an interrupted job may be run again automatically.

    Examples
    --------
    >>> @kind("export", repeatable=True)  # doctest: +SKIP
    ... def export(progress, address, named): ...
    """

    def declared(work: AnyWork) -> AnyWork:
        _kinds[name] = _Kind(work, repeatable)
        return work

    return declared


def is_outage(fault: BaseException) -> bool:
    """Whether the database or the object store could not be reached."""
    return isinstance(fault, StoreUnavailable) or system_errors.is_away(fault)


def is_repeatable(name: str) -> bool:
    """Whether a job of a kind may be run again automatically."""
    return name in _kinds and _kinds[name].repeatable


def start(study_id: int, kind: str, **arguments: Any) -> int:
    """Queue a job and return its number.

    The dict that its work returns becomes the job's result, whose "message" is shown. A StudyError
    ends the job as failed, with its sentence.

    Parameters
    ----------
    study_id : int
    kind : str
    **arguments
        Arguments of the work; JSON values.
    """
    with writing() as session:
        job_id = add(session, study_id, kind, arguments)
    return begin(job_id)


def start_once(study_id: int, kind: str, **arguments: Any) -> int:
    """As `start`, unless the same job is already running: then its number."""
    with writing() as session:
        attempts.lock(session, attempts.key_of("job", str(study_id), kind))
        alike = _newest_alike(session, study_id, kind, arguments, Job.state == "running")
        if alike:
            return alike.id
        job_id = add(session, study_id, kind, arguments)
    return begin(job_id)


def add(session: Session, study_id: int, kind: str, arguments: dict[str, Any]) -> int:
    """Queue a job in a transaction, together with other rows; after it, call `begin`."""
    job = Job(study_id=study_id, kind=kind, arguments=arguments)
    job.researcher_id = acting.current().researcher_id
    session.add(job)
    session.flush()
    if not is_sqlite(db.engine.url):
        job_queue.add(session, job.id)
    return job.id


def begin(job_id: int) -> int:
    """Let a job run that was added; returns its number."""
    app = cast("LocalProxy[Flask]", current_app)._get_current_object()
    if is_sqlite(db.engine.url):
        run = app.extensions.get(RUNNER) or (lambda one: _pool.submit(perform, app, one))
        run(job_id)
    return job_id


def find(study_id: int, job_id: int, *kinds: str) -> Job:
    """The job with a number in the study; if kinds are given, of one of them."""
    job = db.session.get(Job, job_id)
    if job is None or job.study_id != study_id or (kinds and job.kind not in kinds):
        raise NotFound(rtranslatable("job"), str(job_id))
    return job


def newest(study_id: int, *kinds: str) -> Job | None:
    """The last job of some kinds, or None; for pages that show work in progress."""
    query = select(Job).where(Job.study_id == study_id, Job.kind.in_(kinds))
    return db.session.scalars(query.order_by(Job.id.desc()).limit(1)).first()


def newest_alike(study_id: int, kind: str, **arguments: Any) -> Job | None:
    """The last job of a kind with the same arguments, or None."""
    return _newest_alike(db.session(), study_id, kind, arguments)


def running(study_id: int, *kinds: str) -> Job | None:
    """The last job of some kinds if it is running, else None."""
    job = newest(study_id, *kinds)
    return job if job and job.state == "running" else None


def are_running() -> bool:
    """Whether any job of any study waits or runs."""
    return db.session.scalar(select(Job.id).where(Job.state == "running").limit(1)) is not None


def run_by(app: Flask, run: Callable[[int], None]) -> None:
    """On SQLite: let something else than threads of this process run the jobs of an application.

    Parameters
    ----------
    app : Flask
    run : callable (job_id)
        Returns at once.
    """
    app.extensions[RUNNER] = run


def perform(app: Flask, job_id: int) -> None:
    """Run a job to its end."""
    with app.app_context():
        job = _patiently(lambda: _take(job_id), f"job {job_id} cannot be started")
        if job is None:
            return
        progress = Progress(job, app.config["SETTINGS"])
        asked = acting.TERMINAL
        if job.researcher_id is not None:
            asked = acting.researcher(job.researcher_id)
        work, arguments, owner = _kinds[job.kind].work, job.arguments, job.owner
        db.session.rollback()
        with acting.acting(asked):
            try:
                result = _outlast(job, lambda: work(progress, **arguments)) or {}
                message = result.get("message", rgettext("Done."))
                end = {"state": "done", "result": result, "message": packed(message)}
            except TakenOver:
                log.warning("job %s is no longer run here", job_id)
                return
            except StoreUnavailable as fault:
                # What the store says has its address.
                log.error("%s", fault)
                end = {"state": "failed", "message": rgettext(fault.ON_PAGES)}
            except (StudyError, Refusal) as refusal:
                end = {"state": "failed", "message": packed(str(refusal))}
            except Exception as fault:
                log.exception("job %s failed", job_id)
                sentence = system_errors.sentence(fault)
                message = sentence or rgettext("Unexpected error; see the server's log.")
                end = {"state": "failed", "message": packed(message)}
            ended = {"ended_at": now(), **end}
            _patiently(
                lambda: _write(job_id, owner, **ended), f"the end of job {job_id} cannot be written"
            )
    memory.give_back()


def _newest_alike(
    session: Session, study_id: int, kind: str, arguments: dict[str, Any], *conditions: Any
) -> Job | None:
    query = select(Job).where(Job.study_id == study_id, Job.kind == kind, *conditions)
    # Stored arguments are JSON: their tuples are lists.
    wanted = json.loads(json.dumps(arguments))
    newest_first = session.scalars(query.order_by(Job.id.desc()))
    return next((job for job in newest_first if job.arguments == wanted), None)


def _outlast(job: Job, work: Callable[[], Mapping[str, Any] | None]) -> Mapping[str, Any] | None:
    """Run the work of a job, and again after an outage; raises `TakenOver`."""

    def restart() -> Mapping[str, Any] | None:
        if not _write(job.id, job.owner, done=0, total=0, message=RESTARTING):
            raise TakenOver
        with own_session() as session:
            return session.scalar(select(Job.result).where(Job.id == job.id))

    until: float | None = None
    while True:
        try:
            return work()
        except (StoreUnavailable, OperationalError) as fault:
            until = until or time.monotonic() + OUTAGE_SECONDS
            is_again = is_outage(fault) and is_repeatable(job.kind)
            if not is_again or time.monotonic() > until:
                raise
            log.warning("job %s begins again: %s", job.id, str(fault).partition("\n")[0])
        db.session.rollback()
        time.sleep(WRITE_PAUSE_SECONDS)
        # Its rows may be written, and only the confirmation was lost.
        if kept := _patiently(restart, f"job {job.id} cannot begin again"):
            return {**kept, "message": unpacked(kept["message"])}


def _take(job_id: int) -> Job | None:
    """Store which worker runs a job; None if the job ended or was deleted."""
    with writing() as session:
        job = session.get(Job, job_id, with_for_update=True)
        if job is None or job.state != "running":
            return None
        job.owner = secrets.token_hex(8)
        session.flush()
        session.refresh(job)
        session.expunge(job)
    return job


def _patiently(write: Callable[[], Written], fault: str) -> Written:
    """Write, retrying while the disk is full or the database unavailable."""
    for left in reversed(range(WRITE_TRIES)):
        try:
            return write()
        except OperationalError:
            if not left:
                # In a pool of threads nobody reads the error.
                log.exception("%s", fault)
                raise
            log.warning("%s yet", fault)
            time.sleep(WRITE_PAUSE_SECONDS)
    raise AssertionError("unreachable")


def _write(job_id: int, owner: str | None, **values: Any) -> bool:
    """Write to a job's row; false if this worker no longer owns it."""
    is_own = Job.id == job_id, Job.owner == owner, Job.state == "running"
    with writing() as session:
        result: Any = session.execute(update(Job).where(*is_own).values(**values))
        return bool(result.rowcount)
