"""Who is at work: noted beside everything that the audit list holds."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Actor:
    """Who makes a change.

    Attributes
    ----------
    kind : str
        A researcher, a participant or a visitor who has not signed in, on the web; or a command
        at a terminal.
    researcher_id : int or None
        Of a researcher.
    """

    kind: Literal["researcher", "participant", "visitor", "terminal"]
    researcher_id: int | None = None


TERMINAL = Actor("terminal")
PARTICIPANT = Actor("participant")
VISITOR = Actor("visitor")

_actor: ContextVar[Actor] = ContextVar("actor", default=TERMINAL)


def researcher(number: int) -> Actor:
    """A researcher, by number."""
    return Actor("researcher", number)


def current() -> Actor:
    """Who is at work now."""
    return _actor.get()


def begin(actor: Actor) -> None:
    """Say who is at work in this thread from now on."""
    _actor.set(actor)


@contextmanager
def acting(actor: Actor) -> Iterator[None]:
    """Let a piece of work be somebody's."""
    token = _actor.set(actor)
    try:
        yield
    finally:
        _actor.reset(token)
