"""Precision-recall curves of ranked lists, in the two forms used in the field.

Conventions are those of `analysis.retrieval.measures`: gains of shape (..., ranks), C relevant
targets per query.

Metrics
-------
precision_recall_20 : the official SHREC curve at recall 0.05, 0.10, …, 1.00.
precision_recall_11 : interpolated precision at recall 0.0, 0.1, …, 1.0.
shrec_average_precision : "AP" as printed by the SHREC code, the mean of the 20-point curve.

References
----------
.. [1] B. Li et al., "SHREC'13 Track: Large Scale Sketch-Based 3D Shape Retrieval", 3DOR 2013,
   89-96, and the evaluation code published with it.
.. [2] C. Manning, P. Raghavan and H. Schütze, Introduction to Information Retrieval (2008), 8.4:
   the 11-point curve.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats
from analysis.errors import InputError
from analysis.retrieval.measures import Values, validate

RECALL_20 = np.arange(1, 21) / 20
RECALL_11 = np.arange(11) / 10


def precision_recall_20(gains: ArrayLike, relevant: ArrayLike) -> Values:
    """Precision at recall j/20, j = 1 … 20, by linear interpolation between relevant targets.

    With P_k the precision at the k-th relevant target (0 if it is not in the list), the precision
    at recall r is P_k + (rC - k)(P_{k+1} - P_k), where k = floor(rC) is at least 1.

    Parameters
    ----------
    gains : array_like, shape (..., ranks)
    relevant : array_like of integers, shape (...)

    Returns
    -------
    float array, shape (..., 20)
        NaN if the point is undefined for a query: C < 2, or C < 20/j. A system's curve is the mean
        of each point over the queries for which it is defined (`mean_curve`).

    Raises
    ------
    InputError
        As for `analysis.retrieval.measures.validate`.

    References
    ----------
    .. [1] B. Li et al., "SHREC'13 Track: Large Scale Sketch-Based 3D Shape Retrieval", 3DOR 2013,
       89-96, and the evaluation code published with it.

    Examples
    --------
    C = 2 with hits at ranks 1 and 4: precision 1 at recall 0.5, 0.5 at recall 1, and 0.75 halfway
    between:

    >>> curve = precision_recall_20([1, 0, 0, 1], 2)
    >>> curve[[8, 9, 14, 19]].tolist()
    [nan, 1.0, 0.75, 0.5]
    """
    lists, sizes = validate(gains, relevant)
    at_target = _precision_at_targets(lists > 0, sizes)
    j = np.arange(1, 21)
    scaled = sizes[..., None] * j  # 20 r C, an integer, so that floor(rC) is exact
    k = scaled // 20
    weight = (scaled % 20) / 20
    lower = _target(at_target, k)
    upper = _target(at_target, np.minimum(k + 1, np.maximum(sizes[..., None], 1)))
    curve = lower + weight * (upper - lower)
    return np.where((sizes[..., None] >= 2) & (k >= 1), curve, np.nan)


def precision_recall_11(gains: ArrayLike, relevant: ArrayLike) -> Values:
    """Interpolated precision at recall 0, 0.1, … 1: the highest precision from that recall on.

    Parameters
    ----------
    gains : array_like, shape (..., ranks)
    relevant : array_like of integers, shape (...)

    Returns
    -------
    float array, shape (..., 11)
        0 at a recall that the list does not reach; NaN if C = 0.

    Raises
    ------
    InputError
        As for `analysis.retrieval.measures.validate`.

    References
    ----------
    .. [1] C. Manning, P. Raghavan and H. Schütze, Introduction to Information Retrieval (2008),
       section 8.4.

    Examples
    --------
    >>> precision_recall_11([1, 0, 0, 1], 2)[[0, 5, 6, 10]].tolist()
    [1.0, 1.0, 0.5, 0.5]
    """
    lists, sizes = validate(gains, relevant)
    at_target = _precision_at_targets(lists > 0, sizes)
    best = np.maximum.accumulate(at_target[..., ::-1], axis=-1)[..., ::-1]
    needed = -(
        -sizes[..., None] * np.arange(11) // 10
    )  # the least number of targets with that recall
    curve = _target(best, np.maximum(needed, 1))
    return np.where(sizes[..., None] > 0, curve, np.nan)


def mean_curve(curves: ArrayLike) -> Values:
    """Mean of each point over the queries for which it is defined.

    Parameters
    ----------
    curves : array_like, shape (queries, points)

    Returns
    -------
    float array, shape (points,)
        NaN at points that are undefined for all queries.

    Raises
    ------
    InputError
        If the shape is wrong, there is no query, or a value is infinite.

    Examples
    --------
    >>> mean_curve([[float("nan"), 1.0], [0.5, 0.0]]).tolist()
    [0.5, 0.5]
    """
    points = as_floats(curves, "curves")
    if points.ndim != 2 or 0 in points.shape:
        raise InputError(
            f"curves should have shape (queries, points), but have shape {points.shape}"
        )
    if np.isinf(points).any():
        raise InputError("a curve has an infinite value; use NaN for undefined points")
    there = ~np.isnan(points)
    count = there.sum(0)
    return np.where(there, points, 0).sum(0) / np.where(count == 0, np.nan, count)


def shrec_average_precision(curves: ArrayLike) -> float:
    """ "Official SHREC AP", the mean of a system's 20-point curve; not average precision.

    Parameters
    ----------
    curves : array_like, shape (queries, 20)
        From `precision_recall_20`.

    Returns
    -------
    float
        Mean of the points defined for at least one query; NaN if there are none.

    Raises
    ------
    InputError
        As for `mean_curve`, or if there are not 20 points.

    References
    ----------
    .. [1] B. Li et al., "SHREC'13 Track: Large Scale Sketch-Based 3D Shape Retrieval", 3DOR 2013,
       89-96, and the evaluation code published with it.

    Examples
    --------
    >>> shrec_average_precision(precision_recall_20([[1, 1, 0], [1, 1, 0]], [2, 2]))
    1.0
    """
    curve = mean_curve(curves)
    if len(curve) != len(RECALL_20):
        raise InputError(f"the curve should have 20 points, but has {len(curve)}")
    there = curve[~np.isnan(curve)]
    return float(there.mean()) if there.size else float("nan")


def _precision_at_targets(hit: NDArray[np.bool_], sizes: NDArray[np.int64]) -> Values:
    """Precision at the k-th relevant target, shape (..., largest C); 0 where not retrieved."""
    rows = hit.reshape(-1, hit.shape[-1])
    table = np.zeros((len(rows), max(int(sizes.max(initial=0)), 1)))
    row, rank = np.nonzero(rows)
    first = np.searchsorted(row, np.arange(len(rows)))
    k = np.arange(row.size) - first[row]
    table[row, k] = (k + 1) / (rank + 1)
    return table.reshape(*hit.shape[:-1], table.shape[1])


def _target(at_target: Values, k: NDArray[np.int64]) -> Values:
    """The precision at target k (from 1); beyond the last target, that of the last."""
    column = np.clip(k - 1, 0, at_target.shape[-1] - 1)
    return np.take_along_axis(at_target, column, axis=-1)
