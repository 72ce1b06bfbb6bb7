"""Reporting the progress of long work, on a terminal or elsewhere."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import click


class Report(Protocol):
    """Called by long work with the number of parts done, the total, and the current step."""

    def __call__(self, done: int, total: int, message: str = "", /) -> None: ...


def silent(_done: int, _total: int, _message: str = "") -> None:
    """A progress report that does nothing."""


def step_of(report: Report, step: int, steps: int) -> Report:
    """Make the progress report of one step of longer work.

    Parameters
    ----------
    report : callable
        That of the whole work.
    step, steps : int
        Index of the step, from 0, and number of steps.

    Returns
    -------
    callable
        It reports to `report` in percent of the whole work.
    """

    def within(done: int, total: int, message: str = "") -> None:
        share = done / total if total else 1.0
        counted = f"{message}, {done} of {total}" if total else message
        report(int(100 * (step + share) / steps), 100, counted)

    return within


@contextmanager
def progress_bar(label: str) -> Iterator[Report]:
    """Yield a `progress(done, total, message)` that shows a bar on standard error, if that is a
    terminal."""
    stream = sys.stderr
    with click.progressbar(length=1, label=label, file=stream, hidden=not stream.isatty()) as bar:

        def progress(done: int, total: int, _message: str = "") -> None:
            bar.length = max(total, 1)
            bar.update(done - bar.pos)

        yield progress
