"""Progress of long work, shown on a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import click


class Report(Protocol):
    """Called by long work with the number of parts done, the total, and the current step."""

    def __call__(self, done: int, total: int, message: str = "", /) -> None: ...


def silent(_done: int, _total: int, _message: str = "") -> None:
    """A report that nobody reads."""


def step_of(report: Report, step: int, steps: int) -> Report:
    """The report of one step of longer work, which counts in percent of the whole.

    Parameters
    ----------
    report : callable
        Of the whole.
    step, steps : int
        Which step it is, from 0, of how many.
    """

    def within(done: int, total: int, message: str = "") -> None:
        share = done / total if total else 1.0
        counted = f"{message}, {done} of {total}" if total else message
        report(int(100 * (step + share) / steps), 100, counted)

    return within


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
