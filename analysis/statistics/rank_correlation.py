"""Rank correlation: does a system order candidates as people do?

Conventions
-----------
The last axis is the candidates of one query; the axes before it are batch axes (systems, queries)
and broadcast. Only the order of values matters, so both sides must have the same direction: negate
distances first.

Two values count as equal if they differ by at most `SAME` times the larger magnitude. Means of
ratings are sums over counts, and floating-point noise in them must not create an order: different
means of integer scores from n people differ by at least 1/n**2, which is far more; equal means
differ by a few units in the last place, which is far less.

Metrics
-------
tau_b : Kendall's rank correlation with ties, one number per query.
spearman : Pearson's correlation of the ranks; ties share their mean rank.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats
from analysis.errors import InputError
from analysis.statistics.rank_table import tau_b_of_ranks

SAME = 1e-13
_MANY_CANDIDATES = 600
_PAIRS_PER_BATCH = 1 << 23


def validate(x: ArrayLike, y: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Check the two sides of a rank correlation and return them as float arrays.

    Parameters
    ----------
    x, y : array_like, shape (..., candidates)

    Returns
    -------
    x, y : float arrays, not yet broadcast

    Raises
    ------
    InputError
        If a side has no axis or no candidates, the numbers of candidates differ, the batch axes do
        not broadcast, or a value is NaN. Infinite values are allowed and ordered like any others.
    """
    a, b = as_floats(x, "scores"), as_floats(y, "scores")
    if a.ndim == 0 or b.ndim == 0 or a.shape[-1] != b.shape[-1]:
        raise InputError(
            "both sides should have the same candidates on their last axis, "
            f"but have shapes {a.shape} and {b.shape}"
        )
    if a.shape[-1] == 0:
        raise InputError("there are no candidates to correlate; give at least two")
    try:
        np.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        raise InputError(f"shapes {a.shape} and {b.shape} do not broadcast") from None
    for name, side in (("first", a), ("second", b)):
        if np.isnan(side).any():
            where = tuple(int(k) for k in np.argwhere(np.isnan(side))[0])
            raise InputError(
                f"the {name} side has a NaN at {where}; use `where` to leave out such candidates"
            )
    return a, b


def tau_b(
    x: ArrayLike, y: ArrayLike, where: NDArray[np.bool_] | None = None
) -> NDArray[np.float64] | float:
    """Kendall's tau_b over unordered pairs of candidates, for batches of rows.

    ``tau_b = (C - D) / sqrt((C + D + T_x) (C + D + T_y))`` with C concordant and D discordant
    pairs, T_x pairs tied in x only and T_y pairs tied in y only; pairs tied on both sides are not
    counted. Values that differ by at most 1e-13 times the larger magnitude are tied.

    Parameters
    ----------
    x, y : array_like, shape (..., candidates)
        Scores; the batch axes broadcast, e.g. (systems, queries, candidates) against (queries,
        candidates).
    where : bool array, broadcastable to (..., candidates), optional
        False where a candidate is not part of the query. By default all are.

    Returns
    -------
    float array, shape (...), or a float for one pair of rows
        In [-1, 1]; NaN if undefined: one side is constant, or there are fewer than two candidates.

    Raises
    ------
    InputError
        As for `validate`.

    References
    ----------
    .. [1] M. Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945) 239-251.
    .. [2] M. Eitz et al., "Sketch-Based Image Retrieval: Benchmark and Bag-of-Features
       Descriptors", IEEE TVCG 17 (2011) 1624-1636: the macro mean over queries is a system's score.

    Examples
    --------
    Of the three pairs, one is tied in y only and two are concordant: tau_b = 2 / sqrt(2 * 3).

    >>> round(tau_b([1, 2, 3], [1, 1, 2]), 4)
    0.8165
    >>> tau_b([0.1 + 0.2, 0.3, 0.5], [1, 1, 2])
    1.0
    """
    if where is None:
        a, b = validate(x, y)
        keep = None
    else:
        keep = np.asarray(where, dtype=bool)
        a, b = validate(*(np.where(keep, as_floats(side, "scores"), 0.0) for side in (x, y)))
    shape = np.broadcast_shapes(a.shape, b.shape)
    count = np.broadcast_to(a.shape[-1] if keep is None else keep.sum(-1), shape[:-1])
    if shape[-1] > _MANY_CANDIDATES:
        tau = _by_rows(a, b, keep, shape)
    else:
        tau = np.empty(shape[:-1])
        for part in _parts(shape):
            sides = [_slice(v, part, shape) for v in (a, b)]
            tau[part] = _by_pairs(
                sides[0], sides[1], None if keep is None else _slice(keep, part, shape)
            )
    tau = np.where(count < 2, np.nan, tau)
    return float(tau) if tau.ndim == 0 else tau


def spearman(x: ArrayLike, y: ArrayLike) -> NDArray[np.float64] | float:
    """Spearman's rank correlation: Pearson's correlation of mean ranks.

    Parameters
    ----------
    x, y : array_like, shape (..., candidates)
        Scores; the batch axes broadcast.

    Returns
    -------
    float array, shape (...), or a float for one pair of rows
        In [-1, 1]; NaN if a side is constant or there is only one candidate.

    Raises
    ------
    InputError
        As for `validate`.

    References
    ----------
    .. [1] C. Spearman, "The proof and measurement of association between two things", Am. J.
       Psychology 15 (1904) 72-101.

    Examples
    --------
    >>> spearman([1, 2, 3, 4], [10, 30, 20, 40])
    0.8
    """
    a, b = validate(x, y)
    ranks = [_mean_ranks(v) for v in (a, b)]
    # Twice the deviation from the mean rank: an integer, so sums are exact.
    p, q = (2 * r - (r.shape[-1] + 1) for r in ranks)
    scale = np.sqrt((p * p).sum(-1) * (q * q).sum(-1))
    with np.errstate(invalid="ignore"):
        rho = np.clip((p * q).sum(-1) / np.where(scale == 0, np.nan, scale), -1, 1)
    return float(rho) if rho.ndim == 0 else rho


def _mean_ranks(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks along the last axis, from 1 for the smallest; equal values share their mean rank."""
    rows = order_ranks(x).reshape(-1, x.shape[-1])
    place = rows + x.shape[-1] * np.arange(len(rows))[:, None]
    counts = np.bincount(place.ravel(), minlength=rows.size).reshape(rows.shape)
    mean_of_rank = counts.cumsum(axis=-1) - (counts - 1) / 2
    return np.take_along_axis(mean_of_rank, rows, axis=-1).reshape(x.shape)


def order_ranks(x: ArrayLike) -> NDArray[np.int32]:
    """Dense ranks along the last axis, from 0 for the smallest; equal values share a rank.

    Parameters
    ----------
    x : array_like, shape (..., candidates)
        Without NaN.

    Returns
    -------
    int32 array, same shape

    Examples
    --------
    >>> order_ranks([0.5, 0.1 + 0.2, 0.3]).tolist()
    [1, 0, 0]
    """
    values = np.asarray(x, dtype=float)
    order = np.argsort(values, axis=-1)
    ascending = np.nan_to_num(np.take_along_axis(values, order, axis=-1))  # inf: the largest float
    low, high = ascending[..., :-1], ascending[..., 1:]
    with np.errstate(over="ignore"):
        step = high - low > SAME * np.maximum(np.abs(low), np.abs(high))
    dense = np.zeros(values.shape, dtype=np.int32)
    np.cumsum(step, axis=-1, out=dense[..., 1:])
    ranks = np.empty_like(dense)
    np.put_along_axis(ranks, order, dense, axis=-1)
    return ranks


def pair_signs(ranks: NDArray[np.int32]) -> NDArray[np.float32]:
    """Sign of the difference of every pair: +1 if the later candidate is higher, -1 lower, 0 tied.

    Parameters
    ----------
    ranks : int array, shape (..., candidates)

    Returns
    -------
    float32 array, shape (..., candidates * (candidates - 1) / 2)
        Pairs (0, 1), (0, 2), … (1, 2), …; the dot product of the signs of two sides is C - D.

    Examples
    --------
    >>> pair_signs(order_ranks([2, 1, 2])).tolist()
    [-1.0, 0.0, 1.0]
    """
    size = ranks.shape[-1]
    signs = np.empty((*ranks.shape[:-1], size * (size - 1) // 2), dtype=np.float32)
    small = ranks.astype(np.int16)
    start = 0
    for first in range(size - 1):
        stop = start + size - 1 - first
        signs[..., start:stop] = np.sign(small[..., first + 1 :] - small[..., first : first + 1])
        start = stop
    return signs


def _by_pairs(
    a: NDArray[np.float64], b: NDArray[np.float64], keep: NDArray[np.bool_] | None
) -> NDArray[np.float64]:
    s, t = (pair_signs(order_ranks(v)) for v in (a, b))
    if keep is None:
        untied = [np.einsum("...p,...p->...", v, v) for v in (s, t)]
    else:
        first, second = np.triu_indices(keep.shape[-1], 1)
        both = (keep[..., first] & keep[..., second]).astype(np.float32)
        s, t = s * both, t * both
        untied = [np.einsum("...p,...p->...", v, v) for v in (s, t)]
    return _ratio(np.einsum("...p,...p->...", s, t), untied[0], untied[1])


def _ratio(
    difference: NDArray[Any], untied_x: NDArray[Any], untied_y: NDArray[Any]
) -> NDArray[np.float64]:
    scale = np.sqrt(np.asarray(untied_x, dtype=float) * np.asarray(untied_y, dtype=float))
    with np.errstate(invalid="ignore"):
        return np.asarray(difference, dtype=float) / np.where(scale == 0, np.nan, scale)


def _by_rows(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    keep: NDArray[np.bool_] | None,
    shape: tuple[int, ...],
) -> NDArray[np.float64]:
    """Compute tau_b of long rows one by one in O(n log n)."""
    rows = [np.broadcast_to(v, shape).reshape(-1, shape[-1]) for v in (a, b)]
    mask = None if keep is None else np.broadcast_to(keep, shape).reshape(-1, shape[-1])
    tau = np.full(len(rows[0]), np.nan)
    for k, (p, q) in enumerate(zip(*rows, strict=True)):
        if mask is not None:
            p, q = p[mask[k]], q[mask[k]]
        p, q = order_ranks(p), order_ranks(q)
        if p.size > 1 and p.max() > 0 and q.max() > 0:
            tau[k] = tau_b_of_ranks(p, q)
    return tau.reshape(shape[:-1])


def _parts(shape: tuple[int, ...]) -> Iterator[tuple[slice, ...]]:
    """Slices of the first batch axis for which the signs need a few dozen megabytes."""
    if len(shape) == 1:
        yield ()
        return
    row = int(np.prod(shape[1:-1], dtype=np.int64)) * max(shape[-1] * (shape[-1] - 1) // 2, 1)
    step = max(1, _PAIRS_PER_BATCH // max(row, 1))
    for start in range(0, shape[0], step):
        yield (slice(start, start + step),)


def _slice(side: NDArray[Any], part: tuple[slice, ...], shape: tuple[int, ...]) -> NDArray[Any]:
    """The part of one side; all of a side without the first batch axis, or with length 1 there."""
    if not part or side.ndim < len(shape) or side.shape[0] == 1:
        return side
    return side[part]
