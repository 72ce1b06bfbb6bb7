"""Kendall's W: do participants rank the stimuli of a query in the same order?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from analysis.ratings.components import Floats, harmonic_mean, two_way
from analysis.ratings.ground_truth import mean_ranks, validate_query, whole_multiples


class KendallW(NamedTuple):
    """Kendall's coefficient of concordance."""

    w: float
    """In [0, 1]; NaN if undefined."""
    chi2: float
    """Test statistic, k (stimuli - 1) W."""
    df: int
    """Degrees of freedom, stimuli - 1."""
    p: float
    """p-value of chi2 with df degrees of freedom."""
    k: float
    """Harmonic mean of the number of scores per stimulus."""
    complete: int
    """Number of participants who scored every stimulus."""
    of: int
    """Number of participants who scored at least one stimulus."""


def kendall_w(scores: ArrayLike) -> KendallW:
    """Kendall's W, corrected for ties, with its chi-squared test.

    With missing scores, the ranks of a participant who scored n' of n stimuli are multiplied by
    (n + 1) / (n' + 1), and W = (s + e / k) / (s + e), where s and e are the variance components of
    stimuli and of the residual. For complete scores, this equals Kendall's formula.

    Parameters
    ----------
    scores : float array, shape (participants, stimuli)
        NaN if a participant gave no score; those who scored fewer than two stimuli are left out.

    Returns
    -------
    KendallW
        NaN with fewer than two participants or stimuli, with too few scores to estimate the
        components, or if every participant gave all stimuli the same score.

    Raises
    ------
    InputError
        As for `analysis.ratings.ground_truth.validate_query`.

    References
    ----------
    .. [1] M. Kendall, B. Babington Smith, "The problem of m rankings", Annals of Mathematical
       Statistics 10 (1939) 275-287.
    .. [2] S. Siegel, N. Castellan, Nonparametric Statistics for the Behavioral Sciences (1988),
       section 9.6: the correction for ties.
    .. [3] C. Henderson, "Estimation of variance and covariance components", Biometrics 9 (1953)
       226-252: for missing scores.

    Examples
    --------
    The rank sums are 4, 7 and 7, so S = 6. The third participant's ties increase W from 1/3 to 1/2:

    >>> round(kendall_w([[1, 2, 3], [1, 3, 2], [2, 2, 2]]).w, 4)
    0.5
    """
    array = validate_query(scores)
    known = ~np.isnan(array)
    complete, of = int(known.all(axis=1).sum()), int(known.any(axis=1).sum())
    array = array[known.sum(axis=1) > 1]
    array = array[:, ~np.isnan(array).all(axis=0)]
    m, n = array.shape
    nan = float("nan")
    if m < 2 or n < 2:
        return KendallW(nan, nan, max(n - 1, 0), nan, float(m), complete, of)
    k = harmonic_mean((~np.isnan(array)).sum(axis=0))
    whole, _ = whole_multiples(array)
    w = _concordance(mean_ranks(whole), k)
    chi2 = k * (n - 1) * w
    return KendallW(w, chi2, n - 1, chi2_p(chi2, n - 1), k, complete, of)


def _concordance(ranks: Floats, k: float) -> float:
    """W of ranks, shape (participants, stimuli); NaN if every participant tied all stimuli."""
    placed = (~np.isnan(ranks)).sum(axis=1)[:, None]
    m, n = ranks.shape
    if np.nanmax(np.abs(ranks - (placed + 1) / 2)) == 0:
        return float("nan")
    if (placed == n).all():
        # Each person's sum of squares is (n**3 - n - ties) / 12, so ties need not be counted.
        sums = ranks.sum(axis=0) - m * (n + 1) / 2
        return float((sums**2).sum()) / (m * float(((ranks - (n + 1) / 2) ** 2).sum()))
    stimuli, _, residual = two_way(ranks * ((n + 1) / (placed + 1)))
    return min(max((stimuli + residual / k) / (stimuli + residual), 0.0), 1.0)


def chi2_p(chi2: float, df: int) -> float:
    """Upper-tail probability of the chi-squared distribution."""
    from scipy.special import chdtrc

    return float(chdtrc(df, chi2))
