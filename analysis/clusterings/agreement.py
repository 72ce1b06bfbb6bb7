"""Systems that cluster sketches, measured against people who sorted them on a table.

A system's clustering is a boolean membership array, shape (stimuli, groups); a stimulus may stand
in several groups. It is compared with every participant, with the consensus of all, and with chance
(`analysis.clusterings.shuffled_groups`). A system that gives distances instead of groups has the
correlations of `analysis.clusterings.correlation` only; groups have them too.

Without overlap BCubed and the adjusted Rand index are those of `analysis.groupings.pair_agreement`;
with overlap BCubed is the extended version and the Rand index is undefined (NaN).

References
----------
.. [1] E. Amigó et al., "A comparison of extrinsic clustering evaluation metrics based on formal
   constraints", Information Retrieval 12 (2009) 461-486.
.. [2] L. Hubert and P. Arabie, "Comparing partitions", J. Classification 2 (1985) 193-218.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_numbers
from analysis.clusterings.overlapping import bcubed_overlapping, validate_membership
from analysis.errors import InputError
from analysis.groupings.chance import adjusted
from analysis.groupings.grouping import NOT_PLACED
from analysis.groupings.pair_agreement import bcubed_pairs, f_measure

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

    @property
    def f_adjusted(self) -> Values:
        """F beyond chance, (f - f_random) / (1 - f_random); NaN where chance is 1."""
        return adjusted(self.f, self.f_random)


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
        If the shapes do not fit, or as `analysis.clusterings.overlapping.validate_membership` and
        `analysis.groupings.grouping.validate`.

    References
    ----------
    .. [1] E. Amigó et al., "A comparison of extrinsic clustering evaluation metrics based on
       formal constraints", Information Retrieval 12 (2009) 461-486.
    .. [2] L. Hubert and P. Arabie, "Comparing partitions", J. Classification 2 (1985) 193-218.

    Examples
    --------
    >>> found = agreement_with([[1, 0], [1, 0], [0, 1], [0, 1]], [[0, 0, 0, 1]])
    >>> round(float(found.precision[0]), 3), round(float(found.recall[0]), 3)
    (0.75, 0.667)
    """
    groups, people = sides(membership, groupings)
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

    Raises
    ------
    InputError
        If `membership` is not stimuli by groups, at least 1 by 1, or not of true and false.

    References
    ----------
    .. [1] N. Kriegeskorte, M. Mur and P. Bandettini, "Representational similarity analysis",
       Front. Syst. Neurosci. 2 (2008) 4: what is compared as a matrix need not be one.

    Examples
    --------
    >>> same_group([[1, 0], [1, 1], [0, 1]]).tolist()
    [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]]
    """
    groups = validate_membership(membership).astype(float)
    return (groups @ groups.T > 0).astype(float)


def sides(
    membership: ArrayLike, groupings: ArrayLike
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Check a clustering beside groupings and give both as arrays.

    Raises
    ------
    InputError
        If the shapes do not fit, or as `analysis.clusterings.overlapping.validate_membership`.
    """
    groups, people = validate_membership(membership), as_numbers(groupings, "groupings")
    if people.ndim != 2 or len(groups) != people.shape[1] or 0 in people.shape:
        raise InputError(
            "membership (stimuli, groups) and groupings (participants, stimuli) do not fit: "
            f"{groups.shape} and {people.shape}"
        )
    return groups, people


def _overlapping(groups: NDArray[np.bool_], people: NDArray[np.int64]) -> AgreementWithPeople:
    scores = [bcubed_overlapping(groups, person[:, None] == _numbers(person)) for person in people]
    precision, recall, f = (np.array(part) for part in zip(*scores, strict=True))
    stimuli = ((people != NOT_PLACED) & groups.any(1)).sum(1).astype(float)
    f_random = np.array([_expected_f(groups, person) for person in people])
    return AgreementWithPeople(stimuli, precision, recall, f, f_random, np.full(len(f), np.nan))


def _expected_f(groups: NDArray[np.bool_], person: NDArray[np.int64]) -> float:
    """F of the precision and recall expected when the clustering is shuffled among the stimuli.

    Two different stimuli then meet any two of the other side alike; a stimulus meets itself.
    """
    placed = (person != NOT_PLACED) & groups.any(1)
    ours = groups[placed].astype(float)
    shared, same = ours @ ours.T, person[placed, None] == person[placed]
    if not placed.any():
        return float("nan")
    ordered = max(len(ours) * (len(ours) - 1), 1)
    chance_same = (same.sum() - len(same)) / ordered
    chance_shared = ((shared > 0).sum() - len(shared)) / ordered
    right = np.divide(chance_same, shared, out=np.zeros_like(shared), where=shared > 0)
    np.fill_diagonal(right, 1 / np.diag(shared))
    precision = (right.sum(1) / (shared > 0).sum(1)).mean()
    recall = ((1 + (same.sum(1) - 1) * chance_shared) / same.sum(1)).mean()
    return float(f_measure(precision, recall))


def _numbers(person: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the groups of a participant; one that is empty of somebody who placed nothing."""
    return np.unique(np.maximum(person, 0))
