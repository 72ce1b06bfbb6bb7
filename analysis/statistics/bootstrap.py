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

`analysis.statistics.joint_bootstrap` draws participants too.

References
----------
.. [1] B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), ch. 13.
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats
from analysis.errors import InputError
from analysis.statistics.exact_sums import summable

Values = NDArray[np.float64]
Undefined = Literal["drop", "zero"]
LEVEL = 0.95
_STRETCH = 1 << 11
_CELLS_AT_ONCE = 1 << 15
_CHOICES = 1 << 12
_FEW = 2
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
        NaN where fewer than two queries are defined: one alone tells nothing of the others.

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
    low, high = percentiles(_drawn_means(np.random.default_rng(seed), draws, v, undefined))
    several = (~np.isnan(v) | (undefined == "zero")).sum(1) > 1
    return np.where(several, low, np.nan), np.where(several, high, np.nan)


def _drawn_means(
    rng: np.random.Generator, draws: int, values: Values, undefined: Undefined
) -> Values:
    """Mean of each draw and system, shape (draws, systems)."""
    there = ~np.isnan(values)
    filled = summable(np.where(there, values, 0), values.shape[1])
    if undefined == "zero" or there.all():
        return _drawn_sums(rng, draws, filled) / values.shape[1]
    sums = _drawn_sums(rng, draws, np.concatenate((filled, there)))
    weight = sums[:, len(values) :]
    return sums[:, : len(values)] / np.where(weight == 0, np.nan, weight)


def _drawn_sums(rng: np.random.Generator, draws: int, values: Values) -> Values:
    """Sum over as many queries as there are, drawn with replacement, shape (draws, systems)."""
    systems, queries = values.shape
    if queries > _STRETCH:
        return _sums_by_stretch(rng, draws, values)
    together = _queries_at_once(queries)
    choices = [(together, queries // together), (1, queries % together)]
    sums_of = {size: _sums_of(values, size) for size, _ in choices if systems <= _FEW}
    sums = np.zeros((draws, systems))
    step = max(1, _CELLS_AT_ONCE // queries)
    for first in range(0, draws, step):
        part = sums[first : first + step]
        for size, times in choices:
            drawn = rng.integers(0, queries**size, (len(part), times), dtype=np.uint16)
            if systems <= _FEW:
                part += np.einsum("sdt->ds", sums_of[size].take(drawn.astype(np.intp), axis=1))
            else:
                part += _times(drawn, queries, size) @ values.T
    return sums


def _queries_at_once(queries: int) -> int:
    """How many queries one random number chooses: all choices have a place in the nearest cache."""
    together = 1
    while together < queries and queries ** (together + 1) <= _CHOICES:
        together += 1
    return together


def _sums_of(values: Values, size: int) -> Values:
    """Sum over every choice of so many queries, shape (systems, queries**size)."""
    sums = values
    for _ in range(size - 1):
        sums = (sums[:, :, None] + values[:, None, :]).reshape(len(values), -1)
    return sums


def _times(drawn: NDArray[np.uint16], queries: int, size: int) -> Values:
    """How often each query is in the choices of so many queries, shape (draws, queries)."""
    first = np.arange(len(drawn))[:, None] * queries
    times = np.zeros(len(drawn) * queries)
    for _ in range(size):
        rest = drawn // np.uint16(queries)
        chosen = first + (drawn - rest * np.uint16(queries))
        times += np.bincount(chosen.ravel(), minlength=times.size)
        drawn = rest
    return times.reshape(-1, queries)


def _sums_by_stretch(rng: np.random.Generator, draws: int, values: Values) -> Values:
    """As `_drawn_sums` in two steps: how many come from each stretch of queries, and which.

    Counting into a short array is quick, and into a long one waits for memory.
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
            sizes = taken[first : first + step, stretch]
            cells = np.repeat(np.arange(len(sizes)) * length, sizes)
            cells += rng.integers(0, length, cells.size, dtype=np.uint16)
            times = np.bincount(cells, minlength=len(sizes) * length).reshape(-1, length)
            sums[first : first + step] += times.astype(float) @ columns
    return sums


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
    v = as_floats(values, "values")
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
        If the shape is another, there are no systems or queries, or a value is infinite.
    """
    v = _with_queries(values)
    if v.ndim != 2 or not len(v):
        raise InputError(f"values should have shape (systems, queries), but have shape {v.shape}")
    return v


def in_parts(draws: int, numbers: int) -> Iterator[int]:
    """Cut draws into parts of a few dozen megabytes at so many numbers a draw."""
    step = max(1, _NUMBERS_AT_ONCE // max(numbers, 1))
    for start in range(0, draws, step):
        yield min(step, draws - start)


def check_draws(draws: int) -> None:
    """Refuse a number of random draws below 1.

    Raises
    ------
    InputError
        If it is.
    """
    if draws < 1:
        raise InputError(f"draws is {draws}; at least 1 is needed")
