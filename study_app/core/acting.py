"""The current actor, recorded with every entry of the audit list."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Actor:
    """The author of a change.

    Attributes
    ----------
    kind : str
        "researcher", "participant", or "visitor" without sign-in, on the web; a command at a
        terminal; or the server by itself.
    researcher_id : int or None
        Of a researcher.
    """

    kind: Literal["researcher", "participant", "visitor", "terminal", "server"]
    researcher_id: int | None = None


TERMINAL = Actor("terminal")
PARTICIPANT = Actor("participant")
VISITOR = Actor("visitor")
SERVER = Actor("server")

_actor: ContextVar[Actor] = ContextVar("actor", default=TERMINAL)


def researcher(number: int) -> Actor:
    """The actor for a researcher's id."""
    return Actor("researcher", number)


def current() -> Actor:
    """The current actor."""
    return _actor.get()


def begin(actor: Actor) -> None:
    """Set the actor of this thread."""
    _actor.set(actor)


@contextmanager
def acting(actor: Actor) -> Iterator[None]:
    """Set the actor for a block."""
    token = _actor.set(actor)
    try:
        yield
    finally:
        _actor.reset(token)
