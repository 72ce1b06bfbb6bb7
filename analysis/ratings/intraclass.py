"""Intraclass correlation: the share of the variance of scores that is between stimuli."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from analysis.ratings.components import Floats, centred, harmonic_mean, two_way
from analysis.ratings.ground_truth import validate_query


class IntraclassCorrelation(NamedTuple):
    """The six forms of Shrout and Fleiss; NaN if undefined.

    The first number is the model: 1, each stimulus is scored by its own random sample of
    participants; 2, a random sample of participants scores all stimuli; 3, these participants are
    the only ones of interest. The second is 1 for the reliability of one participant's scores, and
    k for that of the mean of k scores.
    """

    icc_1_1: float
    icc_2_1: float
    icc_3_1: float
    icc_1_k: float
    icc_2_k: float
    icc_3_k: float
    k: float
    """Harmonic mean of the number of scores per stimulus."""
    complete: int
    """Number of participants who scored every stimulus."""
    of: int
    """Number of participants who scored at least one stimulus."""
    stimuli: int
    """Number of stimuli with at least one score."""


def icc(scores: ArrayLike) -> IntraclassCorrelation:
    """Intraclass correlation in the six forms of Shrout and Fleiss.

    Parameters
    ----------
    scores : float array, shape (participants, stimuli)
        NaN if a participant gave no score.

    Returns
    -------
    IntraclassCorrelation
        Computed from variance components, so that all scores are used; for complete scores the
        result equals that from Shrout and Fleiss's mean squares. NaN with fewer than two
        participants or stimuli, with too few scores to estimate the components, or if all scores
        are equal.

    Raises
    ------
    InputError
        As for `analysis.ratings.ground_truth.validate_query`.

    References
    ----------
    .. [1] P. Shrout, J. Fleiss, "Intraclass correlations: uses in assessing rater reliability",
       Psychological Bulletin 86 (1979) 420-428.
    .. [2] C. Henderson, "Estimation of variance and covariance components", Biometrics 9 (1953)
       226-252: for missing scores.

    Examples
    --------
    >>> judges = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]
    >>> [round(form, 3) for form in icc(judges)[:3]]
    [0.166, 0.29, 0.715]
    """
    array = validate_query(scores)
    known = ~np.isnan(array)
    array = array[known.any(axis=1)][:, known.any(axis=0)]
    known = ~np.isnan(array)
    complete, of, n = int(known.all(axis=1).sum()), *array.shape
    stimuli = people = residual = float("nan")
    if of > 1 and n > 1:
        stimuli, people, residual = two_way(array)
    if np.isnan(residual):
        return IntraclassCorrelation._make([residual] * 7 + [complete, of, n])
    k = harmonic_mean(known.sum(axis=0))
    between, within = _one_way(array)
    return IntraclassCorrelation(
        _share(between, between + within),
        _share(stimuli, stimuli + people + residual),
        _share(stimuli, stimuli + residual),
        _share(between, between + within / k),
        _share(stimuli, stimuli + (people + residual) / k),
        _share(stimuli, stimuli + residual / k),
        k,
        complete,
        of,
        n,
    )


def _one_way(scores: Floats) -> tuple[float, float]:
    """Variances between and within stimuli, from a one-way analysis of variance."""
    x, known = centred(scores)
    counts, total, stimuli = known.sum(axis=0), int(known.sum()), scores.shape[1]
    among = float((x.sum(axis=0) ** 2 / counts).sum())
    within = (float((x**2).sum()) - among) / (total - stimuli)
    size = (total - (counts**2).sum() / total) / (stimuli - 1)
    return float((among / (stimuli - 1) - within) / size), within


def _share(part: float, whole: float) -> float:
    return part / whole if abs(whole) > 1e-12 else float("nan")
