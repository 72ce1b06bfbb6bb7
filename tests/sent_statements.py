"""The statements that SQLite is sent, whoever sends them."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, event


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
