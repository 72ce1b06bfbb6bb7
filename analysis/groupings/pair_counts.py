"""For each pair of stimuli, how many participants put them together and how many placed both.

Only a few combinations of the two counts are possible; each has a code. To save memory, the codes
of pairs are computed from the groupings when needed, for a part of the matrix at a time, and values
that follow from the counts are looked up by code.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.groupings.grouping import NOT_PLACED, renumber, validate

_ROWS_PER_BATCH = 64
_ROUNDING = 1e-12

Floats = NDArray[np.float64]
Codes = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True)
class PairCodes:
    """Codes of all pairs of stimuli: a code stands for the two counts of a pair.

    If all participants placed all stimuli, the code is the number who put the pair together.

    Attributes
    ----------
    groups : int array, shape (participants, stimuli)
        Group number, small integers; -1 if the participant did not place the stimulus.
    others : int array, shape (participants, stimuli)
        The same with -2 instead of -1, so that stimuli that were not placed never match.
    placed : float32 array, shape (participants, stimuli), or None
        1 where placed; None if all placed everything.
    """

    groups: NDArray[Any]
    others: NDArray[Any]
    placed: NDArray[np.float32] | None

    @staticmethod
    def of(groups: NDArray[np.int64]) -> PairCodes:
        """Codes of groupings from `analysis.groupings.grouping.renumber`."""
        small = groups.astype(np.min_scalar_type(-1 - groups.max(initial=1)))
        placed = small != NOT_PLACED
        others = np.where(placed, small, small.dtype.type(NOT_PLACED - 1))
        return PairCodes(small, others, None if placed.all() else placed.astype(np.float32))

    @property
    def step(self) -> int:
        """Difference of codes per participant who put a pair together."""
        return 1 if self.placed is None else len(self.groups) + 1

    @property
    def count(self) -> int:
        """Number of codes."""
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
        for first in range(0, len(codes), _ROWS_PER_BATCH):
            part = codes[first : first + _ROWS_PER_BATCH]
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
        """The same codes with the stimuli in a different order."""
        placed = None if self.placed is None else self.placed[:, order]
        return PairCodes(self.groups[:, order], self.others[:, order], placed)


@dataclass(frozen=True)
class LookupMatrix:
    """A matrix whose values are looked up when rows, or rows and columns, are requested.

    Attributes
    ----------
    codes : PairCodes
    table : array, shape (codes,)
        The value of each code.
    diagonal : float or None
        The value on the diagonal; None if it is that of the code.
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

    def ordered(self, order: NDArray[np.int64]) -> LookupMatrix:
        """The same matrix with rows and columns in a different order."""
        return LookupMatrix(self.codes.ordered(order), self.table, self.diagonal)

    def in_steps(self, most: int) -> tuple[LookupMatrix, int]:
        """The same values as integer multiples of one step, and the number of steps in 1.

        Parameters
        ----------
        most : int
            If there is no such step, or there are more steps than this in 1, the values are
            returned unchanged, with the number 1.
        """
        people = len(self.codes.groups)
        steps = people if self.codes.placed is None else lcm(*range(1, people + 1))
        if steps > most:
            return self, 1
        whole = np.rint(self.table * steps)
        if np.abs(whole / steps - self.table).max() > _ROUNDING:
            return self, 1
        smallest = np.min_scalar_type(int(whole.max()))
        return LookupMatrix(self.codes, whole.astype(smallest), self.diagonal), steps

    def condensed(self) -> NDArray[Any]:
        """The values above the diagonal, row by row, as in scipy's condensed distance matrix."""
        count = len(self)
        values = np.empty(count * (count - 1) // 2, dtype=self.dtype)
        end = 0
        for first in range(0, count, _ROWS_PER_BATCH):
            codes = self.codes[first : first + _ROWS_PER_BATCH, first:]
            for row in range(len(codes)):
                start, end = end, end + count - 1 - first - row
                np.take(self.table, codes[row, row + 1 :], out=values[start:end], mode="clip")
        return values

    def to_array(self) -> NDArray[Any]:
        """All values."""
        return self[:]


@dataclass(frozen=True)
class PairCounts:
    """The counts of `analysis.groupings.similarity.cogrouping_counts`, and the similarity.

    Attributes
    ----------
    together, both : LookupMatrix, int32
    similarity : LookupMatrix, float
        As from `analysis.groupings.similarity.cogrouping`.
    """

    together: LookupMatrix
    both: LookupMatrix
    similarity: LookupMatrix

    def distances(self) -> LookupMatrix:
        """One minus similarity; the mean of known distances if no participant placed both."""
        codes, shares = self.similarity.codes, self.similarity.table
        table = np.maximum(1 - shares, 0)
        unknown = np.isnan(shares)
        table[unknown] = 1.0
        if codes.placed is not None:
            pairs = _pairs_by_code(codes)
            if pairs[unknown].any() and pairs[~unknown].any():
                table[unknown] = np.average(table[~unknown], weights=pairs[~unknown])
        return LookupMatrix(codes, table, 0.0)


def pair_counts(groupings: ArrayLike) -> PairCounts:
    """Count, for each pair of stimuli, the participants who put them together and who placed both.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Group number; -1 if the participant did not place the stimulus.

    Returns
    -------
    PairCounts

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
    similarity = LookupMatrix(codes, _shares(together, both), 1.0)
    return PairCounts(LookupMatrix(codes, together), LookupMatrix(codes, both), similarity)


def pairs_by_both(groupings: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers of pairs of stimuli by how many participants (0, 1, 2, …) placed both.

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
    for start in range(0, stimuli, _ROWS_PER_BATCH):
        both = indicator[:, start : start + _ROWS_PER_BATCH].T @ indicator
        pairs += np.bincount(both.astype(np.int64).ravel(), minlength=participants + 1)
    pairs -= np.bincount(placed.sum(axis=0), minlength=participants + 1)
    return pairs // 2


def _shares(together: NDArray[np.int32], both: NDArray[np.int32]) -> Floats:
    shares = np.full(len(together), np.nan)
    np.divide(together, both, out=shares, where=both > 0)
    return shares


def _pairs_by_code(codes: PairCodes) -> NDArray[np.int64]:
    """Number of pairs of different stimuli with each code."""
    pairs = np.zeros(codes.count, dtype=np.int64)
    for first in range(0, len(codes), _ROWS_PER_BATCH):
        part = codes[first : first + _ROWS_PER_BATCH]
        pairs += np.bincount(part.ravel(), minlength=codes.count)
        pairs -= np.bincount(part[:, first:].diagonal(), minlength=codes.count)
    return pairs // 2
