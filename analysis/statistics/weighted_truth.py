"""tau_b of systems to the ground truths of many weighted choices of participants."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats
from analysis.errors import InputError
from analysis.statistics.means import Values
from analysis.statistics.rank_correlation import order_ranks, pair_signs

Singles = NDArray[np.float32]
_WHOLE_IN_SINGLE = 2**24


@dataclass(frozen=True)
class JudgedQuery:
    """A query's candidates, prepared for many draws.

    Attributes
    ----------
    ratings : float array, shape (participants, candidates)
        0 if a participant did not rate.
    rated : float array, same shape
        1 if they did.
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

    @classmethod
    def of(cls, ratings: Values, scores: Values) -> JudgedQuery:
        """Prepare a query from ratings, NaN if missing, and scores of systems."""
        rated = ~np.isnan(ratings)
        filled = np.where(rated, ratings, 0)
        sums_tell = (
            bool(np.all(rated == rated[:, :1]))
            and bool(np.all(filled % 1 == 0))
            and float(np.abs(filled).max(initial=0)) * len(filled) < _WHOLE_IN_SINGLE
        )
        return cls(filled, rated.astype(float), pair_signs(order_ranks(scores)), sums_tell)


def tau_of_weights(weights: Values, query: JudgedQuery) -> Values:
    """tau_b of systems to the ground truths of a query from weighted participants.

    Parameters
    ----------
    weights : float array, shape (truths, participants)
        Integers: how often each participant counts.
    query : JudgedQuery

    Returns
    -------
    float array, shape (truths, systems)
        NaN if the truth is constant, 0 if the system is.
    """
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
    tau = query.signs @ truth / np.where(scale == 0, 1, scale)
    return np.where(untied_truth[:, None] > 0, tau.T, np.nan)


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


def validate(
    ratings: ArrayLike, scores: ArrayLike, where: NDArray[np.bool_] | None
) -> tuple[Values, Values, NDArray[np.bool_]]:
    """Check ratings, scores of systems, and the mask of candidates; return all as arrays.

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
        raise InputError("a rating is infinite, so its mean gives no order")
    if np.isnan(s[:, keep]).any():
        raise InputError("a score is NaN; score every candidate, or leave it out with `where`")
    return r, s, keep
