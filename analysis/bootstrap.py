"""How sure is a system's score? Bootstrap intervals over queries, and over participants too.

Conventions
-----------
``values`` has shape (systems, queries): one number a system and query, such as tau_b; NaN where it
is undefined. Every random draw comes from a seed, so that a result can be made again, and all
systems meet the same draws.

Methods
-------
macro_mean : a system's score, the mean over queries.
bootstrap_interval : percentile interval of that mean over drawn queries.
bootstrap_with_participants : the same over drawn participants and queries together.

References
----------
.. [1] B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), ch. 13.
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.errors import InputError
from analysis.rank_correlation import order_ranks, pair_signs

Values = NDArray[np.float64]
Undefined = Literal["drop", "zero"]
LEVEL = 0.95
_IN_CACHE = 1_000
_NUMBERS_AT_ONCE = 1 << 23


def macro_mean(values: ArrayLike, undefined: Undefined = "drop") -> Values:
    """Mean over queries.

    Parameters
    ----------
    values : array_like, shape (..., queries)
    undefined : {"drop", "zero"}
        Whether a NaN is left out of the mean or counts as 0.

    Returns
    -------
    float array, shape (...)
        NaN where every query is left out.

    Raises
    ------
    InputError
        If there are no queries.

    Examples
    --------
    >>> values = [1.0, 0.5, float("nan")]
    >>> float(macro_mean(values)), float(macro_mean(values, "zero"))
    (0.75, 0.5)
    """
    v = _with_queries(values)
    there = ~np.isnan(v)
    count = there.sum(-1) if undefined == "drop" else np.full(v.shape[:-1], v.shape[-1])
    return np.where(there, v, 0).sum(-1) / np.where(count == 0, np.nan, count)


def bootstrap_interval(
    values: ArrayLike, undefined: Undefined = "drop", draws: int = 10_000, seed: int = 0
) -> tuple[Values, Values]:
    """95 % percentile interval of `macro_mean` over queries drawn with replacement.

    Parameters
    ----------
    values : array_like, shape (systems, queries)
    undefined : {"drop", "zero"}
        As in `macro_mean`; a draw whose queries are all undefined is left out.
    draws : int
        Drawn sets of queries.
    seed : int

    Returns
    -------
    low, high : float arrays, shape (systems,)
        NaN where no query is defined.

    Raises
    ------
    InputError
        If the shape is not (systems, queries) with at least one query, or `draws` is not positive.

    Examples
    --------
    >>> low, high = bootstrap_interval([[0.2, 0.2, 0.2]])
    >>> round(float(low[0]), 12), round(float(high[0]), 12)
    (0.2, 0.2)
    """
    v = two_axes(values)
    check_draws(draws)
    rng = np.random.default_rng(seed)
    means = [
        _drawn_means(_query_counts(rng, size, v.shape[1]), v, undefined)
        for size in in_parts(draws, v.shape[1])
    ]
    return _percentiles(np.concatenate(means))


def bootstrap_with_participants(
    ratings: ArrayLike,
    scores: ArrayLike,
    where: NDArray[np.bool_] | None = None,
    undefined: Undefined = "drop",
    draws: int = 2_000,
    seed: int = 0,
) -> tuple[Values, Values]:
    """95 % percentile interval of the mean tau_b over participants and queries drawn together.

    Each draw takes participants with replacement, makes the ground truth anew from their ratings,
    and takes queries with replacement. Ratings and scores must point the same way.

    Parameters
    ----------
    ratings : array_like, shape (participants, queries, candidates)
        NaN where a participant did not rate.
    scores : array_like, shape (systems, queries, candidates)
        Without NaN where `where` is true.
    where : bool array, shape (queries, candidates), optional
        False where a query has no such candidate.
    undefined, draws, seed : as in `bootstrap_interval`

    Returns
    -------
    low, high : float arrays, shape (systems,)

    Raises
    ------
    InputError
        If the shapes do not fit together or `draws` is not positive.

    Examples
    --------
    Two people who agree, a system that orders as they do, one query: nothing is left to chance.

    >>> low, high = bootstrap_with_participants([[[1, 2, 3]], [[1, 2, 3]]], [[[0.1, 0.2, 0.4]]])
    >>> low.tolist(), high.tolist()
    ([1.0], [1.0])
    """
    r, s = np.asarray(ratings, dtype=float), np.asarray(scores, dtype=float)
    if r.ndim != 3 or s.ndim != 3 or r.shape[1:] != s.shape[1:] or 0 in r.shape:
        raise InputError(
            "ratings (participants, queries, candidates) and scores (systems, queries, candidates) "
            f"do not fit: {r.shape} and {s.shape}"
        )
    check_draws(draws)
    keep = np.ones(r.shape[1:], dtype=bool) if where is None else np.asarray(where, dtype=bool)
    signs = pair_signs(order_ranks(np.where(keep, s, 0.0))).transpose(1, 2, 0)
    rng = np.random.default_rng(seed)
    means = []
    for size in in_parts(draws, r.shape[1] * r.shape[2] ** 2):
        weights = rng.multinomial(len(r), np.full(len(r), 1 / len(r)), size)
        tau = _tau_of_draws(weights, r, keep, signs)
        counts = _query_counts(rng, size, r.shape[1])
        means.append(_means_of_draws(counts, tau, undefined))
    return _percentiles(np.concatenate(means))


def _tau_of_draws(
    weights: NDArray[np.int64],
    ratings: Values,
    keep: NDArray[np.bool_],
    signs: NDArray[np.float32],
) -> Values:
    """tau_b of each drawn ground truth, shape (draws, queries, systems)."""
    shape = (len(weights), *keep.shape)
    there = ~np.isnan(ratings)
    flat = np.where(there, ratings, 0).reshape(len(ratings), -1)
    total = (weights @ flat).reshape(shape)
    count = (weights @ there.reshape(len(ratings), -1).astype(float)).reshape(shape)
    rated = (count > 0) & keep
    truth = pair_signs(order_ranks(np.where(rated, total / np.maximum(count, 1), 0)))
    compared = np.ones_like(truth)
    if not rated.all():
        first, second = np.triu_indices(keep.shape[1], 1)
        compared = (rated[..., first] & rated[..., second]).astype(np.float32)
        truth *= compared
    by_query = np.swapaxes(truth, 0, 1)
    difference = by_query @ signs
    untied_truth = np.einsum("qdp,qdp->qd", by_query, by_query)[..., None]
    untied_system = np.swapaxes(compared, 0, 1) @ (signs * signs)
    scale = np.sqrt(untied_truth.astype(float) * untied_system)
    return np.swapaxes(difference / np.where(scale == 0, np.nan, scale), 0, 1)


def _means_of_draws(counts: Values, tau: Values, undefined: Undefined) -> Values:
    there = ~np.isnan(tau)
    total = np.einsum("dq,dqs->ds", counts, np.where(there, tau, 0))
    weight = (
        counts.sum(1)[:, None] if undefined == "zero" else np.einsum("dq,dqs->ds", counts, there)
    )
    return total / np.where(weight == 0, np.nan, weight)


def _drawn_means(counts: Values, values: Values, undefined: Undefined) -> Values:
    """Mean of each draw and system, shape (draws, systems)."""
    there = ~np.isnan(values)
    total = counts @ np.where(there, values, 0).T
    if undefined == "zero" or there.all():
        return total / values.shape[1]
    weight = counts @ there.T.astype(float)
    return total / np.where(weight == 0, np.nan, weight)


def _query_counts(rng: np.random.Generator, draws: int, queries: int) -> Values:
    """How often each draw takes each query, shape (draws, queries)."""
    counts = np.empty((draws, queries))
    first = np.arange(min(draws, _IN_CACHE))[:, None] * queries
    for start in range(0, draws, _IN_CACHE):
        part = counts[start : start + _IN_CACHE]
        drawn = rng.integers(0, queries, part.shape)
        drawn += first[: len(part)]
        part[:] = np.bincount(drawn.ravel(), minlength=part.size).reshape(part.shape)
    return counts


def _percentiles(means: Values) -> tuple[Values, Values]:
    if not np.isnan(means).any():
        low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
        return low, high
    bounds = np.full((2, means.shape[1]), np.nan)
    for k, column in enumerate(means.T):
        if not np.isnan(column).all():
            bounds[:, k] = np.nanquantile(column, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return bounds[0], bounds[1]


def _with_queries(values: ArrayLike) -> Values:
    v = np.asarray(values, dtype=float)
    if v.ndim == 0 or v.shape[-1] == 0:
        raise InputError(f"values should have shape (..., queries), but have shape {v.shape}")
    return v


def two_axes(values: ArrayLike) -> Values:
    """Give values of shape (systems, queries) as a float array.

    Raises
    ------
    InputError
        If the shape is another, or there are no queries.
    """
    v = _with_queries(values)
    if v.ndim != 2:
        raise InputError(f"values should have shape (systems, queries), but have shape {v.shape}")
    return v


def in_parts(draws: int, numbers: int) -> Iterator[int]:
    """Cut draws into parts, each of a size whose arrays stay small at so many numbers a draw."""
    step = max(1, _NUMBERS_AT_ONCE // max(numbers, 1))
    for start in range(0, draws, step):
        yield min(step, draws - start)


def check_draws(draws: int) -> None:
    """Refuse a number of random draws below 1."""
    if draws < 1:
        raise InputError(f"draws is {draws}; at least 1 is needed")
