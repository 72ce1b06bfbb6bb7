"""The server of every command: uvicorn behind a counted listener, Flask behind a gate."""

import asyncio
import contextlib
import socket
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from flask import Flask

from study_app.operations.http.gate import Gate
from study_app.operations.http.listener import BACKLOG, Counts, Listener
from study_app.operations.http.protocol import HEADER_SECONDS, IDLE_SECONDS, Protocol

ENDING_SECONDS = 5


class Server:
    """A server of an application at an address.

    Parameters
    ----------
    app : Flask
        `app.extensions["most_bytes"]` gives the largest body of a request.
    listener : Listener
        Closed when the server ends.
    certificate : (Path, Path), optional
        Certificate and key, to serve HTTPS.
    """

    def __init__(
        self, app: Flask, listener: Listener, certificate: tuple[Path, Path] | None = None
    ) -> None:
        self._listener = listener
        self._gate = Gate(app, app.extensions["most_bytes"])
        secured: dict[str, Any] = {}
        if certificate:
            secured = {"ssl_certfile": certificate[0], "ssl_keyfile": certificate[1]}
        config = uvicorn.Config(
            self._gate,
            http=Protocol,
            loop="asyncio",
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=BACKLOG,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=ENDING_SECONDS,
            **secured,
        )
        self._server = _Server(config)

    def run(self) -> None:
        """Serve until interrupted or stopped."""
        _allow_files()
        try:
            self._server.run(sockets=[self._listener])
        finally:
            self._listener.close()
            self._gate.close()

    def stop(self) -> None:
        """End `run`, from another thread."""
        self._server.should_exit = True


class _Server(uvicorn.Server):
    """Gives a TLS handshake as long as a header; by default it may take a minute."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        loop = asyncio.get_running_loop()
        if self.config.is_ssl:
            listening = partial(loop.create_server, ssl_handshake_timeout=HEADER_SECONDS)
            loop.create_server = listening  # type: ignore[method-assign]
        await super().startup(sockets)


@contextlib.contextmanager
def serving(app: Flask) -> Iterator[str]:
    """Serve an application in a thread, on a free port of this machine; gives its address."""
    listener = Listener("127.0.0.1", 0, Counts())
    port, server = listener.port, Server(app, listener)
    thread = threading.Thread(target=server.run, name="server")
    thread.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.stop()
        thread.join()


def _allow_files() -> None:
    """Raise the limit of open files, since each connection is one."""
    if sys.platform != "win32":
        import resource

        _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
