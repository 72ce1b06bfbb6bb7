"""Choosing the likeliest boxes among candidates, and moving them to where their sides are clearest.

The numbers below were varied on the photos of `missing_cards`.
"""

import numpy as np
from numpy.typing import NDArray

from printables.tabletop.edges.box_evidence import clearest_corner
from printables.tabletop.edges.card_edges import measure_sides
from printables.tabletop.edges.paper_view import Boxes, PaperView

_OF_STRETCH, _OF_CORNER = 0.5, 3.0
"""What counts beside the evidence of the four sides: this share of the longest stretch of edges,
and this multiple of the evidence of the clearest corner. Without the first, 308 instead of 312
cards are outlined in the photos of `box_evidence.STRETCH`; without the second, 437 instead of 440
of 702 unread cards in 107 photos by another simulator, since the long edges of stripes outnumber
cards."""
_EVERY = 3
"""One in how many points along the sides is measured until candidates are refined. Only saves
time."""
_FINE_DEG = (3.75, 1.9)
"""Degrees by which rotations are varied in the two refinement steps: half and a quarter of the
steps of `coarse_search._TURNS`. In 60 photos (`tests/bench/bench_hidden.py --first 80000 --photos
60`) with 132 missed cards, 135 are missed with the first step alone, 134 with steps of 1.9 and 1.0.
"""


def likeliest_boxes(
    view: PaperView, boxes: Boxes, paper: NDArray[np.float64], most: int, least: float = -np.inf
) -> Boxes:
    """Refine the boxes that are likeliest to be cards by their sides.

    Parameters
    ----------
    view : PaperView
    boxes : float array, shape (boxes, 4, 2)
        Corners, pixels.
    paper : float array, shape (boxes, 4)
        Light of the paper beside each side from `measure_paper`.
    most : int
        Most boxes that are refined.
    least : float
        Least evidence of those: the sum of that of their sides, and what counts beside it.

    Returns
    -------
    float array, shape (at most `most`, 4, 2)
        Corners, pixels; those with most evidence first.
    """
    sides = measure_sides(view, boxes, paper, _EVERY)
    roughly = sides.evidence.sum(1) + _OF_STRETCH * sides.stretch
    roughly += _OF_CORNER * clearest_corner(sides)
    best = np.argsort(-roughly, kind="stable")[:most]
    best = best[roughly[best] >= least]
    return _refine(view, boxes[best], paper[best])


def _refine(view: PaperView, boxes: Boxes, paper: NDArray[np.float64]) -> Boxes:
    """Rotate and shift boxes to where their sides are clearest."""
    for step in _FINE_DEG if len(boxes) else ():
        tries = np.stack([_rotated(boxes, turn) for turn in (-step, 0.0, step)])
        seen = [measure_sides(view, turned, paper, _EVERY) for turned in tries]
        best = np.stack([sides.evidence.sum(1) for sides in seen]).argmax(0)
        rows = np.arange(len(boxes))
        weight, off, inward = (
            np.stack(parts)[best, rows]
            for parts in (
                [np.maximum(sides.evidence, 0) + 1e-4 for sides in seen],
                [sides.offset for sides in seen],
                [sides.inward for sides in seen],
            )
        )
        boxes = tries[best, rows]
        for one, other in ((0, 2), (1, 3)):
            pull = off[:, one] * weight[:, one] - off[:, other] * weight[:, other]
            shift = pull / (weight[:, one] + weight[:, other])
            boxes = boxes + (shift[:, None] * inward[:, one])[:, None]
    return boxes


def _rotated(boxes: Boxes, degrees: float) -> Boxes:
    """Boxes rotated around their centres."""
    turn = np.deg2rad(degrees)
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    middle = boxes.mean(1, keepdims=True)
    return np.asarray((boxes - middle) @ rotation + middle)
