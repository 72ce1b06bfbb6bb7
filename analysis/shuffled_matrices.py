"""Is a system's matrix more like people's than chance? Mantel's test, by shuffling the stimuli.

Conventions are those of `analysis.matrix_correlation`.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.bootstrap import check_draws
from analysis.chance import p_value
from analysis.matrix_correlation import Values, validate_matrices, without_nan
from analysis.rank_correlation import order_ranks

_NUMBERS_IN_CACHE = 1 << 17


def mantel(system: ArrayLike, similarity: ArrayLike, draws: int = 1_000, seed: int = 0) -> float:
    """Mantel's test: the chance of a correlation at least as high if stimuli were shuffled.

    The statistic is Pearson's correlation of the ranks of all pairs, which is Spearman's where
    somebody placed every pair; one-sided.

    Parameters
    ----------
    system : array_like, shape (stimuli, stimuli)
        Greater is more alike. Symmetric, without NaN; its diagonal is not used.
    similarity : array_like, shape (stimuli, stimuli)
        NaN where nobody placed both.
    draws, seed : int

    Returns
    -------
    float
        p, in [1/(draws+1), 1]; NaN where a side is constant.

    Raises
    ------
    InputError
        If the matrices are not square and of one size, the system's is not symmetric or has a NaN,
        or `draws` is not positive.

    References
    ----------
    .. [1] N. Mantel, "The detection of disease clustering and a generalized regression approach",
       Cancer Research 27 (1967) 209-220.

    Examples
    --------
    Of the 24 orders of four stimuli, 8 keep the two pairs:

    >>> pairs = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]
    >>> abs(mantel(pairs, pairs) - 8 / 24) < 0.04
    True
    """
    check_draws(draws)
    ours, theirs = validate_matrices(system, similarity)
    pairs = ~np.eye(len(ours), dtype=bool)
    known = ~np.isnan(theirs) & pairs
    weight = known.astype(float)
    reference = _centred(_pair_ranks(theirs, known), weight)
    without_nan(ours[pairs])
    ranks = _centred(_pair_ranks(ours, pairs), pairs.astype(float))
    spread = _spread(ranks, weight)
    scale = np.sqrt(_spread(reference, weight) * spread)
    if scale == 0:
        return float("nan")
    all_known = bool(known.sum() == pairs.sum())
    rng = np.random.default_rng(seed)
    found = []
    for order in (np.arange(len(ours)), *(rng.permutation(len(ours)) for _ in range(draws))):
        share = 1.0 if all_known else np.sqrt(_spread(ranks[order][:, order], weight) / spread)
        found.append(_product(ranks, order, reference) / scale / (share or np.nan))
    return p_value(found[0], np.array(found[1:]))


def _product(ranks: Values, order: NDArray[np.int64], reference: Values) -> float:
    """Sum of products with shuffled stimuli, as many rows at a time as stay in cache."""
    step = max(1, _NUMBERS_IN_CACHE // len(order))
    return sum(
        float(np.einsum("ij,ij->", ranks[order[k : k + step]][:, order], reference[k : k + step]))
        for k in range(0, len(order), step)
    )


def _pair_ranks(matrix: Values, where: NDArray[np.bool_]) -> Values:
    """Mean rank of each pair among those of `where`, which holds both halves; 0 elsewhere."""
    from scipy.stats import rankdata

    ranks = np.zeros(matrix.shape)
    ranks[where] = rankdata(order_ranks(matrix[where])) if where.any() else 0.0
    return ranks


def _centred(ranks: Values, known: Values) -> Values:
    return (ranks - (ranks * known).sum() / max(known.sum(), 1)) * known


def _spread(ranks: Values, known: Values) -> float:
    """Sum of squared deviations over known pairs."""
    total = np.einsum("ij,ij->", ranks, known)
    squares = np.einsum("ij,ij,ij->", ranks, ranks, known)
    return max(float(squares - total**2 / max(known.sum(), 1)), 0.0)
