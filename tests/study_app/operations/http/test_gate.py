"""Threads that wait for the database, and clients that do not read, delay nobody."""

import asyncio
import io
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
from flask import Flask, send_file

from study_app.operations.http import gate, protocol
from study_app.operations.http.gate import BLOCK, THREADS, FileAnswer, Gate
from study_app.operations.http.server import serving
from tests.waiting import until


def _run(attack):
    """Run a coroutine in a thread, since browser tests leave a running loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, attack).result()


@pytest.fixture
def stuck():
    """An application whose requests wait, except those of probes; set the event to let them go."""
    go_on, waiting = threading.Event(), threading.Semaphore(0)

    def app(environ, start_response):
        if environ["PATH_INFO"] not in ("/healthz", "/readyz"):
            waiting.release()
            go_on.wait()
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [b"whole"]

    made = Gate(app, lambda _environ: 1000)
    yield made, go_on, waiting
    go_on.set()
    made.close()


async def asked(made, path):
    """Status and headers of an answer."""
    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": []}
    await made({**scope, "http_version": "1.1", "scheme": "http"}, None, send)
    return sent[0]["status"], dict(sent[0]["headers"])


def test_probes_are_answered_while_all_threads_wait(stuck):
    made, go_on, waiting = stuck

    async def attack():
        others = [asyncio.create_task(asked(made, "/studies")) for _ in range(2 * THREADS)]
        for _ in range(THREADS):
            await asyncio.to_thread(waiting.acquire)
        found = [await asked(made, path) for path in gate.PROBES for _ in range(5)]
        assert not any(other.done() for other in others)
        go_on.set()
        return found, await asyncio.gather(*others)

    found, others = _run(attack())
    assert {status for status, _headers in (*found, *others)} == {200}


def test_a_request_that_waited_too_long_for_a_thread_is_refused(stuck, monkeypatch):
    made, go_on, waiting = stuck

    async def attack():
        begun = [asyncio.create_task(asked(made, "/studies")) for _ in range(THREADS)]
        for _ in range(THREADS):
            await asyncio.to_thread(waiting.acquire)
        monkeypatch.setattr(gate, "WAIT_SECONDS", 0)
        late = asyncio.create_task(asked(made, "/studies"))
        await asyncio.sleep(0.01)
        go_on.set()
        return await asyncio.gather(*begun), await late

    begun, (status, headers) = _run(attack())
    assert {one for one, _headers in begun} == {200}
    assert status == 503 and int(headers[b"retry-after"]) > 0


class Large(io.BytesIO):
    """A large file that counts what was read of it."""

    def __init__(self):
        super().__init__(bytes(100 * BLOCK))
        self.blocks = 0

    def read(self, length=-1):
        self.blocks += 1
        return super().read(length)


def test_a_client_that_reads_nothing_is_disconnected_and_fills_no_log(monkeypatch, caplog):
    monkeypatch.setattr(protocol, "SEND_SECONDS", 0.5)
    app, file = Flask("large"), Large()
    app.extensions["most_bytes"] = lambda _environ: 1000
    app.add_url_rule("/", view_func=lambda: send_file(file, mimetype="application/zip"))
    with serving(app) as address, socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        line.connect(("127.0.0.1", urlsplit(address).port))
        line.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        until(lambda: file.closed)
    assert file.blocks < 50
    assert not caplog.text


def test_nothing_more_is_read_for_a_client_that_left():
    file = Large()

    def app(environ, start_response):
        start_response("200 OK", [("Content-Type", "application/zip")])
        return FileAnswer(file)

    made, sent, events = Gate(app, lambda _environ: 1000), [], []

    async def receive():
        await asyncio.sleep(0)
        events.append("asked")
        return {"type": "http.request" if len(events) == 1 else "http.disconnect"}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": []}
    _run(made({**scope, "http_version": "1.1", "scheme": "http"}, receive, send))
    made.close()
    assert file.blocks < 10 and file.closed
