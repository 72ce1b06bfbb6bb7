"""All results for the groupings of one set: gold standard, agreement, chance, reliability.

Used by the command line and the web pages, both with the record of `analysis.groupings.set_record`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import above_diagonal
from analysis.groupings.chance import adjusted, p_value
from analysis.groupings.consensus import Consensus, consensus_grouping
from analysis.groupings.draws.drawn_sums import DrawnSums, Progress, drawn_sums
from analysis.groupings.grouping import groups_per_participant, validate
from analysis.groupings.pair_agreement import PairAgreement, bcubed_pairs, f_measure
from analysis.groupings.pair_counts import PairCounts, pair_counts, pairs_by_both
from analysis.groupings.reliability import Reliability, split_half_reliability
from analysis.statistics.intervals import jackknife_interval

DRAWS = 1_000


@dataclass(frozen=True)
class Interval:
    """Bounds of a 95 % interval (jackknife over participants); NaN with fewer than four."""

    low: float
    high: float


@dataclass(frozen=True)
class MeanAgreement:
    """Means over unordered pairs of participants who placed two stimuli or more in common.

    Attributes
    ----------
    precision, recall, f : float
        BCubed; NaN if there is no such pair. Each participant of a pair is once the system and once
        the reference, so mean precision and mean recall are equal.
    f_interval : Interval
    f_random : float
        Mean of the closed-form chance level of each pair.
    f_random_interval : Interval
    f_random_drawn : float
        Mean over permutations.
    f_random_spread : Interval
        Central 95 % of the mean F of permutations: the range expected by chance.
    f_adjusted : float
        (f - f_random) / (1 - f_random).
    p_value : float
        One-sided p-value of `f` from the permutations.
    f_alone : float
        Mean F between a participant and the baseline with each stimulus alone.
    rand, ari : float
        Rand index, and adjusted Rand index from `PairAgreement.mean_ari`.
    median_in_common : float
        Median over pairs of the number of stimuli that both placed.
    draws, seed : int
        Number of permutations, and their random seed.
    """

    precision: float
    recall: float
    f: float
    f_interval: Interval
    f_random: float
    f_random_interval: Interval
    f_random_drawn: float
    f_random_spread: Interval
    f_adjusted: float
    p_value: float
    f_alone: float
    rand: float
    ari: float
    median_in_common: float
    draws: int
    seed: int


@dataclass(frozen=True)
class SetSummary:
    """What systems are compared with: a set's groupings, their consensus and mean agreement.

    Attributes
    ----------
    groupings : int array, shape (participants, stimuli)
    mean : MeanAgreement
    groups_per_participant : int array, shape (participants,)
    consensus : Consensus
    """

    groupings: NDArray[np.int64]
    mean: MeanAgreement
    groups_per_participant: NDArray[np.int64]
    consensus: Consensus

    def counts(self) -> PairCounts:
        """Both counts of each pair; computed on each call, since they can need much memory."""
        return pair_counts(self.groupings)

    @property
    def similarity(self) -> NDArray[np.float64]:
        """Co-grouping similarity, shape (stimuli, stimuli); computed on each access."""
        return self.counts().similarity.to_array()

    @property
    def together(self) -> NDArray[np.int32]:
        """How many put each pair together, shape (stimuli, stimuli); computed on each access."""
        return self.counts().together.to_array()

    @property
    def both(self) -> NDArray[np.int32]:
        """How many placed both of each pair, shape (stimuli, stimuli); computed on each access."""
        return self.counts().both.to_array()

    @property
    def participants(self) -> int:
        """Number of participants who placed at least one stimulus."""
        return int((self.groups_per_participant > 0).sum())


@dataclass(frozen=True)
class SetAgreement(SetSummary):
    """The result of `study_set`.

    Attributes
    ----------
    pairs_by_both : int array, shape (participants + 1,)
        Numbers of pairs of stimuli by how many participants (0, 1, 2, …) placed both.
    reliability : Reliability
    drawn : DrawnSums
        The permutations, from which those of changed groupings are computed faster.
    """

    pairs_by_both: NDArray[np.int64]
    reliability: Reliability
    drawn: DrawnSums

    @property
    def summary(self) -> SetSummary:
        """What systems are compared with."""
        return SetSummary(self.groupings, self.mean, self.groups_per_participant, self.consensus)

    @property
    def pairs(self) -> PairAgreement:
        """Arrays of shape (participants, participants); computed on each access."""
        return bcubed_pairs(self.groupings)

    def by_participant(self, measure: NDArray[np.float64]) -> NDArray[np.float64]:
        """Mean of a measure of `pairs` of each participant with the others; NaN if undefined."""
        others = np.where(np.eye(len(measure), dtype=bool), np.nan, measure)
        known = ~np.isnan(others)
        sums = np.where(known, others, 0).sum(axis=1)
        means: NDArray[np.float64] = np.full(len(measure), np.nan)
        np.divide(sums, known.sum(axis=1), out=means, where=known.any(axis=1))
        return means


def study_set(
    groupings: ArrayLike,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Progress | None = None,
    before: DrawnSums | None = None,
) -> SetAgreement:
    """Compute all results for the groupings of one set.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Group number; -1 if the participant did not place the stimulus.
    draws : int
        Number of permutations for the chance level.
    seed : int
        Random seed of the permutations and the splits.
    progress : callable (done, total), optional
        Called during the permutations, which take most of the time with many participants.
    before : DrawnSums, optional
        `SetAgreement.drawn` of similar groupings. If participants were added to these or removed,
        only their pairs are permuted; the result is the same.

    Returns
    -------
    SetAgreement

    Raises
    ------
    InputError
        If `draws` is below 1, or as for `analysis.groupings.grouping.validate`.

    References
    ----------
    .. [1] A. Coxon, "Sorting Data: Collection and Analysis", Sage, 1999: the method; each measure
       cites its own source.

    Examples
    --------
    >>> found = study_set([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]], draws=99)
    >>> round(found.mean.f, 3), found.consensus.groups.tolist()
    (0.804, [0, 0, 1, 1])
    """
    array = validate(groupings)
    # Before the pairs, because these need most memory.
    consensus = consensus_grouping(array)
    drawn = drawn_sums(array, draws, seed, before, progress)
    pairs = bcubed_pairs(array)
    return SetAgreement(
        groupings=array,
        mean=_mean_agreement(pairs, drawn.mean_f, seed),
        groups_per_participant=groups_per_participant(array),
        pairs_by_both=pairs_by_both(array),
        reliability=split_half_reliability(array, seed=seed, pairs=pairs),
        consensus=consensus,
        drawn=drawn,
    )


def interval_over_participants(measure: NDArray[np.float64]) -> Interval:
    """Jackknife interval, over participants, of the mean over their pairs.

    Parameters
    ----------
    measure : float array, shape (participants, participants)
        Symmetric, in [0, 1]; NaN if undefined. The diagonal is not used.

    Returns
    -------
    Interval
        NaN with fewer than four participants with a defined pair.
    """
    known = ~np.isnan(measure) & ~np.eye(len(measure), dtype=bool)
    filled, there = np.where(known, measure, 0), known.any(axis=1)
    if not there.all():
        known, filled = (square[there][:, there].T for square in (known, filled))
    pairs, sums = known.sum() - 2 * known.sum(axis=0), filled.sum() - 2 * filled.sum(axis=0)
    if not len(pairs) or not pairs.all():
        return Interval(float("nan"), float("nan"))
    mean = float(filled.sum() / known.sum())
    return Interval(*jackknife_interval(mean, sums / pairs, (0.0, 1.0)))


def _mean_agreement(pairs: PairAgreement, random: NDArray[np.float64], seed: int) -> MeanAgreement:
    # One array of all pairs at a time, since there may be half a million.
    mean_f, f_interval = _mean_and_interval(pairs, pairs.f)
    mean_random, f_random_interval = _mean_and_interval(pairs, pairs.f_random)
    share = pairs.mean((pairs.precision + pairs.recall) / 2)
    return MeanAgreement(
        precision=share,
        recall=share,
        f=mean_f,
        f_interval=f_interval,
        f_random=mean_random,
        f_random_interval=f_random_interval,
        f_random_drawn=float(random.mean()),
        f_random_spread=Interval(*np.percentile(random, (2.5, 97.5)).tolist()),
        f_adjusted=float(adjusted(mean_f, mean_random)),
        p_value=p_value(mean_f, random),
        f_alone=_f_of_all_alone(pairs),
        rand=pairs.mean(pairs.rand),
        ari=pairs.mean_ari,
        median_in_common=_median_in_common(pairs.stimuli),
        draws=len(random),
        seed=seed,
    )


def _mean_and_interval(
    pairs: PairAgreement, measure: NDArray[np.float64]
) -> tuple[float, Interval]:
    return pairs.mean(measure), interval_over_participants(measure)


def _median_in_common(stimuli: NDArray[Any]) -> float:
    counts = above_diagonal(stimuli)
    return float(np.median(counts)) if len(counts) else float("nan")


def _f_of_all_alone(pairs: PairAgreement) -> float:
    """Mean F of each stimulus alone: precision is 1, recall is the number of groups over the number
    of stimuli."""
    placed, groups = (np.diag(part).astype(np.float64) for part in (pairs.stimuli, pairs.groups))
    recall = groups[placed > 1] / placed[placed > 1]
    return float(f_measure(np.ones(len(recall)), recall).mean()) if len(recall) else float("nan")
