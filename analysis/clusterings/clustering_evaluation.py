"""Evaluation of clusterings against people and chance, for the command and the web page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.clusterings.agreement import AgreementWithPeople, Values, agreement_with, same_group
from analysis.clusterings.correlation import (
    GroupingCorrelations,
    PairCorrelation,
    correlation_with,
    pair_correlation,
)
from analysis.clusterings.mantel_test import mantel
from analysis.clusterings.shuffled_groups import shuffled_agreement
from analysis.errors import InputError
from analysis.files.clusterings import SystemClustering
from analysis.groupings.chance import adjusted, p_value
from analysis.groupings.grouping import NOT_PLACED
from analysis.groupings.set_agreement import SetSummary
from analysis.statistics.intervals import Range, t_interval
from analysis.statistics.means import macro_mean

MEANS = ("precision", "recall", "f", "f_random", "ari")
CORRELATIONS = ("tau_b", "spearman")
DRAWS = 1_000
_NUMBERS_PER_BATCH = 1 << 25

Named = tuple[str, SystemClustering]


@dataclass(frozen=True)
class GroupAgreement:
    """A system's groups compared with people's, with p-values from permutations.

    Attributes
    ----------
    people, consensus : AgreementWithPeople
        Agreement with each participant, and with the consensus.
    p_value : float
        Of the mean F with the participants.
    people_p : float array, shape (participants,)
        Of the F with each participant; NaN for participants who placed nothing.
    consensus_p : float
        Of the F with the consensus.
    f_random_spread : (float, float)
        Central 95 % of the mean F of shuffled clusterings.
    """

    people: AgreementWithPeople
    consensus: AgreementWithPeople
    p_value: float
    people_p: Values
    consensus_p: float
    f_random_spread: tuple[float, float]


@dataclass(frozen=True)
class EvaluatedClustering:
    """One system compared with people; `groups` is None for a matrix.

    `mantel_p` is the p-value of the correlation with the co-grouping similarity, and
    `consensus_mantel_p` that of the correlation with the consensus.
    """

    name: str
    clustering: SystemClustering
    groups: GroupAgreement | None
    correlation: PairCorrelation
    mantel_p: float
    people_correlation: GroupingCorrelations
    consensus_correlation: GroupingCorrelations
    consensus_mantel_p: float


def evaluate_clusterings(
    systems: Sequence[Named],
    people: SetSummary,
    seed: int = 0,
    progress: Callable[[int, int, str], None] = lambda _done, _total, _name: None,
) -> list[EvaluatedClustering]:
    """Evaluate systems against the people who sorted the same stimuli.

    Parameters
    ----------
    systems : sequence of (str, SystemClustering)
        Names and systems, with the same stimuli in the same order as `people`.
    people : SetSummary
        Results of the participants' groupings.
    seed : int
        Random seed of the permutations.
    progress : callable (done, total, name), optional
        Called before each system.

    Returns
    -------
    list of EvaluatedClustering
        In the order of the systems.

    Raises
    ------
    InputError
        If the direction of a matrix is missing, or sizes do not match.
    """
    judged: list[EvaluatedClustering] = []
    agreed = _together(people.consensus.groups)
    step = max(1, _NUMBERS_PER_BATCH // people.groupings.shape[1] ** 2)
    for start in range(0, len(systems), step):
        part = systems[start : start + step]
        progress(start, len(systems), part[0][0])
        matrices = np.stack([_matrix(one) for _, one in part])
        to_similarity = mantel(matrices, people.similarity, DRAWS, seed, people.both)
        p = np.transpose([to_similarity, mantel(matrices, agreed, DRAWS, seed)])
        for k, named in enumerate(part):
            progress(start + k, len(systems), named[0])
            judged.append(_judged(named, people, matrices[k], p[k].tolist(), seed))
    return judged


def _matrix(one: SystemClustering) -> Values:
    if one.membership is not None:
        return same_group(one.membership)
    similarity = one.similarity
    if similarity is None or one.direction not in ("similarity", "distance"):
        raise InputError("state whether the matrix contains similarities or distances")
    return similarity


def _together(consensus: NDArray[np.int64]) -> Values:
    """1 if the consensus puts two stimuli together, else 0; NaN for stimuli never placed."""
    placed = consensus != NOT_PLACED
    together = (consensus[:, None] == consensus).astype(float)
    together[~(placed[:, None] & placed)] = np.nan
    return together


def _judged(
    named: Named, people: SetSummary, matrix: Values, mantel_p: list[float], seed: int
) -> EvaluatedClustering:
    name, one = named
    of_people, of_consensus = mantel_p
    return EvaluatedClustering(
        name,
        one,
        None if one.membership is None else _groups(one.membership, people, seed),
        pair_correlation(matrix, people.similarity, people.both),
        of_people,
        correlation_with(matrix, people.groupings),
        correlation_with(matrix, people.consensus.groups[None]),
        of_consensus,
    )


def _groups(membership: NDArray[np.bool_], people: SetSummary, seed: int) -> GroupAgreement:
    consensus = people.consensus.groups[None]
    with_people = agreement_with(membership, people.groupings)
    with_consensus = agreement_with(membership, consensus)
    random = shuffled_agreement(membership, np.vstack((people.groupings, consensus)), DRAWS, seed)
    found = np.append(with_people.f, with_consensus.f)
    each = np.array([p_value(float(f), drawn) for f, drawn in zip(found, random.T, strict=True)])
    means = macro_mean(random[:, :-1])
    mean = p_value(float(macro_mean(with_people.f)), means)
    low, high = np.percentile(means, (2.5, 97.5)).tolist()
    return GroupAgreement(
        with_people, with_consensus, mean, each[:-1], float(each[-1]), (low, high)
    )


def consensus_f(people: SetSummary) -> float:
    """Mean BCubed F of the consensus with the participants; NaN if undefined.

    Parameters
    ----------
    people : SetSummary
        Results of the participants' groupings.

    Returns
    -------
    float
        In [0, 1]; a reference for how well a single grouping can agree with all participants.
    """
    groups = people.consensus.groups
    membership = groups[:, None] == np.unique(np.maximum(groups, 0))
    return float(macro_mean(agreement_with(membership, people.groupings).f))


def system_rows(judged: Sequence[EvaluatedClustering], stimuli: int) -> list[dict[str, Any]]:
    """Rows of `systems.csv`.

    Parameters
    ----------
    judged : sequence of EvaluatedClustering
    stimuli : int
        Number of stimuli.

    Returns
    -------
    list of dict
        Values by column name, NaN if undefined; all rows have the same columns.
    """
    return [_system_row(one, stimuli) for one in judged]


def _system_row(one: EvaluatedClustering, stimuli: int) -> dict[str, Any]:
    row: dict[str, Any] = {"system": one.name, **_group_columns(one)}
    row |= {f"similarity_{name}": getattr(one.correlation, name) for name in CORRELATIONS}
    row |= {"mantel_p": one.mantel_p}
    mean, low, high = _over_participants(one.people_correlation.tau_b, (-1.0, 1.0))
    row |= {"participant_tau_b": mean}
    row |= {"participant_tau_b_low": low, "participant_tau_b_high": high}
    row |= {
        f"consensus_{name}": float(getattr(one.consensus_correlation, name)[0])
        for name in CORRELATIONS
    }
    row |= {"consensus_mantel_p": one.consensus_mantel_p}
    row |= {"pairs": one.correlation.pairs, "pairs_weighted": one.correlation.weighted}
    return row | {"stimuli": stimuli}


def _group_columns(one: EvaluatedClustering) -> dict[str, Any]:
    """Columns on a system's groups, in order; NaN for a matrix."""
    nan = float("nan")
    row: dict[str, Any] = dict.fromkeys((*MEANS, "f_adjusted", "p_value", "low", "high"), nan)
    row |= dict.fromkeys(("f_random_low", "f_random_high"), nan)
    row |= {"groups": nan, "overlapping": False, **{f"consensus_{name}": nan for name in MEANS}}
    row |= dict.fromkeys(("consensus_f_adjusted", "consensus_p_value"), nan)
    membership, found = one.clustering.membership, one.groups
    if found is not None and membership is not None:
        row |= {name: float(macro_mean(getattr(found.people, name))) for name in MEANS}
        row["ari"] = found.people.mean_ari
        row |= {f"consensus_{name}": float(getattr(found.consensus, name)[0]) for name in MEANS}
        _, row["low"], row["high"] = _over_participants(found.people.f, (0.0, 1.0))
        row["f_adjusted"] = float(adjusted(row["f"], row["f_random"]))
        row["groups"] = membership.shape[1]
        row["overlapping"] = bool((membership.sum(1) > 1).any())
        row["consensus_f_adjusted"] = float(found.consensus.f_adjusted[0])
        row["f_random_low"], row["f_random_high"] = found.f_random_spread
        row["consensus_p_value"], row["p_value"] = found.consensus_p, found.p_value
    return row


def _over_participants(values: Values, within: Range) -> tuple[float, float, float]:
    """Mean and 95 % interval; for a plain mean, the jackknife equals Student's t interval."""
    low, high = t_interval(values[None], within)
    return float(macro_mean(values)), float(low[0]), float(high[0])
