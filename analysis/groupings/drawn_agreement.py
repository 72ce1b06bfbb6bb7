"""BCubed F of all pairs of participants, in many random draws with the same group sizes.

The contingency tables of one participant with others are counted for all draws in one step: each
table fits in the L1 cache, and sums are vectorised over draws. `TableCounter` is used instead if
there are only a few draws, or if tables have many more cells than stimuli.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis.groupings.contingency import SPARSE_BEYOND, TableCounter
from analysis.groupings.pair_agreement import agreement, f_measure

if TYPE_CHECKING:
    from scipy import sparse

Floats = NDArray[np.float64]
_CELLS_PER_BATCH = 1 << 18
_MIN_DRAWS = 4


class DrawCounter:
    """Counts the tables of all pairs of participants in random draws, reusing its memory.

    Participants are arranged in a ring. Each is counted with those in the half ring that follows, a
    batch at a time. If their number is even, only the first half of them is counted with the
    participant opposite, so that each pair is counted once.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Groups numbered without gaps; -1 if not placed.
    draws : int
        Number of draws counted at a time.

    Attributes
    ----------
    draws : int
    """

    def __init__(self, groupings: NDArray[np.integer], draws: int) -> None:
        self._people, stimuli = groupings.shape
        self.draws = draws
        # If a participant did not place all stimuli, label 0 means "not placed".
        self._lowest = 0 if groupings.min() >= 0 else 1
        self._width = int(groupings.max()) + self._lowest + 1
        self._single: TableCounter | None = None
        if draws < _MIN_DRAWS or self._width**2 > SPARSE_BEYOND * stimuli:
            self._single = TableCounter(groupings)
            return
        labels = groupings + np.arange(self._people)[:, None] * self._width + self._lowest
        sizes = np.bincount(labels.ravel(), minlength=self._people * self._width)
        sizes = sizes.reshape(self._people, -1)[:, self._lowest :]
        self._placed, self._weights = sizes.sum(axis=1), 1 / np.maximum(sizes, 1)
        largest = int(sizes.max(initial=0))
        self._kind, self._kind_of_squares = map(np.min_scalar_type, (largest, largest**2))
        half = max(self._people // 2, 1)
        turns = min(-(-half * self._width**2 * draws // _CELLS_PER_BATCH), half)
        self._slots = -(-half // turns)
        self._entries = np.empty((self._slots, draws, stimuli), dtype=np.int32)
        self._cells = np.empty((self._width, self._width, self._slots, draws), dtype=self._kind)
        self._row = self._sparse_row()

    def _sparse_row(self) -> "sparse.csr_array":
        """A sparse row in which an index may occur several times; scipy counts the repeats."""
        from scipy import sparse

        row = sparse.csr_array((1, self._cells.size), dtype=self._kind)
        row.indices = self._entries.ravel()
        row.data = np.ones(self._entries.size, dtype=self._kind)
        return row

    def f(self, draws: NDArray[np.integer]) -> Floats:
        """BCubed F of each pair in each draw.

        Parameters
        ----------
        draws : int array, shape (draws, participants, stimuli)
            The groupings, each row shuffled among its placed stimuli.

        Returns
        -------
        float array, shape (draws, pairs)
            Pairs in the order of `numpy.triu_indices`; NaN if a pair has fewer than two stimuli
            in common.
        """
        first, second = np.triu_indices(self._people, 1)
        if self._single:
            return np.array([agreement(self._single, draw).f[first, second] for draw in draws])
        precision = np.empty((self._people, self._people, len(draws)))
        labels = draws.swapaxes(0, 1)
        columns = self._columns(labels)
        between_rows = np.int32(self._cells[0].size)
        for one, own in enumerate(labels):
            rows = own.astype(np.int32, copy=False) * between_rows
            end = one + 1 + (self._people - (2 * one >= self._people)) // 2
            for start in range(one + 1, end, self._slots):
                ring = np.arange(start, min(start + self._slots, end))
                slots, others = ring % self._slots, ring % self._people
                tables = self._tables(columns[ring[0] : ring[-1] + 1], rows)
                shares = self._shares(one, others, tables, slots)
                precision[one, others], precision[others, one] = shares
        return f_measure(precision[first, second], precision[second, first]).T

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
