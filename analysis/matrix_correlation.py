"""A system's similarity of stimuli beside people's: correlation over pairs of stimuli.

Pairs share stimuli and are not independent, so no textbook p-value goes with their correlation.
Chance comes from shuffling the stimuli (Mantel), spread from the participants: each one's groups
are a matrix of ones (together) and zeros (apart), and a system has a correlation with each.

Conventions
-----------
Matrices have shape (stimuli, stimuli) and are symmetric; greater is more alike (negate distances).
Groupings are those of `analysis.groupings`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.bootstrap import check_draws
from analysis.chance import p_value
from analysis.errors import InputError
from analysis.groupings import NOT_PLACED, validate
from analysis.rank_correlation import order_ranks, spearman, tau_b
from analysis.similarity import cogrouping_counts, similarity_of

Values = NDArray[np.float64]


@dataclass(frozen=True)
class PairCorrelation:
    """Correlation with the co-grouping similarity over pairs of different stimuli.

    Attributes
    ----------
    tau_b, spearman : float
        NaN where a side is constant.
    pairs : int
        Pairs that somebody placed both of.
    """

    tau_b: float
    spearman: float
    pairs: int


@dataclass(frozen=True)
class GroupingCorrelations:
    """Correlation with each of several groupings, float arrays of shape (groupings,)."""

    tau_b: Values
    spearman: Values


def pair_correlation(system: ArrayLike, similarity: ArrayLike) -> PairCorrelation:
    """Correlate a system's similarity of stimuli with the co-grouping similarity.

    Parameters
    ----------
    system : array_like, shape (stimuli, stimuli)
        Greater is more alike: negate distances. Symmetric; its diagonal is not used.
    similarity : array_like, shape (stimuli, stimuli)
        NaN where nobody placed both.

    Returns
    -------
    PairCorrelation

    Raises
    ------
    InputError
        If the matrices are not square and of one size, or the system's is not symmetric or has a
        NaN where people have a value.

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
    ours, theirs = _matrices(system, similarity)
    upper = np.triu_indices(len(ours), 1)
    known = ~np.isnan(theirs[upper])
    x, y = _without_nan(ours[upper][known]), theirs[upper][known]
    if x.size < 2:
        return PairCorrelation(float("nan"), float("nan"), x.size)
    return PairCorrelation(float(tau_b(x, y)), float(spearman(x, y)), x.size)


def correlation_with(system: ArrayLike, groupings: ArrayLike) -> GroupingCorrelations:
    """Correlate a system's similarity of stimuli with each of several groupings.

    A grouping says 1 for two stimuli in one group and 0 for two that are apart. With two values on
    one side both correlations follow from the ranks of the pairs that are together.

    Parameters
    ----------
    system : array_like, shape (stimuli, stimuli)
        Greater is more alike. Symmetric, without NaN; its diagonal is not used.
    groupings : int array, shape (groupings, stimuli)
        Group number; -1 where a participant did not place the stimulus.

    Returns
    -------
    GroupingCorrelations
        NaN where a side is constant over the pairs that were placed: all together, or all apart.

    Raises
    ------
    InputError
        If the sizes differ, the matrix is not symmetric or has a NaN, or as
        `analysis.groupings.validate`.

    References
    ----------
    .. [1] H. Nili et al., "A toolbox for representational similarity analysis", PLoS Comput. Biol.
       10 (2014) e1003553: people as a random effect.

    Examples
    --------
    The pair that is together is the nearest of three:

    >>> found = correlation_with([[0, 5, 1], [5, 0, 3], [1, 3, 0]], [[0, 0, 1]])
    >>> round(float(found.tau_b[0]), 4), round(float(found.spearman[0]), 4)
    (0.8165, 0.866)
    """
    people = validate(groupings)
    ours, _ = _matrices(system, np.zeros((people.shape[1], people.shape[1])))
    both = [_with_grouping(ours, person) for person in people]
    return GroupingCorrelations(*(np.array(part) for part in zip(*both, strict=True)))


def correlation_ceiling(groupings: ArrayLike) -> tuple[float, float]:
    """How well people themselves correlate: no system can be expected to pass the upper bound.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Group number; -1 where a participant did not place the stimulus.

    Returns
    -------
    lower, upper : float
        Mean tau_b of a participant's groups to the co-grouping similarity of the others, over the
        pairs that these placed, and of all. NaN where it is undefined for everybody.

    Raises
    ------
    InputError
        As `analysis.groupings.validate`.

    References
    ----------
    .. [1] H. Nili et al., "A toolbox for representational similarity analysis", PLoS Comput. Biol.
       10 (2014) e1003553: the noise ceiling and its two bounds.

    Examples
    --------
    >>> correlation_ceiling([[0, 0, 1, 1], [0, 0, 1, 1]])
    (1.0, 1.0)
    """
    people = validate(groupings)
    together, both = cogrouping_counts(people)
    of_all = similarity_of(together, both)
    bounds = []
    for person in people:
        own, own_both = cogrouping_counts(person[None])
        of_others = similarity_of(together - own, both - own_both)
        mine = np.where(own_both > 0, own.astype(float), np.nan)
        bounds.append([_tau_of_known(of, mine) for of in (of_others, of_all)])
    known = ~np.isnan(bounds)
    sums, counts = np.where(known, bounds, 0).sum(0), known.sum(0)
    lower, upper = sums / np.where(counts == 0, np.nan, counts)
    return float(lower), float(upper)


def mantel(system: ArrayLike, similarity: ArrayLike, draws: int = 1_000, seed: int = 0) -> float:
    """Mantel's test: the chance of a correlation at least as high if stimuli were shuffled.

    The statistic is Pearson's correlation of the ranks of all pairs, which is Spearman's where
    somebody placed every pair; one-sided.

    Parameters
    ----------
    system : array_like, shape (stimuli, stimuli)
        Greater is more alike. Symmetric, without NaN; its diagonal is not used.
    similarity : array_like, shape (stimuli, stimuli)
        NaN where nobody placed both.
    draws, seed : int

    Returns
    -------
    float
        p, in [1/(draws+1), 1]; NaN where a side is constant.

    Raises
    ------
    InputError
        If the matrices are not square and of one size, the system's is not symmetric or has a NaN,
        or `draws` is not positive.

    References
    ----------
    .. [1] N. Mantel, "The detection of disease clustering and a generalized regression approach",
       Cancer Research 27 (1967) 209-220.

    Examples
    --------
    Of the 24 orders of four stimuli, 8 keep the two pairs:

    >>> pairs = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]
    >>> abs(mantel(pairs, pairs) - 8 / 24) < 0.04
    True
    """
    check_draws(draws)
    ours, theirs = _matrices(system, similarity)
    pairs = ~np.eye(len(ours), dtype=bool)
    known = ~np.isnan(theirs) & pairs
    weight = known.astype(float)
    reference = _centred(_pair_ranks(theirs, known), weight)
    _without_nan(ours[pairs])
    ranks = _centred(_pair_ranks(ours, pairs), pairs.astype(float))
    observed = _rank_correlation(ranks, reference, weight)
    rng = np.random.default_rng(seed)
    orders = (rng.permutation(len(ours)) for _ in range(draws))
    shuffled = [_rank_correlation(ranks[o][:, o], reference, weight) for o in orders]
    return p_value(observed, np.array(shuffled))


def _matrices(system: ArrayLike, similarity: ArrayLike) -> tuple[Values, Values]:
    ours, theirs = np.asarray(system, dtype=float), np.asarray(similarity, dtype=float)
    if ours.ndim != 2 or ours.shape[0] != ours.shape[1] or ours.shape != theirs.shape:
        raise InputError(
            "both should be stimuli by stimuli, the same stimuli, "
            f"but have shapes {ours.shape} and {theirs.shape}"
        )
    if not np.allclose(ours, ours.T, rtol=1e-6, atol=1e-9, equal_nan=True):
        row, column = np.argwhere(~np.isclose(ours, ours.T, rtol=1e-6, equal_nan=True))[0]
        raise InputError(
            f"the system's matrix is not symmetric: {ours[row, column]} at ({row}, {column}), "
            f"{ours[column, row]} at ({column}, {row})"
        )
    return ours, theirs


def _without_nan(values: Values) -> Values:
    if np.isnan(values).any():
        raise InputError("the system's matrix has a NaN; say how alike every two stimuli are")
    return values


def _with_grouping(ours: Values, person: NDArray[np.int64]) -> tuple[float, float]:
    """tau_b and Spearman with one grouping, from the mean ranks of the pairs together."""
    from scipy.stats import rankdata

    placed = np.flatnonzero(person != NOT_PLACED)
    first, second = placed[np.stack(np.triu_indices(len(placed), 1))]
    together = person[first] == person[second]
    values = _without_nan(ours[first, second])
    near, far = float(together.sum()), float((~together).sum())
    if near == 0 or far == 0:
        return float("nan"), float("nan")
    order = order_ranks(values)
    ties = np.bincount(order).astype(float)
    ranks = rankdata(order)
    ahead = 2 * ranks[together].sum() - near * (near + far + 1)
    untied = (len(ranks) ** 2 - (ties**2).sum()) / 2
    spread = ((2 * ranks - (len(ranks) + 1)) ** 2).sum()
    if untied == 0:
        return float("nan"), float("nan")
    tau = ahead / np.sqrt(untied * near * far)
    rho = ahead * np.sqrt(len(ranks) / (spread * near * far))
    return float(tau), float(rho)


def _tau_of_known(similarity: Values, mine: Values) -> float:
    upper = np.triu_indices(len(mine), 1)
    x, y = similarity[upper], mine[upper]
    known = ~np.isnan(x) & ~np.isnan(y)
    return float(tau_b(x[known], y[known])) if known.sum() > 1 else float("nan")


def _pair_ranks(matrix: Values, where: NDArray[np.bool_]) -> Values:
    """Mean rank of each pair among those of `where`, which holds both halves; 0 elsewhere."""
    from scipy.stats import rankdata

    ranks = np.zeros(matrix.shape)
    ranks[where] = rankdata(order_ranks(matrix[where])) if where.any() else 0.0
    return ranks


def _centred(ranks: Values, known: Values) -> Values:
    return (ranks - (ranks * known).sum() / max(known.sum(), 1)) * known


def _rank_correlation(ranks: Values, reference: Values, known: Values) -> float:
    """Pearson's correlation over known pairs with ranks that are centred already."""
    total = np.einsum("ij,ij->", ranks, known)
    spread = np.einsum("ij,ij,ij->", ranks, ranks, known) - total**2 / max(known.sum(), 1)
    scale = np.sqrt(max(spread, 0.0) * np.einsum("ij,ij->", reference, reference))
    return float(np.einsum("ij,ij->", ranks, reference) / scale) if scale > 0 else float("nan")
