"""Agreement of groupings for pairs of participants: BCubed, Rand index and adjusted Rand index.

All are computed from the contingency table of two groupings (`analysis.groupings.contingency`).

Conventions: groupings are int arrays, shape (participants, stimuli), -1 if not placed; a pair is
compared on the stimuli that both placed; the first of a pair is the system, the second the
reference. If fewer than two stimuli were placed by both, every measure is NaN, since one stimulus
says nothing about grouping.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import above_diagonal, as_numbers
from analysis.errors import InputError
from analysis.groupings.adjusted_rand import (
    adjusted_rand,
    ari_of_sums,
    divided,
    rand_beyond_chance,
)
from analysis.groupings.contingency import TableCounter
from analysis.groupings.grouping import as_group_numbers, renumber, validate

Floats = NDArray[np.float64]
_PAIRS_AT_ONCE = 1 << 16


class BCubed(NamedTuple):
    """BCubed precision, recall and F of one grouping against another."""

    precision: float
    recall: float
    f: float


@dataclass(frozen=True)
class PairAgreement:
    """Agreement of every participant with every other.

    Measures are computed on each access, since a thousand participants have half a million pairs.

    Attributes
    ----------
    stimuli : int array, shape (participants, participants)
        Stimuli that both placed.
    precision : float array, shape (participants, participants)
        BCubed precision of the row's participant, with the column's as reference.
    together, first : int arrays, shape (participants, participants)
        Number of ordered pairs of stimuli, each stimulus with itself included, that share a group
        in both groupings, and in the row's grouping, among the stimuli that both placed.
    groups : int array, shape (participants, participants)
        Number of groups of the row's participant among the stimuli that both placed.
    """

    stimuli: NDArray[Any]
    precision: Floats
    together: NDArray[Any]
    first: NDArray[Any]
    groups: NDArray[Any]

    @property
    def recall(self) -> Floats:
        """BCubed recall: the precision of the column's participant, with the row's as reference."""
        return self.precision.T

    @property
    def f(self) -> Floats:
        """BCubed F, symmetric."""
        return self._measured(lambda rows: rows.f)

    @property
    def f_random(self) -> Floats:
        """As in `PairRows`."""
        return self._measured(lambda rows: rows.f_random)

    @property
    def rand(self) -> Floats:
        """As in `PairRows`."""
        return self._measured(lambda rows: rows.rand)

    @property
    def ari(self) -> Floats:
        """As in `PairRows`."""
        return self._measured(lambda rows: rows.ari)

    @property
    def mean_ari(self) -> float:
        """Adjusted Rand index over unordered pairs of participants; NaN if there are none.

        The mean if all placed the same stimuli, otherwise `ari_of_sums`.
        """
        if self.stimuli.min() == self.stimuli.max():
            return self.mean(self.ari)
        gain = self._measured(lambda rows: rows.beyond_chance[0])
        possible = self._measured(lambda rows: rows.beyond_chance[1])
        return ari_of_sums(above_diagonal(gain), above_diagonal(possible))

    def rows(self, some: slice) -> PairRows:
        """The agreement of some participants with all."""
        return PairRows(self, some)

    def _measured(self, measure: Callable[[PairRows], Floats]) -> Floats:
        """A measure of all pairs; that of a few participants at a time needs little memory."""
        found, step = np.empty(self.precision.shape), max(1, _PAIRS_AT_ONCE // len(self.precision))
        for start in range(0, len(found), step):
            found[start : start + step] = measure(self.rows(slice(start, start + step)))
        return found

    def mean(self, measure: Floats) -> float:
        """Mean of a measure over unordered pairs of participants; NaN if there are none."""
        values = above_diagonal(measure)
        values = values[~np.isnan(values)]
        return float(values.mean()) if len(values) else float("nan")


@dataclass(frozen=True)
class PairRows:
    """Agreement of some participants with all; arrays of shape (some, participants).

    Attributes
    ----------
    pairs : PairAgreement
    some : slice
        The participants of the rows.
    """

    pairs: PairAgreement
    some: slice

    @property
    def stimuli(self) -> Floats:
        """Stimuli that both placed."""
        return self._there(self.pairs.stimuli)

    @property
    def precision(self) -> Floats:
        """BCubed precision of the row's participant, with the column's as reference."""
        return self._there(self.pairs.precision)

    @property
    def recall(self) -> Floats:
        """BCubed recall: the precision of the column's participant, with the row's as reference."""
        return self._back(self.pairs.precision)

    @property
    def f(self) -> Floats:
        """BCubed F."""
        return f_measure(self.precision, self.recall)

    @property
    def f_random(self) -> Floats:
        """F of the expected precision and recall of random groupings with these group sizes.

        The other participant put a stimulus together with itself, and with each other member of
        its group with probability q, the share of all pairs of stimuli that the other participant
        put together. This is the hypergeometric E[n**2], summed over groups of n stimuli.
        """
        n, pairs = self.stimuli, self.pairs
        first, second = self._there(pairs.first), self._back(pairs.first)
        sides = (self._there(pairs.groups), second), (self._back(pairs.groups), first)
        return f_measure(*(_expected_precision(n, groups, other) for groups, other in sides))

    @property
    def rand(self) -> Floats:
        """Rand index: share of pairs of stimuli on which two participants agree."""
        pairs, both, first, second = self._pairs()
        return divided(pairs + 2 * both - first - second, pairs)

    @property
    def ari(self) -> Floats:
        """Rand index adjusted for chance; see `adjusted_rand`."""
        return adjusted_rand(*self._pairs())

    @property
    def beyond_chance(self) -> tuple[Floats, Floats]:
        """Numerator and denominator of the adjusted Rand index; see `rand_beyond_chance`."""
        return rand_beyond_chance(*self._pairs())

    def _pairs(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Numbers of pairs of different stimuli: all; together in both, in first, in second."""
        n, pairs = self.stimuli, self.pairs
        both, first = self._there(pairs.together), self._there(pairs.first)
        second = self._back(pairs.first)
        return n * (n - 1) / 2, (both - n) / 2, (first - n) / 2, (second - n) / 2

    def _there(self, square: NDArray[Any]) -> Floats:
        return square[self.some].astype(np.float64)

    def _back(self, square: NDArray[Any]) -> Floats:
        return square[:, self.some].T.astype(np.float64)


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
    participants, stimuli = groupings.shape
    shape = participants, participants
    numbers, of_pairs = np.min_scalar_type(stimuli), np.min_scalar_type(stimuli**2)
    found = PairAgreement(
        stimuli=np.empty(shape, numbers),
        precision=np.empty(shape),
        together=np.empty(shape, of_pairs),
        first=np.empty(shape, of_pairs),
        groups=np.empty(shape, numbers),
    )
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
    in_common = found.stimuli > 1
    np.divide(found.precision, found.stimuli, out=found.precision, where=in_common)
    found.precision[~in_common] = np.nan
    return found


def _expected_precision(n: Floats, groups: Floats, other: Floats) -> Floats:
    """Precision of so many groups of n stimuli, and a random grouping that puts so many ordered
    pairs together."""
    q = divided(other - n, n * (n - 1))
    return divided(groups + (n - groups) * q, n)


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
