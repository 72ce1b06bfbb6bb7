"""Uncertainty of a system's score over other possible participants and queries.

Each draw resamples participants with replacement, recomputes the ground truth from their ratings,
and resamples queries with replacement. Resampled participants repeat, so their ground truth is
noisier than that of all participants, and the scores in the draws are too low. They are shifted so
that their mean equals the observed score.

References
----------
.. [1] B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), ch. 13.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.statistics.draws import check_draws, in_parts
from analysis.statistics.intervals import LEVEL, MIN_FOR_INTERVAL, t_interval
from analysis.statistics.means import Values
from analysis.statistics.weighted_truth import JudgedQuery, tau_of_weights, validate

_TAU = (-1.0, 1.0)


def bootstrap_with_participants(
    ratings: ArrayLike,
    scores: ArrayLike,
    where: NDArray[np.bool_] | None = None,
    draws: int = 10_000,
    seed: int = 0,
) -> tuple[Values, Values]:
    """95 % interval of the mean tau_b over participants and queries resampled together.

    It covers the mean score over studies with this number of participants and queries. It is never
    narrower than the interval over queries alone (`t_interval`), and close to it with few queries
    and many participants. A system that is constant on a query scores 0 there; a query whose
    resampled truth is constant is left out of that draw. Ratings and scores must have the same
    direction.

    Parameters
    ----------
    ratings : array_like, shape (participants, queries, candidates)
        NaN if a participant did not rate.
    scores : array_like, shape (systems, queries, candidates)
        No NaN where `where` is true.
    where : bool array, shape (queries, candidates), optional
        False where a candidate does not belong to the query.
    draws : int
        Number of draws of participants and queries.
    seed : int
        Random seed.

    Returns
    -------
    low, high : float arrays, shape (systems,)
        The interval contains the system's mean tau_b with the mean ratings. NaN with fewer than
        four participants or queries, or if no draw is defined.

    Raises
    ------
    InputError
        If the shapes do not match, a rating is infinite, a score is NaN, or `draws` is not
        positive.

    References
    ----------
    .. [1] B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), ch. 8: resample in
       the way the data were sampled; here, people and queries.

    Examples
    --------
    Four people who agree, and a system with the same order; every draw gives 1:

    >>> low, high = bootstrap_with_participants([[[1, 2, 3]] * 4] * 4, [[[0.1, 0.2, 0.4]] * 4])
    >>> low.tolist(), high.tolist()
    ([1.0], [1.0])
    """
    r, s, keep = validate(ratings, scores, where)
    check_draws(draws)
    queries = [JudgedQuery.of(r[:, q, there], s[:, q, there]) for q, there in enumerate(keep)]
    tau = np.stack([tau_of_weights(np.ones((1, len(r))), query)[0] for query in queries], axis=1)
    low, high = t_interval(tau, _TAU)
    if len(r) < MIN_FOR_INTERVAL or np.isnan(low).all():
        return np.full(len(s), np.nan), np.full(len(s), np.nan)
    rng = np.random.default_rng(seed)
    means = []
    for size in in_parts(draws, max(len(s), *(query.signs.shape[1] for query in queries))):
        weights = rng.multinomial(len(r), np.full(len(r), 1 / len(r)), size).astype(float)
        times = rng.multinomial(len(queries), np.full(len(queries), 1 / len(queries)), size)
        means.append(_means_of_draws(weights, times, queries))
    drawn_low, drawn_high = _shifted(np.concatenate(means), np.nanmean(tau, axis=1))
    return np.fmin(low, drawn_low), np.fmax(high, drawn_high)


def _shifted(means: Values, score: Values) -> tuple[Values, Values]:
    """Bounds of the central 95 % of the defined draws, shifted so that their mean is the score."""
    defined = means[~np.isnan(means).any(axis=1)]
    if not len(defined):
        return np.full(len(score), np.nan), np.full(len(score), np.nan)
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    shift = score - defined.mean(axis=0)
    # If the draws are few and skewed, the score could be outside.
    low, high = np.minimum(low + shift, score), np.maximum(high + shift, score)
    return np.clip(low, *_TAU), np.clip(high, *_TAU)


def _means_of_draws(
    weights: Values, times: NDArray[np.int64], queries: list[JudgedQuery]
) -> Values:
    """Mean over queries, weighted by how often each was drawn, shape (draws, systems)."""
    total = np.zeros((len(times), len(queries[0].signs)))
    weight = np.zeros((len(times), 1))
    for often, query in zip(times.T[..., None], queries, strict=True):
        tau = tau_of_weights(weights, query)
        defined = ~np.isnan(tau[:, :1])
        total += often * np.where(defined, tau, 0)
        weight += often * defined
    return total / np.where(weight == 0, np.nan, weight)
