"""Several web processes on one port: each is restarted if it ends."""

from __future__ import annotations

import logging
import multiprocessing
import os
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import connection
from pathlib import Path
from typing import TYPE_CHECKING

from study_app.core.config import Settings

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    from flask import Flask

    from study_app.operations.http.listener import Listener

log = logging.getLogger(__name__)

# A process that keeps failing is not restarted faster than this.
PAUSE_SECONDS = 1
ENDING_SECONDS = 15

_context = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class Served:
    """Settings passed to a process.

    Attributes
    ----------
    settings : Settings
    addresses : tuple of str
        URLs of the server, for links to it.
    certificate : (Path, Path) or None
    json_log : bool
    """

    settings: Settings
    addresses: tuple[str, ...]
    certificate: tuple[Path, Path] | None
    json_log: bool


def serve(served: Served, listener: Listener, workers: int) -> None:
    """Run the processes until interrupted."""
    with tempfile.TemporaryDirectory(prefix="sketch-study-metrics-") as folder:
        # The processes collect their metrics here.
        os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", folder)
        plain = socket.socket(fileno=os.dup(listener.fileno()))
        listener.close()
        running = [_started(served, plain) for _ in range(workers)]
        with suppress(KeyboardInterrupt):
            while True:
                connection.wait([process.sentinel for process in running])
                for at, process in enumerate(running):
                    if not process.is_alive():
                        log.error("a process ended (%s) and is started again", process.exitcode)
                        time.sleep(PAUSE_SECONDS)
                        running[at] = _started(served, plain)
        _end(running)
        plain.close()


def _started(served: Served, listening: socket.socket) -> SpawnProcess:
    process = _context.Process(target=_web, args=(served, listening))
    process.start()
    return process


def _end(running: list[SpawnProcess]) -> None:
    for process in running:
        process.terminate()
    end = time.monotonic() + ENDING_SECONDS
    for process in running:
        process.join(max(0, end - time.monotonic()))
        process.kill()
        process.join()


def _web(served: Served, listening: socket.socket) -> None:
    from study_app.commands import warm_up
    from study_app.operations.http.listener import Listener, counts_behind
    from study_app.operations.http.server import Server

    app = _begin(served)
    listener = Listener.shared(listening, counts_behind(served.settings.proxies))
    server = Server(app, listener, served.certificate)
    _when_orphaned(server.stop)
    warm_up.in_background(app)
    with suppress(KeyboardInterrupt):
        server.run()


def _begin(served: Served) -> Flask:
    from study_app import create_app
    from study_app.operations import json_log, private_files

    private_files.begin()
    if served.json_log:
        json_log.begin()
    app = create_app(served.settings)
    app.config["SERVED_AT"] = list(served.addresses)
    return app


def _when_orphaned(stop: Callable[[], None]) -> None:
    """End this process when its parent process ends for any reason."""
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            stop()

    threading.Thread(target=wait, name="parent", daemon=True).start()
