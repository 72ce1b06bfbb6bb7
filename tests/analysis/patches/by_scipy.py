"""Patch descriptors, and all distances between them from scipy."""

import numpy as np
from scipy.spatial.distance import cdist

SCIPY = {"l1": "cityblock", "l2": "euclidean", "cosine": "cosine"}


def rows_for(distance, patches=120, values=9, seed=1):
    rng = np.random.default_rng(seed)
    if distance == "hamming":
        return rng.integers(0, 256, (patches, values), dtype=np.uint8)
    return rng.normal(size=(patches, values))


def all_distances(rows, distance):
    if distance == "hamming":
        bits = np.unpackbits(rows, axis=1)
        return np.rint(cdist(bits, bits, "hamming") * bits.shape[1])
    return cdist(rows, rows, SCIPY[distance])
