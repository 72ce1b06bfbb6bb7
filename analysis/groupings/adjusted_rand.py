"""Rand index adjusted for chance, from numbers of pairs of stimuli that share a group."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def adjusted_rand(
    pairs: Floats,
    both: Floats,
    first: Floats,
    second: Floats,
) -> Floats:
    """Adjusted Rand index from numbers of pairs: all; together in both, in first, in second.

    1 if the maximum equals the expectation (both groupings put everything together, or everything
    apart); NaN if there are no pairs.
    """
    gain, possible = rand_beyond_chance(pairs, both, first, second)
    ari = np.where(pairs > 0, 1.0, np.nan)
    np.divide(gain, possible, out=ari, where=possible > 0)
    return ari


def rand_beyond_chance(
    pairs: Floats, both: Floats, first: Floats, second: Floats
) -> tuple[Floats, Floats]:
    """Index minus expectation, and maximum minus expectation, from counts as in `adjusted_rand`.

    NaN if there are no pairs.
    """
    expected = divided(first * second, pairs)
    return both - expected, (first + second) / 2 - expected


def ari_of_sums(gain: Floats, possible: Floats) -> float:
    """Adjusted Rand index of several pairs of groupings: sum of gains over sum of possible gains.

    Groupings of different parts of a set may have so few stimuli in common that no gain over chance
    is possible; the mean of single indices would count each of these pairs as 1.

    Parameters
    ----------
    gain, possible : float arrays of one shape
        From `rand_beyond_chance`; NaN is ignored.

    Returns
    -------
    float
        NaN if all pairs are; 1 if no gain is possible in any pair.

    Examples
    --------
    Two stimuli that both put in different groups add no information:

    >>> ari_of_sums(np.array([0.5, 0.0]), np.array([2.0, 0.0]))
    0.25
    """
    known = ~np.isnan(possible)
    if not known.any():
        return float("nan")
    total = float(possible[known].sum())
    return float(gain[known].sum()) / total if total > 0 else 1.0


def divided(part: Floats, whole: Floats) -> Floats:
    """A quotient; NaN where the divisor is 0."""
    quotient: Floats = np.full(np.shape(whole), np.nan)
    np.divide(part, whole, out=quotient, where=whole > 0)
    return quotient
