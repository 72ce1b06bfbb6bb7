"""For each pair of stimuli, who put them together and who placed both, in little memory.

Only a few combinations of the two counts are possible. They are numbered, and a matrix of small
integers has the number of each pair's combination. Values that follow from the counts are looked
up, a part of the matrix at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.groupings.grouping import NOT_PLACED, renumber, validate
from analysis.groupings.similarity import together_by_rows

_ROWS_AT_ONCE = 64

Floats = NDArray[np.float64]
Codes = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True)
class LookedUp:
    """A matrix whose values are looked up when rows, or rows and columns, are asked for.

    Attributes
    ----------
    codes : unsigned int array, shape (stimuli, stimuli)
    table : array, shape (codes,)
        The value of each code.
    diagonal : float or None
        The value on the diagonal, where that is another one.
    """

    codes: Codes
    table: NDArray[Any]
    diagonal: float | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        rows, columns = self.codes.shape
        return rows, columns

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the values."""
        return self.table.dtype

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, place: slice | tuple[Any, Any]) -> NDArray[Any]:
        """Values of rows, a slice; or of rows and columns, both slices or one of them a number."""
        found: NDArray[Any] = self.table[self.codes[place]]
        if isinstance(place, slice) and self.diagonal is not None:
            rows = range(*place.indices(len(self)))
            found[np.arange(len(rows)), rows] = self.diagonal
        return found

    def ordered(self, order: NDArray[np.int64]) -> LookedUp:
        """The same with rows and columns in another order."""
        return LookedUp(self.codes[np.ix_(order, order)], self.table, self.diagonal)

    def above_diagonal(self) -> NDArray[Any]:
        """The values of pairs, row by row, in scipy's order of distances."""
        count = len(self)
        values = np.empty(count * (count - 1) // 2, dtype=self.dtype)
        start = 0
        for row in range(count - 1):
            end = start + count - 1 - row
            np.take(self.table, self.codes[row, row + 1 :], out=values[start:end], mode="clip")
            start = end
        return values

    def whole(self) -> NDArray[Any]:
        """All values."""
        return self[:]


@dataclass(frozen=True)
class PairCounts:
    """The counts of `analysis.groupings.similarity.cogrouping_counts`, and what follows from them.

    Attributes
    ----------
    together, both : LookedUp, int32
    similarity : LookedUp, float
        As `analysis.groupings.similarity.cogrouping`.
    """

    together: LookedUp
    both: LookedUp
    similarity: LookedUp

    def distances(self) -> LookedUp:
        """One minus similarity; the mean of the known ones where nobody placed both."""
        codes, shares = self.similarity.codes, self.similarity.table
        table = np.maximum(1 - shares, 0)
        unknown = np.isnan(shares)
        if unknown[_used(codes, len(shares))].any():
            known = LookedUp(codes, 1 - shares).above_diagonal()
            known = known[~np.isnan(known)]
            table[unknown] = max(known.mean(), 0) if len(known) else 1.0
        return LookedUp(codes, table, 0.0)


def pair_counts(groupings: ArrayLike) -> PairCounts:
    """Count for each pair of stimuli who put them together, and who placed both.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Group number; -1 if the participant did not place the stimulus.

    Raises
    ------
    InputError
        As for `analysis.groupings.grouping.validate`.

    Examples
    --------
    >>> counts = pair_counts([[0, 0, 1], [0, 0, 0], [0, 1, -1]])
    >>> counts.together[:1].tolist(), counts.both[:1].tolist()
    ([[3, 2, 1]], [[3, 3, 2]])
    """
    groups = renumber(validate(groupings))
    participants, stimuli = groups.shape
    placed = groups != NOT_PLACED
    # A code is the number who put a pair together and, if that differs, the number who placed both.
    both_of_rows = _both_by_rows(placed)
    step = 1 if both_of_rows is None else participants + 1
    last = participants * step + step - 1
    codes = np.empty((stimuli, stimuli), dtype=np.min_scalar_type(last))
    for rows, sums in together_by_rows(groups):
        own = sums.astype(codes.dtype) * codes.dtype.type(step)
        codes[rows] = own if both_of_rows is None else own + both_of_rows(rows).astype(codes.dtype)
    numbers = np.arange(last + 1, dtype=np.int32)
    together = numbers // np.int32(step)
    both = numbers % np.int32(step)
    if both_of_rows is None:
        both = np.full_like(numbers, participants)
    similarity = LookedUp(codes, _shares(together, both), 1.0)
    return PairCounts(LookedUp(codes, together), LookedUp(codes, both), similarity)


def pairs_by_both(groupings: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers of pairs of stimuli that 0, 1, 2, … participants placed both of.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Group number; -1 if the participant did not place the stimulus.

    Returns
    -------
    int array, shape (participants + 1,)
    """
    placed = groupings != NOT_PLACED
    participants, stimuli = placed.shape
    pairs = np.zeros(participants + 1, dtype=np.int64)
    both_of_rows = _both_by_rows(placed)
    if both_of_rows is None:
        pairs[participants] = stimuli * (stimuli - 1) // 2
        return pairs
    for start in range(0, stimuli, _ROWS_AT_ONCE):
        both = both_of_rows(slice(start, start + _ROWS_AT_ONCE)).astype(np.int64)
        pairs += np.bincount(both.ravel(), minlength=participants + 1)
    pairs -= np.bincount(placed.sum(axis=0), minlength=participants + 1)
    return pairs // 2


def _shares(together: NDArray[np.int32], both: NDArray[np.int32]) -> Floats:
    shares = np.full(len(together), np.nan)
    np.divide(together, both, out=shares, where=both > 0)
    return shares


def _both_by_rows(placed: NDArray[np.bool_]) -> Callable[[slice], NDArray[np.float32]] | None:
    """A function that counts who placed both, for some rows; None if all placed everything."""
    if placed.all():
        return None
    indicator = placed.astype(np.float32)

    def of_rows(rows: slice) -> NDArray[np.float32]:
        counts: NDArray[np.float32] = indicator[:, rows].T @ indicator
        return counts

    return of_rows


def _used(codes: Codes, count: int) -> NDArray[np.bool_]:
    """The codes that occur in a matrix."""
    used = np.zeros(count, dtype=bool)
    for row in codes:
        used[row] = True
    return used
