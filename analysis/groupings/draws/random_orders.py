"""Groupings in random order, each from a random stream of its own.

The stream of a grouping follows from the random seed and the grouping itself. So its random orders
stay the same whichever other groupings there are and in whichever order they are given.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.groupings.grouping import NOT_PLACED

_ENTRIES_PER_BLOCK = 1 << 17
_MIN_BLOCK, _MAX_BLOCK = 8, 64


class Key(NamedTuple):
    """What distinguishes a grouping from the others of a set.

    Attributes
    ----------
    digest : str
        A hash of the grouping.
    copy : int
        Number of equal groupings before it.
    """

    digest: str
    copy: int


def in_order_of_stimuli(groupings: NDArray[np.int64]) -> NDArray[np.int64]:
    """Renumber each participant's groups by their first stimuli; -1 stays -1.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)

    Returns
    -------
    int array, shape (participants, stimuli)
        Equal rows are equal groupings, whatever the groups were called.
    """
    renumbered = np.full_like(groupings, NOT_PLACED)
    for new, given in zip(renumbered, groupings, strict=True):
        placed = given != NOT_PLACED
        _, first, codes = np.unique(given[placed], return_index=True, return_inverse=True)
        new[placed] = first.argsort().argsort()[codes]
    return renumbered


def keys_of(groupings: NDArray[np.int64]) -> list[Key]:
    """The keys of groupings that are numbered by `in_order_of_stimuli`."""
    often: Counter[str] = Counter()
    keys = []
    for grouping in groupings:
        digest = hashlib.sha256(grouping.astype("<i8").tobytes()).hexdigest()
        keys.append(Key(digest, often[digest]))
        often[digest] += 1
    return keys


def draws_per_block(stimuli: int) -> int:
    """Number of random orders that are drawn in one step, a power of two."""
    most = max(_ENTRIES_PER_BLOCK // stimuli, 1)
    return min(max(1 << (most.bit_length() - 1), _MIN_BLOCK), _MAX_BLOCK)


def block_of_orders(
    groupings: NDArray[np.int64], keys: list[Key], seed: int, block: int
) -> NDArray[np.integer]:
    """Shuffle each grouping among its placed stimuli.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
    keys : list of Key
    seed : int
        Random seed.
    block : int
        Number of the block, from 0.

    Returns
    -------
    int array, shape (draws of a block, participants, stimuli)
    """
    participants, stimuli = groupings.shape
    kind = np.min_scalar_type(-1 - max(int(groupings.max()), 0))
    orders = np.empty((participants, draws_per_block(stimuli), stimuli), dtype=kind)
    for own, grouping, (digest, copy) in zip(orders, groupings, keys, strict=True):
        rng = np.random.default_rng([seed, block, copy, int(digest, 16)])
        own[:] = shuffled(grouping, len(own), rng)
    return orders.swapaxes(0, 1)


def shuffled(
    grouping: NDArray[np.int64], draws: int, rng: np.random.Generator
) -> NDArray[np.integer]:
    """Shuffle a grouping among its placed stimuli; shape (draws, stimuli)."""
    placed = grouping != NOT_PLACED
    if placed.all():
        return _in_random_order(grouping, draws, rng)
    result = np.full((draws, len(grouping)), NOT_PLACED, dtype=np.int32)
    result[:, placed] = _in_random_order(grouping[placed], draws, rng)
    return result


def _in_random_order(
    labels: NDArray[np.int64], draws: int, rng: np.random.Generator
) -> NDArray[np.integer]:
    """Shuffle labels `draws` times by sorting random numbers whose last bits are the label.

    This is faster than shuffling by swaps. Draws with tied random numbers, which would be ordered
    by label, are drawn again.
    """
    bits = int(labels.max(initial=0)).bit_length()
    kind = np.uint32 if len(labels) ** 2 < 1 << (32 - bits) else np.uint64
    label_bits = kind((1 << bits) - 1)
    keys = rng.integers(0, np.iinfo(kind).max, (draws, len(labels)), dtype=kind, endpoint=True)
    keys &= ~label_bits
    keys |= labels.astype(kind)
    keys.sort(axis=-1)
    tied = _tied(keys, label_bits)
    keys &= label_bits
    orders: NDArray[np.integer] = keys.view(np.int32 if kind == np.uint32 else np.int64)
    if len(tied):
        orders[tied] = _in_random_order(labels, len(tied), rng)
    return orders


def _tied(keys: NDArray[Any], label_bits: np.unsignedinteger) -> NDArray[np.intp]:
    """The sorted rows in which two keys differ in their labels at most."""
    gaps = keys[:, 1:] ^ keys[:, :-1]
    return np.flatnonzero(gaps.min(axis=-1, initial=np.iinfo(keys.dtype).max) <= label_bits)
