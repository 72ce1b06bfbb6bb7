"""Progress of long work, shown on a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import click


class Report(Protocol):
    """Called by long work with the number of parts done, the total, and the current step."""

    def __call__(self, done: int, total: int, message: str = "", /) -> None: ...


@contextmanager
def progress_bar(label: str) -> Iterator[Report]:
    """Yield a `progress(done, total, message)` that moves a bar on standard error if it is a
    terminal."""
    stream = sys.stderr
    with click.progressbar(length=1, label=label, file=stream, hidden=not stream.isatty()) as bar:

        def progress(done: int, total: int, _message: str = "") -> None:
            bar.length = max(total, 1)
            bar.update(done - bar.pos)

        yield progress
