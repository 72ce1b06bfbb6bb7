"""How sure is a system's score? Bootstrap intervals over queries.

Conventions
-----------
``values`` has shape (systems, queries): one number a system and query, such as tau_b; NaN where it
is undefined. Every random draw comes from a seed, so that a result can be made again, and all
systems meet the same draws.

Methods
-------
macro_mean : a system's score, the mean over queries.
bootstrap_interval : percentile interval of that mean over drawn queries.

`analysis.joint_bootstrap` draws participants too.

References
----------
.. [1] B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), ch. 13.
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.errors import InputError

Values = NDArray[np.float64]
Undefined = Literal["drop", "zero"]
LEVEL = 0.95
_STRETCH = 1 << 11
_CELLS_AT_ONCE = 1 << 15
_NUMBERS_AT_ONCE = 1 << 22


def macro_mean(values: ArrayLike, undefined: Undefined = "drop") -> Values:
    """Mean over queries.

    Parameters
    ----------
    values : array_like, shape (..., queries)
    undefined : {"drop", "zero"}
        Whether a NaN is left out of the mean or counts as 0.

    Returns
    -------
    float array, shape (...)
        NaN where every query is left out.

    Raises
    ------
    InputError
        If there are no queries, or a value is infinite.

    References
    ----------
    .. [1] M. Eitz et al., "Sketch-Based Image Retrieval: Benchmark and Bag-of-Features
       Descriptors", IEEE TVCG 17 (2011) 1624-1636: the macro mean is a system's score.

    Examples
    --------
    >>> values = [1.0, 0.5, float("nan")]
    >>> float(macro_mean(values)), float(macro_mean(values, "zero"))
    (0.75, 0.5)
    """
    v = _with_queries(values)
    there = ~np.isnan(v)
    count = there.sum(-1) if undefined == "drop" else np.full(v.shape[:-1], v.shape[-1])
    return np.where(there, v, 0).sum(-1) / np.where(count == 0, np.nan, count)


def bootstrap_interval(
    values: ArrayLike, undefined: Undefined = "drop", draws: int = 10_000, seed: int = 0
) -> tuple[Values, Values]:
    """95 % percentile interval of `macro_mean` over queries drawn with replacement.

    Parameters
    ----------
    values : array_like, shape (systems, queries)
    undefined : {"drop", "zero"}
        As in `macro_mean`; a draw whose queries are all undefined is left out.
    draws : int
        Drawn sets of queries.
    seed : int

    Returns
    -------
    low, high : float arrays, shape (systems,)
        NaN where no query is defined.

    Raises
    ------
    InputError
        If the shape is not (systems, queries) with at least one query, a value is infinite, or
        `draws` is not positive.

    References
    ----------
    .. [1] B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), ch. 13.

    Examples
    --------
    >>> low, high = bootstrap_interval([[0.2, 0.2, 0.2]])
    >>> round(float(low[0]), 12), round(float(high[0]), 12)
    (0.2, 0.2)
    """
    v = two_axes(values)
    check_draws(draws)
    return percentiles(_drawn_means(np.random.default_rng(seed), draws, v, undefined))


def _drawn_means(
    rng: np.random.Generator, draws: int, values: Values, undefined: Undefined
) -> Values:
    """Mean of each draw and system, shape (draws, systems)."""
    there = ~np.isnan(values)
    filled = np.where(there, values, 0)
    if undefined == "zero" or there.all():
        return _drawn_sums(rng, draws, filled) / values.shape[1]
    sums = _drawn_sums(rng, draws, np.concatenate((filled, there)))
    weight = sums[:, len(values) :]
    return sums[:, : len(values)] / np.where(weight == 0, np.nan, weight)


def _drawn_sums(rng: np.random.Generator, draws: int, values: Values) -> Values:
    """Sum over as many queries as there are, drawn with replacement, shape (draws, systems).

    Counting into a short array is quick and into a long one waits for memory: many queries are
    drawn in two steps, first how many come from each stretch of them, then which of the stretch.
    """
    queries = values.shape[1]
    sums = np.zeros((draws, len(values)))
    lengths = np.diff(np.append(np.arange(0, queries, _STRETCH), queries))
    taken = rng.multinomial(queries, lengths / queries, draws)
    for stretch, length in enumerate(lengths.tolist()):
        start = stretch * _STRETCH
        columns = np.ascontiguousarray(values[:, start : start + length].T)
        step = max(1, _CELLS_AT_ONCE // length)
        for first in range(0, draws, step):
            part = slice(first, first + step)
            sums[part] += _times_drawn(rng, taken[part, stretch], length) @ columns
    return sums


def _times_drawn(rng: np.random.Generator, taken: NDArray[np.int64], length: int) -> Values:
    """How often each of a stretch of queries is among so many drawn, shape (draws, length)."""
    drawn = rng.integers(0, length, int(taken.sum()), dtype=np.uint16)
    cells = np.repeat(np.arange(len(taken)) * length, taken) + drawn
    counts = np.bincount(cells, minlength=len(taken) * length)
    return counts.reshape(len(taken), length).astype(float)


def percentiles(means: Values) -> tuple[Values, Values]:
    """Give the bounds of the middle 95 % of the draws, shape (draws, systems), that are defined."""
    if not np.isnan(means).any():
        low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
        return low, high
    bounds = np.full((2, means.shape[1]), np.nan)
    for k, column in enumerate(means.T):
        if not np.isnan(column).all():
            bounds[:, k] = np.nanquantile(column, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return bounds[0], bounds[1]


def _with_queries(values: ArrayLike) -> Values:
    v = np.asarray(values, dtype=float)
    if v.ndim == 0 or v.shape[-1] == 0:
        raise InputError(f"values should have shape (..., queries), but have shape {v.shape}")
    if np.isinf(v).any():
        raise InputError("a value is infinite and has no mean; NaN stands for undefined")
    return v


def two_axes(values: ArrayLike) -> Values:
    """Give values of shape (systems, queries) as a float array.

    Raises
    ------
    InputError
        If the shape is another, there are no queries, or a value is infinite.
    """
    v = _with_queries(values)
    if v.ndim != 2:
        raise InputError(f"values should have shape (systems, queries), but have shape {v.shape}")
    return v


def in_parts(draws: int, numbers: int) -> Iterator[int]:
    """Cut draws into parts of a few dozen megabytes at so many numbers a draw."""
    step = max(1, _NUMBERS_AT_ONCE // max(numbers, 1))
    for start in range(0, draws, step):
        yield min(step, draws - start)


def check_draws(draws: int) -> None:
    """Refuse a number of random draws below 1."""
    if draws < 1:
        raise InputError(f"draws is {draws}; at least 1 is needed")
