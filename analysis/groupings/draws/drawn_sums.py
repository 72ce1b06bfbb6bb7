"""Chance agreement of all pairs of participants, updated when participants are added or removed.

Each participant's grouping has a random stream of its own, and F is summed over pairs exactly. So a
further participant adds their pairs only, an excluded one is subtracted, and the result is the same
as if all were computed together.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.errors import InputError
from analysis.groupings.draws.drawn_agreement import UNIT, DrawCounter
from analysis.groupings.draws.random_orders import (
    block_of_orders,
    draws_per_block,
    in_order_of_stimuli,
    keys_of,
)
from analysis.groupings.grouping import NOT_PLACED, validate

_ENTRIES_PER_BATCH = 1 << 18
# Tables are counted fastest for some draws together.
_MIN_TOGETHER = 8
# Threads share one interpreter lock, so more of them would wait for each other.
_MAX_WORKERS = 4
# Fewer take some 30 ms, of which a second thread saves less than it costs of the processor's time.
_MIN_ENTRIES_PER_WORKER = 1 << 21

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class DrawnSums:
    """BCubed F of random groupings with the same group sizes, summed over pairs of participants.

    Attributes
    ----------
    groupings : int array, shape (participants, stimuli)
        The groupings behind it, groups numbered by their first stimuli, in the smallest type.
    seed : int
        Random seed.
    sums : tuple of int, one per draw
        Exact sums of F, in units of 2**-52.
    pairs : int
        Pairs of participants who placed two stimuli or more in common.
    """

    groupings: NDArray[np.integer]
    seed: int
    sums: tuple[int, ...]
    pairs: int

    @property
    def mean_f(self) -> NDArray[np.float64]:
        """Mean over pairs of each draw; NaN without a pair."""
        if not self.pairs:
            return np.full(len(self.sums), np.nan)
        return np.array([one / self.pairs for one in self.sums]) * UNIT


def drawn_sums(
    groupings: ArrayLike,
    draws: int,
    seed: int,
    before: DrawnSums | None = None,
    progress: Progress | None = None,
) -> DrawnSums:
    """Draw random groupings with the same group sizes, and sum F over pairs of participants.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Group number; -1 if the participant did not place the stimulus.
    draws : int
        Number of random draws, at least 1.
    seed : int
        Random seed, at least 0.
    before : DrawnSums, optional
        An earlier result. It is updated if that is faster; the result is the same.
    progress : callable (done, total), optional
        Called with the number of draws done and the total.

    Returns
    -------
    DrawnSums

    Raises
    ------
    InputError
        If `draws` is below 1, or as for `analysis.groupings.grouping.validate`.
    """
    if draws < 1:
        raise InputError(f"draws should be at least 1, but is {draws}")
    groups = in_order_of_stimuli(validate(groupings))
    kept, added, removed = _changes(groups, before, draws, seed)
    sums = list(before.sums) if before is not None and len(kept) else [0] * draws
    for changed, sign in ((removed, -1), (added, 1)):
        if len(changed):
            found = _sums(np.concatenate([kept, changed]), len(kept), draws, seed, progress)
            sums = [one + sign * more for one, more in zip(sums, found, strict=True)]
    small = np.min_scalar_type(-1 - max(int(groups.max()), 0))
    return DrawnSums(groups.astype(small), seed, tuple(sums), _pairs(groups))


def _changes(
    groups: NDArray[np.int64], before: DrawnSums | None, draws: int, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Groupings that an earlier result has already, that it lacks, and that it should not have."""
    nobody = groups[:0]
    if before is None or (len(before.sums), before.seed) != (draws, seed):
        return nobody, groups, nobody
    earlier = before.groupings.astype(np.int64)
    now, then = keys_of(groups), keys_of(earlier)
    known = set(now) & set(then)
    has = np.array([key in known for key in now], dtype=bool)
    stays = np.array([key in known for key in then], dtype=bool)
    kept, added, removed = groups[has], groups[~has], earlier[~stays]
    everybody = _counted(0, len(groups))
    if _counted(len(kept), len(added)) + _counted(len(kept), len(removed)) >= everybody:
        return nobody, groups, nobody
    return kept, added, removed


def _counted(kept: int, changed: int) -> int:
    """Number of pairs of changed participants with each other and with the others."""
    return changed * kept + changed * (changed - 1) // 2


def _sums(
    groups: NDArray[np.int64], known: int, draws: int, seed: int, progress: Progress | None
) -> list[int]:
    """Sums of F over pairs, without those of the first `known` participants with each other."""
    keys, size = keys_of(groups), draws_per_block(groups.shape[1])
    together = 1 << max(_ENTRIES_PER_BATCH // groups.size, 1).bit_length() - 1
    together = min(max(together, _MIN_TOGETHER), size)
    workers = min(draws * groups.size // _MIN_ENTRIES_PER_WORKER, os.cpu_count() or 1, _MAX_WORKERS)
    workers = max(workers, 1)
    idle: SimpleQueue[DrawCounter] = SimpleQueue()
    for _ in range(workers):
        idle.put(DrawCounter(groups, together, known))
    orders = partial(block_of_orders, groups, keys, seed)
    blocks = range(-(-draws // size))
    found: list[int] = []
    with ThreadPoolExecutor(workers) as pool:
        for sums in pool.map(lambda block: _of_block(orders(block), idle), blocks):
            found += sums
            if progress:
                progress(min(len(found), draws), draws)
    return found[:draws]


def _of_block(orders: NDArray[np.integer], idle: SimpleQueue[DrawCounter]) -> list[int]:
    """Sums of the draws of a block, counted by an idle counter."""
    counter = idle.get()
    try:
        return [
            one
            for start in range(0, len(orders), counter.draws)
            for one in counter.sums(orders[start : start + counter.draws])
        ]
    finally:
        idle.put(counter)


def _pairs(groups: NDArray[np.int64]) -> int:
    """Number of pairs of participants who placed two stimuli or more in common."""
    placed = (groups != NOT_PLACED).astype(np.float32)
    both = placed @ placed.T > 1
    return int(np.triu(both, 1).sum())
