"""The statements that SQLite is sent, whoever sends them, and the waits for PostgreSQL."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, event

# After these messages, an answer is waited for; the last one is sent for several rows.
ENDS = ("Query\t", "Sync", "Flush")


@contextmanager
def sent_statements(engine: Engine) -> Iterator[list[str]]:
    """The statements of transactions that begin from now on, with their values, except their end.

    SQLAlchemy's events do not tell of `Prepared` statements. Each row of several is a statement.
    """
    sent: list[str] = []

    def note(statement: str) -> None:
        if statement not in ("COMMIT", "ROLLBACK"):
            sent.append(statement)

    def begin(driver, *_):
        driver.set_trace_callback(note)

    def end(driver, *_):
        driver.set_trace_callback(None)

    event.listen(engine, "checkout", begin)
    event.listen(engine, "checkin", end)
    try:
        yield sent
    finally:
        event.remove(engine, "checkout", begin)


@contextmanager
def waits(engine: Engine) -> Iterator[Callable[[], int]]:
    """How often PostgreSQL was waited for since the last call, on new connections.

    These are statements and what drivers add to them: BEGIN, COMMIT, questions whether it is there.
    """
    read = 0
    with tempfile.TemporaryFile("a+") as trace:

        def begin(driver, _record):
            driver.pgconn.trace(trace.fileno())

        def count() -> int:
            nonlocal read
            trace.seek(read)
            lines = trace.read().splitlines()
            read = trace.tell()
            return sum(any(f"\t{end}" in line for end in ENDS) for line in lines)

        event.listen(engine, "connect", begin)
        # Those that wait in the pool are not traced.
        engine.dispose()
        try:
            yield count
        finally:
            event.remove(engine, "connect", begin)
            engine.dispose()
