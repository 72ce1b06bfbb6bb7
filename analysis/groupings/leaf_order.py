"""The exact order of a dendrogram's leaves with the least sum of neighbouring distances.

The best order of a branch that begins with leaf i and ends with leaf j follows from those of its
two sides: the minimum, over the leaves k and l where the sides meet, of best(i, k) + distance of k
and l + best(l, j). These are two min-plus matrix products per join. Every pair of leaves are the
ends of exactly one branch, so one square matrix stores all values.

References
----------
.. [1] Z. Bar-Joseph, D. Gifford, T. Jaakkola, "Fast optimal leaf ordering for hierarchical
   clustering", Bioinformatics 17 (2001) S22-S29.
"""

import numpy as np
from numpy.typing import NDArray

from analysis.groupings.pair_counts import LookedUp

Floats = NDArray[np.float64]
Near = Floats | LookedUp
Span = tuple[int, int]
"""A branch as a range of places: its first, and the one after its last."""
Splits = dict[Span, int]
"""For each branch of two leaves or more, the start of its second side."""
_AT_ONCE = 1 << 13
_IN_CACHE = 1 << 15
_NARROW = 8


def best_order(tree: Floats, distances: Floats | LookedUp) -> NDArray[np.int64]:
    """Order the leaves of a tree with the least sum of distances between neighbours.

    Parameters
    ----------
    tree : float array, shape (leaves - 1, 4)
        From `scipy.cluster.hierarchy.linkage`.
    distances : float array or LookedUp, shape (leaves, leaves)
        Symmetric, without NaN.

    Returns
    -------
    int array, shape (leaves,)
        Of an order and its equivalent reverse, the one whose first leaf has the lower number.

    Examples
    --------
    The pair 0, 1 is turned so that 0 is beside 2:

    >>> distances = np.array([[0, 1, 3], [1, 0, 4], [3, 4, 0]], dtype=float)
    >>> best_order(np.array([[0, 1, 1, 2], [2, 3, 3.5, 3]]), distances).tolist()
    [1, 0, 2]
    """
    leaves, splits = _laid_out(tree)
    near: Near
    if isinstance(distances, LookedUp):
        near = distances.ordered(leaves)
    else:
        near = np.ascontiguousarray(distances[np.ix_(leaves, leaves)])
    best = np.zeros(near.shape)
    for span in splits:
        _join(best, near, span, splits)
    order = leaves[_traced(best, near, splits)]
    return order if order[0] < order[-1] else order[::-1]


def _laid_out(tree: Floats) -> tuple[NDArray[np.int64], Splits]:
    """Arrange the leaves in the order of the tree, so that branches are ranges; inner ones
    first."""
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


def _join(best: Floats, near: Near, span: Span, splits: Splits) -> None:
    """Compute the best sums of a branch for all pairs of ends, from those of its two sides."""
    middle = splits[span]
    left, right = slice(span[0], middle), slice(middle, span[1])
    to_right = np.empty((middle - span[0], span[1] - middle))
    for outer, inner in _ends((span[0], middle), splits):
        rows = slice(outer.start - left.start, outer.stop - left.start)
        to_right[rows] = _least_sums(best[outer, inner], near[inner, right])
    for outer, inner in _ends((middle, span[1]), splits):
        columns = slice(inner.start - middle, inner.stop - middle)
        found = _least_sums(to_right[:, columns], best[inner, outer])
        best[left, outer], best[outer, left] = found, found.T


def _ends(span: Span, splits: Splits) -> list[tuple[slice, slice]]:
    """The possible ends of a branch, given its first leaf: its other side, or its only leaf."""
    start, stop = span
    if stop - start == 1:
        return [(slice(start, stop), slice(start, stop))]
    sides = slice(start, splits[span]), slice(splits[span], stop)
    return [sides, sides[::-1]]


def _least_sums(one: Floats, other: Floats) -> Floats:
    """Minimum of one[i, k] + other[k, j] over k, for all i and j."""
    (rows, inner), columns = one.shape, other.shape[1]
    if inner == 1:
        return one + other
    if rows * inner * columns <= _AT_ONCE:
        least: Floats = (one[:, :, None] + other).min(axis=1)
        return least
    if columns <= min(_NARROW, rows):
        return np.stack([(one + column).min(axis=1) for column in other.T.copy()], axis=1)
    if rows <= _NARROW:
        return np.stack([(row[:, None] + other).min(axis=0) for row in one])
    least = np.empty((rows, columns))
    step = max(1, _IN_CACHE // columns)
    for start in range(0, rows, step):
        part, turned = least[start : start + step], one[start : start + step].T[:, :, None].copy()
        np.add(turned[0], other[0], out=part)
        sums = np.empty_like(part)
        for k in range(1, inner):
            np.add(turned[k], other[k], out=sums)
            np.minimum(part, sums, out=part)
    return least


def _traced(best: Floats, near: Near, splits: Splits) -> list[int]:
    """Trace the best order back from the best sums, from the whole tree down."""
    whole = 0, len(best)
    if len(best) == 1:
        return [0]
    middle = splits[whole]
    first, last = _where_least(best[:middle, middle:])
    open_spans = [(whole, first, middle + last)]
    order: list[int] = []
    while open_spans:
        span, first, last = open_spans.pop()
        if span[1] - span[0] == 1:
            order.append(first)
            continue
        sides = (span[0], splits[span]), (splits[span], span[1])
        one, other = sides if first < splits[span] else sides[::-1]
        ks, ls = _opposite(one, first, splits), _opposite(other, last, splits)
        sums = best[first, ks][:, None] + near[ks, ls] + best[ls, last]
        k, m = _where_least(sums)
        open_spans.append((other, ls.start + m, last))
        open_spans.append((one, first, ks.start + k))
    return order


def _where_least(sums: Floats) -> tuple[int, int]:
    return divmod(int(sums.argmin()), sums.shape[1])


def _opposite(span: Span, end: int, splits: Splits) -> slice:
    """The possible last leaves of a branch that begins with a given leaf."""
    return next(inner for outer, inner in _ends(span, splits) if outer.start <= end < outer.stop)
