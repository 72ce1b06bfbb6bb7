"""Between uvicorn and Flask: threads get complete requests and return complete responses.

A body is read into memory, or into a file if it is long, before a thread starts on it; a response
is buffered likewise before it is sent. So a client that sends or reads one byte every few seconds
occupies a connection, but no thread.
"""

import asyncio
import io
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from study_app.operations.http.protocol import HEADER_BYTES

THREADS = 24
# For how long a request may wait for a thread, while all of them wait for the database.
WAIT_SECONDS = 30
RETRY_AFTER = (b"retry-after", b"10")
# Load balancers and monitors are answered by threads of their own, and files are read by others: an
# object store may not answer.
PROBES, PROBE_THREADS, FILE_THREADS = ("/healthz", "/readyz"), 4, 8
IN_MEMORY = 512 * 1024
BLOCK = 256 * 1024
# Time limit for a body, plus an allowance for its length.
BODY_SECONDS = 30
SLOWEST_BYTES_PER_SECOND = 20_000
# Browsers read a refusal only after sending their photo: bytes that are read and discarded.
READ_AWAY_BYTES = 160_000_000
TOO_LARGE = "sketch_study.too_large"

Environ = dict[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class _Gone(Exception):
    """The client closed the connection."""


class FileAnswer:
    """A file that is sent unchanged; the `wsgi.file_wrapper` of Flask's `send_file`."""

    def __init__(self, file: Any, _block: int = BLOCK) -> None:
        self.file = file

    def __iter__(self) -> Iterator[bytes]:
        """Itself: for a range, Werkzeug seeks in what it iterates over."""
        return self

    def __next__(self) -> bytes:
        block: bytes = self.file.read(BLOCK)
        if not block:
            raise StopIteration
        return block

    def __getattr__(self, name: str) -> Any:
        """The file's `seek`, `tell` and `seekable`, for range requests."""
        return getattr(self.file, name)

    def close(self) -> None:
        """Close the file."""
        self.file.close()


@dataclass
class _Answer:
    """The application's response."""

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: Any = field(default_factory=io.BytesIO)
    is_short: bool = True


class Gate:
    """An ASGI application that runs a WSGI application in threads, on complete requests.

    Parameters
    ----------
    app : WSGI application
    most_bytes : callable of a WSGI environ
        Gives the largest accepted body of the request.
    """

    def __init__(self, app: Callable[..., Any], most_bytes: Callable[[Environ], int]) -> None:
        self._app, self._most_bytes = app, most_bytes
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="request")
        self._probes = ThreadPoolExecutor(PROBE_THREADS, thread_name_prefix="probe")
        self._files = ThreadPoolExecutor(FILE_THREADS, thread_name_prefix="file")

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        if sum(len(name) + len(value) + 4 for name, value in scope["headers"]) > HEADER_BYTES:
            await _refuse(send, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            return
        environ = environ_of(scope)
        loop = asyncio.get_running_loop()
        with tempfile.SpooledTemporaryFile(IN_MEMORY) as body:
            try:
                refused = await self._read(environ, receive, body)
            except _Gone:
                return
            if refused:
                await _refuse(send, refused)
                return
            body.seek(0)
            environ["wsgi.input"] = body
            threads = self._probes if scope["path"] in PROBES else self._threads
            latest = time.monotonic() + WAIT_SECONDS
            answer = await loop.run_in_executor(threads, self._answer, environ, latest)
        await self._send(answer, receive, send, environ["REQUEST_METHOD"] == "HEAD")

    def close(self) -> None:
        """Wait for the running requests."""
        for threads in (self._threads, self._probes, self._files):
            threads.shutdown()

    async def _read(self, environ: Environ, receive: Receive, body: Any) -> HTTPStatus | None:
        """Read a body within its limits; returns the reason if it is refused."""
        # Without either of them, a request has no body (RFC 9112, section 6.3).
        if not {"CONTENT_LENGTH", "HTTP_TRANSFER_ENCODING"} & environ.keys():
            return None
        most = self._most_bytes(environ)
        claimed = int(environ.get("CONTENT_LENGTH") or 0)
        if claimed > max(most, READ_AWAY_BYTES):
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        seconds = BODY_SECONDS + min(claimed or most, most) / SLOWEST_BYTES_PER_SECOND
        try:
            async with asyncio.timeout(seconds):
                length = await _read_into(body, receive, most)
        except TimeoutError:
            return HTTPStatus.REQUEST_TIMEOUT
        if length > max(most, READ_AWAY_BYTES):
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        environ[TOO_LARGE] = length > most
        if length > most:
            body.seek(0)
            body.truncate()
            length = 0
        environ["CONTENT_LENGTH"] = str(length)
        environ.pop("HTTP_TRANSFER_ENCODING", None)
        return None

    def _answer(self, environ: Environ, latest: float) -> _Answer:
        """Run the application, unless it is later than `latest`; in a thread."""
        if time.monotonic() > latest:
            return _busy()
        answer = _Answer()

        def start_response(status: str, headers: list[tuple[str, str]], _error: Any = None) -> Any:
            answer.status = int(status[:3])
            answer.headers = [
                (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers
            ]
            return answer.body.write

        found = self._app(environ, start_response)
        if isinstance(found, FileAnswer):
            head = found.file.read(IN_MEMORY)
            if len(head) == IN_MEMORY:
                found.file.seek(-len(head), os.SEEK_CUR)
                answer.body, answer.is_short = found.file, False
            else:
                found.close()
                answer.body = io.BytesIO(head)
            return answer
        answer.body = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 (closed when sent)
        try:
            for part in found:
                answer.body.write(part)
        finally:
            if hasattr(found, "close"):
                found.close()
        answer.is_short = answer.body.tell() <= IN_MEMORY
        answer.body.seek(0)
        return answer

    async def _send(self, answer: _Answer, receive: Receive, send: Send, head: bool) -> None:
        """Send a response block by block; no thread waits for the client.

        The connection of a client that stops reading is aborted: see `protocol`.
        """
        loop = asyncio.get_running_loop()
        with answer.body:
            start = {
                "type": "http.response.start",
                "status": answer.status,
                "headers": answer.headers,
            }
            await send(start)
            if head or answer.is_short:
                await _say(send, b"" if head else answer.body.read())
                return
            gone = asyncio.create_task(_until_gone(receive))
            try:
                while block := await loop.run_in_executor(self._files, answer.body.read, BLOCK):
                    await _say(send, block, more=True)
                    if gone.done():
                        return
                await _say(send, b"")
            finally:
                gone.cancel()


async def _read_into(body: Any, receive: Receive, most: int) -> int:
    """Read a body to its end; bytes beyond the limit are counted and discarded."""
    length = 0
    while length <= max(most, READ_AWAY_BYTES):
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Gone
        length += len(message.get("body", b""))
        if length <= most:
            body.write(message.get("body", b""))
        if not message.get("more_body", False):
            break
    return length


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _say(send: Send, body: bytes, more: bool = False) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": more})


def _busy() -> _Answer:
    """The response to a request that has waited too long; nothing of it was begun."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), RETRY_AFTER]
    body = io.BytesIO(b"The server is too busy; nothing was saved. Try again in a few seconds.\n")
    return _Answer(503, headers, body)


async def _refuse(send: Send, status: HTTPStatus) -> None:
    """Refuse a request that no page sends, and close the connection."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await _say(send, f"{status.phrase}\n".encode())


def environ_of(scope: Any) -> Environ:
    """A request's header as a WSGI environ (PEP 3333)."""
    server = scope.get("server") or ("localhost", 80)
    client = scope.get("client") or ("", 0)
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode("utf-8").decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "wsgi.input_terminated": True,
        "wsgi.file_wrapper": FileAnswer,
    }
    for name, value in scope["headers"]:
        # A name with an underscore could be mistaken for another header.
        if b"_" in name:
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
        text = value.decode("latin-1")
        joint = "; " if key == "HTTP_COOKIE" else ","
        environ[key] = f"{environ[key]}{joint}{text}" if key in environ else text
    return environ
