"""BCubed F of all pairs of participants, in many draws of groupings with the same sizes.

The contingency tables of one participant with others are counted for all draws in one go: each is
counted in the processor's nearest cache, and the sums run over draws side by side. A few draws of
many stimuli, and tables with many more cells than stimuli, are left to `TableCounter`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.groupings.contingency import SPARSE_BEYOND, TableCounter
from analysis.groupings.pair_agreement import agreement, f_measure

Floats = NDArray[np.float64]
_CELLS_AT_ONCE = 1 << 18
_FEWEST_DRAWS = 4
# Sums over fewer draws than these run along the cells of a table.
_DRAWS_SIDE_BY_SIDE = 16


class _Codes(NamedTuple):
    """Labels as steps in memory: a table's cell is the sum of a row's and a column's step."""

    rows: NDArray[np.int32]
    columns: NDArray[np.int32]


class DrawCounter:
    """Counts the tables of all pairs of participants in draws, and keeps the memory for it.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Groups numbered without gaps; -1 not placed.
    draws : int
        How many are counted at a time.

    Attributes
    ----------
    draws : int
    """

    def __init__(self, groupings: NDArray[np.integer], draws: int) -> None:
        participants, self._stimuli = groupings.shape
        self.draws = draws
        # If not everybody placed everything, label 0 means "not placed".
        self._lowest = 0 if groupings.min() >= 0 else 1
        self._width = int(groupings.max()) + self._lowest + 1
        self._single: TableCounter | None = None
        if draws < _FEWEST_DRAWS or self._width**2 > SPARSE_BEYOND * self._stimuli:
            self._single = TableCounter(groupings)
            return
        labels = groupings + np.arange(participants)[:, None] * self._width + self._lowest
        sizes = np.bincount(labels.ravel(), minlength=participants * self._width)
        sizes = sizes.reshape(participants, -1)[:, self._lowest :]
        self._placed, self._weights = sizes.sum(axis=1), 1 / np.maximum(sizes, 1)
        largest = int(sizes.max(initial=0))
        self._kind, self._kind_of_squares = map(np.min_scalar_type, (largest, largest**2))
        cells = self._width**2 * draws
        self._at_once = max(min(_CELLS_AT_ONCE // cells, participants - 1), 1)
        self._cells = np.empty(cells * self._at_once, dtype=self._kind)
        self._entries = np.empty(self._at_once * draws * self._stimuli, dtype=np.int32)
        self._ones = np.ones(len(self._entries), dtype=self._kind)

    def f(self, draws: NDArray[np.integer]) -> Floats:
        """F of each pair in each draw.

        Parameters
        ----------
        draws : int array, shape (draws, participants, stimuli)
            Each the groupings, shuffled among the stimuli that everyone placed.

        Returns
        -------
        float array, shape (draws, pairs)
            Pairs in the order of `numpy.triu_indices`; NaN if a pair has fewer than two stimuli
            in common.
        """
        first, second = np.triu_indices(draws.shape[1], 1)
        if self._single:
            return np.array([agreement(self._single, draw).f[first, second] for draw in draws])
        found = np.empty((draws.shape[1], draws.shape[1], len(draws)))
        codes = self._codes(draws)
        for one in range(1, draws.shape[1]):
            for start in range(0, one, self._at_once):
                others = slice(start, min(start + self._at_once, one))
                found[others, one] = self._f_with(one, others, codes)
        return found[first, second].T

    def _codes(self, draws: NDArray[np.integer]) -> _Codes:
        labels = draws.swapaxes(0, 1).astype(np.int32, order="C") + np.int32(self._lowest)
        side_by_side = self.draws >= _DRAWS_SIDE_BY_SIDE
        between_cells, between_draws = (self.draws, 1) if side_by_side else (1, self._width**2)
        rows = labels * np.int32(between_cells * self._width)
        rows += np.arange(self.draws, dtype=np.int32)[:, None] * np.int32(between_draws)
        labels *= np.int32(between_cells)
        table = np.arange(len(labels), dtype=np.int32) % self._at_once
        labels += (table * np.int32(self._width**2 * self.draws))[:, None, None]
        return _Codes(rows, labels)

    def _f_with(self, one: int, others: slice, codes: _Codes) -> Floats:
        """F of one with others, shape (others, draws)."""
        tables = self._tables(one, others, codes)
        stimuli, of_one = self._placed[others, None], self._weights[None, one, :, None]
        of_others = self._weights[others, :, None]
        if self._lowest:
            own = [tables.sum(axis=axis, dtype=self._kind) for axis in (2, 1)]
            stimuli = own[0].sum(axis=1)
            of_one, of_others = (1 / np.maximum(sizes, 1.0) for sizes in own)
        squares = tables.astype(self._kind_of_squares)
        np.square(squares, out=squares)
        # The squares of a group's parts sum to its size squared at most: they do not overflow.
        rows, columns = (squares.sum(axis=axis, dtype=squares.dtype) for axis in (2, 1))
        known = np.where(stimuli > 1, stimuli, np.nan)
        precision = np.einsum("ogd,ogd->od", rows, of_one) / known
        return f_measure(precision, np.einsum("ogd,ogd->od", columns, of_others) / known)

    def _tables(self, one: int, others: slice, codes: _Codes) -> NDArray[Any]:
        """Count, shape (others, groups of the one, groups of the other, draws)."""
        from scipy import sparse

        count, width = others.stop - others.start, self._width
        entries = self._entries[: count * self.draws * self._stimuli]
        shape = count, self.draws, self._stimuli
        np.add(codes.columns[others], codes.rows[one], out=entries.reshape(shape))
        # A sparse row in which a column may occur several times: scipy counts them.
        row = sparse.csr_array((1, count * width**2 * self.draws), dtype=self._kind)
        row.indptr, row.indices = np.array([0, len(entries)], dtype=np.int32), entries
        row.data = self._ones[: len(entries)]
        cells = row.toarray(out=self._cells[: row.shape[1]][None])
        if self.draws >= _DRAWS_SIDE_BY_SIDE:
            tables = cells.reshape(count, width, width, self.draws)
        else:
            tables = cells.reshape(count, self.draws, width, width).transpose(0, 2, 3, 1)
        return tables[:, self._lowest :, self._lowest :]
