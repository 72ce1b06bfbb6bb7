"""How long work shows its progress at a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import click


class Report(Protocol):
    """What a long piece of work calls with how many of its parts are done, and what it does now."""

    def __call__(self, done: int, total: int, message: str = "", /) -> None: ...


@contextmanager
def progress_bar(label: str) -> Iterator[Report]:
    """Give a `progress(done, total, message)` that moves a bar on standard error, at a terminal."""
    stream = sys.stderr
    with click.progressbar(length=1, label=label, file=stream, hidden=not stream.isatty()) as bar:

        def progress(done: int, total: int, _message: str = "") -> None:
            bar.length = max(total, 1)
            bar.update(done - bar.pos)

        yield progress
