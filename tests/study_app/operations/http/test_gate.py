"""Threads that wait for the database delay neither probes nor the answer to those who wait."""

import asyncio
import threading

import pytest

from study_app.operations.http import gate
from study_app.operations.http.gate import THREADS, Gate


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

    found, others = asyncio.run(attack())
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

    begun, (status, headers) = asyncio.run(attack())
    assert {one for one, _headers in begun} == {200}
    assert status == 503 and int(headers[b"retry-after"]) > 0
