"""Cards on the table that show no code: turned over, covered, or bleached by a lamp.

Seen from above, on the plane that the read cards define, a card is a white rectangle of known size.
How white paper is at a place is learnt from the read cards near it.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.card import CardLayout
from printables.table import TablePlan

_AROUND_MM = 500.0
_MOST_PIXELS = 2_500_000
_FINEST_PX_PER_MM = 0.8
_LEAST_PX_PER_SIDE = 12
_PAPER = 0.83
_LIGHT_REACH_MM = 250.0
_SIZE_TOLERANCE = 0.12
_LEAST_FILL = 0.86


def find_papers(
    grey: NDArray[np.uint8], plan: TablePlan, layout: CardLayout
) -> NDArray[np.float64]:
    """Find white rectangles of a card's size that are none of the plan's cards.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        The photo.
    plan : TablePlan
        All cards known so far.
    layout : CardLayout

    Returns
    -------
    float array, shape (papers, 4, 2)
        Corners on the table, millimetres.
    """
    low = plan.outlines.min((0, 1)) - _AROUND_MM
    span = plan.outlines.max((0, 1)) + _AROUND_MM - low
    scale = min(_FINEST_PX_PER_MM, (_MOST_PIXELS / float(np.prod(span))) ** 0.5)
    if scale * min(layout.width_mm, layout.height_mm) < _LEAST_PX_PER_SIDE:
        return np.zeros((0, 4, 2))
    top_view = _from_above(grey, plan, low, span, scale)
    known = ((plan.outlines - low) * scale).astype(np.float32)
    white = cv2.compare(top_view, _paper_level(top_view, known, scale), cv2.CMP_GT)
    white = cv2.morphologyEx(white, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    for outline in known:
        grown = outline.mean(0) + (outline - outline.mean(0)) * 1.06
        cv2.fillConvexPoly(white, np.round(grown).astype(np.int32), 0)
    contours, _ = cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    size = np.sort([layout.width_mm, layout.height_mm]) * scale
    papers = [cv2.boxPoints(cv2.minAreaRect(c)) for c in contours if _is_card(c, size)]
    return np.array(papers, float).reshape(-1, 4, 2) / scale + low


def _from_above(
    grey: NDArray[np.uint8],
    plan: TablePlan,
    low: NDArray[np.float64],
    span: NDArray[np.float64],
    scale: float,
) -> NDArray[np.uint8]:
    """The photo shrunk first, so that the grain of the table is averaged and not picked."""
    pixel_mm = np.linalg.norm(np.diff(plan.outlines, axis=1), axis=2).mean()
    pixel_mm /= np.linalg.norm(np.diff(plan.in_photo(), axis=1), axis=2).mean()
    shrink = min(1.0, 1.5 * scale * pixel_mm)
    small = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    back = np.diag([1 / shrink, 1 / shrink, 1.0])
    place = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1]])
    size = (int(span[0] * scale), int(span[1] * scale))
    seen = cv2.warpPerspective(small, place @ plan.to_table @ back, size, flags=cv2.INTER_LINEAR)
    return np.asarray(seen, np.uint8)


def _paper_level(
    top_view: NDArray[np.uint8], known: NDArray[np.float32], scale: float
) -> NDArray[np.uint8]:
    """Least grey level of paper everywhere, smoothed over what the known cards show."""
    coarse = 8
    shape = (top_view.shape[0] // coarse + 1, top_view.shape[1] // coarse + 1)
    level, weight = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    for outline in known:
        left, top = np.clip(outline.min(0).astype(int), 0, None)
        right, bottom = outline.max(0).astype(int) + 1
        seen = top_view[top:bottom, left:right]
        if not seen.size:
            continue
        column, row = np.clip(outline.mean(0) // coarse, 0, np.array(shape)[::-1] - 1).astype(int)
        level[row, column] += np.percentile(seen, 80)
        weight[row, column] += 1
    reach = _LIGHT_REACH_MM * scale / coarse
    level, weight = (np.asarray(cv2.GaussianBlur(part, (0, 0), reach)) for part in (level, weight))
    paper = _PAPER * level / np.maximum(weight, 1e-12)
    # far from every known card there is nothing to compare with
    paper[weight < 1e-9] = 255
    grown = cv2.resize(paper, top_view.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return np.clip(grown, 0, 255).astype(np.uint8)


def _is_card(contour: NDArray[np.int32], size: NDArray[np.float64]) -> bool:
    area = cv2.contourArea(contour)
    if not 0.7 < area / np.prod(size) < 1.3:
        return False
    box = np.sort(cv2.minAreaRect(contour)[1])
    fits = (np.abs(box / size - 1) < _SIZE_TOLERANCE).all()
    return bool(fits and area / np.prod(box) > _LEAST_FILL)
