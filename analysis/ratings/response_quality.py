"""Response quality: long runs of the same score, agreement at chance level, outliers."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats
from analysis.errors import InputError

# Threshold of the modified z-score of Iglewicz and Hoaglin.
OUTLIER_THRESHOLD = 3.5
# Median absolute deviation of a normal distribution, in standard deviations.
_MAD_OF_NORMAL = 0.6745
# Mean absolute deviation of a normal distribution, in standard deviations.
_MEAN_OF_NORMAL = 0.7979


def longest_run(scores: ArrayLike) -> int:
    """Length of the longest run of the same score.

    Parameters
    ----------
    scores : float array, shape (n,)
        In the order in which they were given; without NaN.

    Returns
    -------
    int
        0 if there are no scores.

    Raises
    ------
    InputError
        If there is more than one axis, or a score is NaN.

    Examples
    --------
    >>> longest_run([3, 7, 7, 7, 3, 3])
    3
    """
    values = as_floats(scores, "scores")
    if values.ndim != 1 or np.isnan(values).any():
        raise InputError("scores should be a list of numbers without NaN")
    if not len(values):
        return 0
    changes = np.flatnonzero(np.diff(values) != 0) + 1
    return int(np.diff([0, *changes, len(values)]).max())


def modified_z(values: ArrayLike) -> NDArray[np.float64]:
    """Modified z-scores: distances from the median in robust standard deviations.

    Parameters
    ----------
    values : float array, shape (n,)
        NaN if unknown.

    Returns
    -------
    float array, shape (n,)
        NaN where the value is NaN; 0 if all known values are equal. The robust standard deviation
        is estimated from the median absolute deviation or, if that is 0, from the mean one.

    References
    ----------
    .. [1] B. Iglewicz, D. C. Hoaglin, "How to Detect and Handle Outliers", ASQC 1993: values with
       modified z-scores beyond 3.5 are labelled as potential outliers.

    Examples
    --------
    >>> modified_z([1, 2, 3, 4, 100]).round(2).tolist()
    [-1.35, -0.67, 0.0, 0.67, 65.43]
    """
    given = as_floats(values, "values")
    known = given[~np.isnan(given)]
    if not len(known):
        return np.full(given.shape, np.nan)
    distances = given - np.median(known)
    spread = float(np.median(np.abs(known - np.median(known)))) / _MAD_OF_NORMAL
    if not spread:
        spread = float(np.mean(np.abs(known - np.median(known)))) / _MEAN_OF_NORMAL
    scaled: NDArray[np.float64] = distances / spread if spread else distances * 0.0
    return scaled


def chance_bound(stimuli: ArrayLike, z: float = 1.6449) -> float:
    """One-sided 5 % critical value of a person's mean tau over queries, for random scores.

    Parameters
    ----------
    stimuli : int array, shape (queries,)
        Number of stimuli compared in each query; queries with fewer than two are left out.
    z : float
        Quantile of the standard normal distribution.

    Returns
    -------
    float
        NaN if there is no query. The variance of Kendall's tau between independent orders of n
        stimuli is 2 (2 n + 5) / (9 n (n - 1)). The variance of the mean over queries is the sum of
        these variances divided by the squared number of queries. Ties increase it slightly.

    References
    ----------
    .. [1] M. G. Kendall, "A New Measure of Rank Correlation", Biometrika 30 (1938) 81-93.

    Examples
    --------
    >>> round(chance_bound([40]), 3), round(chance_bound([40] * 4), 3)
    (0.181, 0.091)
    """
    n = as_floats(stimuli, "stimuli")
    n = n[n >= 2]
    if not len(n):
        return float("nan")
    variances = 2 * (2 * n + 5) / (9 * n * (n - 1))
    return float(z * np.sqrt(variances.sum()) / len(n))
