"""Jobs on PostgreSQL: run by any worker, repeated or reported when their worker dies."""

import asyncio
import os
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from sqlalchemy import event, text

from basics.wordings import Wording, unpacked
from study_app import create_app
from study_app.core.background import job_queue, jobs, workers
from study_app.core.config import Settings
from study_app.core.database import db, opened, own_session, writing
from study_app.core.migrations import is_current, upgrade
from study_app.models import Job
from study_app.studies import studies
from tests.study_app.core.background.test_jobs import ended, works  # noqa: F401  # a fixture

pytestmark = pytest.mark.postgres


@pytest.fixture
def hosts(upgraded_url, tmp_path, monkeypatch):
    """Two hosts of one installation, whose workers look for jobs often."""
    for name in ("BEAT_SECONDS", "AGAIN_SECONDS"):
        monkeypatch.setattr(job_queue, name, 0.2)
    apps = [create_app(Settings.of(tmp_path / name, upgraded_url)) for name in ("a", "b")]
    with opened(apps[0]), opened(apps[1]):
        yield apps


@contextmanager
def working(app):
    """A worker in a thread."""
    worker = workers.worker(app)
    thread = threading.Thread(target=worker.run)
    thread.start()
    yield
    worker.stop()
    thread.join()


@pytest.fixture
def worker(hosts):
    """A worker beside the second host."""
    with working(hosts[1]):
        yield


@pytest.fixture
def study_id(hosts):
    """A study, as every host sees it."""
    with writing() as session:
        return studies.make(session, "Chairs").id


def die():
    """Let the queue look as if a worker took all jobs and then died."""
    with writing() as session, job_queue._within(session.connection()):
        session.execute(text("UPDATE procrastinate_jobs SET status = 'doing'"))


def test_a_job_started_on_one_host_runs_on_another_and_shows_on_both(hosts, works, study_id):  # noqa: F811
    ready, seen = threading.Event(), []

    def work(progress, name):
        progress(3, 9, "counting")
        ready.wait(60)
        return {"message": f"Hello, {name}."}

    jobs.kind("test", repeatable=True)(work)
    job_id = jobs.start(study_id, "test", name="Ada")
    with working(hosts[1]):
        for app in hosts:
            with app.app_context():
                while (job := jobs.find(study_id, job_id)).done == 0:
                    db.session.rollback()
                    time.sleep(0.05)
                seen.append((job.state, job.done, job.message))
        ready.set()
        assert seen == 2 * [("running", 3, "counting")]
        assert ended(study_id, job_id).message == "Hello, Ada."
    assert db.session.scalars(job_queue.queued()).all() == []


def test_the_job_of_a_dead_worker_is_repeated_or_reported(works, study_id, request):  # noqa: F811
    for kind, repeatable in (("again", True), ("once", False)):
        jobs.kind(kind, repeatable=repeatable)(lambda progress: {"message": "Finished."})
    again, once = jobs.start(study_id, "again"), jobs.start(study_id, "once")
    die()
    request.getfixturevalue("worker")
    assert ended(study_id, again).message == "Finished."
    job = ended(study_id, once)
    assert job.state == "interrupted" and "Start it again" in job.message


def test_a_job_whose_connection_was_ended_begins_again(hosts, worker, works, study_id, monkeypatch):  # noqa: F811
    monkeypatch.setattr(jobs, "WRITE_PAUSE_SECONDS", 0)
    tries = []

    def work(progress):
        tries.append(1)
        with own_session() as session:
            if len(tries) == 1:
                session.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
        return {"message": "Finished."}

    jobs.kind("test", repeatable=True)(work)
    assert ended(study_id, jobs.start(study_id, "test")).message == "Finished."
    assert len(tries) == 2


def test_a_job_whose_rows_were_written_before_its_connection_ended_is_done(
    hosts,
    worker,
    works,  # noqa: F811
    study_id,
    monkeypatch,
):
    monkeypatch.setattr(jobs, "WRITE_PAUSE_SECONDS", 0)
    tries = []

    def work(progress):
        tries.append(1)
        with writing() as session:
            message = Wording("%(count)s imported.", count="7")
            progress.keep(session, {"message": message, "imported": 7})
        with own_session() as session:
            session.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    jobs.kind("test", repeatable=True)(work)
    job = ended(study_id, jobs.start(study_id, "test"))
    assert (job.state, unpacked(job.message)) == ("done", "7 imported.")
    assert job.result["imported"] == 7
    assert len(tries) == 1


def test_a_job_that_crashes_its_workers_is_abandoned(hosts, works, study_id):  # noqa: F811
    jobs.kind("again", repeatable=True)(lambda progress: None)
    job_id = jobs.start(study_id, "again")
    die()
    for _ in range(workers.MOST_ATTEMPTS - 1):
        workers.rescue(hosts[0])
        assert jobs.find(study_id, job_id).state == "running"
        die()
    workers.rescue(hosts[0])
    job = jobs.find(study_id, job_id)
    # The server did not stop.
    assert job.state == "interrupted" and "memory was full" in job.message


def test_a_job_missing_from_the_queue_is_reported(hosts, works, study_id):  # noqa: F811
    with writing() as session:
        session.add(Job(study_id=study_id, kind="again"))
    with pytest.raises(KeyError), writing() as session:
        jobs.add(session, study_id, "again", {})
        raise KeyError
    assert db.session.scalars(job_queue.queued()).all() == []
    workers.rescue(hosts[0])
    assert jobs.newest(study_id, "again").state == "interrupted"


def test_a_job_started_during_the_search_for_lost_ones_is_not_lost(hosts, works, study_id):  # noqa: F811
    started = []
    with hosts[0].app_context():
        engine = db.engine

    def start():
        with hosts[1].app_context():
            started.append(jobs.start(study_id, "again"))

    @event.listens_for(engine, "after_cursor_execute")
    def queue_was_read(_connection, _cursor, statement, *_more):
        if "SELECT" in statement and "FROM job_queue." in statement and not started:
            thread = threading.Thread(target=start)
            thread.start()
            thread.join()

    workers.rescue(hosts[0])
    event.remove(engine, "after_cursor_execute", queue_was_read)
    assert jobs.find(study_id, *started).state == "running"


def test_queue_tables_of_another_version_are_recreated(hosts, study_id):
    with writing() as session:
        session.execute(text("COMMENT ON SCHEMA job_queue IS 'of another version'"))
    assert not is_current(db.engine)
    upgrade(db.engine)
    assert is_current(db.engine)
    with db.engine.connect() as connection:
        assert connection.scalar(text("SHOW search_path")) == '"$user", public'


def test_a_worker_stopped_while_it_starts_does_not_run(hosts):
    worker = workers.worker(hosts[0])
    worker.stop()
    # In a thread: the browser tests' event loop may run in this one.
    thread = threading.Thread(target=worker.run, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="not on this system")
def test_a_worker_notices_within_a_minute_that_the_database_has_disappeared(hosts, upgraded_url):
    async def timeout():
        queue = job_queue._queue(Settings.of(database=upgraded_url).database_url, 1)
        async with queue.open_async(), queue.connector.pool.connection() as connection:
            with socket.socket(fileno=os.dup(connection.fileno())) as used:
                return used.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)

    # browser tests leave an event loop in the main thread
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(lambda: asyncio.run(timeout())).result() == 60_000
