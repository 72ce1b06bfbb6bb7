"""Contingency tables of pairs of participants, summed for measures of agreement.

N[g, h] is the number of stimuli in group g of the row participant and in group h of the column
participant, over the stimuli that both placed. Stimuli are sorted by the groups of the row
participant, so the other participants' labels within group g are contiguous. They are the column
indices of a sparse row, in which an index may occur several times. scipy adds such rows into a
dense table one by one, each within the L1 cache. Tables with many more cells than stimuli are
nearly all zeros; for these a sparse product is used, which skips the zeros.
"""

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy import sparse

Floats = NDArray[np.float64]
_ENTRIES_PER_BATCH = 1 << 17
_CELLS_PER_BATCH = 1 << 22
SPARSE_BEYOND = 24
_STEPS = 12
_MIN_STEP = 4
# Integers up to here, and their sums, are exact in single precision.
_EXACT = 1 << 24


class MarginSums(NamedTuple):
    """Sums over the row sums a and the column sums b of each table.

    Arrays of shape (row people, column people).
    """

    stimuli: Floats
    """Sum of a, which equals that of b."""
    row_squares: Floats
    """Sum of a**2."""
    column_squares: Floats
    """Sum of b**2."""
    row_groups: Floats
    """Rows with a > 0."""
    column_groups: Floats
    """Columns with b > 0."""


class TableSums(NamedTuple):
    """Sums over each table N; arrays of shape (row people, column people)."""

    by_row: Floats
    """Sum of N**2 / a."""
    by_column: Floats
    """Sum of N**2 / b."""
    together: Floats
    """Sum of N**2."""
    margins: MarginSums | None
    """None if all participants placed all stimuli; then a and b are the group sizes."""


class _Batch(NamedTuple):
    """Row participants whose tables are counted in one step.

    `rows` has a sparse row for each of their groups, to be filled with the labels of the column
    participants; None if the tables are so wide that a sparse product is faster.
    """

    row_people: slice
    rows: "sparse.csr_array | None"


class _Block(NamedTuple):
    """Column participants side by side in tables, and all row participants compared with them."""

    column_people: slice
    batches: list[_Batch]


class TableCounter:
    """Counts the tables of all pairs of participants.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Groups numbered without gaps; -1 if not placed.

    Attributes
    ----------
    placed, groups, squares : int arrays, shape (participants,)
        For each participant, the number of stimuli placed, the number of groups, and the sum of
        squared group sizes.
    """

    def __init__(self, groupings: NDArray[np.integer]) -> None:
        participants, self._stimuli = groupings.shape
        # If a participant did not place all stimuli, label 0 means "not placed".
        self._lowest = 0 if groupings.min() >= 0 else 1
        self._width = int(groupings.max()) + self._lowest + 1
        labels = groupings + (np.arange(participants) * self._width + self._lowest)[:, None]
        counts = np.bincount(labels.ravel(), minlength=participants * self._width)
        self._sizes = counts.reshape(participants, self._width)
        self._sizes[:, : self._lowest] = 0
        self.placed = self._sizes.sum(axis=1)
        self.groups = (self._sizes > 0).sum(axis=1)
        self.squares = (self._sizes**2).sum(axis=1)
        self._step = max(participants // _STEPS, _MIN_STEP)
        self._room = max(_CELLS_PER_BATCH // self._width**2, self._step)
        most = max(_ENTRIES_PER_BATCH, self._stimuli * min(self._room, participants))
        most = min(most, self._stimuli * participants**2)
        exact = int(self._sizes.max()) ** 2 < _EXACT
        self._ones = _ones(most, np.dtype(np.float32 if exact else np.float64))
        self._entries = np.empty(most, dtype=np.int32)
        self._plan = list(self._blocks())
        batches = [batch for block in self._plan for batch in block.batches]
        cells = max((math.prod(b.rows.shape) for b in batches if b.rows is not None), default=0)
        self._cells = np.empty(cells, dtype=self._ones.dtype)

    def _blocks(self) -> Iterator[_Block]:
        """Increase the batch size gradually, so that few pairs are counted in both orders."""
        participants = len(self._sizes)
        for start in range(0, participants - 1, self._room):
            end = min(start + self._room, participants - 1)
            for known in range(start, end, self._step):
                column_people = slice(start, min(known + self._step, end))
                last = participants if column_people.stop == end else column_people.stop + 1
                batches = self._batches(column_people, range(known + 1, last))
                yield _Block(column_people, list(batches))

    def _batches(self, column_people: slice, later: range) -> Iterator[_Batch]:
        people = column_people.stop - column_people.start
        at_once = max(_ENTRIES_PER_BATCH // (self._stimuli * people), 1)
        for start in range(later.start, later.stop, at_once):
            row_people = slice(start, min(start + at_once, later.stop))
            wide = int(self.groups[row_people].max()) * self._width > SPARSE_BEYOND * self._stimuli
            yield _Batch(row_people, None if wide else self._rows(row_people, people))

    def _rows(self, row_people: slice, people: int) -> "sparse.csr_array":
        """Sparse rows whose column indices are filled in later."""
        from scipy import sparse

        starts = self._starts(row_people) * people
        rows = sparse.csr_array((len(starts) - 1, people * self._width), dtype=self._ones.dtype)
        rows.indptr, rows.indices = starts, self._entries[: starts[-1]]
        rows.data = self._ones[: starts[-1]]
        return rows

    def _starts(self, row_people: slice) -> NDArray[np.int32]:
        """Where each group of these participants begins among the stimuli that they placed."""
        height = int(self.groups[row_people].max())
        sizes = self._sizes[row_people, self._lowest : self._lowest + height]
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)

    def sums(self, groupings: NDArray[np.integer]) -> Iterator[tuple[slice, slice, TableSums]]:
        """Count the tables of all pairs of participants.

        Parameters
        ----------
        groupings : int array, shape (participants, stimuli)
            The groupings given to the counter, or these with each row shuffled among its placed
            stimuli.

        Yields
        ------
        row_people, column_people : slice
            Slices of participants. Every pair of different participants occurs in one order or in
            both.
        sums : TableSums
        """
        # Small integer types are sorted fastest, by radix sort.
        codes = groupings.astype(np.min_scalar_type(self._width))
        codes += codes.dtype.type(self._lowest)
        orders = codes.argsort(axis=-1, kind="stable")
        # The last participant has no later one, so their labels are never columns.
        labels = np.ascontiguousarray(codes[:-1].T, dtype=np.int32)
        labels += np.arange(len(codes) - 1, dtype=np.int32) * self._width
        for column_people, batches in self._plan:
            columns = np.ascontiguousarray(labels[:, column_people])
            if column_people.start:
                columns -= column_people.start * self._width
            for row_people, rows in batches:
                order = self._order(row_people, orders)
                if rows is None:
                    yield row_people, column_people, self._by_product(row_people, order, columns)
                else:
                    sums = self._by_table(row_people, column_people, order, columns, rows)
                    yield row_people, column_people, sums

    def _order(self, row_people: slice, orders: NDArray[np.intp]) -> NDArray[np.intp]:
        """The stimuli placed by each of the row participants, group by group."""
        if not self._lowest:
            return orders[row_people].ravel()
        absent = self._stimuli - self.placed[row_people]
        parts = [order[k:] for order, k in zip(orders[row_people], absent, strict=True)]
        return np.concatenate(parts)

    def _by_table(
        self,
        row_people: slice,
        column_people: slice,
        order: NDArray[np.intp],
        columns: NDArray[np.int32],
        rows: "sparse.csr_array",
    ) -> TableSums:
        people = columns.shape[1]
        columns.take(order, axis=0, out=rows.indices.reshape(-1, people), mode="clip")
        cells = rows.toarray(out=self._cells[: math.prod(rows.shape)].reshape(rows.shape))
        height = int(self.groups[row_people].max())
        tables = cells.reshape(row_people.stop - row_people.start, height, people, self._width)
        if not self._lowest:
            sizes = self._sizes[row_people, :height, None], self._sizes[column_people]
            return TableSums(*_shares(np.square(tables, out=tables), *sizes), None)
        tables[..., 0] = 0
        a, b = _margins(tables)
        return TableSums(*_shares(np.square(tables, out=tables), a, b), _margin_sums(a, b))

    def _by_product(
        self, row_people: slice, order: NDArray[np.intp], columns: NDArray[np.int32]
    ) -> TableSums:
        """Multiply the groups of the row participants, one row each, by the labels of the column
        participants."""
        places, people = columns.shape
        width = people * self._width
        row_groups = _sparse(self._starts(row_people), order, places)
        column_labels = _sparse(np.arange(0, columns.size + 1, people), columns.ravel(), width)
        table = (row_groups @ column_labels).tocoo()
        placed = table.col % self._width >= self._lowest
        count = table.data[placed].astype(np.float64)
        row, column = (side[placed].astype(np.int64) for side in table.coords)
        shape = row_people.stop - row_people.start, people
        height = row_groups.shape[0] // shape[0]
        one, person = row // height, column // self._width
        pair, of_row, of_column = one * people + person, row * people + person, one * width + column
        a = np.bincount(of_row, count, row_groups.shape[0] * people)
        b = np.bincount(of_column, count, shape[0] * width)
        by_row, by_column, together = (
            np.bincount(pair, part, math.prod(shape)).reshape(shape)
            for part in (count**2 / a[of_row], count**2 / b[of_column], count**2)
        )
        margins = _margin_sums(a.reshape(shape[0], height, people), b.reshape(*shape, self._width))
        return TableSums(by_row, by_column, together, margins)


@lru_cache(maxsize=2)
def _ones(count: int, kind: np.dtype[Any]) -> NDArray[Any]:
    """An array of ones; it is reused, since allocation takes longer than filling."""
    ones = np.ones(count, dtype=kind)
    ones.setflags(write=False)
    return ones


def _sparse(starts: NDArray[Any], columns: NDArray[Any], width: int) -> "sparse.csr_array":
    from scipy import sparse

    shape = len(starts) - 1, width
    return sparse.csr_array((np.ones(len(columns), dtype=np.int32), columns, starts), shape)


def _margins(tables: NDArray[Any]) -> tuple[Floats, Floats]:
    """Row sums, shape (row people, groups, column people), and column sums, shape (row people,
    column people, width)."""
    # Matrix products would be faster but start threads.
    rows, columns = np.einsum("ogpw->ogp", tables), np.einsum("ogpw->opw", tables)
    return rows.astype(np.float64), columns.astype(np.float64)


def _shares(
    squares: NDArray[Any], a: NDArray[Any], b: NDArray[Any]
) -> tuple[Floats, Floats, Floats]:
    """Sums of squares over a, of squares over b, and of squares."""
    rows, columns = _margins(squares)
    together = np.einsum("ogp->op", rows)
    rows /= np.maximum(a, 1.0)
    columns /= np.maximum(b, 1.0)
    return np.einsum("ogp->op", rows), np.einsum("opw->op", columns), together


def _margin_sums(a: NDArray[Any], b: NDArray[Any]) -> MarginSums:
    return MarginSums(
        stimuli=a.sum(axis=1),
        row_squares=(a**2).sum(axis=1),
        column_squares=(b**2).sum(axis=2),
        row_groups=(a > 0).sum(axis=1, dtype=np.float64),
        column_groups=(b > 0).sum(axis=2, dtype=np.float64),
    )
