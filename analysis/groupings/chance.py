"""Chance agreement: that of random groupings with the same group sizes.

F alone is misleading on small sets: random groupings agree well, and even putting every stimulus in
a group of its own may score higher than the participants do. So agreement is reported with two
forms of the same baseline: the closed form (`PairAgreement.f_random`: F of the expected precision
and recall) and permutations, which shuffle every participant's grouping among the stimuli that they
placed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.errors import InputError
from analysis.groupings.drawn_agreement import DrawCounter
from analysis.groupings.grouping import NOT_PLACED, renumber, validate

_ENTRIES_PER_BATCH = 1 << 18
_NOISE = 1e-12
# Threads share one interpreter lock, so more of them would wait for each other.
_MAX_WORKERS = 4
# Fewer take some 30 ms, of which a second thread saves less than it costs of the processor's time.
_MIN_BATCHES_PER_WORKER = 8

Progress = Callable[[int, int], None]


def random_agreement(
    groupings: ArrayLike, draws: int, seed: int, progress: Progress | None = None
) -> NDArray[np.float64]:
    """Mean BCubed F over pairs of participants, for random groupings with the same group sizes.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Group number; -1 if the participant did not place the stimulus.
    draws : int
        Number of random draws, at least 1.
    seed : int
        Random seed.
    progress : callable (done, total), optional
        Called with the number of draws done and the total.

    Returns
    -------
    float array, shape (draws,)
        All NaN if no two participants placed two stimuli in common.

    Raises
    ------
    InputError
        If `draws` is below 1, or as for `analysis.groupings.grouping.validate`.

    References
    ----------
    .. [1] L. Hubert and P. Arabie, "Comparing partitions", J. Classification 2 (1985) 193-218: the
       chance model of groupings with the same group sizes.

    Examples
    --------
    >>> random_agreement([[0, 0, 1, 1], [0, 0, 0, 1]], draws=2, seed=1).shape
    (2,)
    """
    if draws < 1:
        raise InputError(f"draws should be at least 1, but is {draws}")
    groups = renumber(validate(groupings))
    if len(groups) < 2:
        return np.full(draws, np.nan)
    batches = -(-draws // max(1, _ENTRIES_PER_BATCH // groups.size))
    step = -(-draws // batches)
    rngs = np.random.default_rng(seed).spawn(-(-draws // step))
    workers = min(len(rngs) // _MIN_BATCHES_PER_WORKER, os.cpu_count() or 1, _MAX_WORKERS)
    workers = max(workers, 1)
    idle: SimpleQueue[DrawCounter] = SimpleQueue()
    for _ in range(workers):
        idle.put(DrawCounter(groups, step))
    found: list[NDArray[np.float64]] = []
    with ThreadPoolExecutor(workers) as pool:
        for f in pool.map(partial(_mean_f, groups, idle), rngs):
            found.append(f)
            if progress:
                progress(min(len(found) * step, draws), draws)
    return np.concatenate(found)[:draws]


def shuffled(
    groups: NDArray[np.int64], draws: int, rng: np.random.Generator
) -> NDArray[np.integer]:
    """Shuffle each grouping among its placed stimuli; shape (draws, *groups.shape)."""
    placed = groups != NOT_PLACED
    if placed.all():
        return _in_random_order(groups, draws, rng)
    result = np.full((draws, *groups.shape), NOT_PLACED, dtype=np.int32)
    for person, where in enumerate(placed):
        own = groups[person, where][None]
        result[:, person, where] = _in_random_order(own, draws, rng)[:, 0]
    return result


def _in_random_order(
    labels: NDArray[np.int64], draws: int, rng: np.random.Generator
) -> NDArray[np.integer]:
    """Shuffle each row `draws` times by sorting random numbers whose last bits are the label.

    This is faster than shuffling by swaps. A row with tied random numbers, which would be ordered
    by label, is drawn again.
    """
    bits = int(labels.max(initial=0)).bit_length()
    kind = np.uint32 if labels.shape[1] ** 2 < 1 << (32 - bits) else np.uint64
    label_bits = kind((1 << bits) - 1)
    shape = draws, *labels.shape
    keys = rng.integers(0, np.iinfo(kind).max, shape, dtype=kind, endpoint=True)
    keys &= ~label_bits
    keys |= labels.astype(kind)
    keys.sort(axis=-1)
    draw, row = _tied_rows(keys, label_bits)
    keys &= label_bits
    if len(row):
        keys[draw, row] = _in_random_order(labels[row], 1, rng)[0]
    return keys.view(np.int32 if kind == np.uint32 else np.int64)


def _tied_rows(keys: NDArray[Any], label_bits: np.unsignedinteger) -> tuple[NDArray[np.intp], ...]:
    """Indices of the sorted rows in which two keys differ in their labels at most."""
    # In most batches no neighbours do, not even the end of a row and the start of the next.
    flat = keys.reshape(-1)
    if flat.size < 2 or (flat[1:] ^ flat[:-1]).min() > label_bits:
        return np.nonzero(np.zeros(keys.shape[:-1], dtype=bool))
    gaps = keys[..., 1:] ^ keys[..., :-1]
    return np.nonzero(gaps.min(axis=-1, initial=np.iinfo(keys.dtype).max) <= label_bits)


def adjusted(agreement: ArrayLike, expected: ArrayLike) -> NDArray[np.float64]:
    """Agreement beyond chance, (agreement - expected) / (1 - expected); NaN if `expected` is 1.

    Parameters
    ----------
    agreement, expected : array_like, broadcast together
        At most 1; the observed agreement and that expected by chance.

    Returns
    -------
    float array, broadcast shape
        At most 1; 0 at chance.
    """
    reached, chance = (np.asarray(side, dtype=float) for side in (agreement, expected))
    beyond: NDArray[np.float64] = np.full(np.broadcast_shapes(reached.shape, chance.shape), np.nan)
    np.divide(reached - chance, 1 - chance, out=beyond, where=chance < 1)
    return beyond


def p_value(observed: float, random: NDArray[np.float64]) -> float:
    """One-sided permutation p-value, (draws of at least `observed` + 1) / (draws + 1).

    Undefined draws (NaN) are not counted.

    Parameters
    ----------
    observed : float
    random : float array, shape (draws,)

    Returns
    -------
    float
        In (0, 1]; NaN if `observed` is.

    References
    ----------
    .. [1] B. Phipson, G. Smyth, "Permutation p-values should never be zero", Statistical
       Applications in Genetics and Molecular Biology 9 (2010) 39.

    Examples
    --------
    >>> p_value(0.6, np.array([0.4, 0.6, 0.5]))
    0.5
    """
    if np.isnan(observed):
        return float("nan")
    drawn = int((~np.isnan(random)).sum())
    return (int((random >= observed - _NOISE).sum()) + 1) / (drawn + 1)


def _mean_f(
    groups: NDArray[np.int64], idle: SimpleQueue[DrawCounter], rng: np.random.Generator
) -> NDArray[np.float64]:
    """Mean F of each draw of one batch, counted by an idle counter."""
    counter = idle.get()
    try:
        f = counter.f(shuffled(groups, counter.draws, rng))
    finally:
        idle.put(counter)
    defined = ~np.isnan(f[0])
    return f[:, defined].mean(axis=1) if defined.any() else np.full(len(f), np.nan)
