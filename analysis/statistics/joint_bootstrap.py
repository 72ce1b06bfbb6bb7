"""How sure is a system's score if other people had been asked, about other queries?

A draw takes participants with replacement, makes the ground truth anew from their ratings, and
takes queries with replacement. Everything else is as in `analysis.statistics.bootstrap`.

References
----------
.. [1] B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), ch. 13.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats
from analysis.errors import InputError
from analysis.statistics.bootstrap import Undefined, Values, check_draws, in_parts, percentiles
from analysis.statistics.rank_correlation import order_ranks, pair_signs

Singles = NDArray[np.float32]
_WHOLE_IN_SINGLE = 2**24


def bootstrap_with_participants(
    ratings: ArrayLike,
    scores: ArrayLike,
    where: NDArray[np.bool_] | None = None,
    undefined: Undefined = "drop",
    draws: int = 10_000,
    seed: int = 0,
) -> tuple[Values, Values]:
    """95 % percentile interval of the mean tau_b over participants and queries drawn together.

    Ratings and scores must point the same way.

    Parameters
    ----------
    ratings : array_like, shape (participants, queries, candidates)
        NaN where a participant did not rate.
    scores : array_like, shape (systems, queries, candidates)
        Without NaN where `where` is true.
    where : bool array, shape (queries, candidates), optional
        False where a query has no such candidate.
    undefined : {"drop", "zero"}
        As in `macro_mean`; a draw whose queries are all undefined is left out.
    draws : int
        Drawn sets of participants and queries.
    seed : int

    Returns
    -------
    low, high : float arrays, shape (systems,)
        NaN where no draw is defined, and of one participant and one query: nothing is drawn.

    Raises
    ------
    InputError
        If the shapes do not fit together, a rating is infinite, a score is NaN, or `draws` is not
        positive.

    References
    ----------
    .. [1] B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), ch. 8: what is
       drawn is what was sampled, here people and queries.

    Examples
    --------
    Two people who agree, a system that orders as they do, one query: nothing is left to chance.

    >>> low, high = bootstrap_with_participants([[[1, 2, 3]], [[1, 2, 3]]], [[[0.1, 0.2, 0.4]]])
    >>> low.tolist(), high.tolist()
    ([1.0], [1.0])
    """
    r, s, keep = _validate(ratings, scores, where)
    check_draws(draws)
    if r.shape[:2] == (1, 1):
        return np.full(len(s), np.nan), np.full(len(s), np.nan)
    queries = [_prepared(r[:, q, there], s[:, q, there]) for q, there in enumerate(keep)]
    rng = np.random.default_rng(seed)
    means = []
    for size in in_parts(draws, max(len(s), *(query.signs.shape[1] for query in queries))):
        weights = rng.multinomial(len(r), np.full(len(r), 1 / len(r)), size).astype(float)
        times = rng.multinomial(len(queries), np.full(len(queries), 1 / len(queries)), size)
        means.append(_means_of_draws(weights, times, queries, undefined))
    return percentiles(np.concatenate(means))


@dataclass(frozen=True)
class _Query:
    """A query's candidates, made ready for many draws.

    Attributes
    ----------
    ratings : float array, shape (participants, candidates)
        0 where a participant did not rate.
    rated : float array, same shape
        1 where they did.
    signs : float32 array, shape (systems, pairs)
        Sign of every pair of candidates in every system.
    sums_tell : bool
        Whether sums of ratings order candidates exactly, without division and rounding: whole
        numbers, and every participant rated all candidates or none.
    """

    ratings: Values
    rated: Values
    signs: Singles
    sums_tell: bool


def _prepared(ratings: Values, scores: Values) -> _Query:
    rated = ~np.isnan(ratings)
    filled = np.where(rated, ratings, 0)
    sums_tell = (
        bool(np.all(rated == rated[:, :1]))
        and bool(np.all(filled % 1 == 0))
        and float(np.abs(filled).max(initial=0)) * len(filled) < _WHOLE_IN_SINGLE
    )
    return _Query(filled, rated.astype(float), pair_signs(order_ranks(scores)), sums_tell)


def _tau_of_draws(weights: Values, query: _Query) -> Values:
    """tau_b of each drawn ground truth of a query, shape (draws, systems)."""
    total = query.ratings.T @ weights.T
    if query.sums_tell:
        truth = _signs_of_columns(total.astype(np.float32))
        untied_system = np.einsum("sp,sp->s", query.signs, query.signs)[:, None]
    else:
        count = query.rated.T @ weights.T
        ranks = order_ranks((total / np.maximum(count, 1)).T).T
        compared = _both_of_columns((count > 0).astype(np.float32))
        truth = _signs_of_columns(ranks.astype(np.float32)) * compared
        untied_system = (query.signs * query.signs) @ compared
    untied_truth = np.einsum("pd,pd->d", truth, truth)
    scale = np.sqrt(untied_truth.astype(float) * untied_system)
    return (query.signs @ truth / np.where(scale == 0, np.nan, scale)).T


def _signs_of_columns(whole: Singles) -> Singles:
    """Sign of every pair's difference, as `pair_signs`, for each column: shape (pairs, draws)."""
    size = len(whole)
    signs = np.empty((size * (size - 1) // 2, whole.shape[1]), dtype=np.float32)
    start = 0
    for first in range(size - 1):
        stop = start + size - 1 - first
        np.subtract(whole[first + 1 :], whole[first], out=signs[start:stop])
        start = stop
    return np.clip(signs, -1, 1, out=signs)  # whole numbers differ by 1 at least


def _both_of_columns(there: Singles) -> Singles:
    first, second = np.triu_indices(len(there), 1)
    return there[first] * there[second]


def _means_of_draws(
    weights: Values, times: NDArray[np.int64], queries: list[_Query], undefined: Undefined
) -> Values:
    """Mean over queries, each as often as drawn, shape (draws, systems); one query at a time."""
    total, weight = np.zeros((2, len(times), len(queries[0].signs)))
    for often, query in zip(times.T[..., None], queries, strict=True):
        tau = _tau_of_draws(weights, query)
        there = ~np.isnan(tau)
        total += often * np.where(there, tau, 0)
        weight += often * there if undefined == "drop" else often
    return total / np.where(weight == 0, np.nan, weight)


def _validate(
    ratings: ArrayLike, scores: ArrayLike, where: NDArray[np.bool_] | None
) -> tuple[Values, Values, NDArray[np.bool_]]:
    r, s = as_floats(ratings, "ratings"), as_floats(scores, "scores")
    if r.ndim != 3 or s.ndim != 3 or r.shape[1:] != s.shape[1:] or 0 in r.shape:
        raise InputError(
            "ratings (participants, queries, candidates) and scores (systems, queries, candidates) "
            f"do not fit: {r.shape} and {s.shape}"
        )
    keep = np.ones(r.shape[1:], dtype=bool) if where is None else np.asarray(where, dtype=bool)
    if keep.shape != r.shape[1:]:
        raise InputError(f"where should have shape {r.shape[1:]}, but has shape {keep.shape}")
    if np.isinf(r[:, keep]).any():
        raise InputError("a rating is infinite; a mean of it orders nothing")
    if np.isnan(s[:, keep]).any():
        raise InputError("a score is NaN; score every candidate, or leave it out with `where`")
    return r, s, keep
