"""What runs jobs, and what becomes of a job whose process dies: repeated, or interrupted."""

from collections.abc import Iterable, Mapping

from flask import Flask
from sqlalchemy import select

from study_app.core.background import job_queue, jobs
from study_app.core.database import writing
from study_app.core.text.languages import rtranslatable
from study_app.models import Job, now

# Number of workers that may die during one job before it is given up: it may be the cause.
MOST_ATTEMPTS = 3
INTERRUPTED = rtranslatable("The server stopped before this finished. Start it again.")
CRASHED = rtranslatable(
    "This stopped before it finished, perhaps because the computer's memory was full. Start it "
    "again."
)


def mark_interrupted() -> None:
    """When the only server starts: mark jobs as interrupted that ran when it ended."""
    with writing() as session:
        _interrupt(session.scalars(select(Job).where(Job.state == "running")))


def worker(app: Flask, at_once: int = jobs.MOST_AT_ONCE) -> job_queue.Worker:
    """A worker that runs jobs on PostgreSQL, together with other workers."""
    return job_queue.Worker(
        app.config["SETTINGS"].database_url,
        lambda job_id, attempt: jobs.perform(app, job_id),
        lambda: rescue(app),
        at_once,
    )


def rescue(app: Flask) -> None:
    """Requeue the jobs of workers that died, or mark them as interrupted."""
    with app.app_context(), writing() as session:
        for entry in job_queue.abandoned(session):
            job = session.get(Job, entry.job_id)
            if job is None or job.state != "running":
                continue
            if _is_repeated(job, entry.attempt + 1):
                job_queue.add(session, job.id, entry.attempt + 1)
            elif entry.attempt >= MOST_ATTEMPTS:
                _interrupt([job], CRASHED)
        # Jobs of a restored backup are in no queue either. One statement compares rows with queue:
        # between two, a job could be started and would be mistaken for one of these.
        lost = select(Job).where(Job.state == "running", Job.id.not_in(job_queue.queued()))
        _interrupt(session.scalars(lost.with_for_update()))


def left_by_process(app: Flask, attempts: Mapping[int, int]) -> dict[int, int]:
    """On SQLite: mark what a process that ended left as interrupted, unless it is repeated.

    Parameters
    ----------
    app : Flask
    attempts : dict of int to int
        The number of the attempt that ended, by job.

    Returns
    -------
    dict of int to int
        The jobs to run now, with the numbers of their next attempts.
    """
    with app.app_context(), writing() as session:
        left = select(Job).where(Job.id.in_(attempts), Job.state == "running")
        unfinished = session.scalars(left).all()
        # If none had begun, the process could not even start.
        have_begun = [job for job in unfinished if job.owner] or unfinished
        next_attempts = {}
        for job in unfinished:
            attempt = attempts[job.id] + (job in have_begun)
            is_safe = job.owner is None and attempt <= MOST_ATTEMPTS
            if is_safe or _is_repeated(job, attempt):
                next_attempts[job.id] = attempt
            else:
                _interrupt([job], CRASHED)
    return next_attempts


def _is_repeated(job: Job, attempt: int) -> bool:
    """Whether a job whose process died may be run again; if so, it waits for that."""
    if job.result or not jobs.is_repeatable(job.kind) or attempt > MOST_ATTEMPTS:
        return False
    job.owner, job.message = None, jobs.RESTARTING
    return True


def _interrupt(lost: Iterable[Job], message: str = INTERRUPTED) -> None:
    for job in lost:
        job.state, job.ended_at, job.message, job.owner = "interrupted", now(), message, None
        if job.result:
            # Its rows are written; only its end is not.
            job.state, job.message = "done", job.result["message"]
