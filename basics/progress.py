"""How long work shows its progress at a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[..., None]]:
    """Give a `progress(done, total, message)` that moves a bar on standard error, at a terminal."""
    stream = sys.stderr
    with click.progressbar(length=1, label=label, file=stream, hidden=not stream.isatty()) as bar:

        def progress(done: int, total: int, _message: str = "") -> None:
            bar.length = max(total, 1)
            bar.update(done - bar.pos)

        yield progress
