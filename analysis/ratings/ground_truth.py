"""Ratings: how similar people find each candidate to a query, and the resulting ground truth.

The scores of one query are a float array, shape (participants, stimuli), with NaN if a participant
gave no score. The direction of the scale is always stated, never guessed: `best` is "low" if the
lowest score means most similar (Eitz et al.: 1 best to 7 worst), and "high" if the highest does.

Means are compared by exact sums, so that floating-point noise cannot order equal means: scores are
converted to integer multiples of a decimal unit, or of a unit such as 1/3 or 1/7 (some studies
average several questions). If no such unit fits, means are compared to 12 significant digits.

References
----------
.. [1] M. Eitz et al., "Sketch-Based Image Retrieval: Benchmark and Bag-of-Features Descriptors",
   IEEE TVCG 17 (2011) 1624-1636.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats
from analysis.errors import InputError
from analysis.statistics.rank_correlation import tau_b

Floats = NDArray[np.float64]
Best = Literal["low", "high"]
IN_RANGE = "0, or between 1e-100 and 1e100 in size"
_LARGEST = 1e100
_DIGITS = 12
# Most decimal places that people write; 0.333333333333 is more likely a third.
_USUAL_DECIMALS = 6
_MAX_DENOMINATOR = 1000
# Multiples count as equal to the scores if they differ only by rounding errors.
_ROUNDING = 4 * float(np.finfo(np.float64).eps)


class GroundTruth(NamedTuple):
    """The ground truth of one query; all fields are arrays of shape (stimuli,)."""

    mean: Floats
    """Arithmetic mean of all scores; NaN if there are none."""
    n: NDArray[np.int64]
    """Number of scores."""
    sd: Floats
    """Standard deviation with n - 1 degrees of freedom; NaN with fewer than two scores."""
    se: Floats
    """Standard error of the mean, sd / sqrt(n)."""
    rank: Floats
    """1 is the most similar; ties share their mean rank; NaN if there is no score."""


class Ceilings(NamedTuple):
    """Human ceiling: how well single participants predict the others.

    Compare it with a system's mean tau_b with each participant, which can be above both values. A
    system's tau_b with the mean is on a different scale and can be much higher.
    """

    lower: float
    """Mean tau_b of each participant to the mean of the others."""
    upper: float
    """Mean tau_b of each participant to the mean of all, themselves included."""


def validate(scores: ArrayLike) -> Floats:
    """Check scores of one or more queries: participants on the first axis, stimuli on the last.

    Raises
    ------
    InputError
        If there are fewer than two axes, no participant or no stimulus, or a score is infinite or
        `out_of_range`.
    """
    array = as_floats(scores, "scores")
    if array.ndim < 2 or 0 in array.shape:
        raise InputError(
            "scores should have shape (participants, stimuli), with at least one of each, "
            f"but have shape {array.shape}"
        )
    if np.isinf(array).any():
        raise InputError("a score is infinite; scores should be finite, or NaN if missing")
    refused = array[out_of_range(array)]
    if len(refused):
        raise InputError(f"a score is {refused[0]:g}; scores should be {IN_RANGE}")
    return array


def validate_query(scores: ArrayLike) -> Floats:
    """Check the scores of one query, shape (participants, stimuli).

    Raises
    ------
    InputError
        As for `validate`, or if there are more than two axes.
    """
    array = validate(scores)
    if array.ndim != 2:
        raise InputError(f"scores of one query should have two axes, but have {array.ndim}")
    return array


def out_of_range(scores: Floats) -> NDArray[np.bool_]:
    """Find scores so large or so small that their squares overflow or underflow.

    Parameters
    ----------
    scores : float array, any shape
        NaN if missing.

    Returns
    -------
    bool array, the same shape
    """
    sizes = np.abs(scores)
    refused: NDArray[np.bool_] = (sizes > _LARGEST) | ((sizes > 0) & (sizes < 1 / _LARGEST))
    return refused


def ground_truth(scores: ArrayLike, best: Best) -> GroundTruth:
    """Mean scores and ranks of the stimuli of one query.

    Parameters
    ----------
    scores : float array, shape (participants, stimuli)
        NaN if a participant gave no score.
    best : {"low", "high"}
        Which end of the scale means most similar.

    Returns
    -------
    GroundTruth

    Raises
    ------
    InputError
        If `best` is neither, or as for `validate_query`.

    References
    ----------
    .. [1] Eitz et al. (2011), section 5.

    Examples
    --------
    >>> truth = ground_truth([[1, 4, 7], [2, 3, 7]], best="low")
    >>> truth.mean.tolist(), truth.rank.tolist()
    ([1.5, 3.5, 7.0], [1.0, 2.0, 3.0])
    """
    if best not in ("low", "high"):
        raise InputError(f"the best end of the scale should be low or high, but is {best!r}")
    array = validate_query(scores)
    whole, unit = whole_multiples(array)
    compared = mean_scores(whole)
    rank = mean_ranks(compared if best == "low" else -compared)
    if np.nanmax(np.abs(array - whole / unit), initial=0.0) > _ROUNDING * _largest(array):
        whole, unit = array, 1.0
    n = (~np.isnan(whole)).sum(axis=0)
    mean = mean_scores(whole)
    squares = np.nansum((whole - mean) ** 2, axis=0)
    sd = np.full(mean.shape, np.nan)
    np.divide(squares, n - 1, out=sd, where=n > 1)
    sd = np.sqrt(sd) / unit
    return GroundTruth(mean / unit, n, sd, sd / np.sqrt(np.maximum(n, 1)), rank)


def whole_multiples(scores: Floats) -> tuple[Floats, float]:
    """Convert scores to integer multiples of 1/10, 1/100, … or else of 1/3 … 1/1000.

    Parameters
    ----------
    scores : float array, any shape

    Returns
    -------
    whole : float array, the same shape
        Integers, so that sums are exact; NaN where `scores` is.
    unit : float
        Scores equal ``whole / unit`` to 12 significant digits of the largest score.

    Examples
    --------
    >>> whole_multiples(np.array([0.1 + 0.2, 2.0]))
    (array([ 3., 20.]), 10.0)
    >>> whole_multiples(np.array([1 / 3, 2.0]))
    (array([1., 6.]), 3.0)
    """
    noise = 10.0**-_DIGITS * _largest(scores)
    for unit in _units(_largest(scores)):
        whole = np.rint(scores * unit)
        if np.nanmax(np.abs(scores * unit - whole), initial=0.0) <= noise * unit:
            break
    return whole, unit


def _units(largest: float) -> Iterator[float]:
    most = max(0, _DIGITS - 1 - int(np.floor(np.log10(largest)))) if largest > 0 else 0
    usual = min(most, _USUAL_DECIMALS)
    yield from (10.0**decimals for decimals in range(usual + 1))
    if most > usual:
        yield from map(float, range(3, _MAX_DENOMINATOR + 1))
        yield from (10.0**decimals for decimals in range(usual + 1, most + 1))


def _largest(scores: Floats) -> float:
    return float(np.nanmax(np.abs(scores), initial=0.0))


def mean_scores(scores: Floats) -> Floats:
    """Mean over participants (the first axis), without missing scores; NaN if all are missing."""
    n = (~np.isnan(scores)).sum(axis=0)
    mean: Floats = np.full(scores.shape[1:], np.nan)
    np.divide(np.nansum(scores, axis=0), n, out=mean, where=n > 0)
    return mean


def mean_ranks(values: Floats) -> Floats:
    """Ranks along the last axis, 1 for the smallest; ties share their mean rank; NaN stays NaN.

    Examples
    --------
    >>> mean_ranks(np.array([5.0, 1.0, 5.0, np.nan])).tolist()
    [2.5, 1.0, 2.5, nan]
    """
    if not values.size:
        return np.empty(values.shape)
    order = np.argsort(values, axis=-1)
    ordered = np.take_along_axis(values, order, axis=-1)
    at = np.broadcast_to(np.arange(values.shape[-1]), values.shape)
    edge = np.ones((*values.shape[:-1], 1), dtype=bool)
    begins = np.concatenate([edge, ordered[..., 1:] != ordered[..., :-1]], axis=-1)
    ends = np.concatenate([begins[..., 1:], edge], axis=-1)
    first = np.maximum.accumulate(np.where(begins, at, 0), axis=-1)
    last = np.where(ends, at, values.shape[-1])
    last = np.minimum.accumulate(last[..., ::-1], axis=-1)[..., ::-1]
    ranks: Floats = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    ranks[np.isnan(values)] = np.nan
    return ranks


def leave_one_out(scores: ArrayLike) -> Ceilings:
    """Human ceiling: mean tau_b of participants with the mean of the others, and of all.

    Compare it with a system's mean tau_b with each participant. That can be above the upper value,
    since the mean is not the order that agrees best with all participants. A system's tau_b with
    the mean is on a different scale and can be much higher: a mean has less noise than one person.

    Parameters
    ----------
    scores : float array, shape (participants, stimuli) or (participants, queries, stimuli)
        NaN if a participant gave no score, or where a query has fewer stimuli than others.

    Returns
    -------
    Ceilings
        Mean over participants, then over queries; NaN if no tau_b is defined.

    Raises
    ------
    InputError
        As for `validate`.

    References
    ----------
    .. [1] H. Nili et al., "A toolbox for representational similarity analysis", PLoS Computational
       Biology 10 (2014) e1003553: the noise ceiling with a lower and an upper bound.

    Examples
    --------
    >>> leave_one_out([[1, 2, 3], [1, 2, 3], [1, 3, 2]])
    Ceilings(lower=0.6554421650629285, upper=0.7777777777777778)
    """
    lower, upper = leave_one_out_tau_b(scores)
    return Ceilings(*(float(known_mean(known_mean(tau, 0), -1)) for tau in (lower, upper)))


def leave_one_out_tau_b(scores: ArrayLike) -> tuple[Floats, Floats]:
    """tau_b of each participant with the mean of the others, and with the mean of all.

    Parameters
    ----------
    scores : float array, shape (participants, …, stimuli)
        NaN if a participant gave no score.

    Returns
    -------
    lower, upper : float arrays, shape (participants, …)
        tau_b over the stimuli scored by the participant and at least one other; NaN if a side
        is constant or there are fewer than two such stimuli.

    Raises
    ------
    InputError
        As for `validate`.
    """
    array = validate(scores)
    whole, _ = whole_multiples(array)
    scored = ~np.isnan(whole)
    n, sums = scored.sum(axis=0), np.nansum(whole, axis=0)
    own = np.where(scored, whole, 0)
    others = np.maximum(n - scored, 1)
    compared = scored & (n > 1)
    lower = tau_b(own, (sums - own) / others, compared)
    upper = tau_b(own, np.broadcast_to(sums / np.maximum(n, 1), own.shape), compared)
    return np.asarray(lower), np.asarray(upper)


def known_mean(values: Floats, axis: int) -> Floats:
    """Mean along an axis, ignoring NaN; NaN if all values are NaN."""
    if values.ndim == 0:
        return values
    known = ~np.isnan(values)
    n = known.sum(axis=axis)
    mean: Floats = np.full(n.shape, np.nan)
    np.divide(np.where(known, values, 0).sum(axis=axis), n, out=mean, where=n > 0)
    return mean
