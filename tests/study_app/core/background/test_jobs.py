"""Jobs report how they ended, whatever the cause."""

import errno
import os
import sqlite3
import threading
import time

import pytest
from sqlalchemy.exc import OperationalError

from study_app.core import acting
from study_app.core.background import jobs, workers
from study_app.core.database import db, writing
from study_app.core.errors import StudyError
from study_app.core.storage.stores import StoreUnavailable
from study_app.models import Job


@pytest.fixture
def works(monkeypatch):
    """The kinds of jobs, to which a test adds its own."""
    kinds = dict(jobs._kinds)
    monkeypatch.setattr(jobs, "_kinds", kinds)
    return kinds


def done(study_id, work):
    """A job, when it has ended."""
    jobs.kind("test", repeatable=True)(work)
    return ended(study_id, jobs.start(study_id, "test"))


def ended(study_id, job_id):
    """The job of a number, once it does not run any more."""
    while True:
        db.session.rollback()
        job = jobs.find(study_id, job_id)
        if job.state != "running":
            return job
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (StudyError("The set has no sketches."), "The set has no sketches."),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), "free some space and try again"),
        (MemoryError(), "Not enough memory"),
        (KeyError("ours"), "see the server's log"),
    ],
)
def test_a_failed_job_has_a_message(session, study_id, works, fault, message):
    def work(_progress):
        raise fault

    job = done(study_id, work)
    assert job.state == "failed" and message in job.message


def test_a_failed_job_does_not_show_what_the_object_store_says(
    session, study_id, works, caplog, monkeypatch
):
    monkeypatch.setattr(jobs, "OUTAGE_SECONDS", -1)

    def work(_progress):
        raise StoreUnavailable("s3://secret-bucket", "dispatch failure")

    job = done(study_id, work)
    assert job.message.startswith("The files are not available now")
    assert "s3://secret-bucket" in caplog.text and "dispatch failure" in caplog.text


def test_a_full_disk_is_reported_once_there_is_space(session, study_id, works, monkeypatch):
    write, refused = jobs._write, []

    def full_at_first(*whose, **values):
        if not refused:
            refused.append(values)
            raise OperationalError("UPDATE", {}, sqlite3.OperationalError("disk is full"))
        return write(*whose, **values)

    monkeypatch.setattr(jobs, "_write", full_at_first)
    monkeypatch.setattr(jobs, "WRITE_PAUSE_SECONDS", 0)
    job = done(study_id, lambda progress: {"message": "14 imported."})
    assert len(refused) == 1 and job.state == "done" and job.message == "14 imported."


def test_a_job_that_cannot_be_started_on_a_full_disk_starts_once_there_is_space(
    session, study_id, works, monkeypatch
):
    take, refused = jobs._take, []

    def full_at_first(job_id):
        if not refused:
            refused.append(job_id)
            raise OperationalError("UPDATE", {}, sqlite3.OperationalError("disk is full"))
        return take(job_id)

    monkeypatch.setattr(jobs, "_take", full_at_first)
    monkeypatch.setattr(jobs, "WRITE_PAUSE_SECONDS", 0)
    job = done(study_id, lambda progress: {"message": "14 imported."})
    assert refused == [job.id] and job.message == "14 imported."


def test_a_job_of_a_killed_server_is_interrupted(session, study_id):
    with writing() as transaction:
        transaction.add(Job(study_id=study_id, kind="import"))
    workers.mark_interrupted()
    job = jobs.newest(study_id, "import")
    assert job.state == "interrupted" and "Start it again" in job.message


def test_a_bounded_number_of_jobs_run_at_once_and_all_end(session, study_id, works):
    running, most, lock = [], [], threading.Lock()
    full = threading.Event()

    def work(_progress):
        with lock:
            running.append(1)
            most.append(len(running))
            if len(running) == jobs.MOST_AT_ONCE:
                full.set()
        assert full.wait(60)
        with lock:
            running.pop()

    jobs.kind("test", repeatable=True)(work)
    started = [jobs.start(study_id, "test") for _ in range(3 * jobs.MOST_AT_ONCE)]
    assert {ended(study_id, job_id).state for job_id in started} == {"done"}
    assert max(most) == jobs.MOST_AT_ONCE


def test_a_job_gets_its_arguments_and_its_researcher(session, study_id, works, client):
    jobs.kind("test", repeatable=True)(lambda progress, **given: {"message": f"{given}"})
    with acting.acting(acting.researcher(1)):
        job_id = jobs.start(study_id, "test", names=["a"], most=None)
    job = ended(study_id, job_id)
    assert (job.message, job.researcher_id) == ("{'names': ['a'], 'most': None}", 1)


def test_the_same_job_is_started_once(session, study_id, works):
    ready = threading.Event()
    jobs.kind("test", repeatable=True)(lambda progress, **_: ready.wait(60) and None)
    first = jobs.start_once(study_id, "test", target=["set", 1])
    assert jobs.start_once(study_id, "test", target=("set", 1)) == first
    other = jobs.start_once(study_id, "test", target=["set", 2])
    ready.set()
    assert other != first
    ended(study_id, first)
    ended(study_id, other)
    again = jobs.start_once(study_id, "test", target=["set", 1])
    assert again not in (first, other) and ended(study_id, again).state == "done"


def test_a_job_taken_over_by_another_worker_stops_writing(session, study_id, works):
    def work(progress):
        with writing() as transaction:
            transaction.get(Job, progress.job_id).owner = "another"
        progress(1, 1, "from the first")

    jobs.kind("test", repeatable=True)(work)
    job_id = jobs.start(study_id, "test")
    while jobs.find(study_id, job_id).owner != "another":
        db.session.rollback()
    jobs._pool.submit(int).result()
    db.session.rollback()
    job = jobs.find(study_id, job_id)
    assert (job.state, job.message) == ("running", "")


def test_a_job_begins_again_once_the_files_are_there(session, study_id, works, monkeypatch):
    monkeypatch.setattr(jobs, "WRITE_PAUSE_SECONDS", 0)
    tries = []

    def work(progress):
        tries.append(1)
        progress(5, 5)
        if len(tries) < 3:
            raise StoreUnavailable("s3://bucket", "it is away")
        return {"message": "Finished."}

    job = done(study_id, work)
    assert (job.state, job.message, len(tries)) == ("done", "Finished.", 3)


@pytest.mark.parametrize(("repeatable", "state"), [(False, "failed"), (True, "running")])
def test_a_job_that_is_not_repeatable_or_was_taken_over_does_not_begin_again(
    app, session, study_id, works, monkeypatch, repeatable, state
):
    monkeypatch.setattr(jobs, "WRITE_PAUSE_SECONDS", 0)
    tries = []

    def work(progress):
        tries.append(1)
        if repeatable:
            with writing() as own:
                own.get(Job, progress.job_id).owner = "another worker"
        raise StoreUnavailable("s3://bucket", "it is away")

    jobs.kind("test", repeatable=repeatable)(work)
    jobs.run_by(app, lambda job_id: None)
    job_id = jobs.start(study_id, "test")
    jobs.perform(app, job_id)
    assert jobs.find(study_id, job_id).state == state and len(tries) == 1
