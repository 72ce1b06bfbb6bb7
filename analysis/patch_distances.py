"""Distances of patch descriptors: pair by pair, and the nearest of a pool.

Conventions
-----------
Descriptors are rows of an array, shape (patches, values). For ``hamming`` they are unsigned 8-bit
integers whose bits are the values, packed; for the others any numbers.

References
----------
.. [1] V. Balntas et al., "HPatches: A benchmark and evaluation of handcrafted and learned local
   descriptors", CVPR 2017.

Distances
---------
l1 : sum of absolute differences.
l2 : Euclidean.
cosine : 1 - cosine of the angle; a descriptor of zeros has none and is refused.
hamming : number of differing bits.
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.errors import InputError

Distance = Literal["l1", "l2", "cosine", "hamming"]
DISTANCES: tuple[Distance, ...] = ("l1", "l2", "cosine", "hamming")
Values = NDArray[np.float64]
_BLOCK = 1 << 23
_PART = 64
_MOST = 1e100  # squares and their sums stay finite


def validate(descriptors: ArrayLike, distance: Distance) -> NDArray:
    """Check descriptors and give them as an array that the distance can be taken of.

    Parameters
    ----------
    descriptors : array_like, shape (patches, values)
    distance : {"l1", "l2", "cosine", "hamming"}

    Returns
    -------
    array, shape (patches, values)
        Unsigned 8-bit integers for hamming, floats for the others.

    Raises
    ------
    InputError
        If the shape is another, a value is NaN, infinite or beyond 1e100, hamming is asked of
        other numbers than unsigned 8-bit integers, or cosine of a row of zeros.
    """
    rows = np.asarray(descriptors)
    if distance not in DISTANCES:
        raise InputError(f"the distance is one of {', '.join(DISTANCES)}, not {distance!r}")
    if rows.ndim != 2 or 0 in rows.shape:
        raise InputError(f"descriptors should have shape (patches, values), but have {rows.shape}")
    if distance == "hamming":
        return _packed(rows)
    floats = rows.astype(float)
    usable = np.abs(floats) <= _MOST
    if not usable.all():
        patch, value = (int(k) for k in np.argwhere(~usable)[0])
        raise InputError(
            f"descriptor {patch} holds {floats[patch, value]}; give finite numbers up to {_MOST:g}"
        )
    if distance == "cosine" and not np.any(floats, axis=1).all():
        patch = int(np.argmin(np.any(floats, axis=1)))
        raise InputError(f"descriptor {patch} is all zeros and has no cosine distance")
    return floats


def paired_distances(first: ArrayLike, second: ArrayLike, distance: Distance) -> Values:
    """Distance of each row of one array to the same row of the other.

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
        As `validate`, for each; or if the shapes differ.

    References
    ----------
    .. [1] V. Balntas et al., "HPatches: A benchmark and evaluation of handcrafted and learned
       local descriptors", CVPR 2017: patch verification by L2, and by Hamming of binary ones.

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
        raise InputError(f"pairs should have one shape, but have {a.shape} and {b.shape}")
    if distance == "l1":
        return np.abs(a - b).sum(1)
    if distance == "l2":
        return np.sqrt(((a - b) ** 2).sum(1))
    if distance == "cosine":
        return 1 - (_unit(a) * _unit(b)).sum(1)
    return np.unpackbits(a ^ b, axis=1).sum(1).astype(float)


def nearest(
    pool: ArrayLike, queries: NDArray[np.int64], count: int, distance: Distance
) -> NDArray[np.int64]:
    """Search patches of a pool in that pool.

    Parameters
    ----------
    pool : array_like, shape (patches, values)
    queries : int array, shape (queries,)
        Rows of the pool.
    count : int
        How many to find for each.
    distance : {"l1", "l2", "cosine", "hamming"}

    Returns
    -------
    int array, shape (queries, count)
        Rows of the pool, nearest first: the query itself, then the others; of equal distance the
        earlier row of the pool first.

    Raises
    ------
    InputError
        As `validate`; or if there is no query, one is not a row of the pool, `count` is below 1,
        or the pool has fewer than `count` patches.

    References
    ----------
    .. [1] V. Balntas et al., "HPatches: A benchmark and evaluation of handcrafted and learned
       local descriptors", CVPR 2017: patch retrieval.

    Examples
    --------
    >>> nearest([[0.0], [5.0], [1.0], [0.0]], np.array([3]), 3, "l2").tolist()
    [[3, 0, 2]]
    """
    rows, queries = validate(pool, distance), np.asarray(queries)
    if queries.ndim != 1 or queries.dtype.kind not in "iu" or queries.size == 0:
        raise InputError("queries should be one list of row numbers of the pool")
    if queries.min() < 0 or queries.max() >= len(rows):
        raise InputError(f"queries should be rows of the pool, from 0 to {len(rows) - 1}")
    if count < 1:
        raise InputError(f"count is {count}; at least 1 is to be found")
    if len(rows) < count:
        raise InputError(f"the pool has {len(rows)} patches; {count} are to be found for a query")
    found = np.empty((len(queries), count), dtype=np.int64)
    prepared = _prepared(rows, distance)
    squares = np.einsum("pv,pv->p", prepared, prepared)
    rounding = _rounding(prepared, distance)
    for part in _parts(len(queries), len(rows)):
        close = _closeness(prepared, squares, queries[part], distance)
        close[np.arange(len(close)), queries[part]] = -np.inf
        reach = _at_least_the_nearest(close, count) + 2 * rounding
        for k, query in enumerate(queries[part], start=part.start):
            candidates = np.flatnonzero(close[k - part.start] <= reach[k - part.start])
            exact = paired_distances(
                np.broadcast_to(rows[query], (candidates.size, rows.shape[1])),
                rows[candidates],
                distance,
            )
            exact[candidates == query] = -np.inf
            found[k] = candidates[np.argsort(exact, kind="stable")[:count]]
    return found


def _packed(rows: NDArray) -> NDArray[np.uint8]:
    if rows.dtype == np.uint8:
        return rows
    whole = np.asarray(rows, dtype=float)
    if not np.all((whole >= 0) & (whole <= 255)) or np.any(whole % 1):
        raise InputError("hamming is the distance of packed bits; give whole numbers from 0 to 255")
    return rows.astype(np.uint8)


def _unit(rows: Values) -> Values:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _prepared(rows: NDArray, distance: Distance) -> NDArray[np.float32]:
    """Rows whose matrix product orders by the distance, but for rounding (l1: themselves), to 1."""
    if distance == "hamming":
        return np.unpackbits(rows, axis=1).astype(np.float32)
    if distance == "cosine":
        return _unit(rows).astype(np.float32)
    if distance == "l2":
        rows = rows - rows.mean(0)
    return (rows / (np.abs(rows).max() or 1.0)).astype(np.float32)


def _closeness(
    prepared: NDArray[np.float32],
    squares: NDArray[np.float32],
    chosen: NDArray[np.int64],
    distance: Distance,
) -> NDArray[np.float32]:
    """Something that grows with the distance, shape (chosen, patches), to single precision."""
    if distance == "l1":
        from scipy.spatial.distance import cdist

        return cdist(prepared[chosen], prepared, "cityblock").astype(np.float32)
    if distance == "cosine":
        return -prepared[chosen] @ prepared.T
    close = -2 * prepared[chosen] @ prepared.T
    close += squares
    return close


def _at_least_the_nearest(close: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """A bound, for each row, that `count` of its values do not exceed, and few others either.

    The `count` smallest minima of many small parts are values themselves.
    """
    parts = close.shape[1] // _PART
    if parts < count:
        return np.partition(close, count - 1, axis=1)[:, count - 1]
    minima = close[:, : parts * _PART].reshape(len(close), _PART, parts).min(axis=1)
    return np.partition(minima, count - 1, axis=1)[:, count - 1]


def _rounding(prepared: NDArray[np.float32], distance: Distance) -> float:
    """A bound on the error of `_closeness`; bits are counted without any."""
    if distance == "hamming":
        return 0.0
    largest = float(np.abs(prepared).max()) * prepared.shape[1]
    return 4e-7 * largest if distance == "l1" else 4e-7 * largest * float(np.abs(prepared).max())


def _parts(queries: int, patches: int) -> Iterator[slice]:
    step = max(1, _BLOCK // patches)
    for start in range(0, queries, step):
        yield slice(start, start + step)
