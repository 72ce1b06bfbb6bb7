"""Distances between card outlines on a table.

An outline is a convex polygon of four corners in millimetres. The distance between two outlines is
that of their nearest points, and 0 if they touch or overlap. Groups are separated by the bare table
between cards, which the distance of the cards' centres does not measure.

References
----------
Ericson, C. (2005). Real-Time Collision Detection, 5.2.1 (separating-axis test). Morgan Kaufmann.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.errors import PaperError

_SAME_CARD = 0.4
"""Share of its area above which an outline shows the same card as the outline that covers it;
neighbouring cards share less. No scene tried differs at .2 or .7."""

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
    first, second = _near_pairs(outlines, within_mm)
    low, high = outlines.min(1), outlines.max(1)
    apart = np.maximum(low[second] - high[first], low[first] - high[second]).max(-1)
    near = apart <= within_mm
    first, second = first[near], second[near]
    a, b = outlines[first], outlines[second]
    distances = np.minimum(_corners_to_edges(a, b), _corners_to_edges(b, a))
    touching = np.flatnonzero(apart[near] <= 0)
    distances[touching[_overlap(a[touching], b[touching])]] = 0.0
    kept = distances <= within_mm
    return first[kept], second[kept], distances[kept]


def _near_pairs(outlines: Outlines, within_mm: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All pairs that may be near enough, from the distances of their centres."""
    if len(outlines) < 2 or not np.isfinite(within_mm):
        first, second = np.triu_indices(len(outlines), 1)
        return first, second
    # Imported here, so that a server loads scipy only with its first photo.
    from scipy.spatial import cKDTree

    middles = outlines.mean(1)
    reach = float(np.linalg.norm(outlines - middles[:, None], axis=-1).max())
    pairs = cKDTree(middles).query_pairs(within_mm + 2 * reach, output_type="ndarray")
    first, second = pairs[np.lexsort(pairs.T[::-1])].T
    return first, second


def is_same_card(
    outline: NDArray[np.float64], others: Outlines, least_shared: float = _SAME_CARD
) -> bool:
    """Whether an outline shows the same card as one of the others.

    Parameters
    ----------
    outline : float array, shape (4, 2)
        Millimetres.
    others : float array, shape (cards, 4, 2)
        Millimetres.
    least_shared : float
        Share of its area that another must cover; a card on another card shares less.

    Examples
    --------
    >>> card = np.array([[0, 0], [60, 0], [60, 40], [0, 40]], float)
    >>> is_same_card(card, np.stack([card + 200, card + 10])), is_same_card(card, card[None] + 30)
    (True, False)
    """
    beside = np.maximum(others.min(1) - outline.max(0), outline.min(0) - others.max(1)).max(-1)
    return any(shared_part(outline, other) > least_shared for other in others[beside < 0])


def are_beside(outlines: Outlines, others: Outlines, within_mm: float) -> NDArray[np.bool_]:
    """Whether each outline is within a distance, in millimetres, of one of the others.

    Parameters
    ----------
    outlines, others : float array, shape (cards, 4, 2)
        Millimetres.
    within_mm : float

    Returns
    -------
    bool array, shape (cards,)
        For each of `outlines`.

    Examples
    --------
    >>> card = np.array([[0, 0], [60, 0], [60, 40], [0, 40]], float)
    >>> are_beside(np.stack([card, card + [200, 0]]), card[None] + [61, 0], 2.0)
    array([ True, False])
    """
    first, second, _ = outline_distances(np.concatenate([others, outlines]), within_mm)
    beside = (first < len(others)) & (second >= len(others))
    return np.asarray(np.isin(np.arange(len(outlines)), second[beside] - len(others)))


def points_inside(outlines: Outlines, shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute a grid of points for each outline.

    Parameters
    ----------
    outlines : float array, shape (outlines, 4, 2)
    shares : float array, shape (n,)
        Where the rows and columns are, as shares of the sides; beyond [0, 1], outside.

    Returns
    -------
    float array, shape (outlines, n * n, 2)

    Examples
    --------
    >>> card = np.array([[0, 0], [60, 0], [60, 40], [0, 40]], float)
    >>> points_inside(card[None], np.array([0.5])).tolist()
    [[[30.0, 20.0]]]
    """
    u, v = (part.ravel()[:, None] for part in np.meshgrid(shares, shares))
    first, second, fourth = (outlines[:, [corner]] for corner in (0, 1, 3))
    return np.asarray(first * (1 - u - v) + second * u + fourth * v)


def shared_part(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Share of the first outline's area that the second covers, in [0, 1]."""
    area, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return float(area) / max(cv2.contourArea(one.astype(np.float32)), 1e-6)


def _corners_to_edges(corners: Outlines, others: Outlines) -> NDArray[np.float64]:
    """The least distance of each outline's corners to the other outline's edges."""
    # x and y apart: sums over an axis of two numbers take several times as long
    start = others.transpose(2, 0, 1)[:, :, None]
    across, down = np.roll(start, -1, axis=3) - start
    x, y = corners.transpose(2, 0, 1)[..., None] - start
    length = np.maximum(across * across + down * down, 1e-12)
    along = np.clip((x * across + y * down) / length, 0, 1)
    squared = (x - along * across) ** 2 + (y - along * down) ** 2
    return np.asarray(np.sqrt(squared.min((1, 2))))


def _overlap(a: Outlines, b: Outlines) -> NDArray[np.bool_]:
    """Whether outlines overlap, by the separating-axis theorem: two convex polygons are disjoint
    exactly if the line of an edge of one separates them."""
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
