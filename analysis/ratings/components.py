"""Variance components of scores (stimuli, participants, residual), with or without missing scores.

Scores are modelled as stimulus + participant + residual. Components are estimated by Henderson's
method 3: the sum of squares that each factor explains beyond the other is set equal to its
expected value. For complete scores, they equal those of a two-way analysis of variance.

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
    """Estimated variances, which can be negative; NaN if there are too few scores."""

    stimuli: float
    participants: float
    residual: float


def two_way(scores: Floats) -> Components:
    """Estimate the variance components of scores.

    Parameters
    ----------
    scores : float array, shape (participants, stimuli)
        NaN if a participant gave no score; every row and column has at least one score.

    Returns
    -------
    Components

    Examples
    --------
    Two participants, one always one point above the other, and stimuli with variance 1:

    >>> [round(part, 12) for part in two_way(np.array([[1.0, 2, 3], [2, 3, 4]]))]
    [1.0, 0.5, 0.0]
    """
    x, known = centred(scores)
    k, n = scores.shape
    total, parts = int(known.sum()), _connected(known)
    free = total - k - n + parts
    if free < 1 or total <= max(k, n):
        return Components(*[float("nan")] * 3)
    of_stimuli = _explained(x, known)
    of_participants = _explained(x.T, known.T)
    squares = float((x**2).sum())
    people = float((x.sum(axis=1) ** 2 / known.sum(axis=1)).sum())
    residual = (squares - people - of_stimuli) / free
    return Components(
        (of_stimuli - (n - parts) * residual) / (total - k),
        (of_participants - (k - parts) * residual) / (total - n),
        residual,
    )


def centred(scores: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Scores minus their mean, with 0 for missing ones (NaN); and a mask of known scores."""
    known = ~np.isnan(scores)
    return np.where(known, scores - scores[known].mean(), 0.0), known


def harmonic_mean(counts: NDArray[np.int64]) -> float:
    """Harmonic mean of counts above 0, such as numbers of scores per stimulus.

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
    normal = np.diag(known.sum(axis=0).astype(float)) - (known / rows[:, None]).T @ known
    effects = np.linalg.lstsq(normal, target, rcond=None)[0]
    return float(effects @ target)


def _connected(known: NDArray[np.bool_]) -> int:
    """Number of connected parts of a design; no participant has scores in more than one part."""
    label = np.arange(known.shape[1])
    while True:
        before = label.copy()
        for row in known:
            label[np.isin(label, label[row])] = label[row].min()
        if (label == before).all():
            return len(np.unique(label))
