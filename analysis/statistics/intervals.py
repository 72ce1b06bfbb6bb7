"""95 % intervals of means over few people or queries.

A percentile bootstrap of a mean covers the true mean in 85 % of studies with 6 people, and in half
of those with 3. The intervals of means in this module cover it in at least 90 % of studies with 4
people or more, within the error of the simulation (`tests/bench/coverage_…`); with fewer, there is
no interval. Proportions of hits can be an exception, see `wilson_interval`.

Methods
-------
t_interval : a mean of independent values, such as one value per query.
jackknife_interval : any estimate to which each participant contributes, such as a mean over pairs.
wilson_interval : a proportion of hits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import as_floats
from analysis.errors import InputError
from analysis.statistics.means import Values, two_axes

LEVEL = 0.95
MIN_FOR_INTERVAL = 4
"""Least number of participants or queries for an interval."""
Range = tuple[float, float]
_ANY: Range = (-np.inf, np.inf)


def t_interval(values: ArrayLike, within: Range = _ANY) -> tuple[Values, Values]:
    """95 % interval of each system's mean over queries, from Student's t.

    Parameters
    ----------
    values : array_like, shape (systems, queries)
        NaN if undefined; these are left out.
    within : (float, float)
        Possible range of the mean; the bounds are clipped to it.

    Returns
    -------
    low, high : float arrays, shape (systems,)
        NaN with fewer than four defined queries.

    Raises
    ------
    InputError
        As for `analysis.statistics.means.two_axes`.

    References
    ----------
    .. [1] Student, "The probable error of a mean", Biometrika 6 (1908) 1-25.

    Examples
    --------
    Mean 3, standard error 1, and t = 2.776 with four degrees of freedom:

    >>> low, high = t_interval([[3 - 5**0.5, 3 + 5**0.5, 3 - 5**0.5, 3 + 5**0.5, 3]])
    >>> round(float(low[0]), 3), round(float(high[0]), 3)
    (0.224, 5.776)
    """
    v = two_axes(values)
    there = ~np.isnan(v)
    count = there.sum(axis=1)
    filled = np.where(there, v, 0)
    mean = filled.sum(axis=1) / np.maximum(count, 1)
    squares = (np.where(there, v - mean[:, None], 0) ** 2).sum(axis=1)
    error = np.sqrt(squares / np.maximum(count * (count - 1), 1))
    return _bounds(mean, error, count, within)


def jackknife_interval(
    estimate: float, without: ArrayLike, within: Range = _ANY
) -> tuple[float, float]:
    """95 % jackknife interval of an estimate to which all participants contribute.

    The standard error is computed from the estimates that leave out one participant each. Student's
    t has one degree of freedom less than there are participants. For a plain mean, the interval
    equals `t_interval`.

    Parameters
    ----------
    estimate : float
        The estimate from all participants.
    without : array_like, shape (participants,)
        The same estimate with each participant left out in turn.
    within : (float, float)
        Possible range of the estimate; the bounds are clipped to it.

    Returns
    -------
    low, high : float
        NaN with fewer than four participants, or if an estimate is undefined.

    Raises
    ------
    InputError
        If `without` is not one number per participant, or a number is infinite.

    References
    ----------
    .. [1] J. Tukey, "Bias and confidence in not-quite large samples", Annals of Mathematical
       Statistics 29 (1958) 614.
    .. [2] J. Arvesen, "Jackknifing U-statistics", Annals of Mathematical Statistics 40 (1969)
       2076-2100: means over pairs.

    Examples
    --------
    The mean of 1, 2, 3 and 6 is 3; without each of them it is 11/3, 10/3, 3 and 2:

    >>> low, high = jackknife_interval(3.0, [11 / 3, 10 / 3, 3.0, 2.0])
    >>> round(low, 3), round(high, 3)
    (-0.437, 6.437)
    """
    parts = as_floats(without, "estimates without a participant")
    if parts.ndim != 1 or not parts.size:
        raise InputError(
            "estimates without a participant should be a list of numbers, one per participant, "
            f"but have shape {parts.shape}"
        )
    if np.isinf(parts).any():
        raise InputError("an estimate is infinite; use NaN for undefined estimates")
    spread = np.sqrt((len(parts) - 1) * ((parts - parts.mean()) ** 2).mean())
    count = np.array([len(parts)])
    low, high = _bounds(np.array([estimate], dtype=float), np.array([spread]), count, within)
    return float(low[0]), float(high[0])


def wilson_interval(hits: ArrayLike) -> tuple[Values, Values]:
    """95 % Wilson score interval of each system's proportion of hits.

    It covers a proportion between .1 and .9 in at least 89 % of samples of five, and a proportion
    closer to 0 or 1 in at least 83 % (`tests/bench/coverage_queries.py`).

    Parameters
    ----------
    hits : array_like, shape (systems, queries)
        1 for a hit, 0 for a miss, NaN if undefined; these are left out.

    Returns
    -------
    low, high : float arrays, shape (systems,)
        In [0, 1]; NaN with fewer than four defined queries.

    Raises
    ------
    InputError
        If a value is neither 0 nor 1, or as for `analysis.statistics.means.two_axes`.

    References
    ----------
    .. [1] E. Wilson, "Probable inference, the law of succession, and statistical inference",
       Journal of the American Statistical Association 22 (1927) 209-212.

    Examples
    --------
    >>> low, high = wilson_interval([[1, 1, 1, 1, 0]])
    >>> round(float(low[0]), 3), round(float(high[0]), 3)
    (0.376, 0.964)
    """
    from scipy.special import ndtri

    v = two_axes(hits)
    there = ~np.isnan(v)
    if not np.isin(v[there], (0, 1)).all():
        raise InputError("hits should be 1, misses 0, and undefined values NaN")
    n = there.sum(axis=1)
    many = np.where(n < MIN_FOR_INTERVAL, np.nan, n)
    share = np.where(there, v, 0).sum(axis=1) / many
    square = float(ndtri((1 + LEVEL) / 2)) ** 2
    centre = (share + square / (2 * many)) / (1 + square / many)
    half = np.sqrt(square * share * (1 - share) / many + (square / (2 * many)) ** 2)
    half /= 1 + square / many
    return np.clip(centre - half, 0, 1), np.clip(centre + half, 0, 1)


def _bounds(centre: Values, error: Values, count: Values, within: Range) -> tuple[Values, Values]:
    from scipy.special import stdtrit

    enough = np.where(count < MIN_FOR_INTERVAL, np.nan, count)
    half = stdtrit(enough - 1, (1 + LEVEL) / 2) * error
    return np.clip(centre - half, *within), np.clip(centre + half, *within)
