"""Systems that cluster sketches, measured against people who sorted them on a table.

A system's clustering is a boolean membership array, shape (stimuli, groups); a stimulus may stand
in several groups. It is compared with every participant, with the consensus of all, and with
chance, and its groups are correlated, over pairs of stimuli, with the co-grouping similarity. A
system that gives distances instead of groups has the correlation only.

Without overlap BCubed and the adjusted Rand index are those of `analysis.pair_agreement`; with
overlap BCubed is the extended version, and the Rand index and the chance level are undefined (NaN).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.errors import InputError
from analysis.groupings import NOT_PLACED
from analysis.overlapping import bcubed_overlapping
from analysis.pair_agreement import bcubed_pairs
from analysis.rank_correlation import spearman, tau_b

Values = NDArray[np.float64]


@dataclass(frozen=True)
class AgreementWithPeople:
    """A clustering beside several groupings.

    Attributes
    ----------
    stimuli : float array, shape (groupings,)
        Stimuli that both placed.
    precision, recall, f : float arrays, shape (groupings,)
        BCubed, the clustering being the system and the grouping the reference.
    f_random : float array, shape (groupings,)
        F expected of random groupings with groups of these sizes.
    ari : float array, shape (groupings,)
        Adjusted Rand index.
    """

    stimuli: Values
    precision: Values
    recall: Values
    f: Values
    f_random: Values
    ari: Values


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


def agreement_with(membership: ArrayLike, groupings: ArrayLike) -> AgreementWithPeople:
    """Compare a clustering with each of several groupings.

    Parameters
    ----------
    membership : bool array, shape (stimuli, groups)
        True where the system put the stimulus into the group.
    groupings : int array, shape (groupings, stimuli)
        Group number; -1 where a participant did not place the stimulus.

    Returns
    -------
    AgreementWithPeople

    Raises
    ------
    InputError
        If the shapes do not fit, or as `analysis.groupings.validate`.

    Examples
    --------
    >>> found = agreement_with([[1, 0], [1, 0], [0, 1], [0, 1]], [[0, 0, 0, 1]])
    >>> round(float(found.precision[0]), 3), round(float(found.recall[0]), 3)
    (0.75, 0.667)
    """
    groups, people = _sides(membership, groupings)
    if groups.sum(1).max(initial=0) > 1:
        return _overlapping(groups, people)
    own = np.where(groups.any(1), groups.argmax(1), NOT_PLACED)
    with_each = [bcubed_pairs(np.stack((own, person))) for person in people]
    return AgreementWithPeople(
        *(
            np.array([getattr(pair, name)[0, 1] for pair in with_each])
            for name in ("stimuli", "precision", "recall", "f", "f_random", "ari")
        )
    )


def same_group(membership: ArrayLike) -> Values:
    """Similarity of stimuli in a clustering: 1 where two share a group, else 0.

    Parameters
    ----------
    membership : bool array, shape (stimuli, groups)

    Returns
    -------
    float array, shape (stimuli, stimuli)

    Examples
    --------
    >>> same_group([[1, 0], [1, 1], [0, 1]]).tolist()
    [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]]
    """
    groups = np.asarray(membership, dtype=float)
    return (groups @ groups.T > 0).astype(float)


def pair_correlation(system: ArrayLike, similarity: ArrayLike) -> PairCorrelation:
    """Correlate a system's similarity of stimuli with the co-grouping similarity.

    Pairs share stimuli and are not independent: the numbers describe, and no p-value goes with
    them.

    Parameters
    ----------
    system : array_like, shape (stimuli, stimuli)
        Greater is more alike: negate distances. Symmetric.
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
       Front. Syst. Neurosci.
       2 (2008) 4.

    Examples
    --------
    >>> people = [[1, 0.9, 0.1], [0.9, 1, 0.2], [0.1, 0.2, 1]]
    >>> pair_correlation([[0, 5, 1], [5, 0, 3], [1, 3, 0]], people).tau_b
    1.0
    """
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
    upper = np.triu_indices(len(ours), 1)
    known = ~np.isnan(theirs[upper])
    x, y = ours[upper][known], theirs[upper][known]
    if x.size < 2:
        return PairCorrelation(float("nan"), float("nan"), x.size)
    return PairCorrelation(float(tau_b(x, y)), float(spearman(x, y)), x.size)


def _sides(
    membership: ArrayLike, groupings: ArrayLike
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    groups, people = np.asarray(membership, dtype=bool), np.asarray(groupings)
    shaped = groups.ndim == people.ndim == 2 and len(groups) == people.shape[1]
    if not shaped or 0 in groups.shape or 0 in people.shape:
        raise InputError(
            "membership (stimuli, groups) and groupings (participants, stimuli) do not fit, "
            "or are empty: "
            f"{groups.shape} and {people.shape}"
        )
    return groups, people


def _overlapping(groups: NDArray[np.bool_], people: NDArray[np.int64]) -> AgreementWithPeople:
    scores = [bcubed_overlapping(groups, person[:, None] == _numbers(person)) for person in people]
    precision, recall, f = (np.array(part) for part in zip(*scores, strict=True))
    stimuli = ((people != NOT_PLACED) & groups.any(1)).sum(1).astype(float)
    undefined = np.full(len(people), np.nan)
    return AgreementWithPeople(stimuli, precision, recall, f, undefined, undefined)


def _numbers(person: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.unique(person[person != NOT_PLACED])
