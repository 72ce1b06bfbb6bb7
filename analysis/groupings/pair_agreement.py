"""Agreement of groupings for pairs of participants: BCubed, Rand index and adjusted Rand index.

All are computed from the contingency table of two groupings (`analysis.groupings.contingency`).

Conventions: groupings are int arrays, shape (participants, stimuli), -1 if not placed; a pair is
compared on the stimuli that both placed; the first of a pair is the system, the second the
reference. If fewer than two stimuli were placed by both, every measure is NaN, since one stimulus
says nothing about grouping.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_numbers
from analysis.errors import InputError
from analysis.groupings.contingency import TableCounter
from analysis.groupings.grouping import as_group_numbers, renumber, validate

Floats = NDArray[np.float64]


class BCubed(NamedTuple):
    """BCubed precision, recall and F of one grouping against another."""

    precision: float
    recall: float
    f: float


@dataclass(frozen=True)
class PairAgreement:
    """Agreement of every participant with every other.

    Attributes
    ----------
    stimuli : float array, shape (participants, participants)
        Stimuli that both placed.
    precision : float array, shape (participants, participants)
        BCubed precision of the row's participant, with the column's as reference.
    together, first : float arrays, shape (participants, participants)
        Number of ordered pairs of stimuli, each stimulus with itself included, that share a group
        in both groupings, and in the row's grouping, among the stimuli that both placed.
    groups : float array, shape (participants, participants)
        Number of groups of the row's participant among the stimuli that both placed.
    """

    stimuli: Floats
    precision: Floats
    together: Floats
    first: Floats
    groups: Floats

    @property
    def recall(self) -> Floats:
        """BCubed recall: the precision of the column's participant, with the row's as reference."""
        return np.swapaxes(self.precision, -1, -2)

    @property
    def f(self) -> Floats:
        """BCubed F, symmetric."""
        return f_measure(self.precision, self.recall)

    @property
    def f_random(self) -> Floats:
        """F of the expected precision and recall of random groupings with these group sizes.

        The other participant put a stimulus together with itself, and with each other member of
        its group with probability q, the share of all pairs of stimuli that the other participant
        put together. This is the hypergeometric E[n**2], summed over groups of n stimuli.
        """
        n = self.stimuli
        q = _divided(np.swapaxes(self.first, -1, -2) - n, n * (n - 1))
        expected = _divided(self.groups + (n - self.groups) * q, n)
        return f_measure(expected, np.swapaxes(expected, -1, -2))

    @property
    def rand(self) -> Floats:
        """Rand index: share of pairs of stimuli on which two participants agree."""
        pairs, both, first, second = self._pairs()
        return _divided(pairs + 2 * both - first - second, pairs)

    @property
    def ari(self) -> Floats:
        """Rand index adjusted for chance; see `adjusted_rand`."""
        return adjusted_rand(*self._pairs())

    @property
    def mean_ari(self) -> float:
        """Adjusted Rand index over unordered pairs of participants; NaN if there are none.

        The mean if all placed the same stimuli, otherwise `ari_of_sums`.
        """
        if self.stimuli.min() == self.stimuli.max():
            return self.mean(self.ari)
        upper = np.triu_indices(len(self.stimuli), 1)
        return ari_of_sums(*(part[upper] for part in self.beyond_chance))

    @property
    def beyond_chance(self) -> tuple[Floats, Floats]:
        """Numerator and denominator of the adjusted Rand index; see `rand_beyond_chance`."""
        return rand_beyond_chance(*self._pairs())

    def _pairs(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Numbers of pairs of different stimuli: all; together in both, in first, in second."""
        n, second = self.stimuli, np.swapaxes(self.first, -1, -2)
        return n * (n - 1) / 2, (self.together - n) / 2, (self.first - n) / 2, (second - n) / 2

    def mean(self, measure: Floats) -> float:
        """Mean of a measure over unordered pairs of participants; NaN if there are none."""
        values = measure[~np.tri(len(measure), dtype=bool)]
        values = values[~np.isnan(values)]
        return float(values.mean()) if len(values) else float("nan")


def bcubed(system: ArrayLike, reference: ArrayLike) -> BCubed:
    """BCubed precision, recall and F of one grouping against another.

    Precision is the mean, over the stimuli that both placed, of the share of a stimulus's group in
    `system` that is in its group in `reference` too, itself included; recall is the same with the
    roles exchanged; F is the harmonic mean of these means.

    Parameters
    ----------
    system, reference : array_like of int or str, shape (stimuli,)
        Group number, -1 if the stimulus was not placed; or label, "" or None if not placed. One
        side may have numbers and the other labels.

    Returns
    -------
    BCubed
        Precision, recall, f; NaN if fewer than two stimuli were placed by both.

    Raises
    ------
    InputError
        If the two differ in length, or as for `analysis.groupings.grouping.validate`.

    References
    ----------
    .. [1] E. Amigó et al., "A comparison of extrinsic clustering evaluation metrics based on
       formal constraints", Information Retrieval 12 (2009) 461-486.

    Examples
    --------
    >>> precision, recall, f = bcubed([0, 0, 1, 1], [0, 0, 0, 1])
    >>> round(precision, 3), round(recall, 3), round(f, 3)
    (0.75, 0.667, 0.706)
    >>> bcubed(["a", "a", "b"], [1, 2, 2]).precision
    0.6666666666666666
    """
    sides = [as_numbers(as_group_numbers(side), "groupings") for side in (system, reference)]
    if sides[0].ndim != 1 or sides[0].shape != sides[1].shape:
        raise InputError(
            "both groupings should have one number or label per stimulus, "
            f"but have shapes {sides[0].shape} and {sides[1].shape}"
        )
    pair = bcubed_pairs(np.stack(sides))
    return BCubed(*(float(m[0, 1]) for m in (pair.precision, pair.recall, pair.f)))


def bcubed_pairs(groupings: ArrayLike) -> PairAgreement:
    """Compare every participant's grouping with every other's.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Group number; -1 if the participant did not place the stimulus.

    Returns
    -------
    PairAgreement
        Arrays of shape (participants, participants): ``precision, recall, f, rand, ari``, and
        ``stimuli``, the number placed by both; the measures are NaN if it is below 2.

    Raises
    ------
    InputError
        As for `analysis.groupings.grouping.validate`.

    References
    ----------
    .. [1] E. Amigó et al., Information Retrieval 12 (2009) 461-486.
    .. [2] L. Hubert, P. Arabie, "Comparing partitions", Journal of Classification 2 (1985) 193-218.

    Examples
    --------
    >>> bcubed_pairs([[0, 0, 1, 1], [0, 0, 0, 1]]).f.round(3)
    array([[1.   , 0.706],
           [0.706, 1.   ]])
    """
    groups = renumber(validate(groupings))
    return agreement(TableCounter(groups), groups)


def agreement(tables: TableCounter, groupings: NDArray[np.integer]) -> PairAgreement:
    """Compare all pairs of groupings.

    Parameters
    ----------
    tables : TableCounter
        Of groupings with these sizes.
    groupings : int array, shape (participants, stimuli)
        As for `TableCounter.sums`.

    Returns
    -------
    PairAgreement
    """
    participants = len(groupings)
    found = PairAgreement(*np.empty((5, participants, participants)))
    found.stimuli[:], found.groups[:] = tables.placed[:, None], tables.groups[:, None]
    found.first[:] = tables.squares[:, None]
    np.fill_diagonal(found.precision, tables.placed)
    np.fill_diagonal(found.together, tables.squares)
    for rows, columns, sums in tables.sums(groupings):
        parts = [
            (found.precision, sums.by_row, sums.by_column),
            (found.together, sums.together, sums.together),
        ]
        if sums.margins:
            parts += [
                (found.stimuli, sums.margins.stimuli, sums.margins.stimuli),
                (found.first, sums.margins.row_squares, sums.margins.column_squares),
                (found.groups, sums.margins.row_groups, sums.margins.column_groups),
            ]
        for square, there, back in parts:
            square[rows, columns] = there
            square[columns, rows] = back.T
    found.precision[:] = _divided(found.precision, np.where(found.stimuli > 1, found.stimuli, 0))
    return found


def f_measure(precision: Floats, recall: Floats) -> Floats:
    """Harmonic mean of precision and recall, 0 at 0/0, NaN if either is.

    Parameters
    ----------
    precision, recall : float arrays of one shape
        In [0, 1].

    Returns
    -------
    float array, the same shape
    """
    total = precision + recall
    f: Floats = np.where(np.isnan(total), np.nan, 0.0)
    np.divide(2 * precision * recall, total, out=f, where=total > 0)
    return f


def adjusted_rand(
    pairs: Floats,
    both: Floats,
    first: Floats,
    second: Floats,
) -> Floats:
    """Adjusted Rand index from numbers of pairs: all; together in both, in first, in second.

    1 if the maximum equals the expectation (both groupings put everything together, or everything
    apart); NaN if there are no pairs.
    """
    gain, possible = rand_beyond_chance(pairs, both, first, second)
    ari = np.where(pairs > 0, 1.0, np.nan)
    np.divide(gain, possible, out=ari, where=possible > 0)
    return ari


def rand_beyond_chance(
    pairs: Floats, both: Floats, first: Floats, second: Floats
) -> tuple[Floats, Floats]:
    """Index minus expectation, and maximum minus expectation, from counts as in `adjusted_rand`.

    NaN if there are no pairs.
    """
    expected = _divided(first * second, pairs)
    # In place, since there may be half a million pairs of participants.
    possible = first + second
    possible /= 2
    possible -= expected
    return both - expected, possible


def ari_of_sums(gain: Floats, possible: Floats) -> float:
    """Adjusted Rand index of several pairs of groupings: sum of gains over sum of possible gains.

    Groupings of different parts of a set may have so few stimuli in common that no gain over chance
    is possible; the mean of single indices would count each of these pairs as 1.

    Parameters
    ----------
    gain, possible : float arrays of one shape
        From `rand_beyond_chance`; NaN is ignored.

    Returns
    -------
    float
        NaN if all pairs are; 1 if no gain is possible in any pair.

    Examples
    --------
    Two stimuli that both put in different groups add no information:

    >>> ari_of_sums(np.array([0.5, 0.0]), np.array([2.0, 0.0]))
    0.25
    """
    known = ~np.isnan(possible)
    if not known.any():
        return float("nan")
    total = float(possible[known].sum())
    return float(gain[known].sum()) / total if total > 0 else 1.0


def _divided(part: Floats, whole: Floats) -> Floats:
    quotient: Floats = np.full(np.shape(whole), np.nan)
    np.divide(part, whole, out=quotient, where=whole > 0)
    return quotient
