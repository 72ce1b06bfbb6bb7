"""Optimal leaf ordering of a dendrogram: the least sum of distances between neighbours.

The best order of a branch that begins with leaf i and ends with leaf j follows from the best orders
of its two sides: it is the minimum, over the leaves k and l where the sides meet, of best(i, k) +
distance(k, l) + best(l, j). These are two min-plus matrix products per node. Only differences
within a branch matter, so its least value is subtracted. If all distances are multiples of one
number, as with few participants, values are small integers, which are exact and need less memory
and time.

References
----------
.. [1] Z. Bar-Joseph, D. Gifford, T. Jaakkola, "Fast optimal leaf ordering for hierarchical
   clustering", Bioinformatics 17 (2001) S22-S29.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.groupings.pair_counts import LookupMatrix

Floats = NDArray[np.float64]
Values = NDArray[Any]
"""Floats, or integer multiples of one step."""
Distances = Floats | LookupMatrix
Span = tuple[int, int]
"""A branch as a range of positions: its first, and the one after its last."""
Splits = dict[Span, int]
"""For each branch of two leaves or more, the start of its second side."""
Best = dict[Span, Values]
"""For each branch of two leaves or more, the best sums, shape (first side, second side)."""
_SMALL_PRODUCT = 1 << 13
_IN_CACHE = 1 << 16
# Values computed before they are stored.
_AT_ONCE = 1 << 20
_NARROW = 8
# No sum of a few times as many steps as leaves exceeds 32 bits.
_MAX_STEPS = 1 << 29


def best_order(tree: Floats, distances: Distances) -> NDArray[np.int64]:
    """Order the leaves of a tree with the least sum of distances between neighbours.

    Parameters
    ----------
    tree : float array, shape (leaves - 1, 4)
        From `scipy.cluster.hierarchy.linkage`.
    distances : float array or LookupMatrix, shape (leaves, leaves)
        Symmetric, without NaN.

    Returns
    -------
    int array, shape (leaves,)
        Of the two directions, the one whose first leaf has the lower number.

    Examples
    --------
    The pair 0, 1 is swapped so that 0 is next to 2:

    >>> distances = np.array([[0, 1, 3], [1, 0, 4], [3, 4, 0]], dtype=float)
    >>> best_order(np.array([[0, 1, 1, 2], [2, 3, 3.5, 3]]), distances).tolist()
    [1, 0, 2]
    """
    leaves, splits = _in_tree_order(tree)
    ordered: Distances
    if isinstance(distances, LookupMatrix):
        ordered, _ = distances.ordered(leaves).in_steps(_MAX_STEPS // len(leaves))
    else:
        ordered = np.ascontiguousarray(distances[np.ix_(leaves, leaves)])
    order = leaves[_trace(ordered, splits)]
    return order if order[0] < order[-1] else order[::-1]


def _in_tree_order(tree: Floats) -> tuple[NDArray[np.int64], Splits]:
    """Arrange the leaves in the order of the tree, so that branches are ranges; return their
    splits, inner branches first."""
    count = len(tree) + 1
    sizes = np.concatenate([np.ones(count, dtype=np.int64), tree[:, 3].astype(np.int64)])
    begins = np.zeros(2 * count - 1, dtype=np.int64)
    splits = []
    for step in range(count - 2, -1, -1):
        one, other = tree[step, :2].astype(np.int64)
        begin = begins[count + step]
        begins[one], begins[other] = begin, begin + sizes[one]
        span = int(begin), int(begin + sizes[count + step])
        splits.append((span, int(begins[other])))
    return np.argsort(begins[:count]), dict(splits[::-1])


def _join(best: Best, distances: Distances, span: Span, splits: Splits) -> Values:
    """The best sums of a branch for all pairs of first and last leaf."""
    start, middle, stop = span[0], splits[span], span[1]
    joined = np.empty((middle - start, stop - middle), _dtype(best, distances, span, splits))
    for first, last, sums in _parts(best, distances, span, splits):
        rows = slice(first.start - start, first.stop - start)
        joined[rows, last.start - middle : last.stop - middle] = sums
    joined -= joined.min()
    if joined.dtype.kind == "u":
        joined = joined.astype(np.min_scalar_type(joined.max()))
    return joined


def _parts(
    best: Best, distances: Distances, span: Span, splits: Splits
) -> Iterator[tuple[slice, slice, Values]]:
    """The best sums of a branch, from those of its two sides, for a part of its ends at a time."""
    dtype = _dtype(best, distances, span, splits)
    one, other = (span[0], splits[span]), (splits[span], span[1])
    for first, to in _ends(one, splits):
        to_side = _between(best, one, first).astype(dtype, copy=False)
        for last, back in _ends(other, splits):
            reached = _reached(to_side, distances, to, back)
            from_side = _between(best, other, back).astype(dtype, copy=False)
            for rows in _slices(len(reached), from_side.shape[1]):
                some = slice(first.start + rows.start, first.start + rows.stop)
                yield some, last, _least_sums(reached[rows], from_side)


def _reached(to_side: Values, distances: Distances, to: slice, back: slice) -> Values:
    """The best sums to the leaves at which the second side begins, for some of them at a time."""
    reached = np.empty((len(to_side), back.stop - back.start), to_side.dtype)
    for columns in _slices(reached.shape[1], max(to_side.shape)):
        some = slice(back.start + columns.start, back.start + columns.stop)
        step = distances[to, some].astype(reached.dtype, copy=False)
        reached[:, columns] = _least_sums(to_side, step)
    return reached


def _slices(count: int, width: int) -> Iterator[slice]:
    """Slices of `count` rows of this width that need little memory."""
    step = max(1, _AT_ONCE // width)
    for start in range(0, count, step):
        yield slice(start, min(start + step, count))


def _dtype(best: Best, distances: Distances, span: Span, splits: Splits) -> np.dtype[Any]:
    """The smallest type for every sum over two sides and the distance between them."""
    if not isinstance(distances, LookupMatrix) or distances.dtype.kind == "f":
        return distances.dtype
    sides = (span[0], splits[span]), (splits[span], span[1])
    most = int(distances.table.max()) + sum(int(best[side].max()) for side in sides if side in best)
    return np.dtype(np.min_scalar_type(most))


def _between(best: Best, span: Span, end: slice) -> Values:
    """The best sums of a branch from the leaves of one of its sides to those of the other."""
    if span[1] - span[0] == 1:
        return np.zeros((1, 1), dtype=np.uint8)
    return best[span] if end.start == span[0] else best[span].T


def _ends(span: Span, splits: Splits) -> list[tuple[slice, slice]]:
    """The possible ends of a branch, given its first leaf: its other side, or its only leaf."""
    start, stop = span
    if stop - start == 1:
        return [(slice(start, stop), slice(start, stop))]
    sides = slice(start, splits[span]), slice(splits[span], stop)
    return [sides, sides[::-1]]


def _least_sums(one: Values, other: Values) -> Values:
    """Minimum of one[i, k] + other[k, j] over k, for all i and j."""
    (rows, inner), columns = one.shape, other.shape[1]
    if inner == 1:
        return one + other
    if rows * inner * columns <= _SMALL_PRODUCT:
        least: Values = (one[:, :, None] + other).min(axis=1)
        return least
    if columns <= min(_NARROW, rows):
        return np.stack([(one + column).min(axis=1) for column in other.T.copy()], axis=1)
    if rows <= _NARROW:
        return np.stack([(row[:, None] + other).min(axis=0) for row in one])
    least = np.empty((rows, columns), dtype=one.dtype)
    step = max(1, _IN_CACHE // columns)
    for start in range(0, rows, step):
        part, turned = least[start : start + step], one[start : start + step].T[:, :, None].copy()
        np.add(turned[0], other[0], out=part)
        sums = np.empty_like(part)
        for k in range(1, inner):
            np.add(turned[k], other[k], out=sums)
            np.minimum(part, sums, out=part)
    return least


def _trace(distances: Distances, splits: Splits) -> list[int]:
    """Compute the best sums of all branches, then trace the best order back from the root."""
    whole = 0, len(distances)
    if whole not in splits:
        return [0]
    best: Best = {}
    for span in splits:
        if span != whole:
            best[span] = _join(best, distances, span, splits)
    open_spans = [(whole, *_best_ends(best, distances, whole, splits))]
    order: list[int] = []
    while open_spans:
        span, first, last = open_spans.pop()
        if span[1] - span[0] == 1:
            order.append(first)
            continue
        sides = (span[0], splits[span]), (splits[span], span[1])
        one, other = sides if first < splits[span] else sides[::-1]
        to_one, ks = _from(best, one, first, splits)
        from_other, ls = _from(best, other, last, splits)
        dtype = _dtype(best, distances, span, splits)
        meeting = []
        for rows in _slices(ks.stop - ks.start, ls.stop - ls.start):
            some = slice(ks.start + rows.start, ks.start + rows.stop)
            sums = distances[some, ls].astype(dtype) + to_one[rows, None] + from_other
            k, m = _where_least(sums)
            meeting.append((sums[k, m], some.start + k, ls.start + m))
        _, end_of_one, start_of_other = min(meeting)
        open_spans.append((other, start_of_other, last))
        open_spans.append((one, first, end_of_one))
    return order


def _best_ends(best: Best, distances: Distances, span: Span, splits: Splits) -> tuple[int, int]:
    """The first and the last leaf of the best order of a branch."""
    found = []
    for first, last, sums in _parts(best, distances, span, splits):
        row, column = _where_least(sums)
        found.append((sums[row, column], first.start + row, last.start + column))
    _, row, column = min(found)
    return row, column


def _from(best: Best, span: Span, leaf: int, splits: Splits) -> tuple[Values, slice]:
    """The best sums of a branch that begins with `leaf`, and the leaves that it can end with."""
    outer, inner = next(ends for ends in _ends(span, splits) if leaf < ends[0].stop)
    return _between(best, span, outer)[leaf - outer.start], inner


def _where_least(sums: Values) -> tuple[int, int]:
    return divmod(int(sums.argmin()), sums.shape[1])
