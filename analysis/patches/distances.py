"""Distances between patch descriptors.

Conventions
-----------
Descriptors are rows of an array, shape (patches, values). For ``hamming`` they are packed bits in
unsigned 8-bit integers; for the other distances, any numbers.

References
----------
.. [1] V. Balntas et al., "HPatches: A benchmark and evaluation of handcrafted and learned local
   descriptors", CVPR 2017.

Distances
---------
l1 : sum of absolute differences.
l2 : Euclidean.
cosine : 1 - cosine of the angle; undefined (an error) for a descriptor of zeros.
hamming : number of differing bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_numbers
from analysis.errors import InputError

Distance = Literal["l1", "l2", "cosine", "hamming"]
DISTANCES: tuple[Distance, ...] = ("l1", "l2", "cosine", "hamming")
Values = NDArray[np.float64]
_VALUES_PER_BATCH = 1 << 18
_MAX_VALUE = 1e100  # squares and their sums stay finite


def validate(
    descriptors: ArrayLike, distance: Distance, names: Sequence[str] | None = None
) -> NDArray[Any]:
    """Check descriptors and return them as an array of the right type for the distance.

    Parameters
    ----------
    descriptors : array_like, shape (patches, values)
    distance : {"l1", "l2", "cosine", "hamming"}
    names : sequence of str, optional
        Names of the patches, for error messages; by default their numbers.

    Returns
    -------
    array, shape (patches, values)
        Unsigned 8-bit integers for hamming, floats otherwise.

    Raises
    ------
    InputError
        If the distance is unknown, the shape is wrong, a value is NaN, infinite or beyond 1e100, a
        value for hamming is not an integer from 0 to 255, or a row for cosine is all zeros.
    """
    rows = as_numbers(descriptors, "descriptors")
    if distance not in DISTANCES:
        raise InputError(f"distance should be one of {', '.join(DISTANCES)}, but is {distance!r}")
    if rows.ndim != 2 or 0 in rows.shape:
        raise InputError(f"descriptors should have shape (patches, values), but have {rows.shape}")
    if distance == "hamming":
        return _packed(rows)
    floats = rows.astype(float, copy=False)
    if not -_MAX_VALUE <= floats.min() <= floats.max() <= _MAX_VALUE:
        patch, value = (int(k) for k in np.argwhere(~(np.abs(floats) <= _MAX_VALUE))[0])
        raise InputError(
            f"descriptor {names[patch] if names else patch} contains {floats[patch, value]}; "
            f"give finite numbers up to {_MAX_VALUE:g}"
        )
    if distance == "cosine" and not np.any(floats, axis=1).all():
        patch = int(np.argmin(np.any(floats, axis=1)))
        raise InputError(
            f"descriptor {names[patch] if names else patch} is all zeros: its cosine is undefined"
        )
    return floats


def paired_distances(first: ArrayLike, second: ArrayLike, distance: Distance) -> Values:
    """Distance between each row of one array and the same row of the other.

    Parameters
    ----------
    first, second : array_like, shape (pairs, values)
    distance : {"l1", "l2", "cosine", "hamming"}

    Returns
    -------
    float array, shape (pairs,)

    Raises
    ------
    InputError
        As for `validate` (both arrays), or if the shapes differ.

    References
    ----------
    .. [1] V. Balntas et al., "HPatches: A benchmark and evaluation of handcrafted and learned
       local descriptors", CVPR 2017: L2, and Hamming for binary descriptors.

    Examples
    --------
    >>> paired_distances([[0, 0]], [[3, 4]], "l2").tolist()
    [5.0]
    >>> packed = np.array([[0b1010]], dtype=np.uint8), np.array([[0b0110]], dtype=np.uint8)
    >>> paired_distances(*packed, "hamming").tolist()
    [2.0]
    """
    a, b = validate(first, distance), validate(second, distance)
    if a.shape != b.shape:
        raise InputError(
            f"both arrays should have the same shape, but have {a.shape} and {b.shape}"
        )
    return _distances(a, b, distance)


def distances_of_rows(
    rows: NDArray[Any], first: NDArray[np.int64], second: NDArray[np.int64], distance: Distance
) -> Values:
    """Distances of many pairs of rows, in bounded memory.

    Parameters
    ----------
    rows : array, shape (patches, values)
        From `validate`.
    first, second : int arrays, shape (pairs,)
        Row numbers of each pair.
    distance : {"l1", "l2", "cosine", "hamming"}

    Returns
    -------
    float array, shape (pairs,)
    """
    step = max(1, _VALUES_PER_BATCH // rows.shape[1])
    found = np.empty(len(first))
    for k in range(0, len(first), step):
        part = slice(k, k + step)
        found[part] = _distances(rows[first[part]], rows[second[part]], distance)
    return found


def unit(rows: Values) -> Values:
    """Normalise rows to length 1, even rows with numbers so small that their squares are 0."""
    scaled = rows / np.abs(rows).max(axis=1, keepdims=True)
    return scaled / np.linalg.norm(scaled, axis=1, keepdims=True)


def _distances(a: NDArray[Any], b: NDArray[Any], distance: Distance) -> Values:
    if distance == "l1":
        return np.abs(a - b).sum(1)
    if distance == "l2":
        return np.sqrt(((a - b) ** 2).sum(1))
    if distance == "cosine":
        return 1 - (unit(a) * unit(b)).sum(1)
    return np.bitwise_count(a ^ b).sum(1).astype(float)


def _packed(rows: NDArray[Any]) -> NDArray[np.uint8]:
    if rows.dtype == np.uint8:
        return rows
    whole = np.asarray(rows, dtype=float)
    if not np.all((whole >= 0) & (whole <= 255)) or np.any(whole % 1):
        raise InputError("hamming needs packed bits: integers from 0 to 255")
    return rows.astype(np.uint8)
