"""Chance agreement: that of random groupings with the same group sizes.

F alone is misleading on small sets: random groupings agree well, and even putting every stimulus in
a group of its own may score higher than the participants do. So agreement is reported with two
forms of the same baseline: the closed form (`PairAgreement.f_random`: F of the expected precision
and recall) and permutations, which shuffle every participant's grouping among the stimuli that they
placed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.groupings.draws.drawn_sums import Progress, drawn_sums

_NOISE = 1e-12


def random_agreement(
    groupings: ArrayLike, draws: int, seed: int, progress: Progress | None = None
) -> NDArray[np.float64]:
    """Mean BCubed F over pairs of participants, for random groupings with the same group sizes.

    Each grouping is shuffled with a random stream of its own, so neither the order of the
    participants nor the names of their groups make a difference.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Group number; -1 if the participant did not place the stimulus.
    draws : int
        Number of random draws, at least 1.
    seed : int
        Random seed, at least 0.
    progress : callable (done, total), optional
        Called with the number of draws done and the total.

    Returns
    -------
    float array, shape (draws,)
        All NaN if no two participants placed two stimuli in common.

    Raises
    ------
    InputError
        If `draws` is below 1, or as for `analysis.groupings.grouping.validate`.

    References
    ----------
    .. [1] L. Hubert and P. Arabie, "Comparing partitions", J. Classification 2 (1985) 193-218: the
       chance model of groupings with the same group sizes.

    Examples
    --------
    >>> random_agreement([[0, 0, 1, 1], [0, 0, 0, 1]], draws=2, seed=1).shape
    (2,)
    """
    return drawn_sums(groupings, draws, seed, progress=progress).mean_f


def adjusted(agreement: ArrayLike, expected: ArrayLike) -> NDArray[np.float64]:
    """Agreement beyond chance, (agreement - expected) / (1 - expected); NaN if `expected` is 1.

    Parameters
    ----------
    agreement, expected : array_like, broadcast together
        At most 1; the observed agreement and that expected by chance.

    Returns
    -------
    float array, broadcast shape
        At most 1; 0 at chance.
    """
    reached, chance = (np.asarray(side, dtype=float) for side in (agreement, expected))
    beyond: NDArray[np.float64] = np.full(np.broadcast_shapes(reached.shape, chance.shape), np.nan)
    np.divide(reached - chance, 1 - chance, out=beyond, where=chance < 1)
    return beyond


def p_value(observed: float, random: NDArray[np.float64]) -> float:
    """One-sided permutation p-value, (draws of at least `observed` + 1) / (draws + 1).

    Undefined draws (NaN) are not counted.

    Parameters
    ----------
    observed : float
    random : float array, shape (draws,)

    Returns
    -------
    float
        In (0, 1]; NaN if `observed` is.

    References
    ----------
    .. [1] B. Phipson, G. Smyth, "Permutation p-values should never be zero", Statistical
       Applications in Genetics and Molecular Biology 9 (2010) 39.

    Examples
    --------
    >>> p_value(0.6, np.array([0.4, 0.6, 0.5]))
    0.5
    """
    if np.isnan(observed):
        return float("nan")
    drawn = int((~np.isnan(random)).sum())
    return (int((random >= observed - _NOISE).sum()) + 1) / (drawn + 1)
