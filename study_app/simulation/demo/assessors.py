"""Simulated assessors: each weighs shape and drawing style differently, and sorts accordingly."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from study_app.simulation.demo.drawing import HANDS, SHAPES

# Features of shapes: roundness, complexity, width.
FEATURES = {
    "circle": (1.0, 0.0, 0.0),
    "ellipse": (1.0, 0.0, 0.5),
    "triangle": (0.0, 0.0, 0.0),
    "square": (0.1, 0.0, 0.1),
    "heart": (0.8, 0.4, 0.0),
    "house": (0.0, 1.0, 0.0),
    "star": (0.1, 0.6, 0.0),
    "fish": (0.8, 0.7, 0.6),
    "tree": (0.7, 0.9, -0.3),
    "cup": (0.4, 0.9, -0.2),
}


def features(names: Sequence[str]) -> NDArray[np.float64]:
    """The features of each sketch on which simulated assessors base their groups.

    Parameters
    ----------
    names : list of str
        Names as `drawing.write_set` gives them: shape-hand.

    Returns
    -------
    float array, shape (sketches, shapes + 3 + hands)
    """
    rows = []
    for name in names:
        shape, hand = name.rsplit("-", 1)
        kind = [1.3 * (shape == known) for known in SHAPES]
        rows.append([*kind, *FEATURES[shape], *[0.5 * (hand == known) for known in HANDS]])
    return np.array(rows)


def sort_sketches(names: Sequence[str], rng: np.random.Generator) -> list[list[str]]:
    """One assessor's groups: average linkage of weighted features, with a random number of groups.

    Returns
    -------
    list of list of str
    """
    from scipy.cluster.hierarchy import fcluster, linkage

    seen = features(names)
    weights = rng.gamma(2, 0.5, seen.shape[1])
    tree = linkage(seen * weights + rng.normal(0, 0.22, seen.shape), "average")
    labels = fcluster(tree, int(rng.integers(4, 8)), "maxclust")
    return [
        [name for name, label in zip(names, labels, strict=True) if label == k]
        for k in np.unique(labels)
    ]
