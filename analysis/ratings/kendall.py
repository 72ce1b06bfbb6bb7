"""Kendall's W: do participants put the stimuli of a query in one order?"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from analysis.ratings.ground_truth import mean_ranks, validate_query, whole_multiples


class KendallW(NamedTuple):
    """Kendall's coefficient of concordance."""

    w: float
    """In [0, 1]; NaN where it is undefined."""
    chi2: float
    """participants (stimuli - 1) W."""
    df: int
    """stimuli - 1."""
    p: float
    """Of chi2 with df degrees of freedom."""
    participants: int
    """Those who scored every stimulus; the others are left out."""


def kendall_w(scores: ArrayLike) -> KendallW:
    """Kendall's W, corrected for ties, with its chi-squared test.

    Parameters
    ----------
    scores : float array, shape (participants, stimuli)
        NaN where a participant gave none: who did not score every stimulus is left out.

    Returns
    -------
    KendallW
        NaN with fewer than two complete participants or two stimuli, or where each of them gave
        every stimulus the same score.

    Raises
    ------
    InputError
        As `analysis.ratings.ground_truth.validate_query`.

    References
    ----------
    .. [1] M. Kendall, B. Babington Smith, "The problem of m rankings", Annals of Mathematical
       Statistics 10 (1939) 275-287.
    .. [2] S. Siegel, N. Castellan, Nonparametric Statistics for the Behavioral Sciences (1988),
       section 9.6: the correction for ties.

    Examples
    --------
    Rank sums 4, 7, 7: S = 6, and W = 12 S / (3**2 (3**3 - 3)).

    >>> round(kendall_w([[1, 2, 3], [1, 3, 2], [2, 2, 2]]).w, 4)
    0.5
    """
    array = validate_query(scores)
    complete = array[~np.isnan(array).any(axis=1)]
    m, n = complete.shape
    nothing = KendallW(float("nan"), float("nan"), n - 1, float("nan"), m)
    if m < 2 or n < 2:
        return nothing
    whole, _ = whole_multiples(complete)
    ranks = np.stack([mean_ranks(row) for row in whole])
    spread = float(((ranks - (n + 1) / 2) ** 2).sum())
    if spread == 0:
        return nothing
    # Each person's sum of squares is (n**3 - n - ties) / 12, so no tie has to be counted.
    sums = ranks.sum(axis=0) - m * (n + 1) / 2
    w = float((sums**2).sum()) / (m * spread)
    chi2 = m * (n - 1) * w
    return KendallW(w, chi2, n - 1, chi2_p(chi2, n - 1), m)


def chi2_p(chi2: float, df: int) -> float:
    """Upper tail of the chi-squared distribution."""
    from scipy.special import chdtrc

    return float(chdtrc(df, chi2))
