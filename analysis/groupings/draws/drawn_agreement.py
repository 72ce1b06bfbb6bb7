"""Sums of BCubed F over pairs of participants, in many random draws with the same group sizes.

The contingency tables of one participant with others are counted for several draws in one step:
each table fits in the L1 cache, and sums are vectorised over draws. Pairs whose tables have many
more cells than stimuli are counted by sorting. F of a pair depends on these two alone, and sums are
exact, so they are the same whichever pairs are counted together.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis.groupings.contingency import SPARSE_BEYOND
from analysis.groupings.grouping import NOT_PLACED
from analysis.groupings.pair_agreement import f_measure

if TYPE_CHECKING:
    from scipy import sparse

Floats = NDArray[np.float64]
_CELLS_PER_BATCH = 1 << 18
# F is summed in units of 2**-52, its high and its low digits separately, so that none is lost.
_DIGITS = 26
UNIT = 2.0 ** (-2 * _DIGITS)


class ExactSum:
    """Sums of F of several draws, without rounding.

    Parameters
    ----------
    draws : int
    """

    def __init__(self, draws: int) -> None:
        self._high, self._low = np.zeros((2, draws), dtype=np.int64)

    def add(self, f: Floats) -> None:
        """Add F of several pairs, shape (pairs, draws); undefined ones (NaN) count as 0."""
        units = np.rint(np.nan_to_num(f) / UNIT).astype(np.int64)
        self._high += (units >> _DIGITS).sum(axis=0)
        self._low += (units & ((1 << _DIGITS) - 1)).sum(axis=0)

    def values(self) -> list[int]:
        """The sum of each draw, in `UNIT`."""
        both = zip(self._high.tolist(), self._low.tolist(), strict=True)
        return [(high << _DIGITS) + low for high, low in both]


class DrawCounter:
    """Counts the tables of pairs of participants in random draws, reusing its memory.

    Either all pairs are counted, or those of the last participants with everybody before them. For
    all pairs, participants are arranged in a ring. Each is counted with those in the half ring that
    follows, a batch at a time. If their number is even, only the first half of them is counted with
    the participant opposite, so that each pair is counted once.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Groups numbered without gaps; -1 if not placed.
    draws : int
        Number of draws counted at a time.
    known : int
        Number of participants, the first ones, whose pairs with each other are left out.

    Attributes
    ----------
    draws : int
    """

    def __init__(self, groupings: NDArray[np.integer], draws: int, known: int = 0) -> None:
        self.draws = draws
        self._groups = groupings.max(axis=1) + 1
        wide = self._groups**2 > SPARSE_BEYOND * groupings.shape[1]
        self._narrow = np.flatnonzero(~wide)
        self._known = int((~wide[:known]).sum())
        self._wide_pairs = [
            (one, other)
            for one in range(known, len(wide))
            for other in range(one)
            if wide[one] or wide[other]
        ]
        self._people = len(self._narrow)
        if self._people > 1:
            self._prepare(groupings[self._narrow])

    def _prepare(self, groupings: NDArray[np.integer]) -> None:
        stimuli = groupings.shape[1]
        # If a participant did not place all stimuli, label 0 means "not placed".
        self._lowest = 0 if groupings.min() >= 0 else 1
        self._width = int(groupings.max()) + self._lowest + 1
        labels = groupings + np.arange(self._people)[:, None] * self._width + self._lowest
        sizes = np.bincount(labels.ravel(), minlength=self._people * self._width)
        sizes = sizes.reshape(self._people, -1)[:, self._lowest :]
        self._placed, self._weights = sizes.sum(axis=1), 1 / np.maximum(sizes, 1)
        largest = int(sizes.max(initial=0))
        self._kind, self._kind_of_squares = map(np.min_scalar_type, (largest, largest**2))
        most = self._known or self._people // 2
        turns = min(-(-most * self._width**2 * self.draws // _CELLS_PER_BATCH), most)
        self._slots = -(-most // turns)
        self._entries = np.empty((self._slots, self.draws, stimuli), dtype=np.int32)
        shape = self._width, self._width, self._slots, self.draws
        self._cells = np.empty(shape, dtype=self._kind)
        self._row = self._sparse_row()

    def _sparse_row(self) -> "sparse.csr_array":
        """A sparse row in which an index may occur several times; scipy counts the repeats."""
        from scipy import sparse

        row = sparse.csr_array((1, self._cells.size), dtype=self._kind)
        row.indices = self._entries.ravel()
        row.data = np.ones(self._entries.size, dtype=self._kind)
        return row

    def sums(self, draws: NDArray[np.integer]) -> list[int]:
        """Sum of BCubed F over pairs, of each draw.

        Parameters
        ----------
        draws : int array, shape (draws, participants, stimuli)
            The groupings, each row shuffled among its placed stimuli.

        Returns
        -------
        list of int
            In `UNIT`; a pair with fewer than two stimuli in common counts as 0.
        """
        found = ExactSum(len(draws))
        labels = draws.swapaxes(0, 1)
        for one, other in self._wide_pairs:
            f = _by_sorting(labels[one], labels[other], self._groups[one], self._groups[other])
            found.add(f[None])
        if self._people > 1:
            for f in self._by_table(labels[self._narrow]):
                found.add(f)
        return found.values()

    def _by_table(self, labels: NDArray[np.integer]) -> Iterator[Floats]:
        """F of participants with few groups, shape (others, draws)."""
        columns = self._columns(labels)
        between_rows = np.int32(self._cells[0].size)
        for one in range(self._known, self._people):
            rows = labels[one].astype(np.int32) * between_rows
            first, end = self._others(one)
            for start in range(first, end, self._slots):
                ring = np.arange(start, min(start + self._slots, end))
                slots, others = ring % self._slots, ring % self._people
                tables = self._tables(columns[ring[0] : ring[-1] + 1], rows)
                yield f_measure(*self._shares(one, others, tables, slots))

    def _others(self, one: int) -> tuple[int, int]:
        """First and last (exclusive) place in the ring of those counted with a participant."""
        if self._known:
            return 0, one
        return one + 1, one + 1 + (self._people - (2 * one >= self._people)) // 2

    def _columns(self, labels: NDArray[np.integer]) -> NDArray[np.int32]:
        """Labels as memory offsets, for the whole ring and the first half of it again.

        The offset of a cell is the sum of those of its column and its row.
        """
        steps = np.empty((self._people + self._people // 2, *labels.shape[1:]), dtype=np.int32)
        between = np.int32(self._cells[0, 0].size)
        first = self._lowest * (self._cells[0].size + self._cells[0, 0].size)
        for place, own in enumerate(steps):
            np.multiply(labels[place % self._people], between, out=own, casting="same_kind")
            slot = first + place % self._slots * self.draws
            own += np.arange(slot, slot + self.draws, dtype=np.int32)[:, None]
        return steps

    def _tables(self, columns: NDArray[np.int32], rows: NDArray[np.int32]) -> NDArray[Any]:
        """Contingency tables, shape (groups of one, groups of the other, slots, draws)."""
        np.add(columns, rows, out=self._entries[: len(columns)])
        self._row.indptr = np.array([0, columns.size], dtype=np.int32)
        self._row.toarray(out=self._cells.reshape(1, -1))
        return self._cells[self._lowest :, self._lowest :]

    def _shares(
        self, one: int, others: NDArray[np.intp], tables: NDArray[Any], slots: NDArray[np.intp]
    ) -> tuple[Floats, Floats]:
        """Precision of one participant against others, whose tables are in these slots, and of the
        others against that participant; shape (others, draws)."""
        squares = tables.astype(self._kind_of_squares)
        np.square(squares, out=squares)
        # The squares of a group's parts sum to at most its squared size, so they do not overflow.
        rows, columns = (squares.sum(axis=axis, dtype=squares.dtype) for axis in (1, 0))
        stimuli = self._placed[others, None]
        weights = self._weights[one, :, None, None], self._weights[others].T[..., None]
        if self._lowest:
            own = [tables.sum(axis=axis, dtype=self._kind)[:, slots] for axis in (1, 0)]
            stimuli = own[0].sum(axis=0)
            weights = 1 / np.maximum(own[0], 1.0), 1 / np.maximum(own[1], 1.0)
        known = np.where(stimuli > 1, stimuli, np.nan)
        first, second = (
            np.einsum("gsd,gsd->sd", sums[:, slots], weight) / known
            for sums, weight in zip((rows, columns), weights, strict=True)
        )
        return first, second


def _by_sorting(
    first: NDArray[np.integer], second: NDArray[np.integer], of_first: int, of_second: int
) -> Floats:
    """F of two participants with these numbers of groups in each draw, shape (draws,)."""
    both = (first[0] != NOT_PLACED) & (second[0] != NOT_PLACED)
    draws, stimuli = len(first), int(both.sum())
    if stimuli < 2:
        return np.full(draws, np.nan)
    cells = first[:, both].astype(np.int64) * of_second + second[:, both]
    cells += np.arange(draws)[:, None] * (of_first * of_second)
    cells.sort(axis=1)
    flat = cells.ravel()
    starts = np.flatnonzero(np.concatenate([[True], flat[1:] != flat[:-1]]))
    counts = np.diff(starts, append=flat.size).astype(np.float64)
    draw, cell = np.divmod(flat[starts], of_first * of_second)
    shares = []
    for group, groups in ((cell // of_second, of_first), (cell % of_second, of_second)):
        place = draw * groups + group
        sizes, squares = (
            np.bincount(place, part, draws * groups).reshape(draws, groups)
            for part in (counts, counts**2)
        )
        shares.append((squares / np.maximum(sizes, 1)).sum(axis=1) / stimuli)
    return f_measure(*shares)
