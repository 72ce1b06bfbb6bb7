"""Rank correlations with integer weights: a pair of items counts with the product of its weights.

Conventions are those of `analysis.statistics.rank_correlation`. With equal weights, the values are
the same as without.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.errors import InputError
from analysis.statistics.rank_correlation import order_ranks, validate

Floats = NDArray[np.float64]
Ranks = NDArray[np.int64]
_ITEMS_PER_BATCH = 256


def weighted_tau_b(x: ArrayLike, y: ArrayLike, weights: ArrayLike) -> float:
    """Kendall's tau_b with weights: each pair of items counts with the product of their weights.

    Parameters
    ----------
    x, y : array_like, shape (items,)
    weights : array_like of int, shape (items,)
        At least 0.

    Returns
    -------
    float
        In [-1, 1]; NaN if a side is constant on the items with weight.

    Raises
    ------
    InputError
        If the weights are not integers from 0, one per item, or as for
        `analysis.statistics.rank_correlation.validate`.

    References
    ----------
    .. [1] M. Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945) 239-251.

    Examples
    --------
    The same as tau_b of [1, 2, 3, 3] and [1, 3, 2, 2]:

    >>> weighted_tau_b([1, 2, 3], [1, 3, 2], [1, 1, 2])
    0.2
    """
    p, q, w = _ranked(x, y, weights)
    order = np.lexsort((q, p))
    p, q, w = p[order], q[order], w[order]
    ties_x, ties_y, ties_both = (_tied(tie, w) for tie in (p, q, p * (q.max(initial=0) + 1) + q))
    every = (w.sum() ** 2 - (w**2).sum()) / 2
    # In this order, pairs tied in x only appear concordant.
    difference = _concordant_less_discordant(q, w) - (ties_x - ties_both)
    return _over_root(difference, (every - ties_x) * (every - ties_y))


def weighted_spearman(x: ArrayLike, y: ArrayLike, weights: ArrayLike) -> float:
    """Spearman's rank correlation with weights: each item counts as often as its weight.

    Parameters
    ----------
    x, y : array_like, shape (items,)
    weights : array_like of int, shape (items,)
        At least 0.

    Returns
    -------
    float
        In [-1, 1]; NaN if a side is constant on the items with weight.

    Raises
    ------
    InputError
        As for `weighted_tau_b`.

    References
    ----------
    .. [1] C. Spearman, "The proof and measurement of association between two things", Am. J.
       Psychology 15 (1904) 72-101.

    Examples
    --------
    >>> round(weighted_spearman([1, 2, 3], [1, 3, 2], [1, 1, 2]), 12)
    0.333333333333
    """
    p, q, w = _ranked(x, y, weights)
    a, b = (deviations(side, w) for side in (p, q))
    return _over_root((w * a * b).sum(), (w * a * a).sum() * (w * b * b).sum())


def deviations(ranks: NDArray[np.integer], weights: Floats) -> Floats:
    """Twice each item's mean rank minus the mean of all, an integer; `ranks` are dense, from 0."""
    at = np.bincount(ranks, weights=weights)
    below = np.cumsum(at) - at
    return (2 * below + at - weights.sum())[ranks]


def _over_root(part: float, square: float) -> float:
    """Divide by a square root; NaN if it is 0 because a side is constant."""
    return float(part / np.sqrt(square)) if square > 0 else float("nan")


def _ranked(x: ArrayLike, y: ArrayLike, weights: ArrayLike) -> tuple[Ranks, Ranks, Floats]:
    a, b = validate(x, y)
    w = np.asarray(weights, dtype=float)
    if a.ndim != 1 or b.shape != a.shape or w.shape != a.shape or (w < 0).any() or (w % 1).any():
        raise InputError("weights should be integers of at least 0, one per item of the two lists")
    p, q = (order_ranks(side[w > 0]).astype(np.int64) for side in (a, b))
    return p, q, w[w > 0]


def _tied(group: Ranks, weights: Floats) -> float:
    """Total weight of tied pairs."""
    _, of = np.unique(group, return_inverse=True)
    sums, squares = np.bincount(of, weights), np.bincount(of, weights**2)
    return float(((sums**2 - squares) / 2).sum())


def _concordant_less_discordant(ranks: Ranks, weights: Floats) -> float:
    """Weight of pairs whose later item is higher, minus weight of those where it is lower."""
    total = 0.0
    seen = np.zeros(int(ranks.max(initial=0)) + 2)
    for start in range(0, len(ranks), _ITEMS_PER_BATCH):
        part = slice(start, start + _ITEMS_PER_BATCH)
        r, w = ranks[part], weights[part]
        below = np.concatenate(([0.0], np.cumsum(seen)))
        total += float(w @ (below[r] - (below[-1] - below[r + 1])))
        signs = np.sign(r[None, :] - r[:, None])
        total += float(w @ np.triu(signs, 1) @ w)
        np.add.at(seen, r, w)
    return total
