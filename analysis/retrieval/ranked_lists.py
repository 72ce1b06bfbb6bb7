"""Ranked lists of many queries, of different lengths, and all measures of them.

Lists are concatenated in one array, so that memory is proportional to the number of entries.
Measures are computed on blocks of lists of similar length, padded with zeros.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.retrieval.graded_gain import (
    cumulative_gain,
    discounted_cumulative_gain,
    normalised_gain,
)
from analysis.retrieval.measures import (
    average_precision,
    e_measure,
    first_tier,
    nearest_neighbour,
    second_tier,
)
from analysis.retrieval.precision_recall import (
    precision_recall_11,
    precision_recall_20,
    shrec_average_precision,
)

_BLOCK = 1 << 20
Values = NDArray[np.float64]


@dataclass(frozen=True)
class Ragged:
    """Lists of numbers of different lengths, concatenated.

    Attributes
    ----------
    flat : float array, shape (entries,)
    starts : int array, shape (lists + 1,)
        List k is ``flat[starts[k]:starts[k + 1]]``.
    """

    flat: Values
    starts: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of entries of each list, shape (lists,)."""
        return np.diff(self.starts)

    def padded(self, chosen: NDArray[np.int64]) -> Values:
        """Return the chosen lists as one array, shape (chosen, longest), padded with zeros."""
        lengths = self.lengths[chosen]
        table = np.zeros((chosen.size, max(int(lengths.max(initial=0)), 1)))
        row = np.repeat(np.arange(chosen.size), lengths)
        column = np.arange(row.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        table[row, column] = self.flat[np.repeat(self.starts[chosen], lengths) + column]
        return table


def ragged(flat: Values, lengths: NDArray[np.int64]) -> Ragged:
    """Split one array into lists of these lengths.

    Examples
    --------
    >>> ragged(np.array([1.0, 0.0, 1.0]), np.array([2, 1])).padded(np.array([1, 0])).tolist()
    [[1.0, 0.0], [1.0, 0.0]]
    """
    return Ragged(flat, np.concatenate(([0], np.cumsum(lengths))).astype(np.int64))


@dataclass(frozen=True)
class RankedLists:
    """The results of a system for each judged query.

    Attributes
    ----------
    system : str
    queries : list of str
        Queries with relevant targets.
    gains : Ragged
        Gain of each result, best first; an empty list if there are no results for the query.
    targets : Ragged
        Gains of all relevant targets in the collection, retrieved or not; their number is C.
    ties : int array, shape (queries,)
        Number of results with the same score as the one before, so that file order decided.
    """

    system: str
    queries: list[str]
    gains: Ragged
    targets: Ragged
    ties: NDArray[np.int64]


@dataclass(frozen=True)
class RetrievalScores:
    """All measures of one system.

    Attributes
    ----------
    lists : RankedLists
    by_query : dict of str to float array, shape (queries,)
        ``nn ft st e dcg ap``, and ``cg``, ``dcg_sum`` (not normalised) and ``ndcg_trec``.
    precision_20, precision_11 : float arrays, shape (20,) and (11,)
        Mean precision-recall curves; NaN at points that are undefined for all queries.
    queries_20 : int array, shape (20,)
        Number of queries in the mean at each of the 20 points.
    """

    lists: RankedLists
    by_query: dict[str, Values]
    precision_20: Values
    precision_11: Values
    queries_20: NDArray[np.int64]

    @property
    def means(self) -> dict[str, float]:
        """Mean of each measure over queries, and ``shrec_ap``, the mean of the 20-point curve."""
        means = {name: float(values.mean()) for name, values in self.by_query.items()}
        return means | {"shrec_ap": shrec_average_precision(self.precision_20[None])}


def measure_lists(lists: RankedLists) -> RetrievalScores:
    """Compute all retrieval measures of a system's lists.

    Parameters
    ----------
    lists : RankedLists

    Returns
    -------
    RetrievalScores

    Raises
    ------
    InputError
        If there are no queries, or a list has more relevant results than its query has targets.
    """
    if not lists.queries:
        raise InputError(f"{lists.system}: there are no queries with relevant targets")
    by_query: dict[str, Values] = {}
    total_20, total_11 = np.zeros(20), np.zeros(11)
    count_20 = np.zeros(20, dtype=np.int64)
    for chosen in _blocks(np.maximum(lists.gains.lengths, lists.targets.lengths)):
        measures, curve_20, curve_11 = _measure_block(lists, chosen)
        for name, values in measures.items():
            by_query.setdefault(name, np.empty(len(lists.queries)))[chosen] = values
        total_20 += np.nansum(curve_20, axis=0)
        count_20 += (~np.isnan(curve_20)).sum(0)
        total_11 += curve_11.sum(0)
    return RetrievalScores(
        lists,
        by_query,
        precision_20=total_20 / np.where(count_20 == 0, np.nan, count_20),
        precision_11=total_11 / len(lists.queries),
        queries_20=count_20,
    )


def _measure_block(
    lists: RankedLists, chosen: NDArray[np.int64]
) -> tuple[dict[str, Values], Values, Values]:
    gains, targets = lists.gains.padded(chosen), lists.targets.padded(chosen)
    relevant, results = lists.targets.lengths[chosen], lists.gains.lengths[chosen]
    measures = {
        "nn": nearest_neighbour(gains),
        "ft": first_tier(gains, relevant),
        "st": second_tier(gains, relevant),
        "e": e_measure(gains, relevant, results),
        "dcg": normalised_gain(gains, targets),
        "ap": average_precision(gains, relevant),
        "cg": cumulative_gain(gains),
        "dcg_sum": discounted_cumulative_gain(gains),
        "ndcg_trec": normalised_gain(gains, targets, form="trec"),
    }
    return measures, precision_recall_20(gains, relevant), precision_recall_11(gains, relevant)


def _blocks(lengths: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Lists by ascending length, in blocks that remain small when padded to the longest list."""
    order = np.argsort(lengths, kind="stable")
    start = 0
    while start < order.size:
        size = max(1, _BLOCK // max(int(lengths[order[start]]), 1))
        while size > 1 and size * int(lengths[order[min(start + size, order.size) - 1]]) > _BLOCK:
            size //= 2
        yield order[start : start + size]
        start += size
