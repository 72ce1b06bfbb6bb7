"""Co-grouping similarity: the share of participants who put two stimuli in the same group.

It is the gold standard of a card-sorting study. Both counts are returned, since participants may
have placed different stimuli.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.groupings.grouping import NOT_PLACED, renumber, validate

_ROWS_PER_BATCH = 64


def cogrouping_counts(groupings: ArrayLike) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Count, for each pair of stimuli, the participants who put them together and who placed both.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Group number; -1 if the participant did not place the stimulus.

    Returns
    -------
    together, both : int arrays, shape (stimuli, stimuli)
        Number of participants who put i and j in the same group, and who placed both. On the
        diagonal, both are the number who placed i.

    Raises
    ------
    InputError
        As for `analysis.groupings.grouping.validate`.

    References
    ----------
    .. [1] A. Coxon, "Sorting Data: Collection and Analysis", Sage, 1999.

    Examples
    --------
    Two of three people put the first two together, and only two placed the third:

    >>> together, both = cogrouping_counts([[0, 0, 1], [0, 0, 0], [0, 1, -1]])
    >>> together[0].tolist(), both[0].tolist()
    ([3, 2, 1], [3, 3, 2])
    """
    groups = renumber(validate(groupings))
    return _together(groups), _both(groups != NOT_PLACED)


def cogrouping(groupings: ArrayLike) -> NDArray[np.float64]:
    """Co-grouping similarity: share of participants who put each pair of stimuli in one group.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Group number; -1 if the participant did not place the stimulus.

    Returns
    -------
    float array, shape (stimuli, stimuli)
        In [0, 1]; NaN if no participant placed both; 1 on the diagonal. Distance is one minus it.

    Raises
    ------
    InputError
        As for `analysis.groupings.grouping.validate`.

    References
    ----------
    .. [1] A. Coxon, "Sorting Data: Collection and Analysis", Sage, 1999.

    Examples
    --------
    Two of three people put the first two together, and only two placed the third:

    >>> cogrouping([[0, 0, 1], [0, 0, 0], [0, 1, -1]])[0]
    array([1.        , 0.66666667, 0.5       ])
    """
    return similarity_of(*cogrouping_counts(groupings))


def similarity_of(together: NDArray[np.int32], both: NDArray[np.int32]) -> NDArray[np.float64]:
    """Divide the counts of `cogrouping_counts`: NaN at 0/0, 1 on the diagonal.

    Parameters
    ----------
    together, both : int arrays, shape (stimuli, stimuli)
        Number of participants who put a pair in the same group, and who placed both.

    Returns
    -------
    float array, shape (stimuli, stimuli)
        In [0, 1].
    """
    similarity = np.full(together.shape, np.nan)
    np.divide(together, both, out=similarity, where=both > 0)
    np.fill_diagonal(similarity, 1.0)
    return similarity


def together_by_rows(
    groups: NDArray[np.int64],
) -> Iterator[tuple[slice, NDArray[np.unsignedinteger[Any]]]]:
    """Count who put each pair together, as many rows at a time as fit in the cache.

    Parameters
    ----------
    groups : int array, shape (participants, stimuli)
        From `analysis.groupings.grouping.renumber`.

    Yields
    ------
    rows : slice
    together : unsigned int array, shape (rows, stimuli)
    """
    participants, stimuli = groups.shape
    codes = groups.astype(np.int16 if stimuli < 2**15 else np.int32)
    others = np.where(codes == NOT_PLACED, NOT_PLACED - 1, codes)
    count = np.uint8 if participants < 2**8 else np.uint32
    for start in range(0, stimuli, _ROWS_PER_BATCH):
        rows = slice(start, min(start + _ROWS_PER_BATCH, stimuli))
        sums = np.zeros((rows.stop - start, stimuli), dtype=count)
        same = np.empty(sums.shape, dtype=bool)
        for mine, others_ in zip(codes, others, strict=True):
            np.equal(mine[rows, None], others_, out=same)
            np.add(sums, same, out=sums)
        yield rows, sums


def _together(groups: NDArray[np.int64]) -> NDArray[np.int32]:
    stimuli = groups.shape[1]
    together = np.empty((stimuli, stimuli), dtype=np.int32)
    for rows, sums in together_by_rows(groups):
        together[rows] = sums
    return together


def _both(placed: NDArray[np.bool_]) -> NDArray[np.int32]:
    participants, stimuli = placed.shape
    if placed.all():
        return np.full((stimuli, stimuli), participants, dtype=np.int32)
    indicator = placed.astype(np.float32)
    return (indicator.T @ indicator).astype(np.int32)
