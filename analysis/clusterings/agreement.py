"""Agreement of a system's clustering with people's groupings.

A system's clustering is a boolean membership array, shape (stimuli, groups); a stimulus may be in
several groups. It is compared with every participant, with the consensus of all, and with chance
(`analysis.clusterings.shuffled_groups`). Systems that give distances instead of groups have only
the correlations of `analysis.clusterings.correlation`; clusterings have these too.

If groups do not overlap, BCubed and the adjusted Rand index are those of
`analysis.groupings.pair_agreement`. If they overlap, BCubed is the extended version, and the
adjusted Rand index is undefined (NaN).

References
----------
.. [1] E. Amigó et al., "A comparison of extrinsic clustering evaluation metrics based on formal
   constraints", Information Retrieval 12 (2009) 461-486.
.. [2] L. Hubert and P. Arabie, "Comparing partitions", J. Classification 2 (1985) 193-218.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_numbers
from analysis.clusterings.overlapping import (
    Profiles,
    membership_profiles,
    precision_recall_of_tables,
    validate_membership,
)
from analysis.errors import InputError
from analysis.groupings.adjusted_rand import ari_of_sums
from analysis.groupings.chance import adjusted
from analysis.groupings.grouping import NOT_PLACED, as_group_numbers, renumber, validate
from analysis.groupings.pair_agreement import (
    PairAgreement,
    bcubed_pairs,
    f_measure,
)
from analysis.statistics.means import macro_mean

Values = NDArray[np.float64]


@dataclass(frozen=True)
class AgreementWithPeople:
    """A clustering compared with several groupings.

    Attributes
    ----------
    stimuli : float array, shape (groupings,)
        Number of stimuli placed by both.
    precision, recall, f : float arrays, shape (groupings,)
        BCubed, with the clustering as the system and the grouping as the reference.
    f_random : float array, shape (groupings,)
        F of the expected precision and recall of random groupings with the same group sizes.
    ari : float array, shape (groupings,)
        Adjusted Rand index.
    mean_ari : float
        Adjusted Rand index over all groupings: the mean if all are of the same stimuli; otherwise
        the sum of gains over chance divided by the sum of possible gains
        (`analysis.groupings.pair_agreement.ari_of_sums`).
    """

    stimuli: Values
    precision: Values
    recall: Values
    f: Values
    f_random: Values
    ari: Values
    mean_ari: float

    @property
    def f_adjusted(self) -> Values:
        """F beyond chance, (f - f_random) / (1 - f_random); NaN if `f_random` is 1."""
        return adjusted(self.f, self.f_random)


def agreement_with(membership: ArrayLike, groupings: ArrayLike) -> AgreementWithPeople:
    """Compare a clustering with each of several groupings.

    Parameters
    ----------
    membership : bool array, shape (stimuli, groups)
        True if the system put the stimulus into the group.
    groupings : int array, shape (groupings, stimuli)
        Group number; -1 if a participant did not place the stimulus.

    Returns
    -------
    AgreementWithPeople

    Raises
    ------
    InputError
        If the shapes do not match, or as for `analysis.clusterings.overlapping.validate_membership`
        and `analysis.groupings.grouping.validate`.

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
    found = {
        name: np.array([getattr(pair, name)[0, 1] for pair in with_each])
        for name in ("stimuli", "precision", "recall", "f", "f_random", "ari")
    }
    placed = people != NOT_PLACED
    same = bool((placed == placed[:1]).all())
    mean_ari = float(macro_mean(found["ari"])) if same else _ari_of_sums(with_each)
    return AgreementWithPeople(**found, mean_ari=mean_ari)


def _ari_of_sums(pairs: Sequence[PairAgreement]) -> float:
    gain, possible = zip(*(pair.rows(slice(1)).beyond_chance for pair in pairs), strict=True)
    return ari_of_sums(*(np.array([one[0, 1] for one in part]) for part in (gain, possible)))


def same_group(membership: ArrayLike) -> Values:
    """Similarity matrix of a clustering: 1 if two stimuli share a group, else 0.

    Parameters
    ----------
    membership : bool array, shape (stimuli, groups)

    Returns
    -------
    float array, shape (stimuli, stimuli)

    Raises
    ------
    InputError
        If `membership` does not have shape (stimuli, groups), is empty, or is not boolean.

    References
    ----------
    .. [1] N. Kriegeskorte, M. Mur and P. Bandettini, "Representational similarity analysis",
       Front. Syst. Neurosci. 2 (2008) 4: comparison of any data as similarity matrices.

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
    """Check a clustering and groupings and return both as arrays.

    Raises
    ------
    InputError
        If the shapes do not match, or as for
        `analysis.clusterings.overlapping.validate_membership`.
    """
    groups, people = (
        validate_membership(membership),
        as_numbers(as_group_numbers(groupings), "groupings"),
    )
    if people.ndim != 2 or len(groups) != people.shape[1] or 0 in people.shape:
        raise InputError(
            "membership (stimuli, groups) and groupings (participants, stimuli) do not match: "
            f"{groups.shape} and {people.shape}"
        )
    return groups, people


def _overlapping(groups: NDArray[np.bool_], people: NDArray[np.int64]) -> AgreementWithPeople:
    profiles, in_a_group = membership_profiles(groups), np.asarray(groups.any(axis=1))
    tables = [_table(profiles, person, in_a_group) for person in renumber(validate(people))]
    scores = [precision_recall_of_tables(table, profiles) for table in tables]
    precision, recall = (np.array(part) for part in zip(*scores, strict=True))
    return AgreementWithPeople(
        stimuli=np.array([table.sum() for table in tables]),
        precision=precision,
        recall=recall,
        f=f_measure(precision, recall),
        f_random=np.array([_expected_f(table, profiles) for table in tables]),
        ari=np.full(len(people), np.nan),
        mean_ari=float("nan"),
    )


def _table(profiles: Profiles, person: NDArray[np.int64], in_a_group: NDArray[np.bool_]) -> Values:
    """Number of stimuli by a participant's groups and by profile, shape (groups, profiles)."""
    placed = (person != NOT_PLACED) & in_a_group
    shape = max(int(person.max()) + 1, 1), len(profiles.overlap)
    cells = person[placed] * shape[1] + profiles.of[placed]
    return np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape).astype(float)


def _expected_f(table: Values, profiles: Profiles) -> float:
    """F of the expected precision and recall when the clustering is shuffled among the stimuli.

    Shuffling maps a pair of different stimuli to any other with equal probability; each stimulus
    also forms a pair with itself.
    """
    sizes, counts = table.sum(axis=1), table.sum(axis=0)
    stimuli = counts.sum()
    if stimuli < 2:
        return float("nan")
    ordered = stimuli * (stimuli - 1)
    met, own = profiles.overlap @ counts, np.diag(profiles.inverse_shared)
    chance_same = (sizes @ sizes - stimuli) / ordered
    chance_shared = (counts @ met - stimuli) / ordered
    right = own + (profiles.inverse_shared @ counts - own) * chance_same
    precision = counts @ (right / np.maximum(met, 1)) / stimuli
    recall = (1 + (sizes[sizes > 0] - 1) * chance_shared).sum() / stimuli
    return float(f_measure(precision, recall))
