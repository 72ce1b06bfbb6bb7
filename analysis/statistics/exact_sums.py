"""Sums that are the same in any order of addition.

The library that computes numpy's matrix products adds in an order that depends on the machine and
the number of threads, and each order rounds differently. Without rounding, all orders give the same
result.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

_DIGITS = 53


def summable(values: ArrayLike, terms: int) -> NDArray[np.float64]:
    """Round values to a grid on which sums of up to `terms` of them are exact.

    Parameters
    ----------
    values : float array, any shape, finite
    terms : int
        Largest number of terms in a sum; a value that is added twice counts twice.

    Returns
    -------
    float array, the same shape
        Each rounded by at most the largest magnitude times 2 * `terms` / 2**53.

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
    steps: NDArray[np.float64] = np.ldexp(given, -step)
    np.rint(steps, out=steps)
    return np.ldexp(steps, step, out=steps)
