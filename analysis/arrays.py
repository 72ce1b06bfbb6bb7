"""Numeric arrays: conversion of arguments, the first step of every validation, and pairs."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.errors import InputError


def as_numbers(values: ArrayLike, name: str) -> NDArray[Any]:
    """Convert values to a numeric array of any type.

    Parameters
    ----------
    values : array_like
        Masked values become NaN.
    name : str
        Name of the argument in error messages.

    Returns
    -------
    array

    Raises
    ------
    InputError
        If rows differ in length or a value is not a real number.

    Examples
    --------
    >>> as_numbers([[1, 0], [0, 1]], "groups").dtype.kind
    'i'
    """
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(np.float64), np.nan)
    try:
        array = np.asarray(values)
        # Lists with None and very large Python integers become object arrays; make these floats.
        array = array.astype(np.float64) if array.dtype == object else array
    except (TypeError, ValueError, OverflowError) as reason:
        raise InputError(f"{name} should be an array of numbers: {reason}") from reason
    if array.dtype.kind not in "biuf":
        raise InputError(f"{name} should contain numbers, but contain {array.dtype}")
    return array


def as_floats(values: ArrayLike, name: str) -> NDArray[np.float64]:
    """Convert values to a float array.

    Parameters
    ----------
    values : array_like
        None and masked values become NaN.
    name : str
        Name of the argument in error messages.

    Returns
    -------
    float array

    Raises
    ------
    InputError
        As for `as_numbers`.

    Examples
    --------
    >>> as_floats([1, None], "scores").tolist()
    [1.0, nan]
    """
    return as_numbers(values, name).astype(np.float64, copy=False)


def above_diagonal(square: NDArray[Any]) -> NDArray[Any]:
    """Values of a square array above its diagonal, row by row."""
    return square[~np.tri(len(square), dtype=bool)]
