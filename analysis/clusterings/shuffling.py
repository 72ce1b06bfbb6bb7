"""Matrices over stimuli in many random orders of the stimuli, with bounded memory.

Some statistics sum products of a shuffled and a fixed matrix over pairs of stimuli. For all orders
together this is a matrix product. It is computed for a few rows of the upper triangle and a few
orders at a time.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

_ENTRIES_IN_CACHE = 1 << 15
_NUMBERS_PER_BATCH = 1 << 20


def row_blocks(stimuli: int) -> Iterator[slice]:
    """Split the rows of a square matrix into blocks with few entries in the upper triangle."""
    start = 0
    while start < stimuli:
        stop = min(stimuli, start + max(1, _ENTRIES_IN_CACHE // (stimuli - start)))
        yield slice(start, stop)
        start = stop


def order_parts(orders: int, rows: slice, stimuli: int) -> Iterator[slice]:
    """Split the orders into parts for which `shuffled_rows` needs a few megabytes."""
    step = max(1, _NUMBERS_PER_BATCH // ((rows.stop - rows.start) * (stimuli - rows.start)))
    for start in range(0, orders, step):
        yield slice(start, min(start + step, orders))


def shuffled_rows(matrix: NDArray[Any], orders: NDArray[np.int64], rows: slice) -> NDArray[Any]:
    """A block of rows of a matrix in each order, with the columns from the first of these rows.

    Parameters
    ----------
    matrix : array, shape (stimuli, stimuli)
    orders : int array, shape (orders, places)
        The stimulus at each position.
    rows : slice
        Positions, from `row_blocks`.

    Returns
    -------
    array, shape (orders, rows, places - rows.start)
    """
    shape = len(orders), rows.stop - rows.start, orders.shape[1] - rows.start
    taken = np.empty(shape, dtype=matrix.dtype)
    for block, order in zip(taken, orders, strict=True):
        # All indices are valid; with "clip", numpy does not buffer the output.
        lines = matrix.take(order[rows], axis=0)
        lines.take(order[rows.start :], axis=1, out=block, mode="clip")
    return taken


def pairs_once(rows: slice, places: int) -> NDArray[np.bool_]:
    """Mask of entries above the diagonal in a block of `shuffled_rows`: each pair once."""
    return np.arange(rows.start, places) > np.arange(rows.start, rows.stop)[:, None]
