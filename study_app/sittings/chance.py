"""Whether a sitting agrees with the others better than a random grouping of the same sizes.

Agreement is the number of pairs of cards that are together in both, over all others. A permutation
test of the cards asks for it 200 times for each sitting, so it is counted in the cheaper of two
ways, which give the same: over the pairs within the sitting's groups, from how many sittings put
each two cards together; or over the groups of every other sitting, from their cards in common.
"""

from collections.abc import Callable
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from study_app.sittings.groupings import NOT_PLACED

# Below these, careful sorters can't be told from chance.
LEAST_CARDS, LEAST_OTHERS = 20, 3
SHUFFLES = 199
# A matrix of all pairs of cards is held up to here.
MOST_PAIRED = 2_000

Ints = NDArray[np.integer[Any]]


def chances(matrix: Ints) -> list[float]:
    """How often a random grouping agrees with the others as well as that of each sitting.

    Parameters
    ----------
    matrix : int array, shape (sittings, cards)
        Groups; `NOT_PLACED` where a card is in none.

    Returns
    -------
    list of float
        The p-values of permutation tests of the cards; NaN with too few cards or others.
    """
    if len(matrix) <= LEAST_OTHERS:
        return [nan] * len(matrix)
    together = _together(matrix) if matrix.shape[1] <= MOST_PAIRED else None
    return [_chance(matrix, at, together) for at in range(len(matrix))]


def _together(matrix: Ints) -> Ints:
    """In how many sittings each two cards are in one group."""
    counts = np.zeros((matrix.shape[1],) * 2, np.int32)
    for row in matrix:
        counts += (row[:, None] == row) & (row != NOT_PLACED)
    return counts


def _chance(matrix: Ints, at: int, together: Ints | None) -> float:
    placed = np.flatnonzero(matrix[at] != NOT_PLACED)
    if len(placed) < LEAST_CARDS:
        return nan
    groups = np.unique(matrix[at, placed], return_inverse=True)[1]
    in_pairs = int((np.bincount(groups) ** 2).sum()) // 2
    if together is None or in_pairs > (len(matrix) - 1) * len(placed):
        agreement = _over_groups(groups, np.delete(matrix, at, axis=0)[:, placed])
    else:
        agreement = _over_pairs(groups, together[np.ix_(placed, placed)])
    draw = np.random.default_rng(0)
    own = agreement(np.arange(len(placed)))
    as_good = sum(agreement(draw.permutation(len(placed))) >= own for _ in range(SHUFFLES))
    return (1 + as_good) / (1 + SHUFFLES)


def _over_pairs(groups: Ints, together: Ints) -> Callable[[Ints], int]:
    """The agreement after a permutation of the cards, over the pairs in its groups."""
    of_others = (together - (groups[:, None] == groups)).ravel()
    first, second = np.nonzero(np.triu(groups[:, None] == groups, 1))

    def agreement(order: Ints) -> int:
        place = np.argsort(order)
        return int(of_others[place[first] * len(groups) + place[second]].sum())

    return agreement


def _over_groups(groups: Ints, others: Ints) -> Callable[[Ints], int]:
    """The agreement after a permutation of the cards, over the groups of the others."""
    count = int(groups.max()) + 1
    which, cards = np.nonzero(others != NOT_PLACED)
    named = others[which, cards] + which * (int(others.max()) + 1)
    theirs = np.unique(named, return_inverse=True)[1] * count

    def agreement(order: Ints) -> int:
        in_common = np.bincount(theirs + groups[order][cards])
        return int((in_common**2).sum())

    return agreement
