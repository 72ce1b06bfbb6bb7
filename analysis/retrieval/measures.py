"""Retrieval measures: how early ranked lists return relevant results.

The class-based measures of the SHREC sketch-retrieval tracks, and average precision.

Conventions
-----------
``gains`` has shape (..., ranks): the gain of the result at each rank, best first. 0 means not
relevant and 1 relevant; other positive numbers are graded relevance, which only the gain measures
use. Shorter lists are padded with zeros. ``relevant``, shape (...), is C, the number of relevant
targets in the collection, retrieved or not. If the query itself is in the collection, it is removed
from its list and not counted. For a query without relevant targets (C = 0), every measure except
nearest neighbour is undefined: NaN, never 0 or 1.

Metrics
-------
nearest_neighbour, first_tier, second_tier, e_measure : precision or recall at fixed depths.
average_precision : mean of the precision at every relevant target.

References
----------
.. [1] B. Li et al., "SHREC'13 Track: Large Scale Sketch-Based 3D Shape Retrieval", 3DOR 2013,
   89-96.
.. [2] P. Shilane et al., "The Princeton Shape Benchmark", SMI 2004, 167-178: the tiers and the
   E-measure.
.. [3] C. Buckley and E. Voorhees, "Retrieval System Evaluation", in TREC (2005): average precision.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats, as_numbers
from analysis.errors import InputError

E_DEPTH = 32
_MAX_GAIN = 1e100  # sums of gains stay finite
Values = NDArray[np.float64]


def validate(gains: ArrayLike, relevant: ArrayLike) -> tuple[Values, NDArray[np.int64]]:
    """Check ranked gains and class sizes and return them as arrays.

    Parameters
    ----------
    gains : array_like, shape (..., ranks)
    relevant : array_like of integers, shape (...)

    Returns
    -------
    gains : float array, shape (..., ranks)
    relevant : int array, shape (...)

    Raises
    ------
    InputError
        If the shapes do not match, a gain is negative, NaN or infinite, a class size is not an
        integer of at least 0, or a list has more relevant results than its query has targets.
    """
    lists = check_gains(gains)
    sizes = as_numbers(relevant, "class sizes")
    if sizes.shape != lists.shape[:-1]:
        raise InputError(
            f"relevant should have one number per list, shape {lists.shape[:-1]}, "
            f"but has shape {sizes.shape}"
        )
    if sizes.size and (not np.all(np.isfinite(sizes)) or np.any(sizes < 0) or np.any(sizes % 1)):
        raise InputError("relevant should contain integers of at least 0, the size of each class")
    hits = (lists > 0).sum(-1)
    if np.any(hits > sizes):
        where = tuple(int(k) for k in np.argwhere(hits > sizes)[0])
        raise InputError(
            f"list {where} has {hits[where]} relevant results, but its query has only "
            f"{int(sizes[where])} relevant targets; "
            "is a target listed twice, or the query still in its own list?"
        )
    return lists, sizes.astype(np.int64)


def check_gains(gains: ArrayLike) -> Values:
    """Check ranked gains and return them as a float array.

    Raises
    ------
    InputError
        If there is no rank axis, there are no ranks, or a gain is negative, NaN or above 1e100.
    """
    lists = as_floats(gains, "gains")
    if lists.ndim == 0 or lists.shape[-1] == 0:
        raise InputError(f"gains should have shape (..., ranks), but have shape {lists.shape}")
    bad = ~(lists >= 0) | (lists > _MAX_GAIN)
    if bad.any():
        where = tuple(int(k) for k in np.argwhere(bad)[0])
        raise InputError(f"the gain at {where} is {lists[where]}; give numbers from 0 to 1e100")
    return lists


def nearest_neighbour(gains: ArrayLike) -> Values:
    """NN: 1 if the first result is relevant, else 0.

    Parameters
    ----------
    gains : array_like, shape (..., ranks)

    Returns
    -------
    float array, shape (...)

    Raises
    ------
    InputError
        As for `check_gains`.

    References
    ----------
    .. [1] P. Shilane et al., "The Princeton Shape Benchmark", SMI 2004, 167-178.

    Examples
    --------
    >>> float(nearest_neighbour([0, 1, 1]))
    0.0
    """
    return (check_gains(gains)[..., 0] > 0).astype(float)


def first_tier(gains: ArrayLike, relevant: ArrayLike) -> Values:
    """FT: recall among the first C results.

    Parameters
    ----------
    gains : array_like, shape (..., ranks)
    relevant : array_like of integers, shape (...)

    Returns
    -------
    float array, shape (...)
        In [0, 1]; NaN if C = 0.

    Raises
    ------
    InputError
        As for `validate`.

    References
    ----------
    .. [1] P. Shilane et al., "The Princeton Shape Benchmark", SMI 2004, 167-178: the tiers.

    Examples
    --------
    Two of three relevant targets are among the first three results:

    >>> round(float(first_tier([1, 0, 1, 0, 1], 3)), 4)
    0.6667
    """
    return _tier(*validate(gains, relevant), depth=1)


def second_tier(gains: ArrayLike, relevant: ArrayLike) -> Values:
    """ST: recall among the first 2C results.

    Parameters
    ----------
    gains : array_like, shape (..., ranks)
    relevant : array_like of integers, shape (...)

    Returns
    -------
    float array, shape (...)
        In [0, 1]; NaN if C = 0.

    Raises
    ------
    InputError
        As for `validate`.

    References
    ----------
    .. [1] P. Shilane et al., "The Princeton Shape Benchmark", SMI 2004, 167-178: the tiers.

    Examples
    --------
    >>> float(second_tier([1, 0, 1, 0, 1], 3))
    1.0
    """
    return _tier(*validate(gains, relevant), depth=2)


def e_measure(gains: ArrayLike, relevant: ArrayLike, results: ArrayLike | None = None) -> Values:
    """E: the harmonic mean F of precision and recall over the first 32 results.

    Higher is better. The SHREC page defines ``E = 1 - F`` but says "higher values indicate better";
    this function returns F.

    Parameters
    ----------
    gains : array_like, shape (..., ranks)
    relevant : array_like of integers, shape (...)
    results : array_like of integers, shape (...), optional
        Number of results in each list, if lists are padded with zeros; by default all ranks.
        Precision is over ``min(32, results)``, as in the official code.

    Returns
    -------
    float array, shape (...)
        In [0, 1]; 0 if no result is relevant; NaN if C = 0.

    Raises
    ------
    InputError
        As for `validate`, or if `results` does not have one integer per list, or a list has more
        relevant results than results.

    References
    ----------
    .. [1] C. van Rijsbergen, Information Retrieval (1979), ch. 7: E = 1 - F.
    .. [2] B. Li et al., "SHREC'13 Track: Large Scale Sketch-Based 3D Shape Retrieval", 3DOR 2013,
       89-96: the first 32 results.

    Examples
    --------
    P = 2/4 and R = 2/2:

    >>> round(float(e_measure([1, 0, 1, 0], 2)), 4)
    0.6667
    """
    lists, sizes = validate(gains, relevant)
    whole = np.full(sizes.shape, lists.shape[-1])
    length = whole if results is None else as_numbers(results, "results")
    hits = (lists[..., :E_DEPTH] > 0).sum(-1)
    if length.shape != sizes.shape or np.any(length % 1) or not np.all(length >= hits):
        raise InputError(
            f"results should be the length of each list, shape {sizes.shape}: integers, at least "
            "the number of relevant results in it"
        )
    return share(2.0 * hits, np.where(sizes > 0, np.minimum(E_DEPTH, length) + sizes, 0))


def average_precision(gains: ArrayLike, relevant: ArrayLike) -> Values:
    """AP: the mean, over all C relevant targets, of the precision at their rank (0 if missing).

    Parameters
    ----------
    gains : array_like, shape (..., ranks)
    relevant : array_like of integers, shape (...)

    Returns
    -------
    float array, shape (...)
        In [0, 1]; NaN if C = 0.

    Raises
    ------
    InputError
        As for `validate`.

    References
    ----------
    .. [1] C. Buckley and E. Voorhees, "Retrieval System Evaluation", in TREC: Experiment and
       Evaluation in Information Retrieval (2005).

    Examples
    --------
    Hits at ranks 1 and 3, and one of three targets missing: (1/1 + 2/3 + 0) / 3.

    >>> round(float(average_precision([1, 0, 1, 0], 3)), 4)
    0.5556
    """
    lists, sizes = validate(gains, relevant)
    return share(_precision_sum(lists > 0), sizes)


def _precision_sum(hit: NDArray[np.bool_]) -> Values:
    ranks = np.arange(1, hit.shape[-1] + 1)
    return np.einsum("...r,...r->...", np.cumsum(hit, axis=-1, dtype=np.int32) / ranks, hit)


def _tier(lists: Values, sizes: NDArray[np.int64], depth: int) -> Values:
    counts = np.cumsum(lists > 0, axis=-1)
    last = np.clip(depth * sizes, 1, lists.shape[-1]) - 1
    return share(np.take_along_axis(counts, last[..., None], axis=-1)[..., 0], sizes)


def share(part: ArrayLike, whole: ArrayLike) -> Values:
    """Part divided by whole; NaN if the whole is 0."""
    of = np.asarray(whole, dtype=float)
    return np.asarray(part) / np.where(of == 0, np.nan, of)
