"""Finding cards that were cut too short on one side."""

import numpy as np
from numpy.typing import NDArray

from printables.tabletop.edges.card_edges import measure_paper, measure_sides
from printables.tabletop.edges.paper_view import NO_EDGE, Boxes, PaperView, side_points
from printables.tabletop.light import grey_at, medians

_STRIP = np.array([2.0, 3.5, 5.0])
"""Distances from a side, in pixels, at which a card that was cut too short is compared with the
table beside it. Like the next three it only chooses the advice for an unread card. No photo tried
differs at half or twice."""
_SAME_TABLE, _NOT_PAPER, _OTHER_SIDES = 0.12, 0.8, 0.5
"""Greatest difference of light, as a share of paper's, between two places of the bare table; least
share of paper's light that counts as paper; and least evidence of an edge on the three sides that
were not cut off. No photo tried differs at half or twice (.4 and .9 of the second)."""
_DEPTHS = np.arange(25.0)
"""Distances from that side, in pixels, at which the cut is looked for."""
_STRAIGHT_PX, _LEAST_STRAIGHT = 2.0, 0.6
"""Distance from a straight line within which paper begins along a cut, in pixels, and least share
of the side where it does: fingers as light as the table leave an uneven edge. In 10 photos of hands
and other things, up to .53 of a side on which they lie; .7 or more along cuts."""


def cut_short(view: PaperView, boxes: Boxes) -> NDArray[np.bool_]:
    """Find cards that were cut too short on one side.

    On that side the bare table begins inside the box, along a straight line, and it is as light as
    the table beside the three other sides. On a table as light as paper this cannot be seen.

    Parameters
    ----------
    view : PaperView
    boxes : float array, shape (boxes, 4, 2)
        Corners of cards of full size, pixels.

    Returns
    -------
    bool array, shape (boxes,)
    """
    paper = measure_paper(view, boxes)[2]
    sides = measure_sides(view, boxes, paper)
    edge, inward = side_points(boxes, np.zeros(1))
    reach = _STRIP[:, None] * inward[..., None, None]
    inside, outside = (
        np.median(grey_at(view.light, edge + way * reach), axis=(2, 3)) for way in (1, -1)
    )
    cut, straight = np.zeros(len(boxes), bool), _end_straight(view, boxes, paper)
    for side in range(4):
        others = [other for other in range(4) if other != side]
        table = np.median(outside[:, others], axis=1)
        bare = np.abs(inside[:, side] - table) <= _SAME_TABLE
        bare &= inside[:, side] < _NOT_PAPER * paper[:, side]
        rest = sides.evidence[:, others].mean(1) >= _OTHER_SIDES
        cut |= bare & rest & straight[:, side] & (sides.evidence[:, side] <= NO_EDGE)
    return cut


def _end_straight(view: PaperView, boxes: Boxes, paper: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether paper begins along a straight line inside each side of boxes, shape (boxes, 4);
    `paper` is as for `measure_sides`."""
    lit = (
        grey_at(view.light, side_points(boxes, _DEPTHS)[0]) >= _NOT_PAPER * paper[:, :, None, None]
    )
    depth = np.where(lit.any(2), lit.argmax(2), np.nan)
    along = (np.arange(depth.shape[2]) + 0.5) / depth.shape[2]
    first, last = (medians(depth[..., part])[..., None] for part in (along < 1 / 3, along > 2 / 3))
    line = first + (last - first) * (along - 1 / 6) * 3 / 2
    return np.asarray((np.abs(depth - line) <= _STRAIGHT_PX).mean(2) >= _LEAST_STRAIGHT)
