"""Finding cards that were cut too short on one side."""

import numpy as np
from numpy.typing import NDArray

from printables.tabletop.edges.card_edges import measure_paper, measure_sides
from printables.tabletop.edges.paper_view import NO_EDGE, Boxes, PaperView, side_points
from printables.tabletop.light import grey_at

_STRIP = np.array([2.0, 3.5, 5.0])
"""Distances from a side, in pixels, at which a card that was cut too short is compared with the
table beside it. Like the next three it only chooses the advice for an unread card. No photo tried
differs at half or twice."""
_SAME_TABLE, _NOT_PAPER, _OTHER_SIDES = 0.12, 0.8, 0.5
"""Greatest difference of light, as a share of paper's, between two places of the bare table; least
share of paper's light that counts as paper; and least evidence of an edge on the three sides that
were not cut off. No photo tried differs at half or twice (.4 and .9 of the second)."""


def cut_short(view: PaperView, boxes: Boxes) -> NDArray[np.bool_]:
    """Find cards that were cut too short on one side.

    On that side the bare table begins inside the box, and it is as light as the table beside the
    three other sides. On a table as light as paper this cannot be seen.

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
    cut = np.zeros(len(boxes), bool)
    for side in range(4):
        others = [other for other in range(4) if other != side]
        table = np.median(outside[:, others], axis=1)
        bare = np.abs(inside[:, side] - table) <= _SAME_TABLE
        bare &= inside[:, side] < _NOT_PAPER * paper[:, side]
        rest = sides.evidence[:, others].mean(1) >= _OTHER_SIDES
        cut |= bare & rest & (sides.evidence[:, side] <= NO_EDGE)
    return cut
