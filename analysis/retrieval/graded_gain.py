"""Cumulated gain of ranked lists with graded relevance: CG, DCG and normalised DCG.

Conventions are those of `analysis.retrieval.measures`: gains of shape (..., ranks), best result
first, 0 if not relevant. The two forms of the discount have different names: SHREC does not
discount the first two ranks (log2(i)), trec_eval does not discount the first (log2(i + 1)). What
SHREC prints as "DCG" is the normalised value.

References
----------
.. [1] K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS
   20 (2002) 422-446.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from analysis.errors import InputError
from analysis.retrieval.measures import Values, check_gains, share

Form = Literal["shrec", "trec"]


def cumulative_gain(gains: ArrayLike) -> Values:
    """CG: the sum of gains over the whole list.

    Parameters
    ----------
    gains : array_like, shape (..., ranks)

    Returns
    -------
    float array, shape (...)

    Raises
    ------
    InputError
        As for `check_gains`.

    References
    ----------
    .. [1] K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM
       TOIS 20 (2002) 422-446.

    Examples
    --------
    >>> float(cumulative_gain([3, 2, 3, 0, 1, 2]))
    11.0
    """
    return np.asarray(check_gains(gains).sum(-1))


def discounted_cumulative_gain(gains: ArrayLike, form: Form = "shrec") -> Values:
    """DCG: the sum of gains over the whole list, each discounted by the logarithm of its rank.

    Parameters
    ----------
    gains : array_like, shape (..., ranks)
    form : {"shrec", "trec"}
        ``G_1 + sum_{i>=2} G_i / log2(i)``, or trec_eval's ``sum_i G_i / log2(i + 1)``.

    Returns
    -------
    float array, shape (...)

    Raises
    ------
    InputError
        As for `check_gains`.

    References
    ----------
    .. [1] K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM
       TOIS 20 (2002) 422-446.

    Examples
    --------
    3 + 2/log2(2) + 3/log2(3):

    >>> round(float(discounted_cumulative_gain([3, 2, 3])), 4)
    6.8928
    """
    lists = check_gains(gains)
    return np.asarray(lists @ _discount(lists.shape[-1], form))


def normalised_gain(gains: ArrayLike, ideal: ArrayLike, form: Form = "shrec") -> Values:
    """Normalised DCG: the DCG of a list divided by that of the best possible list.

    With ``form="shrec"`` it is SHREC's "DCG", with ``form="trec"`` trec_eval's "ndcg".

    Parameters
    ----------
    gains : array_like, shape (..., ranks)
    ideal : array_like, shape (..., targets)
        Gains of all relevant targets of the query, retrieved or not, in any order; padded with
        zeros.
    form : {"shrec", "trec"}

    Returns
    -------
    float array, shape (...)
        In [0, 1]; NaN if no target is relevant.

    Raises
    ------
    InputError
        As for `check_gains` (both arrays), or if the shapes do not match, or a list has a higher
        DCG than its ideal.

    References
    ----------
    .. [1] K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM
       TOIS 20 (2002) 422-446.

    Examples
    --------
    (0 + 1/log2(2) + 1/log2(3)) / (1 + 1/log2(2)):

    >>> round(float(normalised_gain([0, 1, 1], [1, 1])), 4)
    0.8155
    """
    best = discounted_cumulative_gain(-np.sort(-check_gains(ideal), axis=-1), form)
    reached = discounted_cumulative_gain(gains, form)
    try:
        np.broadcast_shapes(reached.shape, best.shape)
    except ValueError:
        raise InputError(
            f"each list should have one ideal list, but lists have shape {reached.shape} and "
            f"ideal lists {best.shape}"
        ) from None
    if np.any(reached > best * (1 + 1e-9)):
        raise InputError("a list has a higher DCG than its ideal; is a target listed twice?")
    return np.minimum(share(reached, best), 1.0)


def _discount(ranks: int, form: Form) -> Values:
    if form not in ("shrec", "trec"):
        raise InputError(f"form should be 'shrec' or 'trec', but is {form!r}")
    i = np.arange(1, ranks + 1)
    return 1 / np.log2(np.maximum(i, 2) if form == "shrec" else i + 1)
