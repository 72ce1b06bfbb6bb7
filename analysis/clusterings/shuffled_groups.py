"""Chance level of a clustering's agreement with people, by shuffling it among the stimuli.

Conventions are those of `analysis.clusterings.agreement`. Without overlap, BCubed is computed from
contingency tables of the system's and each participant's groups; with overlap, from tables of
membership profiles (`analysis.clusterings.overlapping.Profiles`) and groups. If there are so many
profiles that tables take longer than pairs of stimuli, F is computed from the number of groups that
each pair of stimuli shares, with one matrix product for all participants who placed the same
stimuli.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.clusterings.agreement import Values, sides
from analysis.clusterings.overlapping import membership_profiles, precision_recall_of_tables
from analysis.clusterings.shuffling import order_parts, pairs_once, row_blocks, shuffled_rows
from analysis.errors import InputError
from analysis.groupings.grouping import NOT_PLACED, renumber, validate
from analysis.groupings.pair_agreement import f_measure
from analysis.statistics.draws import check_draws

_CELLS_PER_BATCH = 1 << 17
_PAIR_COST = 2  # cost of one pair of stimuli, in products of profiles
_ORDERS_PER_BATCH = 1 << 10

Orders = NDArray[np.int64]


def shuffled_agreement(
    membership: ArrayLike, groupings: ArrayLike, draws: int = 1_000, seed: int = 0
) -> Values:
    """BCubed F of randomly shuffled clusterings with each of several groupings.

    All groupings share the same draws, so means over groupings can be computed within each draw.
    If groups overlap, it is the F of extended BCubed.

    Parameters
    ----------
    membership : bool array, shape (stimuli, groups)
        True where the system put the stimulus into the group.
    groupings : int array, shape (groupings, stimuli)
        Group number; -1 if a participant did not place the stimulus.
    draws, seed : int
        Number of permutations, and their random seed.

    Returns
    -------
    float array, shape (draws, groupings)
        NaN if a participant placed fewer than two stimuli.

    Raises
    ------
    InputError
        If `draws` is below 1, a stimulus is in no group, or as for
        `analysis.clusterings.agreement.agreement_with`.

    References
    ----------
    .. [1] B. Phipson and G. Smyth, "Permutation p-values should never be zero", Stat. Appl. Genet.
       Mol. Biol. 9 (2010): p-values from such draws.

    Examples
    --------
    Of the 24 permutations of four stimuli, 8 leave the two pairs together, with F = 1:

    >>> f = shuffled_agreement([[1, 0], [1, 0], [0, 1], [0, 1]], [[0, 0, 1, 1]])[:, 0]
    >>> np.unique(f).tolist(), bool(abs((f == 1).mean() - 8 / 24) < 0.04)
    ([0.5, 1.0], True)
    """
    check_draws(draws)
    groups, people = sides(membership, groupings)
    if not groups.any(axis=1).all():
        raise InputError("every stimulus should be in a group, so that groups can be shuffled")
    others = renumber(validate(people))
    of_orders = _without_overlap
    if groups.sum(axis=1).max() > 1:
        products = (int(others.max()) + 1) * len(membership_profiles(groups).overlap) ** 2
        of_orders = _by_profiles if products <= _PAIR_COST * len(groups) ** 2 else _by_pairs
    found = np.empty((draws, len(others)))
    rng = np.random.default_rng(seed)
    for start in range(0, draws, _ORDERS_PER_BATCH):
        part = found[start : start + _ORDERS_PER_BATCH]
        stimuli = np.broadcast_to(np.arange(len(groups)), (len(part), len(groups)))
        part[:] = of_orders(groups, others, rng.permuted(stimuli, axis=1))
    return found


def _without_overlap(
    groups: NDArray[np.bool_], others: NDArray[np.int64], orders: Orders
) -> Values:
    return _by_tables(groups.argmax(axis=1), groups.shape[1], others, orders, _f_of_tables)


def _by_profiles(groups: NDArray[np.bool_], others: NDArray[np.int64], orders: Orders) -> Values:
    profiles = membership_profiles(groups)
    return _by_tables(
        profiles.of,
        len(profiles.overlap),
        others,
        orders,
        lambda tables: f_measure(*precision_recall_of_tables(tables, profiles)),
    )


def _by_tables(
    own: NDArray[np.int64],
    numbers: int,
    others: NDArray[np.int64],
    orders: Orders,
    f_of: Callable[[Values], Values],
) -> Values:
    """F with each participant, from contingency tables of their groups and the system's numbers."""
    found = np.full((len(orders), len(others)), np.nan)
    step = max(1, _CELLS_PER_BATCH // (numbers * (int(others.max()) + 2)))
    for start in range(0, len(orders), step):
        random = own[orders[start : start + step]]
        for k, person in enumerate(others):
            if (person != NOT_PLACED).sum() > 1:
                found[start : start + step, k] = f_of(_tables(random, person, numbers))
    return found


def _tables(random: NDArray[np.int64], person: NDArray[np.int64], numbers: int) -> Values:
    """Contingency tables of a participant's groups, shape (draws, groups, numbers)."""
    placed = person != NOT_PLACED
    shape = len(random), int(person.max()) + 1, numbers
    draw = np.arange(shape[0])[:, None]
    cells = (draw * shape[1] + person[placed]) * shape[2] + random[:, placed]
    counts = np.bincount(cells.ravel(), minlength=int(np.prod(shape)))
    return counts.reshape(shape).astype(float)


def _f_of_tables(tables: Values) -> Values:
    """BCubed F, shape (draws,), from tables without overlap, shape (draws, theirs, ours)."""
    squares = tables**2
    ours, theirs = tables.sum(axis=1), tables.sum(axis=2)
    right = (squares.sum(axis=1) / np.maximum(ours, 1)).sum(axis=1)
    found = (squares.sum(axis=2) / np.maximum(theirs, 1)).sum(axis=1)
    stimuli = ours.sum(axis=1)
    return f_measure(right / stimuli, found / stimuli)


def _by_pairs(groups: NDArray[np.bool_], others: NDArray[np.int64], orders: Orders) -> Values:
    held = groups.astype(np.float32)
    shared = held @ held.T
    found = np.full((len(orders), len(others)), np.nan)
    patterns, of_pattern = np.unique(others != NOT_PLACED, axis=0, return_inverse=True)
    for k, placed in enumerate(patterns):
        if placed.sum() > 1:
            alike = of_pattern == k
            found[:, alike] = _f_of_pairs(shared, others[alike][:, placed], orders[:, placed])
    return found


def _f_of_pairs(shared: NDArray[np.float32], people: NDArray[np.int64], orders: Orders) -> Values:
    """Extended BCubed F with participants who placed the same stimuli, shape (orders, people).

    Each stimulus forms a pair with itself; every other pair is computed once.
    """
    places = orders.shape[1]
    inverse_met = 1 / _met(shared, orders)
    own = inverse_met / np.diag(shared)[orders]
    per_size = np.stack([1 / np.bincount(person)[person] for person in people])
    right = np.repeat(own.sum(axis=1)[:, None], len(people), axis=1)
    found = np.repeat(per_size.sum(axis=1)[None], len(orders), axis=0)
    for rows in row_blocks(places):
        same = (people[:, rows, None] == people[:, None, rows.start :]) & pairs_once(rows, places)
        together = same.reshape(len(people), -1).T.astype(float)
        by_size = (same * per_size[:, rows, None]).reshape(len(people), -1).T * 2
        for part in order_parts(len(orders), rows, places):
            block = shuffled_rows(shared, orders[part], rows)
            met = block > 0
            either = inverse_met[part, rows, None] + inverse_met[part, None, rows.start :]
            share = np.divide(either, block, out=np.zeros(block.shape), where=met)
            right[part] += share.reshape(len(block), -1) @ together
            found[part] += met.reshape(len(block), -1).astype(float) @ by_size
    return f_measure(right / places, found / places)


def _met(shared: NDArray[np.float32], orders: Orders) -> Values:
    """Number of stimuli in an order that share a group with each stimulus, itself included."""
    chosen = np.zeros((len(orders), len(shared)), dtype=np.float32)
    np.put_along_axis(chosen, orders, 1, axis=1)
    met = chosen @ (shared > 0).astype(np.float32)
    return np.take_along_axis(met, orders, axis=1).astype(float)
