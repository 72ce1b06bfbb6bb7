"""The jobs of a server, in a process of their own.

So a page neither waits for a computation nor carries its memory, and a job that uses all memory or
crashes does not stop the server. On SQLite the process starts with the first job and ends after
some minutes without one. On PostgreSQL it is a worker for as long as the server runs. If it dies,
it is started again. It ends when the server does, even if that was killed: then its standard input
is closed.
"""

from __future__ import annotations

import importlib
import logging
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from basics import memory
from study_app.commands.threads import one_thread

if TYPE_CHECKING:
    from flask import Flask

    from study_app.core.config import Settings

log = logging.getLogger(__name__)

# Modules with jobs.
KINDS = (
    "study_app.cards.print_jobs",
    "study_app.ranking.progress.measuring",
    "study_app.ranking.tasks.folder_import",
    "study_app.results.exports.archive",
    "study_app.results.gold.downloads",
    "study_app.results.gold.view",
    "study_app.results.systems.measured",
    "study_app.sittings.measuring",
    "study_app.stimuli.importing.run",
)
# Seconds without a job after which the process ends, and the system gets its memory back.
IDLE_SECONDS = 300
# A process that keeps failing is not restarted faster than this.
PAUSE_SECONDS = 1
# Seconds for which a server that is stopped waits for its jobs.
ENDING_SECONDS = 15
STOP = b"stop\n"
# Of 1000: if the system has no memory left, it kills this process before the server.
KILLED_FIRST = "500"


class Process(Protocol):
    """What is needed of `subprocess.Popen`."""

    pid: int
    stdin: IO[bytes] | None

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, at the end."""

    def kill(self) -> None:
        """End the process at once."""


class NeverStarted:
    """A process that the system did not start, as if it had failed at once."""

    pid = 0
    stdin: IO[bytes] | None = None

    def wait(self, timeout: float | None = None) -> int:
        """A failure."""
        return 1

    def kill(self) -> None:
        """Nothing to end."""


class JobProcess:
    """The process of a server's jobs.

    Parameters
    ----------
    app : Flask
    is_logging_json : bool
    """

    def __init__(self, app: Flask, is_logging_json: bool = False) -> None:
        from study_app.core.database import is_sqlite

        self._app, self._is_logging_json = app, is_logging_json
        self._settings: Settings = app.config["SETTINGS"]
        self._is_worker = not is_sqlite(self._settings.database_url)
        self._lock = threading.Lock()
        self._process: Process | None = None
        self._is_stopped = False
        # How often each job was begun, as far as is known.
        self._attempts: dict[int, int] = {}

    @property
    def pid(self) -> int | None:
        """The number of the process; None if none runs."""
        return self._process.pid if self._process else None

    def begin(self) -> None:
        """Run the jobs of the server's application in the process from now on."""
        from study_app.core.background import jobs

        if self._is_worker:
            with self._lock:
                self._start()
        else:
            jobs.run_by(self._app, self.run)

    def run(self, job_id: int) -> None:
        """Run a job on SQLite."""
        with self._lock:
            self._attempts[job_id] = 1
            if self._process is None:
                self._start()
            else:
                self._send(b"%d\n" % job_id)

    def stop(self) -> None:
        """End the process, after its running jobs if these do not take long."""
        with self._lock:
            self._is_stopped, process = True, self._process
            if process is None:
                return
            self._send(STOP)
        try:
            process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            # Another worker repeats a job that still runs, or its page says to start it again.
            process.kill()
            process.wait()
        _close_input(process)

    def _start(self) -> None:
        from study_app.core.background import jobs

        try:
            self._process = start_process()
        except OSError:
            log.exception("the process of the jobs cannot be started")
            self._process = NeverStarted()
        # Of several jobs, one may have used all memory: the others do not crash with it again.
        is_repeating = any(attempt > 1 for attempt in self._attempts.values())
        at_once = 1 if is_repeating else jobs.MOST_AT_ONCE
        self._send(pickle.dumps((self._settings, self._is_logging_json, at_once)))
        for job_id in self._attempts:
            self._send(b"%d\n" % job_id)
        threading.Thread(
            target=self._watch, args=(self._process,), name="job process", daemon=True
        ).start()

    def _send(self, sent: bytes) -> None:
        assert self._process is not None
        if self._process.stdin is None:
            return
        # If the process has ended, and its input may be closed, the next one is sent all jobs that
        # are left.
        with suppress(OSError, ValueError):
            self._process.stdin.write(sent)
            self._process.stdin.flush()

    def _watch(self, process: Process) -> None:
        """When the process has ended, start another one for the jobs that are left."""
        status = process.wait()
        if self._is_stopped:
            return
        if status:
            log.error("the process of the jobs ended (%s)", status)
            time.sleep(PAUSE_SECONDS)
        with self._lock:
            ended = dict(self._attempts)
        left = self._left_of(ended)
        _close_input(process)
        if status:
            self._clear()
        with self._lock:
            new = {job: attempt for job, attempt in self._attempts.items() if job not in ended}
            self._attempts, self._process = left | new, None
            if (self._attempts or self._is_worker) and not self._is_stopped:
                self._start()

    def _clear(self) -> None:
        """Delete unfinished files of the process that ended."""
        from study_app.operations import startup_cleanup

        try:
            with self._app.app_context():
                startup_cleanup.clear_after_jobs(self._settings, alone=not self._is_worker)
        except Exception:
            log.exception("the files of a process that ended cannot be deleted")

    def _left_of(self, attempts: dict[int, int]) -> dict[int, int]:
        from study_app.core.background import jobs, workers

        while attempts:
            try:
                return workers.left_by_process(self._app, attempts)
            except Exception:
                log.exception("the jobs of a process that ended cannot be looked for")
                time.sleep(jobs.WRITE_PAUSE_SECONDS)
        return {}


def _close_input(process: Process) -> None:
    # What an ended process did not read is lost.
    with suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()


def start_process() -> Process:
    """A new process of this module."""
    # -P: never imports modules from the current folder.
    command = [sys.executable, "-P", "-m", "study_app.commands.processes.job_process"]
    return subprocess.Popen(command, stdin=subprocess.PIPE)


def load_kinds() -> None:
    """Register every kind of job; pages do so themselves."""
    for name in KINDS:
        importlib.import_module(name)


def main() -> None:
    """Run the jobs that are sent to standard input, until it is closed."""
    # Only the server is interrupted by Ctrl+C or stopped by the system.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sent = os.fdopen(0, "rb", closefd=False)
    try:
        settings, is_logging_json, at_once = pickle.load(sent)
    except EOFError:
        return
    orders: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sent, orders), name="orders", daemon=True).start()
    one_thread()
    memory.give_back_large()
    _be_killed_first()
    _work(settings, is_logging_json, at_once, orders)


def _work(
    settings: Settings, is_logging_json: bool, at_once: int, orders: queue.SimpleQueue[bytes]
) -> None:
    from study_app import open_installation
    from study_app.core.caching import cache
    from study_app.core.database import instance_lock, is_sqlite, opened
    from study_app.operations import json_log, private_files

    private_files.begin()
    if is_logging_json:
        json_log.begin()
    app = open_installation(settings)
    load_kinds()
    with opened(app):
        if not is_sqlite(settings.database_url):
            _run_worker(app, at_once, orders)
            return
        cache.follow_others(app)
        with instance_lock.jobs(settings.instance):
            run_jobs(app, at_once, orders)


def run_jobs(app: Flask, at_once: int, orders: queue.SimpleQueue[bytes]) -> None:
    """Run the jobs whose numbers are in a queue, until told to stop or there have been none."""
    from study_app.core.background import jobs

    running: list[Future[None]] = []
    with ThreadPoolExecutor(at_once, thread_name_prefix="job") as pool:
        while True:
            for ended in [one for one in running if one.done()]:
                # A job that could not write its end: when this process ends, the server does so.
                ended.result()
                running.remove(ended)
            try:
                order = orders.get(timeout=IDLE_SECONDS)
            except queue.Empty:
                if not running:
                    return
                continue
            if order == STOP:
                pool.shutdown(cancel_futures=True)
                return
            running.append(pool.submit(jobs.perform, app, int(order)))


def _run_worker(app: Flask, at_once: int, orders: queue.SimpleQueue[bytes]) -> None:
    """Run jobs of the queue on PostgreSQL until told to stop."""
    from study_app.core.background import workers

    worker = workers.worker(app, at_once)

    def stop() -> None:
        orders.get()
        worker.stop()

    threading.Thread(target=stop, name="stop", daemon=True).start()
    worker.run()


def _listen(sent: IO[bytes], orders: queue.SimpleQueue[bytes]) -> None:
    for line in sent:
        orders.put(line)
    # The server has ended, and another one may start at once.
    os._exit(1)


def _be_killed_first() -> None:
    if sys.platform == "linux":
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text(KILLED_FIRST)


if __name__ == "__main__":
    main()
