"""Correlation over pairs of stimuli between a system's similarity and people's.

Pairs share stimuli and are not independent, so textbook p-values and intervals do not apply.
Significance is tested by shuffling the stimuli (`analysis.clusterings.mantel_test`). Uncertainty is
estimated from the participants: the groups of each are a matrix of ones (together) and zeros
(apart), with which the system is correlated.

Conventions
-----------
Matrices have shape (stimuli, stimuli) and are symmetric; greater is more similar (negate
distances). Groupings are those of `analysis.groupings.grouping`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats
from analysis.errors import InputError
from analysis.groupings.grouping import NOT_PLACED, validate
from analysis.groupings.similarity import cogrouping_counts, similarity_of
from analysis.statistics.means import macro_mean
from analysis.statistics.rank_correlation import order_ranks, spearman, tau_b
from analysis.statistics.weighted_correlation import weighted_spearman, weighted_tau_b

Values = NDArray[np.float64]


@dataclass(frozen=True)
class PairCorrelation:
    """Correlation with the co-grouping similarity over pairs of different stimuli.

    Attributes
    ----------
    tau_b, spearman : float
        NaN if a side is constant.
    pairs : int
        Number of pairs with at least one participant who placed both.
    weighted : bool
        Whether pairs were weighted by the number of participants who placed both.
    """

    tau_b: float
    spearman: float
    pairs: int
    weighted: bool = False


@dataclass(frozen=True)
class GroupingCorrelations:
    """Correlation with each of several groupings, float arrays of shape (groupings,)."""

    tau_b: Values
    spearman: Values


def pair_correlation(
    system: ArrayLike, similarity: ArrayLike, counts: ArrayLike | None = None
) -> PairCorrelation:
    """Correlate a system's similarity of stimuli with the co-grouping similarity.

    If participants placed different parts of a set, the similarity of some pairs is based on many
    participants and that of others on one. With `counts`, pairs are weighted by these numbers.

    Parameters
    ----------
    system : array_like, shape (stimuli, stimuli)
        Greater is more similar: negate distances. Symmetric; the diagonal is not used.
    similarity : array_like, shape (stimuli, stimuli)
        NaN if no participant placed both.
    counts : array_like of int, shape (stimuli, stimuli), optional
        Number of participants who placed both, from
        `analysis.groupings.similarity.cogrouping_counts`. If it is the same for all pairs, the
        result is unweighted.

    Returns
    -------
    PairCorrelation

    Raises
    ------
    InputError
        If the matrices are not square and of the same size, or if the system's is not symmetric or
        has a NaN where `similarity` has a value.

    References
    ----------
    .. [1] N. Kriegeskorte, M. Mur and P. Bandettini, "Representational similarity analysis",
       Front. Syst. Neurosci. 2 (2008) 4.

    Examples
    --------
    >>> people = [[1, 0.9, 0.1], [0.9, 1, 0.2], [0.1, 0.2, 1]]
    >>> pair_correlation([[0, 5, 1], [5, 0, 3], [1, 3, 0]], people).tau_b
    1.0
    """
    ours, theirs = validate_matrices(system, similarity)
    upper = np.triu_indices(len(ours), 1)
    known = ~np.isnan(theirs[upper])
    x, y = without_nan(ours[upper][known]), theirs[upper][known]
    if x.size < 2:
        return PairCorrelation(float("nan"), float("nan"), x.size)
    weights = None if counts is None else pair_weights(counts, theirs)[upper][known]
    if weights is not None and weights.min() < weights.max():
        tau, rho = (f(x, y, weights) for f in (weighted_tau_b, weighted_spearman))
        return PairCorrelation(tau, rho, x.size, weighted=True)
    return PairCorrelation(float(tau_b(x, y)), float(spearman(x, y)), x.size)


def correlation_with(system: ArrayLike, groupings: ArrayLike) -> GroupingCorrelations:
    """Correlate a system's similarity of stimuli with each of several groupings.

    A grouping is coded as 1 for two stimuli in the same group and 0 otherwise. As it has only two
    values, both correlations follow from the ranks of the pairs that are together.

    Parameters
    ----------
    system : array_like, shape (stimuli, stimuli)
        Greater is more similar. Symmetric, without NaN; the diagonal is not used.
    groupings : int array, shape (groupings, stimuli)
        Group number; -1 if a participant did not place the stimulus.

    Returns
    -------
    GroupingCorrelations
        NaN if a side is constant over the placed pairs: all together, or all apart.

    Raises
    ------
    InputError
        If the sizes differ, the matrix is not symmetric or has a NaN, or as for
        `analysis.groupings.grouping.validate`.

    References
    ----------
    .. [1] H. Nili et al., "A toolbox for representational similarity analysis", PLoS Comput. Biol.
       10 (2014) e1003553: participants as a random effect.

    Examples
    --------
    The pair in one group is the most similar of the three:

    >>> found = correlation_with([[0, 5, 1], [5, 0, 3], [1, 3, 0]], [[0, 0, 1]])
    >>> round(float(found.tau_b[0]), 4), round(float(found.spearman[0]), 4)
    (0.8165, 0.866)
    """
    people = validate(groupings)
    ours, _ = validate_matrices(system, np.zeros((people.shape[1], people.shape[1])))
    ranked: dict[bytes, _Ranked] = {}
    both = []
    for person in people:
        placed = person != NOT_PLACED
        if placed.tobytes() not in ranked:
            ranked[placed.tobytes()] = _ranked(ours, *_pairs_of(placed))
        both.append(_with_grouping(ranked[placed.tobytes()], person))
    return GroupingCorrelations(*(np.array(part) for part in zip(*both, strict=True)))


def correlation_ceiling(groupings: ArrayLike) -> tuple[float, float]:
    """Mean correlation of a participant with the others, and with all: the human ceiling.

    Compare it with the mean tau_b of a system with each participant's groups, which can be above
    both values. Do not compare it with a system's correlation with the co-grouping similarity,
    which is based on all participants.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Group number; -1 if a participant did not place the stimulus.

    Returns
    -------
    lower, upper : float
        Mean tau_b of a participant's groups with the co-grouping similarity of the others (over the
        pairs that these placed), and of all participants. NaN if undefined for every participant.

    Raises
    ------
    InputError
        As for `analysis.groupings.grouping.validate`.

    References
    ----------
    .. [1] H. Nili et al., "A toolbox for representational similarity analysis", PLoS Comput. Biol.
       10 (2014) e1003553: the noise ceiling with a lower and an upper bound.

    Examples
    --------
    >>> correlation_ceiling([[0, 0, 1, 1], [0, 0, 1, 1]])
    (1.0, 1.0)
    """
    people = validate(groupings)
    together, both = cogrouping_counts(people)
    lower = []
    for person in people:
        own, own_both = cogrouping_counts(person[None])
        of_others = similarity_of(together - own, both - own_both)
        first, second = _pairs_of(person != NOT_PLACED)
        known = ~np.isnan(of_others[first, second])
        lower.append(_with_grouping(_ranked(of_others, first[known], second[known]), person)[0])
    upper = correlation_with(np.nan_to_num(similarity_of(together, both)), people).tau_b
    return float(macro_mean(lower)), float(macro_mean(upper))


def validate_matrices(system: ArrayLike, similarity: ArrayLike) -> tuple[Values, Values]:
    """Check a system's matrix and people's and return both as float arrays.

    Raises
    ------
    InputError
        If they are not square and of the same size, or the system's is not symmetric.
    """
    ours, theirs = (as_floats(matrix, "similarities") for matrix in (system, similarity))
    if ours.ndim != 2 or ours.shape[0] != ours.shape[1] or ours.shape != theirs.shape:
        raise InputError(
            "both matrices should have shape (stimuli, stimuli) with the same stimuli, "
            f"but have shapes {ours.shape} and {theirs.shape}"
        )
    if not np.allclose(ours, ours.T, rtol=1e-6, atol=1e-9, equal_nan=True):
        row, column = np.argwhere(~np.isclose(ours, ours.T, rtol=1e-6, equal_nan=True))[0]
        raise InputError(
            f"the system's matrix is not symmetric: {ours[row, column]} at ({row}, {column}), "
            f"{ours[column, row]} at ({column}, {row})"
        )
    return ours, theirs


def pair_weights(counts: ArrayLike, similarity: Values) -> Values:
    """Check the numbers of participants who placed both; return them as a float array.

    Raises
    ------
    InputError
        If the shape differs from that of `similarity`, or a known similarity has the count 0.
    """
    placed = as_floats(counts, "counts")
    judged = ~np.isnan(similarity) & ~np.eye(len(similarity), dtype=bool)
    if placed.shape != similarity.shape or not (placed[judged] >= 1).all():
        raise InputError(
            "counts should be numbers of participants who placed both stimuli of a pair, at least "
            f"1 where the similarity is known, and have shape {similarity.shape}"
        )
    return placed


def without_nan(values: Values) -> Values:
    """Check that a system has a value for every pair that people judged.

    Raises
    ------
    InputError
        If a value is NaN.
    """
    if np.isnan(values).any():
        raise InputError("the system's matrix has a NaN; give a value for every pair of stimuli")
    return values


def mean_ranks(order: NDArray[np.int32]) -> tuple[Values, Values]:
    """Convert dense ranks to mean ranks from 1; also return the number of values at each rank."""
    ties = np.bincount(order).astype(float)
    return (np.cumsum(ties) - (ties - 1) / 2)[order], ties


@dataclass(frozen=True)
class _Ranked:
    """Pairs of stimuli ranked by a system's similarity.

    Attributes
    ----------
    first, second : int arrays, shape (pairs,)
    ranks : float array, shape (pairs,)
        From 1 for the least similar; ties share their mean rank.
    ties : float array
        Number of pairs at each rank.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    ranks: Values
    ties: Values


def _ranked(ours: Values, first: NDArray[np.int64], second: NDArray[np.int64]) -> _Ranked:
    order = order_ranks(without_nan(ours[first, second]))
    return _Ranked(first, second, *mean_ranks(order))


def _with_grouping(pairs: _Ranked, person: NDArray[np.int64]) -> tuple[float, float]:
    """tau_b and Spearman with one grouping, from the ranks of the pairs that are together."""
    together = person[pairs.first] == person[pairs.second]
    count = float(len(together))
    near = float(together.sum())
    far = count - near
    untied = (count**2 - (pairs.ties**2).sum()) / 2
    if near == 0 or far == 0 or untied == 0:
        return float("nan"), float("nan")
    ahead = 2 * pairs.ranks[together].sum() - near * (count + 1)
    spread = ((2 * pairs.ranks - (count + 1)) ** 2).sum()
    tau = ahead / np.sqrt(untied * near * far)
    rho = ahead * np.sqrt(count / (spread * near * far))
    return float(tau), float(rho)


def _pairs_of(placed: NDArray[np.bool_]) -> NDArray[np.int64]:
    where = np.flatnonzero(placed)
    return where[np.stack(np.triu_indices(len(where), 1))]
