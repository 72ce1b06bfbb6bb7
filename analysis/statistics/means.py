"""A system's score: the mean of its values over queries, without undefined values.

``values`` has shape (systems, queries): one number per system and query, such as tau_b; NaN if
undefined.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats
from analysis.errors import InputError

Values = NDArray[np.float64]


def macro_mean(values: ArrayLike) -> Values:
    """Macro mean: the mean over queries of one value per query.

    Parameters
    ----------
    values : array_like, shape (..., queries)
        NaN if undefined; such queries are left out.

    Returns
    -------
    float array, shape (...)
        NaN if all queries are undefined.

    Raises
    ------
    InputError
        If there are no queries, or a value is infinite.

    References
    ----------
    .. [1] M. Eitz et al., "Sketch-Based Image Retrieval: Benchmark and Bag-of-Features
       Descriptors", IEEE TVCG 17 (2011) 1624-1636: the macro mean is a system's score.

    Examples
    --------
    >>> float(macro_mean([1.0, 0.5, float("nan")]))
    0.75
    """
    v = _with_queries(values)
    there = ~np.isnan(v)
    count = there.sum(-1)
    return np.where(there, v, 0).sum(-1) / np.where(count == 0, np.nan, count)


def two_axes(values: ArrayLike) -> Values:
    """Check values of shape (systems, queries) and return them as a float array.

    Raises
    ------
    InputError
        If the shape is wrong, there are no systems or queries, or a value is infinite.
    """
    v = _with_queries(values)
    if v.ndim != 2 or not len(v):
        raise InputError(f"values should have shape (systems, queries), but have shape {v.shape}")
    return v


def _with_queries(values: ArrayLike) -> Values:
    v = as_floats(values, "values")
    if v.ndim == 0 or v.shape[-1] == 0:
        raise InputError(f"values should have shape (..., queries), but have shape {v.shape}")
    if np.isinf(v).any():
        raise InputError("a value is infinite, so there is no mean; use NaN for undefined values")
    return v
