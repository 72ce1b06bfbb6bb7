"""Contingency tables of one grouping with a run of others, reduced to what agreement needs.

N[g, h] = stimuli in group g of the one and in group h of the other, over the stimuli that both
placed. scipy's conversion of a list of cells to a dense table counts cells that come several times,
from a row and a column that need not be joined to one index first: both are laid out once, for all
tables. A run of tables is counted at a time, as many as stay in the processor's cache. Tables with
many more cells than stimuli are nearly all zeros, and a sparse product counts them without touching
the zeros.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats = NDArray[np.float64]
_CELLS_AT_ONCE = 1 << 18
_PLACES_AT_ONCE = 1 << 18
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
    labels : int array, shape (participants, draws, stimuli)
        The group of each stimulus; where not everybody placed everything, 1 + the group, and 0 for
        not placed.
    rows : int array, the same shape
        The label in a table of all draws, one below the other: `heights` rows each.
    columns : int array, the same shape
        The label in tables of `run` participants, one beside the other: `width` columns each.
    heights : int array, shape (participants,)
        Labels that each participant uses.
    width : int
        The largest of them.
    run : int
    complete : bool
        Whether everybody placed everything.
    sizes : float array, shape (draws, participants, width)
        Stimuli in the group of each label, 0 for not placed.
    ones, tiled, room : arrays of one dimension
        Memory that the runs of tables use in turn: weights, rows, and counts.
    """

    labels: NDArray[np.int32]
    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    heights: NDArray[np.int64]
    width: int
    run: int
    complete: bool
    sizes: Floats
    ones: Floats
    tiled: NDArray[np.int32]
    room: Floats


def lay_out(draws: NDArray[np.integer], shuffled: bool = False) -> Layout:
    """Lay out groupings, shape (draws, participants, stimuli), numbered without large gaps.

    Where one draw is another `shuffled`, the sizes of groups are counted in the first one only.
    """
    count, participants, stimuli = draws.shape
    complete = bool(draws.min() >= 0)
    labels = np.ascontiguousarray(draws.swapaxes(0, 1), dtype=np.int32)
    if not complete:
        labels += 1
    heights = labels.max(axis=(1, 2)).astype(np.int64) + 1
    width = int(heights.max())
    room = min(_CELLS_AT_ONCE // (width * width), _PLACES_AT_ONCE // stimuli) // count
    run = min(max(1, room), participants)
    draw, person = np.arange(count, dtype=np.int32), np.arange(participants, dtype=np.int32)
    rows = labels + draw[:, None] * heights.astype(np.int32)[:, None, None]
    columns = labels + (person % run * width)[:, None, None]
    counted = draw[:1] if shuffled else draw
    keys = (counted * participants)[:, None] + person[:, None, None]
    keys = keys * width + labels[:, : len(counted)]
    counts = np.bincount(keys.ravel(), minlength=len(counted) * participants * width)
    sizes: Floats = counts.reshape(len(counted), participants, width).astype(np.float64)
    if not complete:
        sizes[:, :, 0] = 0
    sizes = np.broadcast_to(sizes, (count, participants, width))
    ones = np.ones(run * count * stimuli)
    tiled, room = np.empty(len(ones), dtype=np.int32), np.empty(run * count * width * width)
    return Layout(labels, rows, columns, heights, width, run, complete, sizes, ones, tiled, room)


def table_sums(layout: Layout, one: int) -> TableSums:
    """Count the tables of one participant with each that comes before, in each draw.

    Parameters
    ----------
    layout : Layout
    one : int
        Number of the participant, not the first one.

    Returns
    -------
    TableSums
        Arrays of shape (draws, participants before `one`).
    """
    _, draws, stimuli = layout.labels.shape
    if layout.heights[one] * layout.width > _SPARSE_BEYOND * stimuli:
        return _joined([_sparse(layout, one, d) for d in range(draws)], 0)
    return _complete(layout, one) if layout.complete else _partial(layout, one)


def _tables(layout: Layout, one: int) -> Iterator[tuple[slice, Floats]]:
    """Count tables, shape (draws, labels of one, participants, labels of the other), run by run.

    The next tables take the place of the last.
    """
    draws, height, width = layout.rows.shape[1], int(layout.heights[one]), layout.width
    own = layout.rows[one].ravel()
    tiled = layout.tiled.reshape(-1, len(own))
    tiled[: min(layout.run, one)] = own
    for start in range(0, one, layout.run):
        others = slice(start, min(start + layout.run, one))
        columns = layout.columns[others].ravel()
        shape = draws * height, (others.stop - start) * width
        places = layout.tiled[: len(columns)], columns
        cells = sparse.coo_array((layout.ones[: len(columns)], places), shape)
        table = cells.toarray(out=layout.room[: shape[0] * shape[1]].reshape(shape))
        yield others, table.reshape(draws, height, others.stop - start, width)


def _complete(layout: Layout, one: int) -> TableSums:
    """Everybody placed everything: row and column sums are the group sizes, the same throughout."""
    _, draws, stimuli = layout.labels.shape
    a, b = layout.sizes[:, one, : layout.heights[one]], layout.sizes[:, :one]
    weights = np.stack([1 / np.maximum(a, 1), np.ones(a.shape)], axis=1)
    share = 1 / np.maximum(b, 1)
    found = np.empty((3, draws, one))
    for others, tables in _tables(layout, one):
        _, height, people, width = tables.shape
        squares = np.square(tables, out=tables).reshape(draws, height, people * width)
        by_column = (weights @ squares).reshape(draws, 2, people, width)
        found[:2, :, others] = by_column.sum(axis=3).swapaxes(0, 1)
        found[2, :, others] = np.einsum("dph,dph->dp", by_column[:, 1], share[:, others])
    everyone = np.ones((draws, one))
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
    found = np.empty((8, layout.labels.shape[1], one))
    for others, tables in _tables(layout, one):
        tables[:, 0] = tables[..., 0] = 0
        a, b = np.einsum("dgph->dgp", tables), tables.sum(axis=1)
        np.square(tables, out=tables)
        by_row, by_column = np.einsum("dgph->dgp", tables), tables.sum(axis=1)
        found[:, :, others] = TableSums(
            stimuli=a.sum(axis=1),
            by_first=(by_row / np.maximum(a, 1)).sum(axis=1),
            by_second=(by_column / np.maximum(b, 1)).sum(axis=2),
            together=by_row.sum(axis=1),
            first=(a**2).sum(axis=1),
            second=(b**2).sum(axis=2),
            first_groups=(a > 0).sum(axis=1),
            second_groups=(b > 0).sum(axis=2),
        )
    return TableSums(*found)


def _sparse(layout: Layout, one: int, draw: int) -> TableSums:
    absent = 0 if layout.complete else 1
    height, width = int(layout.heights[one]), layout.width
    rows, labels = layout.labels[one, draw], layout.labels[:one, draw]
    participants, stimuli = labels.shape
    placed = np.flatnonzero(rows >= absent)
    who, what = np.nonzero(labels >= absent)
    mine = sparse.csr_array((np.ones(len(placed)), (rows[placed], placed)), (height, stimuli))
    theirs = sparse.csr_array(
        (np.ones(len(who)), (what, who * width + labels[who, what])),
        (stimuli, participants * width),
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
