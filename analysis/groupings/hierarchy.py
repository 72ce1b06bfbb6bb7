"""Average-linkage clustering of a co-grouping similarity, and the order of its leaves.

If no participant placed both stimuli of a pair, its similarity is unknown and replaced by the mean
of all known similarities, which favours neither joining nor separating them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats
from analysis.errors import InputError
from analysis.groupings.leaf_order import best_order
from analysis.groupings.linkage_by_rows import linkage_by_rows
from analysis.groupings.pair_counts import LookupMatrix, PairCounts

# With more stimuli, the matrix of all distances would take hundreds of megabytes.
_MAX_STIMULI_IN_MEMORY = 3_000


def average_linkage(similarity: ArrayLike | PairCounts) -> NDArray[np.float64]:
    """Join stimuli step by step, always the two groups with the highest mean similarity.

    Parameters
    ----------
    similarity : float array, shape (stimuli, stimuli), or PairCounts
        Symmetric, in [0, 1]; NaN if unknown. Distance is one minus similarity. `PairCounts` need
        less memory; with more than 3,000 stimuli in them, distances are computed row by row, and
        ties may be joined in a different order.

    Returns
    -------
    float array, shape (stimuli - 1, 4)
        As in `scipy.cluster.hierarchy.linkage`: the two joined, their distance, their stimuli.

    Raises
    ------
    InputError
        If it is not square with at least two stimuli, is not symmetric, or has infinite values.

    References
    ----------
    .. [1] R. Sokal, C. Michener, "A statistical method for evaluating systematic relationships",
       University of Kansas Science Bulletin 38 (1958) 1409-1438.

    Examples
    --------
    >>> average_linkage([[1, 0.8, 0.1], [0.8, 1, 0.3], [0.1, 0.3, 1]]).round(2).tolist()
    [[0.0, 1.0, 0.2, 2.0], [2.0, 3.0, 0.8, 3.0]]
    """
    if isinstance(similarity, PairCounts) and len(similarity.similarity) > _MAX_STIMULI_IN_MEMORY:
        return linkage_by_rows(similarity.distances())
    from scipy.cluster.hierarchy import linkage

    tree: NDArray[np.float64] = linkage(_distances(similarity), "average")
    return tree


def seriate(similarity: ArrayLike | PairCounts, tree: NDArray[np.float64]) -> NDArray[np.int64]:
    """Order stimuli so that neighbours are similar and the branches of the tree do not cross.

    Of all orders that the tree allows (either branch of a node may come first), this one has the
    least sum of distances between neighbours. Orders that the tree does not allow may have less.

    Parameters
    ----------
    similarity : float array, shape (stimuli, stimuli), or PairCounts
    tree : float array, shape (stimuli - 1, 4)
        From `average_linkage`.

    Returns
    -------
    int array, shape (stimuli,)
        Row numbers of `similarity` in the new order; the first is lower than the last.

    Raises
    ------
    InputError
        As for `average_linkage`, or if the tree has a different number of stimuli.

    References
    ----------
    .. [1] Z. Bar-Joseph, D. Gifford, T. Jaakkola, "Fast optimal leaf ordering for hierarchical
       clustering", Bioinformatics 17 (2001) S22-S29.

    Examples
    --------
    >>> similarity = [[1, 0.2, 0.9], [0.2, 1, 0.4], [0.9, 0.4, 1]]
    >>> seriate(similarity, average_linkage(similarity)).tolist()
    [0, 2, 1]
    """
    distances: NDArray[np.float64] | LookupMatrix
    if isinstance(similarity, PairCounts):
        distances = similarity.distances()
    else:
        distances = _square(_distances(similarity))
    stimuli = len(distances)
    if np.shape(tree) != (stimuli - 1, 4):
        raise InputError(
            f"the tree of {stimuli} stimuli should have shape ({stimuli - 1}, 4), "
            f"but has shape {np.shape(tree)}"
        )
    return best_order(tree, distances)


def _square(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    stimuli = round((1 + (1 + 8 * len(distances)) ** 0.5) / 2)
    square = np.zeros((stimuli, stimuli))
    square[np.triu_indices(stimuli, 1)] = distances
    return square + square.T


def _distances(similarity: ArrayLike | PairCounts) -> NDArray[np.float64]:
    """Condensed distances, with unknown ones filled in."""
    if isinstance(similarity, PairCounts):
        return similarity.distances().condensed()
    square = as_floats(similarity, "similarities")
    if square.ndim != 2 or square.shape[0] != square.shape[1] or len(square) < 2:
        raise InputError(
            f"similarity should be square with at least two stimuli, but has shape {square.shape}"
        )
    if np.isinf(square).any() or not np.allclose(square, square.T, equal_nan=True):
        raise InputError("similarity should be symmetric, with finite numbers or NaN")
    distances: NDArray[np.float64] = 1 - square[np.triu_indices(len(square), 1)]
    unknown = np.isnan(distances)
    distances[unknown] = distances[~unknown].mean() if not unknown.all() else 1.0
    return np.maximum(distances, 0)
