"""Matrices of stimuli under many orders of the stimuli, in memory that does not grow with them.

A statistic over pairs of stimuli that is a sum of products, of a matrix whose stimuli are shuffled
and one whose stimuli stay, is a matrix product over all orders at once: taken a few rows of the
upper triangle and a few orders at a time.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

_PLACES_IN_CACHE = 1 << 15
_NUMBERS_AT_ONCE = 1 << 20


def row_blocks(stimuli: int) -> Iterator[slice]:
    """Cut the rows of a square matrix into blocks whose columns, from the first row on, are few."""
    start = 0
    while start < stimuli:
        stop = min(stimuli, start + max(1, _PLACES_IN_CACHE // (stimuli - start)))
        yield slice(start, stop)
        start = stop


def order_parts(orders: int, rows: slice, stimuli: int) -> Iterator[slice]:
    """Cut the orders into parts that `shuffled_rows` makes a few megabytes of."""
    step = max(1, _NUMBERS_AT_ONCE // ((rows.stop - rows.start) * (stimuli - rows.start)))
    for start in range(0, orders, step):
        yield slice(start, min(start + step, orders))


def shuffled_rows(matrix: NDArray, orders: NDArray[np.int64], rows: slice) -> NDArray:
    """Take some rows of a matrix under each order, and their columns from the first row on.

    Parameters
    ----------
    matrix : array, shape (stimuli, stimuli)
    orders : int array, shape (orders, places)
        The stimulus that stands in each place.
    rows : slice
        Of the places, as `row_blocks` gives it.

    Returns
    -------
    array, shape (orders, rows, places - rows.start)
    """
    shape = len(orders), rows.stop - rows.start, orders.shape[1] - rows.start
    taken = np.empty(shape, dtype=matrix.dtype)
    for block, order in zip(taken, orders, strict=True):
        # "clip" takes without a copy, since no place is outside.
        lines = matrix.take(order[rows], axis=0)
        lines.take(order[rows.start :], axis=1, out=block, mode="clip")
    return taken


def pairs_once(rows: slice, places: int) -> NDArray[np.bool_]:
    """Where the block of `shuffled_rows` is above the diagonal, so that every pair counts once."""
    return np.arange(rows.start, places) > np.arange(rows.start, rows.stop)[:, None]
