"""Marks for results of simulated judgments.

Within `marked_simulated`, tables get a column ``simulated``; JSON records, .npz and .mat files get
a field of that name; figures get a line of text. A CSV matrix has no place for it, so only the
record written with it says so. Input tables (groupings, ratings, ground truths) have the same
column.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

COLUMN = "simulated"
NOTICE = "Simulated data: a program made these judgments; no people took part."

_MARKED: ContextVar[bool] = ContextVar("simulated", default=False)


@contextmanager
def marked_simulated(simulated: bool) -> Iterator[None]:
    """Mark all files written in the block as simulated, or as real if `simulated` is false.

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
    """Whether any cell of the column `simulated` of an input table is true; None without it."""
    return any(cell.strip().lower() in ("true", "1") for cell in cells or ())
