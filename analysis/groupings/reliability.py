"""Reliability of a co-grouping similarity by number of participants: are there enough?

Two disjoint samples of n participants each give a similarity. The correlation of the two over pairs
of stimuli is the reliability of a similarity from n participants. It is measured for n up to half
of the participants, and extrapolated to all of them, and beyond, with the Spearman-Brown formula.

The uncertainty comes from the sample of participants, not from the random splits. So the interval
is a jackknife over participants (with the same splits) of Fisher's z. Intervals from the variation
of the splits would cover the true value in only 55 to 80 % of studies.

The test length in the Spearman-Brown formula is the number of participants per pair of stimuli. If
all participants placed all stimuli, it is the number of participants. The correlation of two
samples then follows from the covariances of the participants' indicators "together or not", and
these from the number of pairs that two participants both put together, without a loop over pairs of
stimuli. If participants placed parts of the set, similarities are computed for a random sample of
the pairs, and the length is the harmonic mean, over these pairs, of the number of participants who
placed both. Matrix products are of integers, or of values that `summable` makes exact in any order,
so the same seed gives the same bits on every machine and with any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.errors import InputError
from analysis.groupings.grouping import NOT_PLACED, renumber, validate
from analysis.groupings.pair_agreement import PairAgreement, bcubed_pairs
from analysis.groupings.spearman_brown import participants_needed, spearman_brown
from analysis.statistics.exact_sums import summable
from analysis.statistics.intervals import MIN_FOR_INTERVAL, jackknife_interval

TARGETS = (0.8, 0.9)
_POINTS = 10
_PAIRS = 5_000
_HALVES_PER_BATCH = 100
_HALVES_LEFT = 25
# With more participants, the jackknife leaves out one of this many groups of them.
_MAX_LEFT_OUT = 60
_NEARLY_ONE = 1 - 1e-12
_NO_SPREAD = 1e-10

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ReliabilityAt:
    """Reliability of a similarity from this many participants, as the mean over samples."""

    participants: int
    reliability: float


@dataclass(frozen=True)
class Reliability:
    """Reliability of a set's similarity.

    Attributes
    ----------
    split_half : float
        Reliability of the similarity from all participants: mean, over random splits, of the
        correlation of the halves with the Spearman-Brown correction. NaN if undefined (fewer than
        two participants, or no variance).
    low, high : float
        Bounds of its 95 % interval over participants; NaN with fewer than four.
    correlation : float
        Mean correlation of the halves, uncorrected.
    halves, seed : int
    curve : list of ReliabilityAt
        Measured values, from one participant to half of them.
    needed : dict of float to int or None
        Total number of participants needed for the lower bound to reach .80 and .90. None if the
        bound is not above 0 or there is no interval.
    expected : dict of float to int or None
        The same for the point estimate: with so many, the reliability may be higher or lower.
    """

    split_half: float
    low: float
    high: float
    correlation: float
    halves: int
    seed: int
    curve: list[ReliabilityAt]
    needed: dict[float, int | None]
    expected: dict[float, int | None]

    def enough(self, target: float) -> bool:
        """Whether the lower bound reaches a target."""
        return bool(self.low >= target)


def split_half_reliability(
    groupings: ArrayLike, halves: int = 200, seed: int = 0, pairs: PairAgreement | None = None
) -> Reliability:
    """Measure the reliability of the co-grouping similarity by many random splits.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Group number; -1 if the participant did not place the stimulus.
    halves : int
        Random splits for each number of participants. If this number is odd, each split leaves out
        one participant at random; the formula corrects for this.
    seed : int
        Random seed.
    pairs : PairAgreement, optional
        From `bcubed_pairs` of the same groupings, if already computed.

    Returns
    -------
    Reliability

    Raises
    ------
    InputError
        If `halves` is below 1, or as for `analysis.groupings.grouping.validate`.

    References
    ----------
    .. [1] Spearman (1910), Brown (1910), as in `spearman_brown`.

    Examples
    --------
    >>> found = split_half_reliability([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 1, 1]])
    >>> [point.participants for point in found.curve]
    [1, 2]
    """
    if halves < 1:
        raise InputError(f"halves should be at least 1, but is {halves}")
    groups = renumber(validate(groupings))
    participants = len(groups)
    half = participants // 2
    rng = np.random.default_rng(seed)
    curve, split_half, correlation = [], float("nan"), float("nan")
    low = high = float("nan")
    if half:
        correlate, whole = _correlation(groups, pairs, rng)
        for n in np.unique(np.linspace(1, half, min(half, _POINTS)).round().astype(int)):
            sides = _samples(participants, int(n), halves, rng)
            found, length = correlate(*sides)
            correlation = _mean(found)
            curve.append(ReliabilityAt(int(n), correlation))
        split_half = _mean(spearman_brown(found, whole / length))
        low, high = _interval(split_half, correlate, whole, [s[:_HALVES_LEFT] for s in sides])
    return Reliability(
        split_half,
        low,
        high,
        correlation,
        halves,
        seed,
        curve,
        {target: participants_needed(low, participants, target) for target in TARGETS},
        {target: participants_needed(split_half, participants, target) for target in TARGETS},
    )


def _interval(
    split_half: float, correlate: Correlate, whole: float, sides: list[Floats]
) -> tuple[float, float]:
    """Jackknife interval of the reliability, leaving out each participant or group of them."""
    participants = sides[0].shape[1]
    if participants < MIN_FOR_INTERVAL or not abs(split_half) <= 1:
        return float("nan"), float("nan")
    group_of = np.arange(participants) % _MAX_LEFT_OUT
    without = []
    for group in range(int(group_of.max()) + 1):
        found, length = correlate(*(side * (group_of != group) for side in sides))
        without.append(_mean(spearman_brown(found, whole / length)))
    z, own = (np.arctanh(np.clip(r, -_NEARLY_ONE, _NEARLY_ONE)) for r in (without, split_half))
    low, high = np.tanh(jackknife_interval(float(own), z))
    # Fisher's z is infinite for a reliability of 1.
    return min(float(low), split_half), max(float(high), split_half)


def _samples(
    participants: int, n: int, halves: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Two disjoint random samples of n participants, as 0 and 1, shape (halves, participants)."""
    slots = np.zeros((halves, participants))
    slots[:, :n] = 1
    slots[:, n : 2 * n] = 2
    drawn = rng.permuted(slots, axis=1)
    return (drawn == 1).astype(np.float64), (drawn == 2).astype(np.float64)


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


Correlate = Callable[[Floats, Floats], tuple[Floats, Floats]]
"""From two samples: the correlation of their similarities, and the length; each shape (halves,)."""


def _correlation(
    groups: NDArray[np.int64], pairs: PairAgreement | None, rng: np.random.Generator
) -> tuple[Correlate, float]:
    """A function that correlates samples, and the length for all participants."""
    if (groups != NOT_PLACED).all():
        covariances = summable(_covariances(pairs or bcubed_pairs(groups)), len(groups) ** 2)
        return lambda one, other: _from_covariances(covariances, one, other), len(groups)
    together, both = _pairs_of_stimuli(groups, rng)

    def correlate(one: Floats, other: Floats) -> tuple[Floats, Floats]:
        runs = [slice(k, k + _HALVES_PER_BATCH) for k in range(0, len(one), _HALVES_PER_BATCH)]
        found = [_from_pairs(together, both, one[run], other[run]) for run in runs]
        correlations, lengths = zip(*found, strict=True)
        return np.concatenate(correlations), np.concatenate(lengths)

    whole = 1 / (1 / both.sum(axis=0)).mean() if both.size else float("nan")
    return correlate, whole


def _covariances(pairs: PairAgreement) -> Floats:
    """Covariance, over pairs of stimuli, of two participants' indicators, from counts alone."""
    n = int(pairs.stimuli[0, 0])
    # In place, since there may be a thousand participants.
    share = pairs.together.astype(np.float64)
    share -= n
    share /= max(n * (n - 1), 1)
    own = np.diag(share).copy()
    share -= own[:, None] * own
    return share


def _from_covariances(covariances: Floats, one: Floats, other: Floats) -> tuple[Floats, Floats]:
    between = ((one @ covariances) * other).sum(axis=1)
    within = [((side @ covariances) * side).sum(axis=1) for side in (one, other)]
    return _quotient(between, *within), 2 / (1 / one.sum(axis=1) + 1 / other.sum(axis=1))


def _pairs_of_stimuli(
    groups: NDArray[np.int64], rng: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Together, and both placed, for a sample of pairs; shape (participants, pairs) each."""
    placed = groups != NOT_PLACED
    indicator = placed.astype(np.float32)
    first, second = np.nonzero(np.triu(indicator.T @ indicator > 1, 1))
    if len(first) > _PAIRS:
        drawn = np.sort(rng.choice(len(first), _PAIRS, replace=False))
        first, second = first[drawn], second[drawn]
    both = placed[:, first] & placed[:, second]
    together = both & (groups[:, first] == groups[:, second])
    return together.astype(np.float32), both.astype(np.float32)


def _from_pairs(
    together: NDArray[np.float32], both: NDArray[np.float32], one: Floats, other: Floats
) -> tuple[Floats, Floats]:
    """Correlations over the pairs that participants in both samples placed."""
    middle = np.float32(together.sum() / np.maximum(both.sum(), 1))
    sides = [side.astype(np.float32) for side in (one, other)]
    counts = [side @ both for side in sides]
    known = ((counts[0] > 0) & (counts[1] > 0)).astype(np.float32)
    counts = [np.maximum(count, 1) for count in counts]
    # Centre similarities, with 0 for unknown ones, so that sums lose no precision.
    x, y = (
        ((side @ together) / count - middle) * known
        for side, count in zip(sides, counts, strict=True)
    )
    n = np.maximum(known.sum(axis=1, dtype=np.float64), 1)
    means = [side.sum(axis=1, dtype=np.float64) / n for side in (x, y)]
    between, within_x, within_y = (
        np.einsum("hp,hp->h", a, b).astype(np.float64) / n - mean
        for a, b, mean in (
            (x, y, means[0] * means[1]),
            (x, x, means[0] ** 2),
            (y, y, means[1] ** 2),
        )
    )
    per_person = sum((known / count).sum(axis=1, dtype=np.float64) for count in counts)
    length = 2 * n / np.maximum(per_person, 1e-9)
    return _quotient(between, within_x, within_y), length


def _quotient(between: Floats, one: Floats, other: Floats) -> Floats:
    """Correlations from sums; NaN if a side has no variance."""
    spread = (one > _NO_SPREAD) & (other > _NO_SPREAD)
    correlations: Floats = np.full(len(between), np.nan)
    np.divide(between, np.sqrt(np.where(spread, one * other, 1)), out=correlations, where=spread)
    return correlations
