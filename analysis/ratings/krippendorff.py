"""Krippendorff's alpha: agreement of scores at four levels of measurement."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.errors import InputError
from analysis.ratings.ground_truth import mean_ranks, validate, whole_multiples

Level = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")
_ROWS_PER_BATCH = 512

Floats = NDArray[np.float64]


def krippendorff_alpha(scores: ArrayLike, level: Level) -> float:
    """Krippendorff's alpha: one minus observed disagreement divided by expected disagreement.

    The disagreement of two scores depends on the level. Nominal: 1 if they differ. Interval: their
    squared difference. Ordinal: the squared difference of their mean ranks among all pairable
    scores. Ratio: their squared difference divided by their squared sum.

    Parameters
    ----------
    scores : float array, shape (participants, units)
        Units are stimuli, or stimuli of several queries side by side. NaN if missing; units with
        fewer than two scores are left out.
    level : {"nominal", "ordinal", "interval", "ratio"}
        Level of measurement.

    Returns
    -------
    float
        1 is perfect agreement, 0 is chance; NaN if undefined: no unit has two scores, or all
        pairable scores are equal.

    Raises
    ------
    InputError
        If `level` is not one of the four, a score at the ratio level is negative, there are more
        than two axes, or as for `analysis.ratings.ground_truth.validate`.

    References
    ----------
    .. [1] K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", University of
       Pennsylvania, 2011.

    Examples
    --------
    >>> round(krippendorff_alpha([[1, 2, 3, 3], [1, 2, 3, 4]], "interval"), 4)
    0.8889
    """
    if level not in LEVELS:
        raise InputError(f"level should be one of {', '.join(LEVELS)}, but is {level!r}")
    array = validate(scores)
    if array.ndim != 2:
        raise InputError(
            f"scores should have shape (participants, units), but have shape {array.shape}"
        )
    units = array[:, (~np.isnan(array)).sum(axis=0) > 1]
    if not units.size:
        return float("nan")
    if level == "ratio" and np.nanmin(units) < 0:
        raise InputError("a score is negative; at the ratio level, scores should be 0 or more")
    units, _ = whole_multiples(units)
    if level == "ordinal":
        units = mean_ranks(units.ravel()).reshape(units.shape)
    if level in ("ordinal", "interval"):
        observed, expected = _squared_differences(units)
    else:
        observed, expected = _by_values(units, level)
    return 1 - observed / expected if expected > 0 else float("nan")


def _squared_differences(units: Floats) -> tuple[float, float]:
    """Observed and expected disagreement from variances, without pairing scores."""
    known = ~np.isnan(units)
    m, n = known.sum(axis=0), int(known.sum())
    centre = float(np.nanmean(units))
    x = np.where(known, units - centre, 0)
    within = (x**2).sum(axis=0) - x.sum(axis=0) ** 2 / m
    observed = float((2 * m * within / (m - 1)).sum()) / n
    expected = 2 * n * float((x**2).sum() - x.sum() ** 2 / n) / (n * (n - 1))
    return observed, expected


def _by_values(units: Floats, level: Level) -> tuple[float, float]:
    """Observed and expected disagreement from the counts of each value in each unit."""
    known = ~np.isnan(units)
    values, code = np.unique(units[known], return_inverse=True)
    counts = np.zeros((units.shape[1], len(values)))
    np.add.at(counts, (np.nonzero(known)[1], code), 1)
    m, totals = known.sum(axis=0), counts.sum(axis=0)
    n = totals.sum()
    observed = expected = 0.0
    for start in range(0, len(values), _ROWS_PER_BATCH):
        rows = slice(start, start + _ROWS_PER_BATCH)
        disagreement = _disagreement(values[rows, None], values, level)
        pairs = (counts[:, rows] / (m - 1)[:, None]).T @ counts
        observed += float((pairs * disagreement).sum())
        expected += float(totals[rows] @ disagreement @ totals)
    return observed / n, expected / (n * (n - 1))


def _disagreement(one: Floats, other: Floats, level: Level) -> Floats:
    if level == "nominal":
        return (one != other).astype(np.float64)
    total = one + other
    return np.where(total > 0, (one - other) / np.where(total > 0, total, 1), 0) ** 2
