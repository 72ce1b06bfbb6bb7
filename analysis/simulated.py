"""Marking of results of simulated judgments, in every file.

Within `marked_simulated`, tables get a column ``simulated``, records, .npz and .mat a field of that
name, and figures a line of text. A matrix as CSV has no room for it, so it is in the record beside
it. Input tables (groupings, ratings, ground truths) have the same column.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

COLUMN = "simulated"
WORDS = "Simulated data: a program made these judgments, no person did."

_MARKED: ContextVar[bool] = ContextVar("simulated", default=False)


@contextmanager
def marked_simulated(simulated: bool) -> Iterator[None]:
    """Mark everything written in the block as simulated, or as real if `simulated` is false.

    Examples
    --------
    >>> with marked_simulated(True):
    ...     is_marked()
    True
    >>> is_marked()
    False
    """
    before = _MARKED.set(simulated)
    try:
        yield
    finally:
        _MARKED.reset(before)


def is_marked() -> bool:
    """Whether files written now are marked as simulated."""
    return _MARKED.get()


def says_simulated(cells: Sequence[str] | None) -> bool:
    """Whether the column `simulated` of an input table (None without one) has a true value."""
    return any(cell.strip().lower() in ("true", "1") for cell in cells or ())
