"""Consensus clustering: the one grouping that agrees best with all participants.

Criterion: the mean, over participants, of the adjusted Rand index between the consensus and the
participant's own grouping, on the stimuli that the participant placed; if participants placed
different stimuli, the ratio of sums (`PairAgreement.mean_ari`). The average-linkage tree of the
co-grouping similarity is cut where the criterion is highest. Then stimuli are moved one by one to
the group (or a new one) that increases the criterion most, until no move increases it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.groupings.adjusted_rand import adjusted_rand, rand_beyond_chance
from analysis.groupings.grouping import NOT_PLACED, renumber, validate
from analysis.groupings.hierarchy import average_linkage
from analysis.groupings.pair_counts import pair_counts

CRITERION = (
    "mean adjusted Rand index with the participants; if they placed different stimuli, sum of "
    "(index - expected) over sum of (maximum - expected)"
)
_SWEEPS = 50
_GAIN = 1e-12
_ROWS_AT_ONCE = 16

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Consensus:
    """The consensus grouping of a set.

    Attributes
    ----------
    groups : int array, shape (stimuli,)
        From 0, the largest group first; -1 if no participant placed the stimulus.
    ari : float
        The criterion; NaN if no participant placed two stimuli.
    ari_of_cut : float
        The criterion of the tree's best cut, before stimuli were moved.
    """

    groups: NDArray[np.int64]
    ari: float
    ari_of_cut: float


def consensus_grouping(groupings: ArrayLike) -> Consensus:
    """Find the grouping that agrees best with all participants.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Group number; -1 if the participant did not place the stimulus.

    Returns
    -------
    Consensus

    Raises
    ------
    InputError
        As for `analysis.groupings.grouping.validate`.

    References
    ----------
    .. [1] A. Strehl, J. Ghosh, "Cluster ensembles", JMLR 3 (2002) 583-617.
    .. [2] L. Hubert, P. Arabie, "Comparing partitions", Journal of Classification 2 (1985) 193-218.

    Examples
    --------
    >>> consensus_grouping([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]).groups.tolist()
    [0, 0, 1, 1]
    """
    array = validate(groupings)
    placed = np.flatnonzero((array != NOT_PLACED).any(axis=0))
    groups = np.full(array.shape[1], NOT_PLACED, dtype=np.int64)
    if len(placed) < 2:
        groups[placed] = 0
        return Consensus(groups, float("nan"), float("nan"))
    part = renumber(array[(array != NOT_PLACED).any(axis=1)][:, placed])
    tree = average_linkage(pair_counts(part))
    cut, ari_of_cut = _best_cut(part, tree)
    contingency = _Contingency(part, cut)
    for _ in range(_SWEEPS):
        if not contingency.sweep():
            break
    groups[placed] = _largest_first(contingency.groups)
    return Consensus(groups, contingency.criterion(), ari_of_cut)


def _best_cut(part: NDArray[np.int64], tree: Floats) -> tuple[NDArray[np.int64], float]:
    """Cut the tree at the number of groups with the highest criterion; the fewest if tied."""
    stimuli = part.shape[1]
    contingency = _Contingency(part, np.arange(stimuli))
    row_of = dict(enumerate(range(stimuli)))
    best, best_ari = stimuli, contingency.criterion()
    for step, (one, other) in enumerate(tree[:, :2].astype(int)):
        row_of[stimuli + step] = row_of[one]
        contingency.merge(row_of[one], row_of[other])
        ari = contingency.criterion()
        if not ari < best_ari - _GAIN:
            best, best_ari = stimuli - 1 - step, ari
    return _cut(tree, best), best_ari


def _cut(tree: Floats, groups: int) -> NDArray[np.int64]:
    """Cut the tree into groups; scipy's `cut_tree` may reorder merges of equal height."""
    stimuli = len(tree) + 1
    node = np.arange(stimuli)
    for step, (one, other) in enumerate(tree[: stimuli - groups, :2].astype(int)):
        node[(node == one) | (node == other)] = stimuli + step
    cut: NDArray[np.int64] = np.unique(node, return_inverse=True)[1]
    return cut


class _Contingency:
    """Contingency tables of one grouping with each participant's, updated as groups merge and
    stimuli move.

    `counts[g]`: how many stimuli of group g are in each group of each participant, side by side in
    columns; in the smallest type, since at first there is a row for each stimulus. `sizes[g]`: how
    many of its stimuli each participant placed. `both`, `ours`, `theirs`: for each participant, the
    number of pairs of stimuli that share a group in both groupings, in this one, and in the
    participant's; `pairs`: the number of all pairs.
    """

    def __init__(self, part: NDArray[np.int64], groups: NDArray[np.int64]) -> None:
        widths = part.max(axis=1) + 1
        self.starts = np.concatenate([[0], np.cumsum(widths)[:-1]])
        self.placed = part != NOT_PLACED
        self.same = bool(self.placed.all())
        self.columns = part + self.starts[:, None]
        self.groups = groups.copy()
        shape, most = (int(groups.max()) + 2, int(widths.sum())), part.shape[1]
        self.counts = np.zeros(shape, dtype=np.min_scalar_type(-most - 1))
        person, stimulus = np.nonzero(self.placed)
        np.add.at(self.counts, (groups[stimulus], self.columns[person, stimulus]), 1)
        # Some rows at a time, because numbers to compute with need four times as much memory.
        self.sizes = np.empty((shape[0], len(part)))
        squares, sums = np.zeros((2, shape[1]))
        for start in range(0, shape[0], _ROWS_AT_ONCE):
            rows = self.counts[start : start + _ROWS_AT_ONCE].astype(np.float64)
            self.sizes[start : start + len(rows)] = self._by_person(rows)
            sums += rows.sum(axis=0)
            squares += np.einsum("gc,gc->c", rows, rows)
        self.both = self._by_person((squares - sums) / 2)
        self.ours = _pairs_in(self.sizes).sum(axis=0)
        self.theirs = self._by_person(_pairs_in(sums))
        self.pairs = _pairs_in(self.placed.sum(axis=1).astype(np.float64))

    def _by_person(self, columns: Floats) -> Floats:
        sums: Floats = np.add.reduceat(columns, self.starts, axis=-1)
        return sums

    def criterion(self) -> float:
        """Mean adjusted Rand index with the participants who placed two stimuli or more."""
        return float(self._mean_ari(self.both, self.ours))

    def _mean_ari(self, both: Floats, ours: Floats) -> Floats:
        defined = self.pairs > 0
        if not defined.any():
            return np.full(both.shape[:-1], np.nan)
        pairs, theirs = (np.broadcast_to(x, both.shape) for x in (self.pairs, self.theirs))
        if self.same:
            single = adjusted_rand(pairs, both, ours, theirs)
            return np.asarray(single[..., defined].mean(axis=-1))
        parts = rand_beyond_chance(pairs, both, ours, theirs)
        gain, possible = (part[..., defined].sum(axis=-1) for part in parts)
        ratio = np.ones(possible.shape)
        np.divide(gain, possible, out=ratio, where=possible > 0)
        return ratio

    def merge(self, target: int, source: int) -> None:
        """Merge one group into another."""
        products = np.multiply(self.counts[target], self.counts[source], dtype=np.float64)
        self.both += self._by_person(products)
        self.ours += self.sizes[target] * self.sizes[source]
        self.counts[target] += self.counts[source]
        self.sizes[target] += self.sizes[source]

    def sweep(self) -> bool:
        """Move each stimulus to the group that increases the criterion most; return whether any
        moved."""
        moved = [self._move(stimulus) for stimulus in range(len(self.groups))]
        return any(moved)

    def _move(self, stimulus: int) -> bool:
        home = self.groups[stimulus]
        placed = self.placed[:, stimulus]
        columns = self.columns[placed, stimulus]
        both = np.repeat(self.both[None], len(self.counts), axis=0)
        ours = np.repeat(self.ours[None], len(self.counts), axis=0)
        both[:, placed] += self.counts[:, columns] - (self.counts[home, columns] - 1)
        ours[:, placed] += self.sizes[:, placed] - (self.sizes[home, placed] - 1)
        both[home], ours[home] = self.both, self.ours
        ari = self._mean_ari(both, ours)
        target = int(np.argmax(ari))
        if not ari[target] > ari[home] + _GAIN:
            return False
        for group, change in ((home, -1), (target, 1)):
            self.counts[group, columns] += change
            self.sizes[group, placed] += change
        self.both, self.ours = both[target], ours[target]
        self.groups[stimulus] = target
        if target == len(self.counts) - 1:
            self._add_empty_group()
        return True

    def _add_empty_group(self) -> None:
        self.counts = np.vstack([self.counts, np.zeros_like(self.counts[:1])])
        self.sizes = np.vstack([self.sizes, np.zeros_like(self.sizes[:1])])


def _pairs_in(sizes: Floats) -> Floats:
    return sizes * (sizes - 1) / 2


def _largest_first(groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number groups by size, the largest 0; groups of equal size by their first stimulus."""
    _, first, codes, sizes = np.unique(
        groups, return_index=True, return_inverse=True, return_counts=True
    )
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.lexsort((first, -sizes))] = np.arange(len(first))
    return rank[codes]
