"""Is one system better than another? Paired tests over queries, with Holm's correction.

Conventions
-----------
``values`` has shape (systems, queries), NaN if undefined, as in `analysis.statistics.means`.
The random seed determines the swaps, which are the same for all pairs of systems.

References
----------
.. [1] M. Smucker, J. Allan and B. Carterette, "A comparison of statistical significance tests for
   information retrieval evaluation", CIKM 2007.
.. [2] B. Phipson and G. Smyth, "Permutation p-values should never be zero", Stat. Appl. Genet.
   Mol. Biol. 9 (2010).
.. [3] S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Stat. 6 (1979)
   65-70.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats
from analysis.errors import InputError
from analysis.statistics.draws import check_draws, in_parts
from analysis.statistics.means import Values, macro_mean, two_axes

_DRAWS_PER_PAIR = 50
# The first draws differ from the exact p by more than four standard errors once in 15,000 times.
_STANDARD_ERRORS = 4


@dataclass(frozen=True)
class Comparisons:
    """Paired permutation tests of all pairs of systems.

    Attributes
    ----------
    pairs : int array, shape (pairs, 2)
        Systems (first, second), first < second.
    difference : float array, shape (pairs,)
        Mean of first minus second, over the queries on which both are defined.
    p, p_holm : float arrays, shape (pairs,)
        Two-sided p-values, uncorrected, and Holm-corrected over all pairs.
    """

    pairs: NDArray[np.int64]
    difference: Values
    p: Values
    p_holm: Values

    def rows(self, systems: Sequence[str]) -> Iterator[list[Any]]:
        """One row per pair: both names, the difference, and the two p-values."""
        numbers = zip(self.difference, self.p, self.p_holm, strict=True)
        for (first, second), row in zip(self.pairs, numbers, strict=True):
            yield [systems[first], systems[second], *row]


def compare(values: ArrayLike, draws: int = 10_000, seed: int = 0) -> Comparisons:
    """Test all pairs of systems, and correct the p-values for the number of pairs.

    Parameters
    ----------
    values : array_like, shape (systems, queries)
        NaN if undefined.
    draws, seed : int
        Number of random swaps, and their random seed. The least possible corrected p-value is the
        number of pairs divided by the number of draws. So if there are fewer than 50 draws per
        pair, pairs whose corrected p may be below 1 are tested again with 50 draws per pair.

    Returns
    -------
    Comparisons

    Raises
    ------
    InputError
        As for `paired_permutation`.
    """
    pairs, difference, p = paired_permutation(values, draws, seed)
    enough = _DRAWS_PER_PAIR * len(pairs)
    low = holm(np.maximum(p - _STANDARD_ERRORS * np.sqrt(p / draws), 0)) < 1
    if enough > draws and low.any():
        p[low] = _p_values(_gaps(two_axes(values), pairs[low]), enough, seed)
    return Comparisons(pairs, difference, p, holm(p))


def paired_permutation(
    values: ArrayLike, draws: int = 10_000, seed: int = 0
) -> tuple[NDArray[np.int64], Values, Values]:
    """Two-sided paired permutation test of all pairs of systems over queries.

    Under the null hypothesis, the two values of a query can be swapped. The p-value is the share of
    random swaps (including the observed values) whose mean difference is at least as large.

    Parameters
    ----------
    values : array_like, shape (systems, queries)
        Queries that are undefined for either system are left out of their comparison.
    draws, seed : int
        Number of random swaps, and their random seed.

    Returns
    -------
    pairs : int array, shape (pairs, 2)
        Systems (first, second), first < second.
    difference : float array, shape (pairs,)
        Mean of first minus second; NaN if no query has both.
    p : float array, shape (pairs,)
        In [1/(draws+1), 1]; not corrected. NaN if no query has both.

    Raises
    ------
    InputError
        As for `analysis.statistics.means.two_axes`, or if `draws` is below 1.

    References
    ----------
    .. [1] M. Smucker, J. Allan and B. Carterette, "A comparison of statistical significance tests
       for information retrieval evaluation", CIKM 2007.
    .. [2] B. Phipson and G. Smyth, "Permutation p-values should never be zero", Stat. Appl. Genet.
       Mol. Biol. 9 (2010): the observed values count as a draw.

    Examples
    --------
    With three queries, there are eight swaps, two of which are as extreme, so p is near 1/4:

    >>> pairs, difference, p = paired_permutation([[0.9, 0.8, 0.7], [0.1, 0.1, 0.1]])
    >>> pairs.tolist(), round(float(difference[0]), 4), bool(abs(p[0] - 0.25) < 0.02)
    ([[0, 1]], 0.7, True)
    """
    v = two_axes(values)
    check_draws(draws)
    pairs = np.stack(np.triu_indices(len(v), 1), axis=1)
    gap = _gaps(v, pairs)
    return pairs, macro_mean(gap), _p_values(gap, draws, seed)


def _gaps(values: Values, pairs: NDArray[np.int64]) -> Values:
    """Differences between the two systems of each pair, shape (pairs, queries)."""
    return np.asarray(values[pairs[:, 0]] - values[pairs[:, 1]])


def _p_values(gap: Values, draws: int, seed: int) -> Values:
    """Share of swaps with a sum at least as large, shape (pairs,); NaN if no query has both."""
    hits = _as_large(np.nan_to_num(gap), draws, np.random.default_rng(seed)) if len(gap) else 0
    return np.asarray((hits + 1) / (draws + 1) * np.where(np.isnan(gap).all(1), np.nan, 1.0))


def _as_large(gap: Values, draws: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Number of random swaps whose sum of differences is at least as large, shape (pairs,)."""
    total = gap.sum(1)
    floor = np.abs(total) - 1e-12 * np.abs(gap).sum(
        1
    )  # sums in a different order differ by rounding
    hits = np.zeros(len(gap), dtype=np.int64)
    for size in in_parts(draws, gap.shape[1] + len(gap)):
        bits = rng.integers(0, 256, (size, -(-gap.shape[1] // 8)), dtype=np.uint8)
        unswapped = np.unpackbits(bits, axis=1, count=gap.shape[1]).astype(float)
        sums = unswapped @ gap.T  # the swapped differences are subtracted in the next line
        sums -= total / 2
        hits += np.count_nonzero(np.abs(sums, out=sums) >= floor / 2, axis=0)
    return hits


def holm(p: ArrayLike) -> Values:
    """Holm-corrected p-values, which can be compared directly with the significance level.

    Parameters
    ----------
    p : array_like, shape (comparisons,)
        NaN if undefined; these stay NaN and are not counted.

    Returns
    -------
    float array, shape (comparisons,)

    Raises
    ------
    InputError
        If `p` is not one-dimensional, or a p-value is not in [0, 1].

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Stat. 6
       (1979) 65-70.

    Examples
    --------
    Four p-values become 4 x .005, 3 x .01, 2 x .03, and at least the one before:

    >>> [round(float(x), 3) for x in holm([0.01, 0.04, 0.03, 0.005])]
    [0.03, 0.06, 0.06, 0.02]
    """
    raw = as_floats(p, "p-values")
    if raw.ndim != 1 or np.any((raw < 0) | (raw > 1)):
        raise InputError("p-values should be a list of numbers from 0 to 1, or NaN if undefined")
    corrected = np.full(raw.shape, np.nan)
    order = np.argsort(raw)[: int((~np.isnan(raw)).sum())]
    factors = np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(raw[order] * factors), 1)
    return corrected
