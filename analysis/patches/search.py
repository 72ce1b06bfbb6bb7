"""Nearest-neighbour search in a pool of patches, for many queries, in bounded memory.

A few hundred queries are processed together, one block of the pool after another. In each block, a
matrix product in single precision (or numbers of differing bits, or sums of absolute differences)
selects the patches that may be among the nearest. Only their distances are computed exactly, as in
`analysis.patches.distances`. So the order, including ties, is that of exact distances and does not
depend on rounding in the products.

References
----------
.. [1] V. Balntas et al., "HPatches: A benchmark and evaluation of handcrafted and learned local
   descriptors", CVPR 2017.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_numbers
from analysis.errors import InputError
from analysis.patches.distances import Distance, distances_of_rows, unit, validate

Rows = NDArray[np.int64]
_QUERIES_PER_BATCH = 512
_BLOCK = {"l1": 1024, "l2": 8192, "cosine": 8192, "hamming": 4096}
_PART = 64
_IN_CACHE = 16
_MAX_CANDIDATES = 1 << 22
# Rounding error of the cosine distance between rows with the same direction.
_COSINE_TOLERANCE = 1e-12


def nearest(
    pool: ArrayLike, queries: NDArray[np.int64], count: int, distance: Distance
) -> NDArray[np.int64]:
    """Find the nearest neighbours of some patches of a pool within the pool.

    Parameters
    ----------
    pool : array_like, shape (patches, values)
    queries : int array, shape (queries,)
        Row numbers of the query patches in the pool.
    count : int
        Number of patches to find for each query.
    distance : {"l1", "l2", "cosine", "hamming"}

    Returns
    -------
    int array, shape (queries, count)
        Row numbers in the pool, nearest first: the query itself, then the others; at equal
        distances, the lower row number first. Cosine distances count as equal if they differ by at
        most 1e-12, the rounding error for rows with the same direction.

    Raises
    ------
    InputError
        As for `analysis.patches.distances.validate`, or if there are no queries, a query is not a
        row of the pool, `count` is below 1, or the pool has fewer than `count` patches.

    References
    ----------
    .. [1] V. Balntas et al., "HPatches: A benchmark and evaluation of handcrafted and learned
       local descriptors", CVPR 2017: patch retrieval.

    Examples
    --------
    >>> nearest([[0.0], [5.0], [1.0], [0.0]], np.array([3]), 3, "l2").tolist()
    [[3, 0, 2]]
    """
    rows, queries = validate(pool, distance), as_numbers(queries, "queries")
    if queries.ndim != 1 or queries.dtype.kind not in "iu" or queries.size == 0:
        raise InputError("queries should be a list of row numbers of the pool")
    if queries.min() < 0 or queries.max() >= len(rows):
        raise InputError(f"queries should be row numbers from 0 to {len(rows) - 1}")
    if count < 1:
        raise InputError(f"count should be at least 1, but is {count}")
    if len(rows) < count:
        raise InputError(f"the pool has only {len(rows)} patches, but {count} should be found")
    searched = _searched(rows, distance)
    # A matrix product uses all processors; two at the same time would slow each other down.
    workers = 1 if distance in ("l2", "cosine") else os.cpu_count() or 1
    size = min(_QUERIES_PER_BATCH, -(-queries.size // workers))
    parts = [queries[k : k + size] for k in range(0, queries.size, size)]
    with ThreadPoolExecutor(workers) as threads:
        return np.concatenate(list(threads.map(lambda q: _nearest(searched, q, count), parts)))


@dataclass(frozen=True)
class _Pool:
    """A prepared pool, with approximate distances whose error is below `rounding`."""

    rows: NDArray[Any]
    distance: Distance
    prepared: NDArray[Any]
    squares: NDArray[np.float32]
    rounding: float

    def approximate_distances(self, queries: Rows, block: slice) -> NDArray[Any]:
        """A monotone function of the distances, shape (queries, block); smaller is nearer."""
        asked = self.prepared[queries]
        if self.distance == "hamming":
            return _differing_bits(asked, self.prepared[block])
        if self.distance == "l1":
            from scipy.spatial.distance import cdist

            return cdist(asked, self.prepared[block], "cityblock").astype(np.float32)
        close = -2 * asked @ self.prepared[block].T
        if self.distance == "l2":
            close += self.squares[block]
        return close


@dataclass(frozen=True)
class _Pairs:
    """Candidate patches of some queries, with their approximate distances."""

    query: Rows
    patch: Rows
    close: NDArray[Any]

    @classmethod
    def joined(cls, several: list[_Pairs]) -> _Pairs:
        columns = ([getattr(one, name) for one in several] for name in ("query", "patch", "close"))
        return cls(*map(np.concatenate, columns))

    def where(self, chosen: NDArray[Any]) -> _Pairs:
        return _Pairs(self.query[chosen], self.patch[chosen], self.close[chosen])


def _nearest(searched: _Pool, queries: Rows, count: int) -> Rows:
    smallest: NDArray[Any] | None = None
    candidates: list[_Pairs] = []
    for block in _blocks(len(searched.rows), _BLOCK[searched.distance]):
        close = searched.approximate_distances(queries, block)
        smallest = _smallest(smallest, close, count)
        reach = (smallest if smallest.shape[1] == count else close).max(axis=1)
        reach += reach.dtype.type(2 * searched.rounding)
        query, patch = np.nonzero(close <= reach[:, None])
        candidates.append(_Pairs(query, patch + block.start, close[query, patch]))
        if sum(one.query.size for one in candidates) > _MAX_CANDIDATES:
            candidates = [_first_of_each(searched, queries, _Pairs.joined(candidates), count)]
    last = _Pairs.joined(candidates)
    last = last.where(last.close <= reach[last.query])
    return _first_of_each(searched, queries, last, count).patch.reshape(len(queries), count)


def _first_of_each(searched: _Pool, queries: Rows, pairs: _Pairs, count: int) -> _Pairs:
    """The `count` nearest patches of each query, by exact distance, then by row number."""
    exact: NDArray[Any] = distances_of_rows(
        searched.rows, queries[pairs.query], pairs.patch, searched.distance
    )
    exact[pairs.patch == queries[pairs.query]] = -np.inf
    if searched.distance == "cosine":
        exact = _ranks_of_query(exact, pairs.query)
    order = np.lexsort((pairs.patch, exact, pairs.query))
    starts = np.searchsorted(pairs.query[order], np.arange(len(queries)))
    place = np.arange(order.size) - starts[pairs.query[order]]
    return pairs.where(order[place < count])


def _ranks_of_query(distances: NDArray[np.float64], query: Rows) -> NDArray[np.int64]:
    """Rank the distances of each query; distances that differ only by rounding errors tie."""
    order = np.lexsort((distances, query))
    near, asked = distances[order], query[order]
    apart = (np.diff(asked, prepend=-1) > 0) | (near > np.roll(near, 1) + _COSINE_TOLERANCE)
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.cumsum(apart)
    return ranks


def _smallest(known: NDArray[Any] | None, close: NDArray[Any], count: int) -> NDArray[Any]:
    """For each query up to `count` approximate_distances values of patches, near the smallest.

    They are the smallest of the minima of many small parts of the block.
    """
    size = min(_PART, max(1, close.shape[1] // count))
    parts = close.shape[1] // size
    minima = close[:, : parts * size].reshape(len(close), size, parts).min(axis=1)
    if known is not None:
        minima = np.concatenate((known, minima), axis=1)
    return minima if minima.shape[1] <= count else np.partition(minima, count - 1)[:, :count]


def _searched(rows: NDArray[Any], distance: Distance) -> _Pool:
    prepared = _prepared(rows, distance)
    if distance == "hamming":
        return _Pool(rows, distance, prepared, np.empty(0, np.float32), 0.0)
    squares = np.einsum("pv,pv->p", prepared, prepared)
    largest = np.abs(prepared).max() if distance == "l1" else squares.max() / 2
    # Error bound of a sum of single-precision products: its length times the unit roundoff.
    rounding = 6 * (prepared.shape[1] + 4) * 2.0**-24 * float(largest)
    return _Pool(rows, distance, prepared, squares, rounding)


def _prepared(rows: NDArray[Any], distance: Distance) -> NDArray[Any]:
    """Rows in single precision, at most 1, with differences in the distances' order; bits as words.

    Subtracting the mean does not change l2 or l1 distances, but reduces their rounding errors.
    """
    if distance == "hamming":
        words = np.zeros((len(rows), -(-rows.shape[1] // 8) * 8), dtype=np.uint8)
        words[:, : rows.shape[1]] = rows
        return words.view(np.uint64)
    mean = rows.mean(0)
    largest = max(np.max(rows.max(0) - mean), np.max(mean - rows.min(0))) or 1.0
    prepared = np.empty(rows.shape, dtype=np.float32)
    for block in _blocks(len(rows), _BLOCK[distance]):
        some = rows[block]
        prepared[block] = unit(some) if distance == "cosine" else (some - mean) / largest
    return prepared


def _differing_bits(asked: NDArray[Any], block: NDArray[Any]) -> NDArray[np.uint32]:
    """Count bits word by word for a few queries at a time, so that the counts fit in the cache."""
    words = np.ascontiguousarray(block.T)
    bits = np.zeros((len(asked), len(block)), dtype=np.uint32)
    for start in range(0, len(asked), _IN_CACHE):
        some = slice(start, start + _IN_CACHE)
        for word, ours in zip(words, asked[some].T, strict=True):
            bits[some] += np.bitwise_count(ours[:, None] ^ word)
    return bits


def _blocks(patches: int, size: int) -> Iterator[slice]:
    for start in range(0, patches, size):
        yield slice(start, min(start + size, patches))
