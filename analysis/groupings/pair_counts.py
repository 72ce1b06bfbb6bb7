"""For each pair of stimuli, who put them together and who placed both, in little memory.

Only a few combinations of the two counts are possible. They are numbered. The number of a pair's
combination is counted from the groupings whenever it is asked for, a part of the matrix at a time,
and values that follow from the counts are looked up.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.groupings.grouping import NOT_PLACED, renumber, validate

_ROWS_AT_ONCE = 64
_ROUNDING = 1e-12

Floats = NDArray[np.float64]
Codes = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True)
class PairCodes:
    """The number of each pair's combination: who put it together and, if that differs, placed it.

    Attributes
    ----------
    groups : int array, shape (participants, stimuli)
        Group number, small integers; -1 if the participant did not place the stimulus.
    others : int array, shape (participants, stimuli)
        The same with -2 there, so that stimuli that were not placed are never equal.
    placed : float32 array, shape (participants, stimuli), or None
        1 where placed; None if all placed everything.
    """

    groups: NDArray[Any]
    others: NDArray[Any]
    placed: NDArray[np.float32] | None

    @staticmethod
    def of(groups: NDArray[np.int64]) -> PairCodes:
        """Those of groupings from `analysis.groupings.grouping.renumber`."""
        small = groups.astype(np.min_scalar_type(-1 - groups.max(initial=1)))
        placed = small != NOT_PLACED
        others = np.where(placed, small, small.dtype.type(NOT_PLACED - 1))
        return PairCodes(small, others, None if placed.all() else placed.astype(np.float32))

    @property
    def step(self) -> int:
        """By how much the code grows with each participant who put a pair together."""
        return 1 if self.placed is None else len(self.groups) + 1

    @property
    def count(self) -> int:
        """How many codes there are."""
        return (len(self.groups) + 1) * self.step

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the codes."""
        return np.dtype(np.min_scalar_type(self.count - 1))

    def __len__(self) -> int:
        return self.groups.shape[1]

    def __getitem__(self, place: slice | tuple[slice, slice]) -> Codes:
        rows, columns = place if isinstance(place, tuple) else (place, slice(None))
        start, stop, _ = rows.indices(len(self))
        codes = np.empty((stop - start, len(range(len(self))[columns])), dtype=self.dtype)
        for first in range(0, len(codes), _ROWS_AT_ONCE):
            part = codes[first : first + _ROWS_AT_ONCE]
            self._count(part, slice(start + first, start + first + len(part)), columns)
        return codes

    def _count(self, codes: Codes, rows: slice, columns: slice) -> None:
        codes[:] = 0
        same = np.empty(codes.shape, dtype=bool)
        for mine, others in zip(self.groups[:, rows], self.others[:, columns], strict=True):
            np.equal(mine[:, None], others, out=same)
            np.add(codes, same, out=codes)
        if self.placed is not None:
            codes *= codes.dtype.type(self.step)
            both = self.placed[:, rows].T @ self.placed[:, columns]
            codes += both.astype(codes.dtype)

    def ordered(self, order: NDArray[np.int64]) -> PairCodes:
        """The same with stimuli in another order."""
        placed = None if self.placed is None else self.placed[:, order]
        return PairCodes(self.groups[:, order], self.others[:, order], placed)


@dataclass(frozen=True)
class LookedUp:
    """A matrix whose values are looked up when rows, or rows and columns, are asked for.

    Attributes
    ----------
    codes : PairCodes
    table : array, shape (codes,)
        The value of each code.
    diagonal : float or None
        The value on the diagonal, where that is another one.
    """

    codes: PairCodes
    table: NDArray[Any]
    diagonal: float | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return len(self.codes), len(self.codes)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the values."""
        return self.table.dtype

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, place: slice | tuple[slice, slice]) -> NDArray[Any]:
        """Values of rows; or of rows and columns that have no stimulus in common."""
        found: NDArray[Any] = np.take(self.table, self.codes[place], mode="clip")
        if isinstance(place, slice) and self.diagonal is not None:
            rows = range(*place.indices(len(self)))
            found[np.arange(len(rows)), rows] = self.diagonal
        return found

    def ordered(self, order: NDArray[np.int64]) -> LookedUp:
        """The same with rows and columns in another order."""
        return LookedUp(self.codes.ordered(order), self.table, self.diagonal)

    def in_steps(self, most: int) -> tuple[LookedUp, int]:
        """The same values as whole numbers of one step, and how many steps make 1.

        Parameters
        ----------
        most : int
            If no step divides all values, or more of them make 1, the values are unchanged and the
            number is 1.
        """
        people = len(self.codes.groups)
        steps = people if self.codes.placed is None else lcm(*range(1, people + 1))
        if steps > most:
            return self, 1
        whole = np.rint(self.table * steps)
        if np.abs(whole / steps - self.table).max() > _ROUNDING:
            return self, 1
        smallest = np.min_scalar_type(int(whole.max()))
        return LookedUp(self.codes, whole.astype(smallest), self.diagonal), steps

    def above_diagonal(self) -> NDArray[Any]:
        """The values of pairs, row by row, in scipy's order of distances."""
        count = len(self)
        values = np.empty(count * (count - 1) // 2, dtype=self.dtype)
        end = 0
        for first in range(0, count, _ROWS_AT_ONCE):
            codes = self.codes[first : first + _ROWS_AT_ONCE, first:]
            for row in range(len(codes)):
                start, end = end, end + count - 1 - first - row
                np.take(self.table, codes[row, row + 1 :], out=values[start:end], mode="clip")
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
        table[unknown] = 1.0
        if codes.placed is not None:
            pairs = _pairs_by_code(codes)
            if pairs[unknown].any() and pairs[~unknown].any():
                table[unknown] = np.average(table[~unknown], weights=pairs[~unknown])
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
    codes = PairCodes.of(renumber(validate(groupings)))
    numbers = np.arange(codes.count, dtype=np.int32)
    together, both = np.divmod(numbers, np.int32(codes.step))
    if codes.placed is None:
        both = np.full_like(numbers, len(codes.groups))
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
    if placed.all():
        pairs[participants] = stimuli * (stimuli - 1) // 2
        return pairs
    indicator = placed.astype(np.float32)
    for start in range(0, stimuli, _ROWS_AT_ONCE):
        both = indicator[:, start : start + _ROWS_AT_ONCE].T @ indicator
        pairs += np.bincount(both.astype(np.int64).ravel(), minlength=participants + 1)
    pairs -= np.bincount(placed.sum(axis=0), minlength=participants + 1)
    return pairs // 2


def _shares(together: NDArray[np.int32], both: NDArray[np.int32]) -> Floats:
    shares = np.full(len(together), np.nan)
    np.divide(together, both, out=shares, where=both > 0)
    return shares


def _pairs_by_code(codes: PairCodes) -> NDArray[np.int64]:
    """How many pairs of two stimuli have each code."""
    pairs = np.zeros(codes.count, dtype=np.int64)
    for first in range(0, len(codes), _ROWS_AT_ONCE):
        part = codes[first : first + _ROWS_AT_ONCE]
        pairs += np.bincount(part.ravel(), minlength=codes.count)
        pairs -= np.bincount(part[:, first:].diagonal(), minlength=codes.count)
    return pairs // 2
