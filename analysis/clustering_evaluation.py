"""Systems that cluster sketches, measured against people who sorted them on a table.

A system's clustering is a boolean membership array, shape (stimuli, groups); a stimulus may stand
in several groups. It is compared with every participant, with the consensus of all, and with
chance. A system that gives distances instead of groups has the correlations of
`analysis.matrix_correlation` only; groups have them too.

Without overlap BCubed and the adjusted Rand index are those of `analysis.pair_agreement`; with
overlap BCubed is the extended version and the Rand index is undefined (NaN).

References
----------
.. [1] E. Amigó et al., "A comparison of extrinsic clustering evaluation metrics based on formal
   constraints", Information Retrieval 12 (2009) 461-486.
.. [2] L. Hubert and P. Arabie, "Comparing partitions", J. Classification 2 (1985) 193-218.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.bootstrap import check_draws, in_parts, macro_mean
from analysis.errors import InputError
from analysis.groupings import NOT_PLACED, renumber, validate
from analysis.overlapping import bcubed_overlapping, validate_membership
from analysis.pair_agreement import bcubed_pairs, f_measure

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
        If the shapes do not fit, or as `analysis.overlapping.validate_membership` and
        `analysis.groupings.validate`.

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


def shuffled_agreement(
    membership: ArrayLike, groupings: ArrayLike, draws: int = 1_000, seed: int = 0
) -> Values:
    """Mean BCubed F to several groupings, in draws that shuffle the clustering among the stimuli.

    Parameters
    ----------
    membership : bool array, shape (stimuli, groups)
        True where the system put the stimulus into the group; every stimulus in one group.
    groupings : int array, shape (groupings, stimuli)
        Group number; -1 where a participant did not place the stimulus.
    draws, seed : int

    Returns
    -------
    float array, shape (draws,)
        NaN throughout where nobody placed anything.

    Raises
    ------
    InputError
        If `draws` is not positive, a stimulus stands in no group or in several, or as
        `agreement_with`.

    References
    ----------
    .. [1] B. Phipson and G. Smyth, "Permutation p-values should never be zero", Stat. Appl. Genet.
       Mol. Biol. 9 (2010): what such draws are for.

    Examples
    --------
    Of the 24 orders of four stimuli, 8 keep the two pairs and have F 1; the others have F 1/2:

    >>> f = shuffled_agreement([[1, 0], [1, 0], [0, 1], [0, 1]], [[0, 0, 1, 1]])
    >>> np.unique(f).tolist(), bool(abs((f == 1).mean() - 8 / 24) < 0.04)
    ([0.5, 1.0], True)
    """
    check_draws(draws)
    groups, people = _sides(membership, groupings)
    if np.any(groups.sum(1) != 1):
        raise InputError("every stimulus should stand in one group, so that groups can be shuffled")
    own, others = groups.argmax(1), renumber(validate(people))
    rng = np.random.default_rng(seed)
    cells = groups.shape[1] * (int(others.max()) + 1)
    found = []
    for size in in_parts(draws, cells + len(own)):
        random = rng.permuted(np.broadcast_to(own, (size, len(own))), axis=1)
        found.append(macro_mean(np.stack([_f_of_draws(random, one) for one in others], axis=1)))
    return np.concatenate(found)


def _sides(
    membership: ArrayLike, groupings: ArrayLike
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    groups, people = validate_membership(membership), np.asarray(groupings)
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


def _f_of_draws(random: NDArray[np.int64], person: NDArray[np.int64]) -> Values:
    """BCubed F of each drawn clustering to one grouping, shape (draws,)."""
    placed = person != NOT_PLACED
    if not placed.any():
        return np.full(len(random), np.nan)
    shape = len(random), int(random.max()) + 1, int(person.max()) + 1
    draw = np.arange(shape[0])[:, None]
    cells = (draw * shape[1] + random[:, placed]) * shape[2] + person[placed]
    table = np.bincount(cells.ravel(), minlength=int(np.prod(shape))).reshape(shape).astype(float)
    squares = table**2
    ours, theirs = table.sum(2), table.sum(1)
    precision = (squares.sum(2) / np.maximum(ours, 1)).sum(1) / placed.sum()
    recall = (squares.sum(1) / np.maximum(theirs, 1)).sum(1) / placed.sum()
    return np.asarray(f_measure(precision, recall))


def _numbers(person: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.unique(person[person != NOT_PLACED])
