"""tau_b of systems to the ground truths of many weighted samples of participants."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats
from analysis.errors import InputError
from analysis.statistics.means import Values
from analysis.statistics.rank_correlation import order_ranks, pair_signs

Float32s = NDArray[np.float32]
_EXACT_IN_FLOAT32 = 2**24


@dataclass(frozen=True)
class JudgedQuery:
    """A query's candidates, prepared for many draws.

    Attributes
    ----------
    ratings : float array, shape (participants, candidates)
        0 if a participant did not rate.
    rated : float array, same shape
        1 if the participant did.
    signs : float32 array, shape (systems, pairs)
        Sign of every pair of candidates in every system.
    exact_sums : bool
        Whether candidates can be ordered by sums of ratings, without division and rounding. True
        for integer ratings if every participant rated either all candidates or none.
    """

    ratings: Values
    rated: Values
    signs: Float32s
    exact_sums: bool

    @classmethod
    def of(cls, ratings: Values, scores: Values) -> JudgedQuery:
        """Prepare a query from ratings (NaN if missing) and scores of systems."""
        rated = ~np.isnan(ratings)
        filled = np.where(rated, ratings, 0)
        exact_sums = (
            bool(np.all(rated == rated[:, :1]))
            and bool(np.all(filled % 1 == 0))
            and float(np.abs(filled).max(initial=0)) * len(filled) < _EXACT_IN_FLOAT32
        )
        return cls(filled, rated.astype(float), pair_signs(order_ranks(scores)), exact_sums)


def tau_of_weights(weights: Values, query: JudgedQuery) -> Values:
    """tau_b of systems to the ground truths of a query from weighted participants.

    Parameters
    ----------
    weights : float array, shape (truths, participants)
        Integers: how often each participant is in the sample.
    query : JudgedQuery

    Returns
    -------
    float array, shape (truths, systems)
        NaN if the truth is constant; 0 if only the system is.
    """
    total = query.ratings.T @ weights.T
    if query.exact_sums:
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
    tau = query.signs @ truth / np.where(scale == 0, 1, scale)
    return np.where(untied_truth[:, None] > 0, tau.T, np.nan)


def _signs_of_columns(whole: Float32s) -> Float32s:
    """Sign of the difference of every pair, as in `pair_signs`, for each column: (pairs, draws)."""
    size = len(whole)
    signs = np.empty((size * (size - 1) // 2, whole.shape[1]), dtype=np.float32)
    start = 0
    for first in range(size - 1):
        stop = start + size - 1 - first
        np.subtract(whole[first + 1 :], whole[first], out=signs[start:stop])
        start = stop
    return np.clip(signs, -1, 1, out=signs)  # different integers differ by at least 1


def _both_of_columns(there: Float32s) -> Float32s:
    first, second = np.triu_indices(len(there), 1)
    return there[first] * there[second]


def validate(
    ratings: ArrayLike, scores: ArrayLike, where: NDArray[np.bool_] | None
) -> tuple[Values, Values, NDArray[np.bool_]]:
    """Check ratings, system scores and the mask of candidates; return all as arrays.

    Raises
    ------
    InputError
        If the shapes do not match, a rating is infinite, or a score is NaN.
    """
    r, s = as_floats(ratings, "ratings"), as_floats(scores, "scores")
    if r.ndim != 3 or s.ndim != 3 or r.shape[1:] != s.shape[1:] or 0 in r.shape:
        raise InputError(
            "ratings (participants, queries, candidates) and scores (systems, queries, candidates) "
            f"do not match: {r.shape} and {s.shape}"
        )
    keep = np.ones(r.shape[1:], dtype=bool) if where is None else np.asarray(where, dtype=bool)
    if keep.shape != r.shape[1:]:
        raise InputError(f"where should have shape {r.shape[1:]}, but has shape {keep.shape}")
    if np.isinf(r[:, keep]).any():
        raise InputError("a rating is infinite; use NaN for missing ratings")
    if np.isnan(s[:, keep]).any():
        raise InputError("a score is NaN; score every candidate, or use `where` to leave it out")
    return r, s, keep
