"""Contingency tables of one grouping with a run of others, reduced to what agreement needs.

N[g, h] = stimuli in group g of the one and in group h of the other, over the stimuli that both
placed. A run of tables is counted by one `bincount`, as many at a time as stay in the processor's
cache; tables with many more cells than stimuli are nearly all zeros, and a sparse product counts
them without touching the zeros.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_AT_ONCE = 1 << 16
_SPARSE_BEYOND = 12


class TableSums(NamedTuple):
    """Sums over each table N with row sums a and column sums b, shape (draws, participants)."""

    stimuli: Floats
    """Sum of N."""
    by_first: Floats
    """Sum of N**2 / a."""
    by_second: Floats
    """Sum of N**2 / b."""
    together: Floats
    """Sum of N**2."""
    first: Floats
    """Sum of a**2."""
    second: Floats
    """Sum of b**2."""
    first_groups: Floats
    """Rows with a > 0."""
    second_groups: Floats
    """Columns with b > 0."""


@dataclass(frozen=True)
class Layout:
    """Draws of groupings with the columns of each participant beside those of the one before.

    Attributes
    ----------
    columns : int array, shape (draws, participants, stimuli)
        The column of each stimulus: the participant's number times `width`, plus the group, or
        plus 0 for not placed and 1 + group where not everybody placed everything.
    heights : int array, shape (participants,)
        Columns that each participant uses.
    width : int
        Columns that each participant has.
    complete : bool
        Whether everybody placed everything.
    sizes : float array, shape (draws, participants, width)
        Stimuli in the group of each column, 0 for not placed.
    """

    columns: NDArray[np.int64]
    heights: NDArray[np.int64]
    width: int
    complete: bool
    sizes: Floats


def lay_out(draws: NDArray[np.int64]) -> Layout:
    """Lay out groupings, shape (draws, participants, stimuli), numbered without large gaps."""
    count, participants, _ = draws.shape
    complete = bool(draws.min() >= 0)
    heights = draws.max(axis=(0, 2)) + (1 if complete else 2)
    width = int(heights.max())
    first_column = np.arange(participants)[:, None] * width
    columns = draws + (first_column if complete else first_column + 1)
    keys = columns + (np.arange(count) * participants * width)[:, None, None]
    counts = np.bincount(keys.ravel(), minlength=count * participants * width)
    sizes: Floats = counts.reshape(count, participants, width).astype(np.float64)
    if not complete:
        sizes[:, :, 0] = 0
    return Layout(columns, heights, width, complete, sizes)


def table_sums(layout: Layout, one: int) -> TableSums:
    """Count the tables of one participant with each that comes after, in each draw.

    Parameters
    ----------
    layout : Layout
    one : int
        Number of the participant, not the last one.

    Returns
    -------
    TableSums
        Arrays of shape (draws, participants after `one`).
    """
    draws, _, stimuli = layout.columns.shape
    if layout.heights[one] * layout.width > _SPARSE_BEYOND * stimuli:
        return _joined([_sparse(layout, one, d) for d in range(draws)], 0)
    return _complete(layout, one) if layout.complete else _partial(layout, one)


def _blocks(layout: Layout, one: int) -> Iterator[tuple[slice, slice]]:
    """Cut draws and later participants into blocks whose tables and keys stay in cache."""
    draws, participants, stimuli = layout.columns.shape
    room = max(1, _AT_ONCE // max(int(layout.heights[one]) * layout.width, stimuli))
    run = min(participants - 1 - one, room)
    step = room // run
    for d in range(0, draws, step):
        for k in range(one + 1, participants, run):
            yield slice(d, min(d + step, draws)), slice(k, min(k + run, participants))


def _tables(layout: Layout, draws: slice, one: int, others: slice) -> NDArray[np.int64]:
    """Count tables, shape (draws, groups of one, participants, groups of the other)."""
    height, width = int(layout.heights[one]), layout.width
    columns = layout.columns[draws, others]
    count, participants, _ = columns.shape
    rows = layout.columns[draws, one] - one * width + np.arange(count)[:, None] * height
    first_cell = rows * (participants * width) - others.start * width
    keys = np.add(columns, first_cell[:, None, :], order="C")
    tables = np.bincount(keys.ravel(), minlength=count * height * participants * width)
    return tables.reshape(count, height, participants, width)


def _complete(layout: Layout, one: int) -> TableSums:
    """Everybody placed everything: row and column sums are the group sizes, the same throughout."""
    draws, _, stimuli = layout.columns.shape
    a, b = layout.sizes[:, one, : layout.heights[one]], layout.sizes[:, one + 1 :]
    weights = np.stack([1 / np.maximum(a, 1), np.ones(a.shape)], axis=1)
    share = 1 / np.maximum(b, 1)
    found = np.empty((3, *b.shape[:2]))
    for rows, others in _blocks(layout, one):
        tables = _tables(layout, rows, one, others)
        count, height, people, width = tables.shape
        squares = tables.reshape(count, height, people * width).astype(np.float64)
        np.square(squares, out=squares)
        by_column = (weights[rows] @ squares).reshape(count, 2, people, width)
        there = rows, slice(others.start - one - 1, others.stop - one - 1)
        found[:2, *there] = by_column.sum(axis=3).swapaxes(0, 1)
        found[2, *there] = (by_column[:, 1] * share[there]).sum(axis=2)
    everyone = np.ones((draws, b.shape[1]))
    return TableSums(
        stimuli=stimuli * everyone,
        by_first=found[0],
        by_second=found[2],
        together=found[1],
        first=(a**2).sum(axis=1)[:, None] * everyone,
        second=(b**2).sum(axis=2),
        first_groups=(a > 0).sum(axis=1)[:, None] * everyone,
        second_groups=(b > 0).sum(axis=2).astype(np.float64),
    )


def _partial(layout: Layout, one: int) -> TableSums:
    """What was not placed by both stands in the first row or column, and is left out."""
    found = np.empty((8, len(layout.columns), layout.columns.shape[1] - 1 - one))
    for rows, others in _blocks(layout, one):
        table = _tables(layout, rows, one, others)[:, 1:, :, 1:].astype(np.float64)
        a, b = table.sum(axis=3), table.sum(axis=1)
        np.square(table, out=table)
        by_row, by_column = table.sum(axis=3), table.sum(axis=1)
        sums = TableSums(
            stimuli=a.sum(axis=1),
            by_first=(by_row / np.maximum(a, 1)).sum(axis=1),
            by_second=(by_column / np.maximum(b, 1)).sum(axis=2),
            together=by_row.sum(axis=1),
            first=(a**2).sum(axis=1),
            second=(b**2).sum(axis=2),
            first_groups=(a > 0).sum(axis=1),
            second_groups=(b > 0).sum(axis=2),
        )
        found[:, rows, others.start - one - 1 : others.stop - one - 1] = sums
    return TableSums(*found)


def _sparse(layout: Layout, one: int, draw: int) -> TableSums:
    from scipy import sparse

    absent = 0 if layout.complete else 1
    height, width = int(layout.heights[one]), layout.width
    rows = layout.columns[draw, one] - one * width
    columns = layout.columns[draw, one + 1 :] - (one + 1) * width
    participants, stimuli = columns.shape
    placed = np.flatnonzero(rows >= absent)
    who, what = np.nonzero(columns % width >= absent)
    mine = sparse.csr_array((np.ones(len(placed)), (rows[placed], placed)), (height, stimuli))
    theirs = sparse.csr_array(
        (np.ones(len(who)), (what, columns[who, what])), (stimuli, participants * width)
    )
    table = (mine @ theirs).tocoo()
    owner = table.col // width
    cell = table.row * participants + owner
    count, squares = table.data, table.data**2
    a = np.bincount(cell, count, minlength=height * participants)
    b = np.bincount(table.col, count, minlength=participants * width)
    sums = [
        np.bincount(owner, weights, minlength=participants)
        for weights in (count, squares / a[cell], squares / b[table.col], squares)
    ]
    a, b = a.reshape(-1, participants), b.reshape(participants, width)
    sums += [(a**2).sum(axis=0), (b**2).sum(axis=1), (a > 0).sum(axis=0), (b > 0).sum(axis=1)]
    return TableSums(*(part[None].astype(np.float64) for part in sums))


def _joined(parts: list[TableSums], axis: int) -> TableSums:
    return TableSums(*(np.concatenate(sums, axis) for sums in zip(*parts, strict=True)))
