"""Sums that come out the same in whatever order they are added.

The library behind numpy's matrix products adds in an order that depends on the machine and on the
number of its threads, and each order rounds in another way. Where nothing is rounded on the way
there is one result.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

_DIGITS = 53


def summable(values: ArrayLike, terms: int) -> NDArray[np.float64]:
    """Round values to a grid on which so many of them, each as often as you like, add up exactly.

    Parameters
    ----------
    values : float array, any shape, finite
    terms : int
        The most terms of a sum, a value that is there twice being two.

    Returns
    -------
    float array, the same shape
        Off by at most the largest magnitude times 2 `terms` / 2**53.

    Examples
    --------
    >>> 0.1 + 0.2 + 0.3 == 0.3 + 0.2 + 0.1
    False
    >>> a, b, c = summable([0.1, 0.2, 0.3], 3).tolist()
    >>> a + b + c == c + b + a
    True
    """
    given = np.asarray(values, dtype=np.float64)
    _, exponent = np.frexp(np.abs(given).max(initial=0))
    step = int(exponent) + terms.bit_length() - _DIGITS
    return np.ldexp(np.rint(np.ldexp(given, -step)), step)
