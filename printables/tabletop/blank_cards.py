"""Cards on the table that show no code: turned over, covered, or bleached by a lamp.

Seen from above, on the plane that the read cards define, a card is a white rectangle of known size.
How white paper is at a place is learnt from the read cards near it.
On a ground as white as the cards, a turned card has no edge to be seen by: there only the count of
the deck tells that one is missing.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.cards.card import CardLayout
from printables.tabletop.grouping import TablePlan

_AROUND_MM = 500.0
_MOST_PIXELS = 2_500_000
_FINEST_PX_PER_MM = 0.6
_LEAST_PX_PER_SIDE = 12
_PAPER = (0.83, 0.55)
_LIGHT_REACH_MM = 250.0
_SIZE_TOLERANCE = 0.12
_LEAST_FILL = 0.86


def find_papers(
    grey: NDArray[np.uint8], scale: float, plan: TablePlan, layout: CardLayout
) -> NDArray[np.float64]:
    """Find white rectangles of a card's size that are none of the plan's cards.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        The photo, shrunk.
    scale : float
        How much it was shrunk: its pixels to a pixel of the photo.
    plan : TablePlan
        All cards known so far.
    layout : CardLayout

    Returns
    -------
    float array, shape (papers, 4, 2)
        Corners on the table, millimetres.
    """
    low, span = _part_in_sight(grey, scale, plan)
    density = min(_FINEST_PX_PER_MM, (_MOST_PIXELS / float(np.prod(span))) ** 0.5)
    if density * min(layout.width_mm, layout.height_mm) < _LEAST_PX_PER_SIDE:
        return np.zeros((0, 4, 2))
    top_view = _from_above(grey, scale, plan.to_table, (low, span), density)
    known = ((plan.outlines - low) * density).astype(np.float32)
    level = _paper_level(top_view, known, density)
    size = np.sort([layout.width_mm, layout.height_mm]) * density
    papers: list[NDArray[np.float32]] = []
    # on dark tables, and where a shadow's edge is near, paper is told apart by half of its light
    for share in _PAPER:
        white = cv2.compare(top_view, cv2.convertScaleAbs(level, alpha=share), cv2.CMP_GT)
        white = cv2.morphologyEx(white, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        for outline in (*known, *papers):
            grown = outline.mean(0) + (outline - outline.mean(0)) * 1.06
            cv2.fillConvexPoly(white, np.round(grown).astype(np.int32), 0)
        contours, _ = cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        boxes = [cv2.boxPoints(cv2.minAreaRect(c)) for c in contours if _is_card(c, size)]
        papers += [np.asarray(box, np.float32) for box in boxes]
    return np.array(papers, float).reshape(-1, 4, 2) / density + low


def _part_in_sight(
    grey: NDArray[np.uint8], scale: float, plan: TablePlan
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Corner and span, in millimetres, of the table around the cards that the photo shows."""
    low = plan.outlines.min((0, 1)) - _AROUND_MM
    high = plan.outlines.max((0, 1)) + _AROUND_MM
    height, width = np.array(grey.shape) / scale
    frame = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]])
    seen = frame @ plan.to_table.T
    # a corner beyond the horizon is nowhere on the table
    if (seen[:, 2] > 0).all():
        corners = seen[:, :2] / seen[:, 2:]
        low, high = np.maximum(low, corners.min(0)), np.minimum(high, corners.max(0))
    return low, high - low


def _from_above(
    grey: NDArray[np.uint8],
    scale: float,
    to_table: NDArray[np.float64],
    place: tuple[NDArray[np.float64], NDArray[np.float64]],
    density: float,
) -> NDArray[np.uint8]:
    """The part of the table from a corner on, of a span, at a density of pixels per millimetre."""
    (left, top), span = place
    back = np.array([[1, 0, 0.5 - scale / 2], [0, 1, 0.5 - scale / 2], [0, 0, scale]])
    onto = np.array([[density, 0, -left * density], [0, density, -top * density], [0, 0, 1]])
    size = (int(span[0] * density), int(span[1] * density))
    return np.asarray(cv2.warpPerspective(grey, onto @ to_table @ back, size), np.uint8)


def _paper_level(
    top_view: NDArray[np.uint8], known: NDArray[np.float32], density: float
) -> NDArray[np.uint8]:
    """Grey level of paper everywhere, smoothed over what the known cards show."""
    coarse = 8
    shape = (top_view.shape[0] // coarse + 1, top_view.shape[1] // coarse + 1)
    steps = np.linspace(0.1, 0.9, 8, dtype=np.float32)
    u, v = (part.ravel()[:, None] for part in np.meshgrid(steps, steps))
    inside = known[:, [0]] * (1 - u - v) + known[:, [1]] * u + known[:, [3]] * v
    column, row = (
        np.clip(inside, 0, np.array(top_view.shape)[::-1] - 1).astype(int).transpose(2, 0, 1)
    )
    paper = np.percentile(top_view[row, column], 80, axis=1)
    level, weight = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    middle = (row.mean(1).astype(int) // coarse, column.mean(1).astype(int) // coarse)
    np.add.at(level, middle, paper)
    np.add.at(weight, middle, 1)
    reach = _LIGHT_REACH_MM * density / coarse
    level, weight = (np.asarray(cv2.GaussianBlur(part, (0, 0), reach)) for part in (level, weight))
    # far from every known card there is nothing to compare with
    white = np.where(weight < 1e-9, 510, level / np.maximum(weight, 1e-12))
    grown = cv2.resize(white.astype(np.float32), top_view.shape[::-1])
    return np.clip(grown, 0, 255).astype(np.uint8)


def _is_card(contour: cv2.typing.MatLike, size: NDArray[np.float64]) -> bool:
    area = cv2.contourArea(contour)
    if not 0.7 < area / np.prod(size) < 1.3:
        return False
    box = np.sort(cv2.minAreaRect(contour)[1])
    fits = (np.abs(box / size - 1) < _SIZE_TOLERANCE).all()
    return bool(fits and area / np.prod(box) > _LEAST_FILL)
