"""Agreement by chance: what random groupings with the same group sizes would reach.

An F on its own misleads on small sets, where random groupings agree well and everything alone may
beat the participants. So an agreement stands beside two forms of one baseline: the closed form
(`PairAgreement.f_random`: F of the expected precision and recall) and a permutation, which shuffles
every participant's grouping among the stimuli that they placed.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.errors import InputError
from analysis.groupings import NOT_PLACED, renumber, validate
from analysis.pair_agreement import agreement_of_draws

_PLACES_AT_ONCE = 1 << 17
_NOISE = 1e-12


def random_agreement(groupings: ArrayLike, draws: int, seed: int) -> NDArray[np.float64]:
    """Mean BCubed F over pairs of participants, in draws of random groupings of the same sizes.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)
        Group number; -1 where the participant did not place the stimulus.
    draws : int
        At least 1.
    seed : int
        The same seed draws the same.

    Returns
    -------
    float array, shape (draws,)
        NaN throughout where no two participants placed a stimulus in common.

    Raises
    ------
    InputError
        If `draws` is below 1, or as `analysis.groupings.validate`.

    Examples
    --------
    >>> random_agreement([[0, 0, 1, 1], [0, 0, 0, 1]], draws=2, seed=1).shape
    (2,)
    """
    if draws < 1:
        raise InputError(f"draws should be at least 1, but are {draws}")
    groups = renumber(validate(groupings))
    rng = np.random.default_rng(seed)
    step = max(1, _PLACES_AT_ONCE // groups.size)
    return np.concatenate(
        [_mean_f(shuffled(groups, min(step, draws - k), rng)) for k in range(0, draws, step)]
    )


def shuffled(groups: NDArray[np.int64], draws: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Shuffle each participant's grouping among what they placed; shape (draws, *groups.shape)."""
    placed = groups != NOT_PLACED
    if placed.all():
        return _in_random_order(groups, draws, rng)
    result = np.broadcast_to(groups, (draws, *groups.shape)).copy()
    for person, where in enumerate(placed):
        result[:, person, where] = _in_random_order(groups[person, where], draws, rng)
    return result


def _in_random_order(
    groups: NDArray[np.int64], draws: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Sort random numbers whose last bits are the group: quicker than swapping one by one."""
    below = 1 << int(groups.max(initial=0)).bit_length()
    bounds = np.iinfo(np.int64)
    shape = draws, *groups.shape
    keys = rng.integers(bounds.min, bounds.max, shape, dtype=np.int64, endpoint=True)
    keys &= -below
    keys |= groups
    keys.sort(axis=-1)
    keys &= below - 1
    return keys


def adjusted(agreement: float, expected: float) -> float:
    """Agreement beyond chance, (agreement - expected) / (1 - expected); NaN where chance is 1."""
    return (agreement - expected) / (1 - expected) if expected < 1 else float("nan")


def p_value(observed: float, random: NDArray[np.float64]) -> float:
    """Share of draws that agree at least as well as observed, (hits + 1) / (draws + 1).

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
    return (int((random >= observed - _NOISE).sum()) + 1) / (len(random) + 1)


def _mean_f(draws: NDArray[np.int64]) -> NDArray[np.float64]:
    if draws.shape[1] < 2:
        return np.full(len(draws), np.nan)
    first, second = np.triu_indices(draws.shape[1], 1)
    f = agreement_of_draws(draws, shuffled=True).f[:, first, second]
    defined = ~np.isnan(f[0])
    return f[:, defined].mean(axis=1) if defined.any() else np.full(len(draws), np.nan)
