"""What callers hand in, as arrays of numbers: the first step of every check."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.errors import InputError


def as_numbers(values: ArrayLike, name: str) -> NDArray:
    """Give values as an array of numbers, of whatever type they are.

    Parameters
    ----------
    values : array_like
        Masked values become NaN.
    name : str
        What they are called in a refusal.

    Returns
    -------
    array

    Raises
    ------
    InputError
        If rows differ in length, or something in them is no real number.

    Examples
    --------
    >>> as_numbers([[1, 0], [0, 1]], "groups").dtype.kind
    'i'
    """
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(np.float64), np.nan)
    try:
        array = np.asarray(values)
        # A list with None, and numbers that only Python holds, are objects until they are floats.
        array = array.astype(np.float64) if array.dtype == object else array
    except (TypeError, ValueError, OverflowError) as reason:
        raise InputError(f"{name} should be one array of numbers: {reason}") from reason
    if array.dtype.kind not in "biuf":
        raise InputError(f"{name} should hold numbers, but hold {array.dtype}")
    return array


def as_floats(values: ArrayLike, name: str) -> NDArray[np.float64]:
    """Give values as a float array.

    Parameters
    ----------
    values : array_like
        None and masked values become NaN.
    name : str
        What they are called in a refusal.

    Returns
    -------
    float array

    Raises
    ------
    InputError
        As `as_numbers`.

    Examples
    --------
    >>> as_floats([1, None], "scores").tolist()
    [1.0, nan]
    """
    return as_numbers(values, name).astype(np.float64, copy=False)
