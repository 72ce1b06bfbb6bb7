"""Results of simulated judgments say so, in every file that is written of them.

Within `marked_simulated`, tables get a column ``simulated``, records, .npz and .mat a field of that
name, and figures a line of words. A matrix as CSV has no room for it: the record that lies beside
it says it. The tables that are read in turn (groupings, ratings, ground truths) carry the mark in
that same column.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

COLUMN = "simulated"
WORDS = "Simulated data: a program made these judgments, no person did."

_MARKED: ContextVar[bool] = ContextVar("simulated", default=False)


@contextmanager
def marked_simulated(simulated: bool) -> Iterator[None]:
    """Mark what is written within this as simulated, or as real where `simulated` is false.

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
    """Return whether the column `simulated` of a table that was read (None without one) says
    yes."""
    return any(cell.strip().lower() in ("true", "1") for cell in cells or ())
