"""Evaluation of systems against a human ranking: tau_b, its uncertainty, and paired comparisons.

As in the benchmark of Eitz et al., people rated how similar each candidate is to a query. A system
that orders candidates like the mean rating has tau_b 1. Scores are macro means over queries.

References
----------
.. [1] M. Eitz et al., "Sketch-Based Image Retrieval: Benchmark and Bag-of-Features Descriptors",
   IEEE TVCG 17 (2011) 1624-1636.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats
from analysis.errors import InputError
from analysis.ratings.ground_truth import known_mean, leave_one_out, whole_multiples
from analysis.ratings.split_half import split_half_tau_b
from analysis.statistics.comparison import Comparisons, compare
from analysis.statistics.intervals import t_interval
from analysis.statistics.joint_bootstrap import bootstrap_with_participants
from analysis.statistics.means import macro_mean
from analysis.statistics.rank_correlation import tau_b
from analysis.statistics.weighted_truth import JudgedQuery, tau_of_weights

Values = NDArray[np.float64]
DRAWS = 10_000


_TAU = (-1.0, 1.0)


@dataclass(frozen=True)
class Interval:
    """Bounds of the 95 % interval of each system, float arrays of shape (systems,)."""

    low: Values
    high: Values


@dataclass(frozen=True)
class RankingEvaluation:
    """The result of `evaluate_ranking`.

    Attributes
    ----------
    systems : list of str
    by_query : float array, shape (systems, queries)
        tau_b; 0 if the system is constant, NaN for all systems if the truth is constant.
    score : float array, shape (systems,)
        Macro mean.
    constant : int array, shape (systems,)
        Number of queries that score 0 because the system is constant.
    over_queries : Interval
        Interval over queries, from Student's t.
    over_participants_and_queries : Interval or None
        Interval from the bootstrap; None without ratings.
    participant_tau_b : float array, shape (systems,), or None
        Mean tau_b with each participant, on the same scale as the human ceiling; None without
        ratings.
    comparisons : Comparisons
        All pairs of systems.
    seed : int
        Random seed of the bootstrap and the permutations.
    """

    systems: list[str]
    by_query: Values
    score: Values
    constant: NDArray[np.int64]
    over_queries: Interval
    over_participants_and_queries: Interval | None
    participant_tau_b: Values | None
    comparisons: Comparisons
    seed: int

    @property
    def constant_truth(self) -> NDArray[np.bool_]:
        """Queries left out for all systems, since the truth is constant; shape (queries,)."""
        return np.asarray(np.isnan(self.by_query).all(axis=0))

    @property
    def undefined(self) -> NDArray[np.int64]:
        """Number of queries without tau_b, since a side is constant; shape (systems,)."""
        return self.constant + int(self.constant_truth.sum())


@dataclass(frozen=True)
class HumanRanking:
    """Human judgments of candidates; greater values mean more similar.

    Attributes
    ----------
    mean : float array, shape (queries, candidates)
        Mean rating.
    where : bool array, shape (queries, candidates)
        False where a candidate does not belong to the query.
    ratings : float array, shape (participants, queries, candidates), or None
        NaN if a participant did not rate.

    References
    ----------
    .. [1] M. Eitz et al., "Sketch-Based Image Retrieval: Benchmark and Bag-of-Features
       Descriptors", IEEE TVCG 17 (2011) 1624-1636.

    Examples
    --------
    Two queries, the second with only two candidates:

    >>> mean = np.array([[6.5, 3.0, 1.0], [2.0, 5.0, 0.0]])
    >>> where = np.array([[True, True, True], [True, True, False]])
    >>> HumanRanking(mean, where).ratings is None
    True
    """

    mean: Values
    where: NDArray[np.bool_]
    ratings: Values | None = None


def human_agreement(human: HumanRanking, seed: int = 0) -> dict[str, Any] | None:
    """How well people predict each other, if there are ratings.

    Parameters
    ----------
    human : HumanRanking
    seed : int
        Random seed of the splits.

    Returns
    -------
    dict of str, or None
        ``ceiling``: the fields of `analysis.ratings.ground_truth.leave_one_out`.
        ``split_half_tau_b``: its mean over queries. None without ratings.
    """
    if human.ratings is None:
        return None
    halves = [
        split_half_tau_b(human.ratings[:, q, there], seed=seed)
        for q, there in enumerate(human.where)
        if there.any()
    ]
    return {
        "ceiling": leave_one_out(human.ratings)._asdict(),
        "split_half_tau_b": float(known_mean(np.array(halves), 0)),
    }


def evaluate_ranking(
    human: HumanRanking, systems: Sequence[str], scores: ArrayLike, seed: int = 0
) -> RankingEvaluation:
    """Evaluate systems against a human ranking.

    If a system gives all candidates of a query the same score, its tau_b on that query is 0.
    Queries whose truth is constant are left out for all systems.

    Parameters
    ----------
    human : HumanRanking
    systems : sequence of str
        Names of the systems.
    scores : array_like, shape (systems, queries, candidates)
        Greater is more similar: negate distances.
    seed : int
        Random seed of the bootstrap and the permutations.

    Returns
    -------
    RankingEvaluation

    Raises
    ------
    InputError
        If the shapes do not match, or a candidate's score is NaN.

    References
    ----------
    .. [1] M. Eitz et al., "Sketch-Based Image Retrieval: Benchmark and Bag-of-Features
       Descriptors", IEEE TVCG 17 (2011) 1624-1636.

    Examples
    --------
    >>> human = HumanRanking(np.array([[3.0, 2.0, 1.0]]), np.ones((1, 3), dtype=bool))
    >>> evaluate_ranking(human, ["hog", "flat"], [[[9, 5, 1]], [[1, 1, 1]]]).score.tolist()
    [1.0, 0.0]
    """
    given = as_floats(scores, "scores")
    if given.shape != (len(systems), *human.mean.shape):
        raise InputError(
            f"scores should have shape {(len(systems), *human.mean.shape)}, "
            f"but have shape {given.shape}"
        )
    by_query = np.asarray(tau_b(given, human.mean, where=human.where))
    constant = np.isnan(by_query) & ~np.isnan(tau_b(human.mean, human.mean, where=human.where))
    by_query = np.where(constant, 0, by_query)
    joint = participant_tau_b = None
    if human.ratings is not None:
        whole, _ = whole_multiples(human.ratings)
        joint = Interval(*bootstrap_with_participants(whole, given, human.where, DRAWS, seed))
        participant_tau_b = _to_participants(whole, given, human.where)
    return RankingEvaluation(
        systems=list(systems),
        by_query=by_query,
        score=macro_mean(by_query),
        constant=constant.sum(axis=1),
        over_queries=Interval(*t_interval(by_query, _TAU)),
        over_participants_and_queries=joint,
        participant_tau_b=participant_tau_b,
        comparisons=compare(by_query, DRAWS, seed),
        seed=seed,
    )


def _to_participants(ratings: Values, scores: Values, where: NDArray[np.bool_]) -> Values:
    """Mean tau_b of each system to single participants: over participants, then over queries."""
    alone = np.eye(len(ratings))
    by_query = [
        known_mean(tau_of_weights(alone, JudgedQuery.of(ratings[:, q, it], scores[:, q, it])), 0)
        for q, it in enumerate(where)
    ]
    return known_mean(np.stack(by_query), 0)
