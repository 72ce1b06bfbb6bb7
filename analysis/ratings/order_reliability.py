"""Reliability of the mean order of a query's stimuli, over the queries of a task.

From Kendall's W of k scores per stimulus follows the mean rank correlation of two participants,
r = (k W - 1) / (k - 1). The reliability of the mean of k scores is k r / (1 + (k - 1) r), by the
Spearman-Brown formula. The interval is a jackknife over participants.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.ratings.ground_truth import mean_ranks, validate_query, whole_multiples
from analysis.ratings.kendall import kendall_w
from analysis.statistics.intervals import jackknife_interval

Floats = NDArray[np.float64]


class OrderReliability(NamedTuple):
    """Reliability of mean orders; fields are NaN if undefined."""

    reliability: float
    """Reliability of a query's mean order; 0 if participants do not agree beyond chance."""
    low: float
    """Lower bound of the 95 % interval over participants; NaN with fewer than four."""
    high: float
    """Upper bound of the interval."""
    k: float
    """Number of scores per stimulus, mean over queries."""

    def more(self, target: float) -> int | None:
        """Additional scores per stimulus for the lower bound to reach `target`; None if unknown."""
        if not 0 < self.low < 1:
            return None if not self.low >= 1 else 0
        needed = self.k * target * (1 - self.low) / (self.low * (1 - target))
        return max(0, ceil(needed - self.k - 1e-9))


def order_reliability(scores: Sequence[Floats]) -> OrderReliability:
    """Reliability of a query's mean order, over the queries of a task.

    Parameters
    ----------
    scores : sequence of float arrays, shape (participants, stimuli) each
        One per query, all with the same participants; NaN if a participant gave no score.

    Returns
    -------
    OrderReliability

    Raises
    ------
    InputError
        If the numbers of participants differ, or as for
        `analysis.ratings.ground_truth.validate_query`.

    References
    ----------
    .. [1] M. Kendall, B. Babington Smith, "The problem of m rankings", Annals of Mathematical
       Statistics 10 (1939) 275-287: W and the mean rank correlation.
    .. [2] C. Spearman, British Journal of Psychology 3 (1910) 271-295.

    Examples
    --------
    Three people with rank correlations 1/2, 1/2 and -1/2, so r = 1/6 and 3 r / (1 + 2 r) = 3/8:

    >>> found = order_reliability([np.array([[1.0, 2, 3], [1, 3, 2], [2, 1, 3]])])
    >>> round(found.reliability, 12), found.k
    (0.375, 3.0)
    """
    tables = [validate_query(query) for query in scores]
    if len({len(table) for table in tables}) > 1:
        raise InputError("every query should have the same participants")
    found = [one for one in map(kendall_w, tables) if not np.isnan(one.w) and one.k > 1]
    if not found:
        return OrderReliability._make([float("nan")] * 4)
    r = float(np.mean([(one.k * one.w - 1) / (one.k - 1) for one in found]))
    k = float(np.mean([one.k for one in found]))
    low, high = jackknife_interval(r, _without_each(_pairs_of_people(tables)), (-1.0, 1.0))
    return OrderReliability(_of_mean(r, k), _of_mean(low, k), _of_mean(high, k), k)


def _of_mean(correlation: float, k: float) -> float:
    """Reliability of the mean of k scores, by the Spearman-Brown formula; NaN stays NaN."""
    r = np.maximum(correlation, 0.0)
    return float(k * r / (1 + (k - 1) * r))


def _pairs_of_people(tables: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Sums of rank correlations over queries, and their numbers, for all pairs of participants."""
    people = len(tables[0])
    sums, counts = np.zeros((2, people, people))
    for table in tables:
        whole, _ = whole_multiples(table)
        ranks = mean_ranks(whole)
        there = ~np.isnan(ranks)
        middle = (there.sum(axis=1) + 1) / 2
        apart = np.where(there, ranks - middle[:, None], 0.0)
        spread = np.sqrt((apart**2).sum(axis=1))
        varies = spread > 0
        unit = apart / np.where(varies, spread, 1)[:, None]
        sums += unit @ unit.T
        counts += varies[:, None] & varies
    return sums, counts


def _without_each(pairs: tuple[Floats, Floats]) -> Floats:
    """Mean over pairs of participants and queries, leaving out each participant in turn."""
    sums, counts = pairs
    for part in pairs:
        np.fill_diagonal(part, 0)
    there = counts.any(axis=1)
    if not there.any():
        return np.full(1, np.nan)
    total = [part.sum() - 2 * part.sum(axis=1)[there] for part in (sums, counts)]
    return total[0] / np.where(total[1] > 0, total[1], np.nan)
