"""Variance components of scores, also with missing ones: stimuli, participants, and residual.

Scores are modelled as stimulus + participant + residual. The components are those of Henderson's
third method: the sum of squares that each factor explains beyond the other is set equal to its
expectation. For complete scores they are those of the two-way analysis of variance.

References
----------
.. [1] C. Henderson, "Estimation of variance and covariance components", Biometrics 9 (1953)
   226-252: method 3.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Components(NamedTuple):
    """Variances; an estimate can be below 0. NaN if the scores are too few for an estimate."""

    stimuli: float
    participants: float
    rest: float


def two_way(scores: Floats) -> Components:
    """Estimate the components of scores in which every row and column has a score.

    Parameters
    ----------
    scores : float array, shape (participants, stimuli)
        NaN if a participant gave no score.

    Returns
    -------
    Components

    Examples
    --------
    Two participants, one always a point above the other, and stimuli with variance 1:

    >>> [round(part, 12) for part in two_way(np.array([[1.0, 2, 3], [2, 3, 4]]))]
    [1.0, 0.5, 0.0]
    """
    x, known = centred(scores)
    k, n = scores.shape
    total, parts = int(known.sum()), _connected(known)
    free = total - k - n + parts
    if free < 1 or total <= max(k, n):
        return Components(*[float("nan")] * 3)
    beside_people = _explained(x, known)
    beside_stimuli = _explained(x.T, known.T)
    squares = float((x**2).sum())
    people = float((x.sum(axis=1) ** 2 / known.sum(axis=1)).sum())
    rest = (squares - people - beside_people) / free
    return Components(
        (beside_people - (n - parts) * rest) / (total - k),
        (beside_stimuli - (k - parts) * rest) / (total - n),
        rest,
    )


def centred(scores: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Scores less their mean, 0 where missing (NaN); and a mask of those present."""
    known = ~np.isnan(scores)
    return np.where(known, scores - scores[known].mean(), 0.0), known


def harmonic_mean(counts: NDArray[np.int64]) -> float:
    """Harmonic mean of the counts above 0: the number of scores behind a stimulus's mean.

    Examples
    --------
    >>> harmonic_mean(np.array([2, 6]))
    3.0
    """
    if (counts == counts[0]).all():
        return float(counts[0])  # without rounding
    return float(len(counts) / (1 / counts).sum())


def _explained(x: Floats, known: NDArray[np.bool_]) -> float:
    """Sum of squares that columns explain beyond rows; x is 0 where unknown."""
    rows = known.sum(axis=1)
    within = np.where(known, x - (x.sum(axis=1) / rows)[:, None], 0.0)
    target = within.sum(axis=0)
    meet = np.diag(known.sum(axis=0).astype(float)) - (known / rows[:, None]).T @ known
    effects = np.linalg.lstsq(meet, target, rcond=None)[0]
    return float(effects @ target)


def _connected(known: NDArray[np.bool_]) -> int:
    """Count the connected parts of a design; no participant scored in more than one."""
    label = np.arange(known.shape[1])
    while True:
        before = label.copy()
        for row in known:
            label[np.isin(label, label[row])] = label[row].min()
        if (label == before).all():
            return len(np.unique(label))
