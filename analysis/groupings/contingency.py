"""Contingency tables of one grouping with many others, summed for measures of agreement.

N[g, h] = stimuli in group g of the one and in group h of the other, over the stimuli that both
placed. With the stimuli sorted by the one's groups, the others' labels of group g are contiguous:
they are the columns of a sparse row in which a column may occur several times. scipy adds such rows
into a dense table one after the other, each within the processor's fastest cache. Tables with many
more cells than stimuli are nearly all zeros; for these a sparse product is used, which skips the
zeros.
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
_ENTRIES_AT_ONCE = 1 << 17
_CELLS_AT_ONCE = 1 << 22
SPARSE_BEYOND = 24
_STEPS = 12
_LEAST_STEP = 4
# Integers up to here, and their sums, are exact in single precision.
_EXACT = 1 << 24


class OwnSums(NamedTuple):
    """Sums over the row sums a and the column sums b of each table, (ones, others) each."""

    stimuli: Floats
    """Sum of a, and of b."""
    first: Floats
    """Sum of a**2."""
    second: Floats
    """Sum of b**2."""
    first_groups: Floats
    """Rows with a > 0."""
    second_groups: Floats
    """Columns with b > 0."""


class TableSums(NamedTuple):
    """Sums over each table N, of shape (ones, others) each."""

    by_first: Floats
    """Sum of N**2 / a."""
    by_second: Floats
    """Sum of N**2 / b."""
    together: Floats
    """Sum of N**2."""
    own: OwnSums | None
    """None if everybody placed everything; then a and b are the group sizes."""


class _Batch(NamedTuple):
    """Participants whose tables with others are counted in one go.

    A sparse row for each group of theirs, to be filled with the labels of others; None if the
    tables are so wide that a sparse product is quicker.
    """

    ones: slice
    rows: "sparse.csr_array | None"


class _Stretch(NamedTuple):
    """Participants side by side in tables, and all those compared with them."""

    others: slice
    batches: list[_Batch]


class TableCounter:
    """Counts the tables of all pairs of participants.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Groups numbered without gaps; -1 not placed.

    Attributes
    ----------
    placed, groups, squares : int arrays, shape (participants,)
        Number of stimuli placed by each participant, of their groups, and the sum of sizes**2.
    """

    def __init__(self, groupings: NDArray[np.integer]) -> None:
        participants, self._stimuli = groupings.shape
        # If not everybody placed everything, label 0 is "not placed".
        self._lowest = 0 if groupings.min() >= 0 else 1
        self._width = int(groupings.max()) + self._lowest + 1
        labels = groupings + (np.arange(participants) * self._width + self._lowest)[:, None]
        counts = np.bincount(labels.ravel(), minlength=participants * self._width)
        self._sizes = counts.reshape(participants, self._width)
        self._sizes[:, : self._lowest] = 0
        self.placed = self._sizes.sum(axis=1)
        self.groups = (self._sizes > 0).sum(axis=1)
        self.squares = (self._sizes**2).sum(axis=1)
        self._step = max(participants // _STEPS, _LEAST_STEP)
        self._room = max(_CELLS_AT_ONCE // self._width**2, self._step)
        most = max(_ENTRIES_AT_ONCE, self._stimuli * min(self._room, participants))
        most = min(most, self._stimuli * participants**2)
        exact = int(self._sizes.max()) ** 2 < _EXACT
        self._ones = _ones(most, np.dtype(np.float32 if exact else np.float64))
        self._entries = np.empty(most, dtype=np.int32)
        self._plan = list(self._stretches())
        batches = [batch for stretch in self._plan for batch in stretch.batches]
        cells = max((math.prod(b.rows.shape) for b in batches if b.rows is not None), default=0)
        self._cells = np.empty(cells, dtype=self._ones.dtype)

    def _stretches(self) -> Iterator[_Stretch]:
        """Increase the batch size gradually, so that few pairs are counted in both orders."""
        participants = len(self._sizes)
        for start in range(0, participants - 1, self._room):
            end = min(start + self._room, participants - 1)
            for known in range(start, end, self._step):
                others = slice(start, min(known + self._step, end))
                last = participants if others.stop == end else others.stop + 1
                yield _Stretch(others, list(self._batches(others, range(known + 1, last))))

    def _batches(self, others: slice, later: range) -> Iterator[_Batch]:
        people = others.stop - others.start
        at_once = max(_ENTRIES_AT_ONCE // (self._stimuli * people), 1)
        for start in range(later.start, later.stop, at_once):
            ones = slice(start, min(start + at_once, later.stop))
            wide = int(self.groups[ones].max()) * self._width > SPARSE_BEYOND * self._stimuli
            yield _Batch(ones, None if wide else self._rows(ones, people))

    def _rows(self, ones: slice, people: int) -> "sparse.csr_array":
        """Prepare sparse rows whose column indices are filled in later."""
        from scipy import sparse

        starts = self._starts(ones) * people
        rows = sparse.csr_array((len(starts) - 1, people * self._width), dtype=self._ones.dtype)
        rows.indptr, rows.indices = starts, self._entries[: starts[-1]]
        rows.data = self._ones[: starts[-1]]
        return rows

    def _starts(self, ones: slice) -> NDArray[np.int32]:
        """Find where each group of these participants begins among the stimuli that they placed."""
        height = int(self.groups[ones].max())
        sizes = self._sizes[ones, self._lowest : self._lowest + height]
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)

    def sums(self, groupings: NDArray[np.integer]) -> Iterator[tuple[slice, slice, TableSums]]:
        """Count the tables of all pairs of participants.

        Parameters
        ----------
        groupings : int array, shape (participants, stimuli)
            Those of the counter, or shuffled among the stimuli that everyone placed.

        Yields
        ------
        ones, others : slice
            Slices of participants. Every pair of different ones occurs in one order or in both.
        sums : TableSums
            With `ones` as the first of each pair.
        """
        # Small integer types are sorted fastest, by radix sort.
        codes = groupings.astype(np.min_scalar_type(self._width))
        codes += codes.dtype.type(self._lowest)
        orders = codes.argsort(axis=-1, kind="stable")
        # The last participant has no later one, so their labels are never columns.
        labels = np.ascontiguousarray(codes[:-1].T, dtype=np.int32)
        labels += np.arange(len(codes) - 1, dtype=np.int32) * self._width
        for others, batches in self._plan:
            columns = np.ascontiguousarray(labels[:, others])
            if others.start:
                columns -= others.start * self._width
            for ones, rows in batches:
                order = self._order(ones, orders)
                if rows is None:
                    yield ones, others, self._by_product(ones, order, columns)
                else:
                    yield ones, others, self._by_table(ones, others, order, columns, rows)

    def _order(self, ones: slice, orders: NDArray[np.intp]) -> NDArray[np.intp]:
        """The stimuli placed by each of the first participants, group by group."""
        if not self._lowest:
            return orders[ones].ravel()
        absent = self._stimuli - self.placed[ones]
        parts = [order[k:] for order, k in zip(orders[ones], absent, strict=True)]
        return np.concatenate(parts)

    def _by_table(
        self,
        ones: slice,
        others: slice,
        order: NDArray[np.intp],
        columns: NDArray[np.int32],
        rows: "sparse.csr_array",
    ) -> TableSums:
        people = columns.shape[1]
        columns.take(order, axis=0, out=rows.indices.reshape(-1, people), mode="clip")
        cells = rows.toarray(out=self._cells[: math.prod(rows.shape)].reshape(rows.shape))
        height = int(self.groups[ones].max())
        tables = cells.reshape(ones.stop - ones.start, height, people, self._width)
        if not self._lowest:
            sizes = self._sizes[ones, :height, None], self._sizes[others]
            return TableSums(*_shares(np.square(tables, out=tables), *sizes), None)
        tables[..., 0] = 0
        a, b = _margins(tables)
        return TableSums(*_shares(np.square(tables, out=tables), a, b), _own_sums(a, b))

    def _by_product(
        self, ones: slice, order: NDArray[np.intp], columns: NDArray[np.int32]
    ) -> TableSums:
        """Multiply the groups of the first participants, one row each, by the labels of the
        others."""
        places, people = columns.shape
        width = people * self._width
        of_ones = _sparse(self._starts(ones), order, places)
        of_others = _sparse(np.arange(0, columns.size + 1, people), columns.ravel(), width)
        table = (of_ones @ of_others).tocoo()
        placed = table.col % self._width >= self._lowest
        count = table.data[placed].astype(np.float64)
        row, column = (side[placed].astype(np.int64) for side in table.coords)
        shape = ones.stop - ones.start, people
        height = of_ones.shape[0] // shape[0]
        one, person = row // height, column // self._width
        pair, of_row, of_column = one * people + person, row * people + person, one * width + column
        a = np.bincount(of_row, count, of_ones.shape[0] * people)
        b = np.bincount(of_column, count, shape[0] * width)
        by_first, by_second, together = (
            np.bincount(pair, part, math.prod(shape)).reshape(shape)
            for part in (count**2 / a[of_row], count**2 / b[of_column], count**2)
        )
        own = _own_sums(a.reshape(shape[0], height, people), b.reshape(*shape, self._width))
        return TableSums(by_first, by_second, together, own)


@lru_cache(maxsize=2)
def _ones(count: int, kind: np.dtype[Any]) -> NDArray[Any]:
    """The ones to be added; one array is reused, since allocation costs more than filling."""
    ones = np.ones(count, dtype=kind)
    ones.setflags(write=False)
    return ones


def _sparse(starts: NDArray[Any], columns: NDArray[Any], width: int) -> "sparse.csr_array":
    from scipy import sparse

    shape = len(starts) - 1, width
    return sparse.csr_array((np.ones(len(columns), dtype=np.int32), columns, starts), shape)


def _margins(tables: NDArray[Any]) -> tuple[Floats, Floats]:
    """Sum rows, shape (ones, groups, others), and columns, (ones, others, width)."""
    # Matrix products would be faster but start threads.
    rows, columns = np.einsum("ogpw->ogp", tables), np.einsum("ogpw->opw", tables)
    return rows.astype(np.float64), columns.astype(np.float64)


def _shares(
    squares: NDArray[Any], a: NDArray[Any], b: NDArray[Any]
) -> tuple[Floats, Floats, Floats]:
    """Sum squares over a, squares over b, and squares."""
    rows, columns = _margins(squares)
    together = np.einsum("ogp->op", rows)
    rows /= np.maximum(a, 1.0)
    columns /= np.maximum(b, 1.0)
    return np.einsum("ogp->op", rows), np.einsum("opw->op", columns), together


def _own_sums(a: NDArray[Any], b: NDArray[Any]) -> OwnSums:
    return OwnSums(
        stimuli=a.sum(axis=1),
        first=(a**2).sum(axis=1),
        second=(b**2).sum(axis=2),
        first_groups=(a > 0).sum(axis=1, dtype=np.float64),
        second_groups=(b > 0).sum(axis=2, dtype=np.float64),
    )
