"""Mantel test: is a system's matrix more similar to people's than expected by chance?

Conventions are those of `analysis.clusterings.correlation`. The stimuli of the people's matrix are
shuffled; all systems share the same permutations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats
from analysis.clusterings.correlation import (
    Values,
    mean_ranks,
    pair_weights,
    validate_matrices,
    without_nan,
)
from analysis.clusterings.shuffling import order_parts, pairs_once, row_blocks, shuffled_rows
from analysis.errors import InputError
from analysis.groupings.chance import p_value
from analysis.statistics.draws import check_draws
from analysis.statistics.rank_correlation import order_ranks
from analysis.statistics.weighted_correlation import deviations

# Integers below this are exact in single precision, which is faster to shuffle.
_EXACT = 1 << 24
_ORDERS_PER_BATCH = 1 << 10
_LOOKUP_COST = 5  # cost of looking up one pair, relative to one pair shuffled in blocks


class _SparseRanks(NamedTuple):
    """Pairs whose value differs from the system's most frequent one, such as pairs in one group.

    The other pairs are left out: a constant adds nothing to a product with a matrix whose sum is 0.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    gaps: Values


def mantel(
    system: ArrayLike,
    similarity: ArrayLike,
    draws: int = 1_000,
    seed: int = 0,
    counts: ArrayLike | None = None,
) -> Values | float:
    """Mantel test: probability of a correlation at least as high with shuffled stimuli.

    The test is one-sided. The statistic is the correlation of the ranks of pairs: Spearman's if all
    pairs are known. If counts differ, ranks of the people's matrix are weighted by them.

    Parameters
    ----------
    system : array_like, shape (stimuli, stimuli) or (systems, stimuli, stimuli)
        Greater is more similar. Symmetric, without NaN; the diagonal is not used. Several systems
        share the same permutations and take little longer than one.
    similarity : array_like, shape (stimuli, stimuli)
        NaN if no participant placed both.
    draws, seed : int
        Number of permutations, and their random seed.
    counts : array_like of int, shape (stimuli, stimuli), optional
        Number of participants who placed both stimuli of a pair.

    Returns
    -------
    float, or float array of shape (systems,)
        The p-value, in [1/(draws+1), 1]; NaN if a side is constant.

    Raises
    ------
    InputError
        If the matrices are not square and of the same size, a system's is not symmetric or has a
        NaN, there is no system, `draws` is below 1, or a pair with a similarity has the count 0.

    References
    ----------
    .. [1] N. Mantel, "The detection of disease clustering and a generalized regression approach",
       Cancer Research 27 (1967) 209-220.

    Examples
    --------
    Of the 24 permutations of four stimuli, 8 leave the two pairs together:

    >>> pairs = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]
    >>> abs(mantel(pairs, pairs) - 8 / 24) < 0.04
    True
    """
    check_draws(draws)
    given = as_floats(system, "similarities")
    systems = given if given.ndim == 3 else given[None]
    if not len(systems):
        raise InputError("there is no system to test; give at least one")
    sides = [validate_matrices(one, similarity) for one in systems]
    theirs = sides[0][1]
    known = ~np.isnan(theirs)
    ranks = np.stack([_deviations(ours, np.ones_like(known)) for ours, _ in sides])
    reference = _deviations(theirs, known)
    if counts is not None:
        reference = _weighted(theirs, known, pair_weights(counts, theirs))
    sparse = [_sparse_ranks(one) if known.all() else None for one in ranks]
    found = np.concatenate(
        [
            _correlations(ranks, sparse, reference, known, orders)
            for orders in _orders(draws, len(theirs), seed)
        ]
    )
    p = np.array([p_value(float(one[0]), one[1:]) for one in found.T])
    return p if given.ndim == 3 else float(p[0])


def _orders(draws: int, stimuli: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Yield the original order and random ones, in batches."""
    rng = np.random.default_rng(seed)
    as_it_is = np.arange(stimuli)
    yield as_it_is[None]
    for start in range(0, draws, _ORDERS_PER_BATCH):
        size = min(_ORDERS_PER_BATCH, draws - start)
        yield rng.permuted(np.broadcast_to(as_it_is, (size, stimuli)), axis=1)


def _deviations(matrix: Values, known: NDArray[np.bool_]) -> Values:
    """Twice the deviation of each known pair's rank from the mean rank, an integer; else 0."""
    first, second = np.nonzero(np.triu(known, 1))
    ranks = mean_ranks(order_ranks(without_nan(matrix[first, second])))[0]
    deviations = np.zeros(matrix.shape)
    deviations[first, second] = deviations[second, first] = 2 * ranks - (len(ranks) + 1)
    return deviations


def _weighted(matrix: Values, known: NDArray[np.bool_], counts: Values) -> Values:
    """As `_deviations`, with weighted ranks, multiplied by the weights: the counts of the pairs."""
    first, second = np.nonzero(np.triu(known, 1))
    weights = counts[first, second]
    if not len(weights) or weights.min() == weights.max():
        return _deviations(matrix, known)
    weighted = np.zeros(matrix.shape)
    apart = weights * deviations(order_ranks(matrix[first, second]), weights)
    weighted[first, second] = weighted[second, first] = apart
    return weighted


def _correlations(
    ranks: Values,
    sparse: Sequence[_SparseRanks | None],
    reference: Values,
    known: NDArray[np.bool_],
    orders: NDArray[np.int64],
) -> Values:
    """Correlation of every system with the reference in each order, shape (orders, systems).

    The reference has sum 0 over known pairs, so products need no further centring. If some pairs
    are unknown, a system's variance over the known pairs depends on the order.
    """
    exact = np.abs(reference).max(initial=0) < _EXACT
    reference = reference.astype(np.float32) if exact else reference
    pairs = np.triu(known, 1).sum()
    products, sums, squares = np.zeros((3, len(orders), len(ranks)))
    few = np.array([one is not None for one in sparse])
    for k, one in enumerate(sparse):
        if one is not None:
            products[:, k] = [reference[o[one.first], o[one.second]] @ one.gaps for o in orders]
    if not few.all():
        found = _sums_in_blocks(ranks[~few], reference, known, orders)
        products[:, ~few], sums[:, ~few], squares[:, ~few] = found
    if known.all():
        squares += (np.triu(ranks, 1) ** 2).sum(axis=(1, 2))
    spread = np.maximum(squares - sums**2 / np.maximum(pairs, 1), 0)
    scale = np.sqrt(spread * (np.triu(reference, 1).astype(float) ** 2).sum())
    return products / np.where(scale == 0, np.nan, scale)


def _sparse_ranks(ranks: Values) -> _SparseRanks | None:
    """Pairs that differ from the most frequent value, if they are few; otherwise None."""
    most = np.partition(ranks, ranks.size // 2, axis=None)[ranks.size // 2]
    there = np.triu(ranks != most, 1)
    if _LOOKUP_COST * there.sum() >= len(ranks) * (len(ranks) - 1) / 2:
        return None
    first, second = np.nonzero(there)
    return _SparseRanks(first, second, ranks[first, second] - most)


def _sums_in_blocks(
    ranks: Values, reference: NDArray[Any], known: NDArray[np.bool_], orders: NDArray[np.int64]
) -> Values:
    """Products, and (if some pairs are unknown) sums and squares, shape (3, orders, systems)."""
    products, sums, squares = found = np.zeros((3, len(orders), len(ranks)))
    for rows in row_blocks(len(known)):
        columns = slice(rows.start, None)
        ours = ranks[:, rows, columns] * pairs_once(rows, len(known))
        ours = ours.reshape(len(ranks), -1).T
        for part in order_parts(len(orders), rows, len(known)):
            products[part] += _flat(shuffled_rows(reference, orders[part], rows)) @ ours
            if not known.all():
                there = _flat(shuffled_rows(known, orders[part], rows))
                sums[part] += there @ ours
                squares[part] += there @ ours**2
    return found


def _flat(blocks: NDArray[Any]) -> Values:
    return blocks.reshape(len(blocks), -1).astype(float)
