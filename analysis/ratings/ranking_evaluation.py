"""Systems measured against a human ranking: tau_b, its uncertainty, and who is better than whom.

The benchmark of Eitz et al.: for every query people rated how similar each candidate is; a system
that orders candidates as their mean does has tau_b 1. Every number here is a macro mean over
queries.

References
----------
.. [1] M. Eitz et al., "Sketch-Based Image Retrieval: Benchmark and Bag-of-Features Descriptors",
   IEEE TVCG 17 (2011) 1624-1636.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats
from analysis.errors import InputError
from analysis.ratings.ground_truth import leave_one_out
from analysis.statistics.bootstrap import Undefined, bootstrap_interval, macro_mean
from analysis.statistics.comparison import Comparisons, compare
from analysis.statistics.joint_bootstrap import bootstrap_with_participants
from analysis.statistics.rank_correlation import tau_b

Values = NDArray[np.float64]
DRAWS = 10_000


@dataclass(frozen=True)
class Interval:
    """Bounds of a 95 % bootstrap interval of every system, float arrays of shape (systems,)."""

    low: Values
    high: Values


@dataclass(frozen=True)
class RankingEvaluation:
    """What `evaluate_ranking` finds.

    Attributes
    ----------
    systems : list of str
    by_query : float array, shape (systems, queries)
        tau_b; NaN where undefined.
    score : float array, shape (systems,)
        Macro mean.
    over_queries : Interval
    over_participants_and_queries : Interval or None
        Where ratings are given.
    comparisons : Comparisons
    seed : int
    """

    systems: list[str]
    by_query: Values
    score: Values
    over_queries: Interval
    over_participants_and_queries: Interval | None
    comparisons: Comparisons
    seed: int

    @property
    def undefined(self) -> NDArray[np.int64]:
        """Queries without a tau_b (a constant side), shape (systems,)."""
        return np.isnan(self.by_query).sum(1)


@dataclass(frozen=True)
class HumanRanking:
    """The human side, all of it pointing one way: greater is more similar.

    Attributes
    ----------
    mean : float array, shape (queries, candidates)
    where : bool array, shape (queries, candidates)
        False where a query has no such candidate.
    ratings : float array, shape (participants, queries, candidates), or None
        NaN where a participant did not rate.

    References
    ----------
    .. [1] M. Eitz et al., "Sketch-Based Image Retrieval: Benchmark and Bag-of-Features
       Descriptors", IEEE TVCG 17 (2011) 1624-1636.

    Examples
    --------
    Two queries, the second with two candidates only:

    >>> mean = np.array([[6.5, 3.0, 1.0], [2.0, 5.0, 0.0]])
    >>> where = np.array([[True, True, True], [True, True, False]])
    >>> HumanRanking(mean, where).ratings is None
    True
    """

    mean: Values
    where: NDArray[np.bool_]
    ratings: Values | None = None


def ceiling_of(human: HumanRanking) -> dict[str, float] | None:
    """Give the human ceilings, where the ratings are there.

    Parameters
    ----------
    human : HumanRanking

    Returns
    -------
    dict of str to float, or None
        ``lower`` and ``upper``, as `analysis.ratings.ground_truth.leave_one_out` gives them; None
        without ratings.
    """
    return None if human.ratings is None else leave_one_out(human.ratings)._asdict()


def evaluate_ranking(
    human: HumanRanking,
    systems: Sequence[str],
    scores: ArrayLike,
    undefined: Undefined = "drop",
    seed: int = 0,
) -> RankingEvaluation:
    """Measure systems against a human ranking.

    Parameters
    ----------
    human : HumanRanking
    systems : names
    scores : array_like, shape (systems, queries, candidates)
        Greater is more similar: negate distances.
    undefined : {"drop", "zero"}
        Whether queries without a tau_b are left out of the mean or count 0.
    seed : int
        Of the bootstrap and the permutations.

    Returns
    -------
    RankingEvaluation

    Raises
    ------
    InputError
        If the shapes do not fit, or a score is NaN where there is a candidate.

    References
    ----------
    .. [1] M. Eitz et al., "Sketch-Based Image Retrieval: Benchmark and Bag-of-Features
       Descriptors", IEEE TVCG 17 (2011) 1624-1636.

    Examples
    --------
    >>> human = HumanRanking(np.array([[3.0, 2.0, 1.0]]), np.ones((1, 3), dtype=bool))
    >>> evaluate_ranking(human, ["hog", "noise"], [[[9, 5, 1]], [[1, 2, 3]]]).score.tolist()
    [1.0, -1.0]
    """
    given = as_floats(scores, "scores")
    if given.shape != (len(systems), *human.mean.shape):
        raise InputError(
            f"scores should have shape {(len(systems), *human.mean.shape)}, but have {given.shape}"
        )
    by_query = np.asarray(tau_b(given, human.mean, where=human.where))
    low, high = bootstrap_interval(by_query, undefined, DRAWS, seed)
    joint = None
    if human.ratings is not None:
        joint = Interval(
            *bootstrap_with_participants(human.ratings, given, human.where, undefined, DRAWS, seed)
        )
    tested = np.nan_to_num(by_query) if undefined == "zero" else by_query
    return RankingEvaluation(
        systems=list(systems),
        by_query=by_query,
        score=macro_mean(by_query, undefined),
        over_queries=Interval(low, high),
        over_participants_and_queries=joint,
        comparisons=compare(tested, DRAWS, seed),
        seed=seed,
    )
