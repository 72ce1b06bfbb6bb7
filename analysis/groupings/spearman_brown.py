"""The Spearman-Brown formula: how reliability increases with test length."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def spearman_brown(reliability: ArrayLike, factor: ArrayLike) -> NDArray[np.float64]:
    """Reliability of a measurement that is `factor` times as long.

    Parameters
    ----------
    reliability : float array, any shape
        At most 1. The formula has no meaning below 0: such values are returned unchanged.
    factor : float, or float array of the same shape
        Above 0.

    Returns
    -------
    float array, the same shape

    References
    ----------
    .. [1] C. Spearman, "Correlation calculated from faulty data", British Journal of Psychology 3
       (1910) 271-295; W. Brown, ibid. 296-322.

    Examples
    --------
    >>> float(spearman_brown(0.5, 3))
    0.75
    """
    r, k = np.asarray(reliability, dtype=np.float64), np.asarray(factor, dtype=np.float64)
    positive = np.maximum(r, 0)
    return np.where(r > 0, k * positive / (1 + (k - 1) * positive), r)


def participants_needed(reliability: float, participants: int, target: float) -> int | None:
    """Number of participants needed for a target reliability, by the Spearman-Brown formula.

    Parameters
    ----------
    reliability : float
        Reliability of the similarity from `participants`.
    participants : int
    target : float
        Above 0 and below 1.

    Returns
    -------
    int or None
        In total, not in addition; None if `reliability` is NaN or not above 0.

    Examples
    --------
    >>> participants_needed(0.75, 6, 0.9)
    18
    """
    if not reliability > 0:
        return None
    if reliability >= 1:
        return 1
    needed = participants * target * (1 - reliability) / (reliability * (1 - target))
    return max(1, int(np.ceil(needed - 1e-9)))
