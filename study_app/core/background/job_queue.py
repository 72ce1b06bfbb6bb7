"""The job queue on PostgreSQL: procrastinate, in its own schema.

A job enters the queue in the transaction that writes its row. A worker takes it, sends a heartbeat
every few seconds, and removes it at the end. Other workers find the jobs of a worker that died. The
queue contains nothing that is not in the rows of the jobs, so it is recreated when another version
of procrastinate needs other tables.
"""

import asyncio
import hashlib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Integer, Select, literal_column, make_url, select, text
from sqlalchemy.engine import Engine
from sqlalchemy.orm import Session

from study_app.core.database import KEEPALIVES

if TYPE_CHECKING:
    import procrastinate

log = logging.getLogger(__name__)

SCHEMA = "job_queue"
TASK = "job"
BEAT_SECONDS = 3
# Seconds without a heartbeat after which a worker counts as dead.
LOST_SECONDS = 15
AGAIN_SECONDS = 5


@dataclass(frozen=True)
class Entry:
    """A job in the queue.

    Attributes
    ----------
    job_id : int
    attempt : int
        1, plus one for each worker that died during the job.
    """

    job_id: int
    attempt: int


def is_ready(engine: Engine) -> bool:
    """Whether the queue fits the installed version of procrastinate."""
    with engine.connect() as connection:
        noted = connection.scalar(
            text("SELECT obj_description(to_regnamespace(:name), 'pg_namespace')"), {"name": SCHEMA}
        )
    return noted == _version()


def prepare(engine: Engine) -> None:
    """Create an empty queue, replacing one of another version."""
    from procrastinate.schema import SchemaManager

    with engine.begin() as connection:
        cursor = connection.connection.cursor()
        cursor.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
        cursor.execute(f"CREATE SCHEMA {SCHEMA}")
        cursor.execute(f"COMMENT ON SCHEMA {SCHEMA} IS '{_version()}'")
        with _within(connection):
            cursor.execute(SchemaManager.get_schema())


def add(session: Session, job_id: int, attempt: int = 1) -> None:
    """Put a job into the queue; workers see it when the transaction is committed."""
    connection = session.connection()
    raw = connection.connection.driver_connection
    with _within(connection):
        _queue().configure_task(TASK, connection=raw).defer(job_id=job_id, attempt=attempt)


def abandoned(session: Session) -> list[Entry]:
    """Remove and return the jobs of workers that died; by one worker at a time."""
    session.execute(text("SELECT pg_advisory_xact_lock(hashtext(:name))"), {"name": SCHEMA})
    with _within(session.connection()):
        rows = session.scalars(
            text(
                "DELETE FROM procrastinate_jobs AS job WHERE job.status = 'doing' "
                "AND NOT EXISTS (SELECT 1 FROM procrastinate_workers AS worker "
                "WHERE worker.id = job.worker_id "
                "AND worker.last_heartbeat >= now() - make_interval(secs => :seconds)) "
                "RETURNING job.args"
            ),
            {"seconds": LOST_SECONDS},
        ).all()
    return [Entry(args["job_id"], args["attempt"]) for args in rows]


def queued() -> Select[int]:
    """A query for the ids of the jobs that are waiting or running."""
    number = literal_column("(args->>'job_id')::integer", Integer)
    return select(number).select_from(text(f"{SCHEMA}.procrastinate_jobs"))


class Worker:
    """Takes jobs from the queue and runs them in threads.

    Parameters
    ----------
    database_url : str
    perform : callable (job_id, attempt)
        Runs a job to its end.
    rescue : callable ()
        Requeues the jobs of workers that died; called every few seconds.
    at_once : int
        Number of jobs that run at the same time.
    """

    def __init__(
        self,
        database_url: str,
        perform: Callable[[int, int], None],
        rescue: Callable[[], None],
        at_once: int,
    ) -> None:
        self._url, self._perform, self._rescue = database_url, perform, rescue
        self._at_once = at_once
        self._loop: asyncio.AbstractEventLoop | None = None
        self._work: asyncio.Task[None] | None = None
        self._is_stopped = False

    def run(self) -> None:
        """Run jobs until stopped or interrupted."""
        # On Windows, psycopg needs this kind of event loop.
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            self._loop = runner.get_loop()
            with suppress(asyncio.CancelledError, KeyboardInterrupt):
                runner.run(self._until_stopped())

    def stop(self) -> None:
        """From another thread: take no more jobs, so that `run` ends after those that run."""
        self._is_stopped = True
        if self._loop is not None and self._work is not None:
            self._loop.call_soon_threadsafe(self._work.cancel)

    async def _until_stopped(self) -> None:
        self._work = asyncio.current_task()
        if self._is_stopped:
            return
        looking = asyncio.create_task(self._look_for_lost())
        try:
            while True:
                try:
                    await self._take_jobs()
                except Exception:
                    log.exception("the queue of jobs cannot be reached")
                await asyncio.sleep(AGAIN_SECONDS)
        finally:
            looking.cancel()

    async def _take_jobs(self) -> None:
        queue = _queue(self._url, self._at_once)
        queue.task(name=TASK)(self._perform)
        async with queue.open_async():
            await queue.run_worker_async(
                concurrency=self._at_once,
                delete_jobs="always",
                install_signal_handlers=False,
                fetch_job_polling_interval=AGAIN_SECONDS,
                update_heartbeat_interval=BEAT_SECONDS,
                stalled_worker_timeout=LOST_SECONDS,
            )

    async def _look_for_lost(self) -> None:
        while True:
            try:
                await asyncio.to_thread(self._rescue)
            except Exception:
                log.exception("lost jobs cannot be looked for")
            await asyncio.sleep(AGAIN_SECONDS)


def _queue(database_url: str | None = None, at_once: int = 0) -> "procrastinate.App":
    """The queue: for a worker with a database, or without one for adding jobs."""
    import procrastinate

    if database_url is None:
        return procrastinate.App(connector=procrastinate.SyncPsycopgConnector())
    url = make_url(database_url).set(drivername="postgresql")
    options: dict[str, Any] = {"options": f"-c search_path={SCHEMA}", **KEEPALIVES}
    connector = procrastinate.PsycopgConnector(
        conninfo=url.render_as_string(hide_password=False),
        kwargs=options,
        min_size=1,
        max_size=at_once + 3,
    )
    return procrastinate.App(connector=connector)


@contextmanager
def _within(connection: Connection) -> Iterator[None]:
    """Set the search path to procrastinate's tables, for a part of the transaction."""
    put = text("SELECT set_config('search_path', :path, true)")
    before = connection.scalar(text("SELECT current_setting('search_path')"))
    connection.execute(put, {"path": SCHEMA})
    yield
    connection.execute(put, {"path": before})


def _version() -> str:
    """An identifier of procrastinate's tables, different for each version."""
    from procrastinate.schema import SchemaManager

    return hashlib.sha256(SchemaManager.get_schema().encode()).hexdigest()
