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

from printables.cards.card import CardLayout
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
    first, second, apart = _near_pairs(outlines, within_mm)
    # the pairs are the last axis: sums over an axis of two or four numbers take several times as
    # long if they are the last
    corners = np.ascontiguousarray(outlines.transpose(1, 2, 0))
    a, b = (np.take(corners, which, axis=2) for which in (first, second))
    distances = np.minimum(_corners_to_edges(a, b), _corners_to_edges(b, a))
    touching = np.flatnonzero(apart <= 0)
    overlapping = _overlap(*(np.take(shape, touching, axis=2) for shape in (a, b)))
    distances[touching[overlapping]] = 0.0
    kept = distances <= within_mm
    return first[kept], second[kept], distances[kept]


def _near_pairs(
    outlines: Outlines, within_mm: float
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """All pairs whose upright bounding boxes are near enough, in order, and the distances of
    these boxes along the axis on which they are farther apart."""
    first, second = _close_pairs(outlines, within_mm)
    low, high = outlines.min(1).T, outlines.max(1).T
    apart = np.maximum(low[:, second] - high[:, first], low[:, first] - high[:, second]).max(0)
    near = np.flatnonzero(apart <= within_mm)
    near = near[np.argsort(first[near] * len(outlines) + second[near])]
    return first[near], second[near], apart[near]


def _close_pairs(outlines: Outlines, within_mm: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All pairs that may be near enough, from the distances of their centres."""
    if len(outlines) < 2 or not np.isfinite(within_mm):
        first, second = np.triu_indices(len(outlines), 1)
        return first, second
    # Imported here, so that a server loads scipy only with its first photo.
    from scipy.spatial import cKDTree

    middles = outlines.mean(1)
    reach = float(np.linalg.norm(outlines - middles[:, None], axis=-1).max())
    pairs = cKDTree(middles).query_pairs(within_mm + 2 * reach, output_type="ndarray")
    return pairs[:, 0], pairs[:, 1]


def are_near(
    outlines: NDArray[np.float64], known: NDArray[np.float64], reach: float
) -> NDArray[np.bool_]:
    """Tell whether a known card is within reach of each outline, centre to centre.

    Parameters
    ----------
    outlines : float array, shape (outlines, 4, 2)
    known : float array, shape (cards, 4, 2)
    reach : float

    Returns
    -------
    bool array, shape (outlines,)

    Examples
    --------
    >>> card = np.array([[0, 0], [60, 0], [60, 40], [0, 40]], float)
    >>> are_near(np.stack([card + 50, card + 200]), card[None], 100.0).tolist()
    [True, False]
    """
    apart = outlines.mean(1)[:, None] - known.mean(1)
    return np.asarray((np.linalg.norm(apart, axis=-1) <= reach).any(1))


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


def symbol_places(outlines: Outlines, layout: CardLayout) -> Outlines:
    """Where the symbol of each card may be, for every way in which the card may be turned.

    Parameters
    ----------
    outlines : float array, shape (cards, 4, 2)
        Millimetres.
    layout : CardLayout

    Returns
    -------
    float array, shape (places, 4, 2)
        Millimetres.
    """
    box, size = layout.symbol, np.array([layout.width_mm, layout.height_mm])
    ends = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * box.width + [box.x, box.y]) / size
    places = []
    for turn in range(4):
        turned = np.roll(outlines, turn, axis=1)
        sides = np.stack([turned[:, 1] - turned[:, 0], turned[:, 3] - turned[:, 0]], 1)
        wide, high = np.linalg.norm(sides, axis=2).T
        # the long sides must be those of the layout
        fits = (wide - high) * (size[0] - size[1]) >= 0
        places.append((turned[:, :1] + ends @ sides)[fits])
    return np.concatenate(places)


def shared_part(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Share of the first outline's area that the second covers, in [0, 1]."""
    area, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return float(area) / max(cv2.contourArea(one.astype(np.float32)), 1e-6)


def _corners_to_edges(corners: Outlines, others: Outlines) -> NDArray[np.float64]:
    """The least distance of each outline's corners to the other outline's edges, of outlines of
    shape (4, 2, pairs)."""
    x, y = others.transpose(1, 0, 2)
    across, down = np.roll(x, -1, axis=0) - x, np.roll(y, -1, axis=0) - y
    length = np.maximum(across * across + down * down, 1e-12)
    least = np.full(corners.shape[2], np.inf)
    for corner in corners:
        right, under = corner[0] - x, corner[1] - y
        along = np.clip((right * across + under * down) / length, 0, 1)
        squared = (right - along * across) ** 2 + (under - along * down) ** 2
        np.minimum(least, squared.min(0), out=least)
    return np.sqrt(least)


def _overlap(a: Outlines, b: Outlines) -> NDArray[np.bool_]:
    """Whether outlines of shape (4, 2, pairs) overlap, by the separating-axis theorem: two convex
    polygons are disjoint exactly if the line of an edge of one separates them."""
    separated = np.zeros(a.shape[2], bool)
    for shape in (a, b):
        across, down = (np.roll(shape, -1, axis=0) - shape).transpose(1, 0, 2)
        spread_a, spread_b = (
            other[:, None, 0] * down - other[:, None, 1] * across for other in (a, b)
        )
        gap = np.maximum(spread_a.min(0) - spread_b.max(0), spread_b.min(0) - spread_a.max(0)).max(
            0
        )
        separated |= gap > 0
    return ~separated
