"""Commands of `sketch-study` in processes forked from one that has already loaded the packages.

Loading them takes nearly all of the start-up time of a server.
"""

import importlib
import itertools
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from basics.workers import pool
from study_app.cli import main
from study_app.commands import warm_up
from study_app.commands.processes import job_process

CAN_FORK = "forkserver" in multiprocessing.get_all_start_methods()
_context = multiprocessing.get_context("forkserver" if CAN_FORK else None)
# The modules that `sketch-study serve` imports until it serves.
_context.set_forkserver_preload(
    [
        "study_app.web.application",
        "study_app.commands.serve",
        "study_app.commands.processes.job_process",
        *job_process.KINDS,
        "study_app.commands.processes.web_processes",
        "study_app.accounts.audit.recording",
        "study_app.operations.http.server",
        "study_app.operations.json_log",
        "study_app.operations.scheduled_backups",
        "study_app.operations.startup_cleanup",
        "tests.forked",
        "tests.warm_servers",
    ]
)


class Forked:
    """A running command, with those parts of `subprocess.Popen` that tests use."""

    def __init__(self, arguments, environment, folder=None):
        reading_end, own_end = _context.Pipe(duplex=False)
        self._process = _context.Process(
            target=_run, args=(arguments, environment, folder or Path.cwd(), own_end), daemon=True
        )
        self._process.start()
        own_end.close()
        self.stdout = os.fdopen(os.dup(reading_end.fileno()), encoding="utf-8")
        reading_end.close()
        self.pid = self._process.pid

    def kill(self):
        """End the process without giving it time for anything."""
        self._process.kill()

    def wait(self):
        """Wait for its end; the exit status."""
        self._process.join()
        return self._process.exitcode


def run_forked(arguments, environment=None, folder=None):
    """What a command said, and its exit status."""
    if not CAN_FORK:
        done = subprocess.run(
            [sys.executable, "-m", "study_app", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            env=environment,
            cwd=folder,
        )
        return done.stdout, done.returncode
    process = Forked(arguments, environment or dict(os.environ), folder)
    with process.stdout:
        said = process.stdout.read()
    return said, process.wait()


def start_kinds(module):
    """Start a process of jobs that also knows the kinds of a module."""
    if CAN_FORK:
        return _ForkedKinds(module)
    program = (
        f"import {module}; from study_app.commands.processes import job_process as p; p.main()"
    )
    return subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE)


class _ForkedKinds:
    """Such a process, with those parts of `subprocess.Popen` that tests use."""

    def __init__(self, module):
        reading_end, own_end = _context.Pipe(duplex=False)
        self._process = _context.Process(target=_run_kinds, args=(module, reading_end), daemon=True)
        self._process.start()
        reading_end.close()
        self.stdin = os.fdopen(os.dup(own_end.fileno()), "wb")
        own_end.close()
        self.pid = self._process.pid

    def wait(self, timeout=None):
        """The exit status, at the end."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("jobs", timeout)
        return self._process.exitcode

    def kill(self):
        """End the process without giving it time for anything."""
        self._process.kill()


def _run_kinds(module, orders):
    os.dup2(orders.fileno(), 0)
    orders.close()
    importlib.import_module(module)
    job_process.main()


def _run(arguments, environment, folder, output):
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for stream in (1, 2):
        os.dup2(output.fileno(), stream)
    output.close()
    sys.stdout = os.fdopen(1, "w", buffering=1, encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", closefd=False)
    # `warm_servers` has done that.
    warm_up.in_background = lambda app: None
    processes = itertools.chain([_ForkedJobs().begin], itertools.repeat(job_process.start_process))
    job_process.start_process = lambda: next(processes)()
    main(arguments)


class _ForkedJobs:
    """The first process of a server's jobs, with those parts of `subprocess.Popen` that it needs.

    Forked before the server has threads.
    """

    def __init__(self):
        reading_end, writing_end = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(writing_end)
            os.dup2(reading_end, 0)
            try:
                job_process.main()
            finally:
                pool.close_idle()
                os._exit(0)
        os.close(reading_end)
        self.stdin = os.fdopen(writing_end, "wb")
        self._ended, self._status = threading.Event(), None

    def begin(self):
        """Let it be the process that runs jobs."""
        threading.Thread(target=self._wait, daemon=True).start()
        return self

    def wait(self, timeout=None):
        """The exit status, at the end."""
        if not self._ended.wait(timeout):
            raise subprocess.TimeoutExpired("jobs", timeout)
        return self._status

    def kill(self):
        """End the process without giving it time for anything."""
        os.kill(self.pid, signal.SIGKILL)

    def _wait(self):
        self._status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        self._ended.set()
