"""Split-half reliability: correlation of the mean orders of two halves of the participants."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from analysis.errors import InputError
from analysis.ratings.ground_truth import known_mean, validate_query, whole_multiples
from analysis.statistics.rank_correlation import tau_b

HALVES = 100


def split_half_tau_b(scores: ArrayLike, halves: int = HALVES, seed: int = 0) -> float:
    """Mean tau_b between the mean scores of two random halves of a query's participants.

    It is on the scale of a system's tau_b with the mean. But each half has only half of the
    participants, and the mean of all participants is more reliable.

    Parameters
    ----------
    scores : float array, shape (participants, stimuli)
        NaN if a participant gave no score; participants without any score are left out. If their
        number is odd, each split leaves out one participant at random.
    halves : int
        Number of random splits.
    seed : int
        Random seed.

    Returns
    -------
    float
        NaN with fewer than two participants, or if every split has a half that is constant on the
        stimuli scored in both halves.

    Raises
    ------
    InputError
        If `halves` is below 1, or as for `analysis.ratings.ground_truth.validate_query`.

    References
    ----------
    .. [1] H. Nili et al., "A toolbox for representational similarity analysis", PLoS Computational
       Biology 10 (2014) e1003553: the reliability of the data.

    Examples
    --------
    With two participants there is one split:

    >>> round(split_half_tau_b([[1, 2, 3], [1, 3, 2]]), 12)
    0.333333333333
    """
    if halves < 1:
        raise InputError(f"halves should be at least 1, but is {halves}")
    array, _ = whole_multiples(validate_query(scores))
    known = ~np.isnan(array)
    array, known = array[known.any(axis=1)], known[known.any(axis=1)]
    half = len(array) // 2
    if not half:
        return float("nan")
    places = np.tile(np.arange(len(array)), (halves, 1))
    drawn = np.random.default_rng(seed).permuted(places, axis=1)
    chosen = drawn < half, (drawn >= half) & (drawn < 2 * half)
    counts = [side.astype(float) @ known for side in chosen]
    sums = [side.astype(float) @ np.where(known, array, 0) for side in chosen]
    means = [total / np.maximum(count, 1) for total, count in zip(sums, counts, strict=True)]
    tau = tau_b(means[0], means[1], (counts[0] > 0) & (counts[1] > 0))
    return float(known_mean(np.asarray(tau), 0))
