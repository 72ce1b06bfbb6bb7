"""Average linkage of very many stimuli, computed from one row of distances at a time.

Nearest-neighbour chain algorithm: a chain of nearest neighbours is followed until two clusters are
nearest to each other; these are joined. Each step needs the sums of distances from one cluster to
all others. They are stored for large clusters, and computed from the rows of the stimuli for small
clusters.

References
----------
.. [1] D. Müllner, "Modern hierarchical, agglomerative clustering algorithms", arXiv:1109.2378,
   2011.
"""

import numpy as np
from numpy.typing import NDArray

from analysis.groupings.pair_counts import LookupMatrix

_STORED_FROM = 32
_ROUNDING = 1e-12
# With at most this many steps in a distance of 1, sums over all pairs are exact.
_MAX_STEPS = 1 << 26

Floats = NDArray[np.float64]
Join = tuple[int, int, float]
"""One stimulus of each of two clusters, and the distance of the clusters."""


def linkage_by_rows(distances: LookupMatrix) -> Floats:
    """Join stimuli step by step, always the two clusters with the least mean distance.

    Parameters
    ----------
    distances : LookupMatrix, shape (stimuli, stimuli)
        Without NaN; at least two stimuli.

    Returns
    -------
    float array, shape (stimuli - 1, 4)
        As from `scipy.cluster.hierarchy.linkage`, except that ties may be joined in a different
        order.

    Examples
    --------
    >>> from analysis.groupings.pair_counts import pair_counts
    >>> counts = pair_counts([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]])
    >>> linkage_by_rows(counts.distances()).round(2).tolist()
    [[0.0, 1.0, 0.0, 2.0], [2.0, 3.0, 0.33, 2.0], [4.0, 5.0, 0.83, 4.0]]
    """
    clusters = _Clusters(distances)
    joins: list[Join] = []
    chain: list[int] = []
    while len(joins) < len(distances) - 1:
        chain = chain or [int(clusters.sizes.argmax())]
        means = clusters.means(chain[-1])
        nearest = int(means.argmin())
        if len(chain) > 1 and means[chain[-2]] <= means[nearest] * (1 + _ROUNDING):
            one, other = chain.pop(), chain.pop()
            joins.append((one, other, float(means[other])))
            clusters.join(one, other)
        else:
            chain.append(nearest)
    return _numbered(joins)


class _Clusters:
    """Clusters, each stored at the index of one of its stimuli; the size at the others is 0."""

    def __init__(self, distances: LookupMatrix) -> None:
        self.distances, self.steps = distances.in_steps(_MAX_STEPS)
        self.of = np.arange(len(distances))
        self.sizes = np.ones(len(distances), dtype=np.int64)
        self._stored: dict[int, Floats] = {}

    def means(self, cluster: int) -> Floats:
        """Mean distances to all clusters; infinite to itself and at indices without a cluster."""
        count = len(self.of)
        sums = np.bincount(self.of, weights=self._sums(cluster), minlength=count)
        means = np.full(count, np.inf)
        pairs = self.sizes * (self.sizes[cluster] * self.steps)
        np.divide(sums, pairs, out=means, where=pairs > 0)
        means[cluster] = np.inf
        return means

    def join(self, target: int, source: int) -> None:
        """Merge one cluster into another."""
        if self.sizes[target] + self.sizes[source] >= _STORED_FROM:
            self._stored[target] = self._sums(target) + self._sums(source)
            self._stored.pop(source, None)
        self.of[self.of == source] = target
        self.sizes[target] += self.sizes[source]
        self.sizes[source] = 0

    def _sums(self, cluster: int) -> Floats:
        """Sums of distances from a cluster to each stimulus."""
        if cluster in self._stored:
            return self._stored[cluster]
        sums = np.zeros(len(self.of))
        for stimulus in np.flatnonzero(self.of == cluster).tolist():
            sums += self.distances[stimulus : stimulus + 1][0]
        return sums


def _numbered(joins: list[Join]) -> Floats:
    """The joins sorted by distance, with clusters numbered as in scipy."""
    tree = np.empty((len(joins), 4))
    parent = list(range(2 * len(joins) + 1))
    sizes = [1] * len(parent)

    def newest(cluster: int) -> int:
        while parent[cluster] != cluster:
            parent[cluster] = parent[parent[cluster]]
            cluster = parent[cluster]
        return cluster

    for step, (one, other, distance) in enumerate(sorted(joins, key=lambda join: join[2])):
        number = len(joins) + 1 + step
        low, high = sorted((newest(one), newest(other)))
        parent[low] = parent[high] = number
        sizes[number] = sizes[low] + sizes[high]
        tree[step] = low, high, distance, sizes[number]
    return tree
