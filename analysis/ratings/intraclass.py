"""Intraclass correlation: how much of the spread of scores is between the stimuli."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from analysis.ratings.ground_truth import validate_query


class IntraclassCorrelation(NamedTuple):
    """The six forms of Shrout and Fleiss; NaN where undefined.

    Models: 1, each stimulus has its own participants, drawn at random; 2, the participants are a
    random sample and all score all stimuli; 3, these participants are the only ones of interest.
    Second figure: 1, the reliability of one participant's scores; k, of the mean of all of them.
    """

    icc_1_1: float
    icc_2_1: float
    icc_3_1: float
    icc_1_k: float
    icc_2_k: float
    icc_3_k: float
    participants: int
    """Those who scored every stimulus; the others are left out."""
    stimuli: int


def icc(scores: ArrayLike) -> IntraclassCorrelation:
    """Intraclass correlation in the six forms of Shrout and Fleiss.

    Parameters
    ----------
    scores : float array, shape (participants, stimuli)
        NaN where a participant gave none: who did not score every stimulus is left out.

    Returns
    -------
    IntraclassCorrelation
        NaN with fewer than two complete participants or two stimuli, or without any spread.

    Raises
    ------
    InputError
        As `analysis.ratings.ground_truth.validate_query`.

    References
    ----------
    .. [1] P. Shrout, J. Fleiss, "Intraclass correlations: uses in assessing rater reliability",
       Psychological Bulletin 86 (1979) 420-428.

    Examples
    --------
    >>> judges = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]
    >>> [round(form, 3) for form in icc(judges)[:3]]
    [0.166, 0.29, 0.715]
    """
    array = validate_query(scores)
    complete = array[~np.isnan(array).any(axis=1)]
    k, n = complete.shape
    if k < 2 or n < 2:
        nan = float("nan")
        return IntraclassCorrelation(nan, nan, nan, nan, nan, nan, k, n)
    x = complete - complete.mean()
    total = float((x**2).sum())
    between = k * float((x.mean(axis=0) ** 2).sum())
    judges = n * float((x.mean(axis=1) ** 2).sum())
    bms, wms = between / (n - 1), (total - between) / (n * (k - 1))
    jms, ems = judges / (k - 1), (total - between - judges) / ((n - 1) * (k - 1))
    return IntraclassCorrelation(
        _share(bms - wms, bms + (k - 1) * wms),
        _share(bms - ems, bms + (k - 1) * ems + k * (jms - ems) / n),
        _share(bms - ems, bms + (k - 1) * ems),
        _share(bms - wms, bms),
        _share(bms - ems, bms + (jms - ems) / n),
        _share(bms - ems, bms),
        k,
        n,
    )


def _share(part: float, whole: float) -> float:
    return part / whole if abs(whole) > 1e-12 else float("nan")
