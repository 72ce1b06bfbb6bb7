"""Distances between card outlines on a table.

An outline is a convex polygon of four corners in millimetres. Distances are between nearest points,
0 if two outlines touch or overlap: groups are separated by bare table between the cards, not by the
distance of their centres.
"""

import numpy as np
from numpy.typing import NDArray

from printables.errors import PaperError

Outlines = NDArray[np.float64]


def outline_distances(
    outlines: Outlines, within_mm: float = np.inf
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """Compute the distance of every pair of nearby outlines.

    Parameters
    ----------
    outlines : float array, shape (cards, 4, 2)
        Corners in order around each outline, millimetres.
    within_mm : float
        Pairs farther apart are left out.

    Returns
    -------
    first, second : int arrays, shape (pairs,)
        The pairs, `first` < `second`.
    distances : float array, shape (pairs,)
        Millimetres; 0 if the outlines touch or overlap.

    Raises
    ------
    PaperError
        If the shape is not (cards, 4, 2).

    Examples
    --------
    >>> square = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], float)
    >>> outline_distances(np.stack([square, square + [15, 0]]))[2]
    array([5.])
    """
    outlines = np.asarray(outlines, float)
    if outlines.ndim != 3 or outlines.shape[1:] != (4, 2):
        raise PaperError(f"outlines should be of shape (cards, 4, 2), not {outlines.shape}")
    first, second = np.triu_indices(len(outlines), 1)
    low, high = outlines.min(1), outlines.max(1)
    apart = np.maximum(low[second] - high[first], low[first] - high[second]).max(-1)
    near = apart <= within_mm
    first, second = first[near], second[near]
    a, b = outlines[first], outlines[second]
    distances = np.minimum(_corners_to_edges(a, b), _corners_to_edges(b, a))
    distances[_overlap(a, b)] = 0.0
    kept = distances <= within_mm
    return first[kept], second[kept], distances[kept]


def _corners_to_edges(corners: Outlines, others: Outlines) -> NDArray[np.float64]:
    start = others[:, None]
    edge = np.roll(others, -1, axis=1)[:, None] - start
    reach = corners[:, :, None] - start
    length = np.maximum((edge**2).sum(-1), 1e-12)
    along = np.clip((reach * edge).sum(-1) / length, 0, 1)
    return np.asarray(np.linalg.norm(reach - along[..., None] * edge, axis=-1).min((1, 2)))


def _overlap(a: Outlines, b: Outlines) -> NDArray[np.bool_]:
    """Separating axis theorem: convex shapes are disjoint exactly if an edge of one separates
    them."""
    separated = np.zeros(len(a), bool)
    for shape in (a, b):
        edge = np.roll(shape, -1, axis=1) - shape
        normal = np.stack([edge[..., 1], -edge[..., 0]], -1)
        spread_a = np.einsum("pkd,pcd->pkc", normal, a)
        spread_b = np.einsum("pkd,pcd->pkc", normal, b)
        gap = np.maximum(
            spread_a.min(-1) - spread_b.max(-1), spread_b.min(-1) - spread_a.max(-1)
        ).max(-1)
        separated |= gap > 0
    return ~separated
