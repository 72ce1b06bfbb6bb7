"""Finding cards of which an object, such as a hand or a cup, leaves only one end in sight.

One side of such a card and the beginnings of the two beside it are edges of paper. What covers the
rest has other colours than the table beside the end: the table continues behind an eraser, a small
note or a check of a cloth.
"""

import numpy as np
from numpy.typing import NDArray

from printables.cards.card import CardLayout
from printables.tabletop.edges.box_evidence import without
from printables.tabletop.edges.card_edges import measure_paper, measure_sides
from printables.tabletop.edges.coarse_search import rectangles_of_edges
from printables.tabletop.edges.paper_view import Boxes, PaperView, side_points
from printables.tabletop.edges.refining import likeliest_boxes
from printables.tabletop.light import grey_at
from printables.tabletop.outlines import are_near, is_same_card, points_inside

_MOST_LIKELY, _MOST_EXACT = 800, 120
"""Candidates that are measured, and those then refined; both bound the time. In 88 photos by a
fourth simulator in which cards are still missing, 21 of them and 3 places without a card are found
by their ends (below, such numbers are cards and places without a card). At 400 of the first as many
are, at 60 of the second 19 and 3, at 300 21 and 5."""
_WHOLE, _BEGUN, _COVERED = 0.75, 0.03, 0.3
"""Least evidence of the side in sight and of each of the two beside it, and greatest evidence of
the one opposite. At .9 of the first 18 and 3 are found, at .1 of the second 16 and 2, at .5 of the
third 22 and 3."""
_LEAST_STRETCH, _MOST_WITHIN = 1.2, 0.05
"""Least length, in sides, of the stretch of edges that they form, and greatest share of the sides
with paper beyond them. At 1.0 of the first 22 and 8 are found, at 1.4 14 and 3; at .02 of the
second 13 and 3, at .1 24 and 7."""
_END, _LEAST_WHITE = 0.2, 0.5
"""Share of a card that counts as its end, and least share of the end that is paper. At .1 of the
first or .2 of the second as many are found, at .3 19 and 3, at .8 18 and 3."""
_LEAST_SHOWN, _SHARED, _NEAR = 0.4, 0.3, 2.5
"""Least share of a box that is not under known cards, greatest that a clearer box covers, and
distance from a read card, in long sides of a card, centre to centre. At .2 of the first, six more
are found that were outlined already; at .1 or .5 of the second as many are found; at 2 of the third
20 and 1, at 4 20 and 6."""
_INSIDE = (np.arange(14) + 0.5) / 14
"""Places across a card, as shares of its sides, where its colours are measured."""
_BEYOND = np.array([3.0, 5.0, 7.0, 9.0])
"""Distances outside an edge, in pixels, at which the table's colours are measured."""
_ALIKE, _AS_OFTEN = 0.07, 3
"""Greatest difference of two colours, as a share of paper's, that counts as none; and how many
places of the table must have a colour for it to be the table's. At .05 of the first 24 and 6 are
found, at .1 18 and 3; at 1 of the second 18 and 2, at 6 24 and 6."""
_MOST_TABLE, _FEWEST = 0.5, 8
"""Greatest share of what is not paper in a card that may have colours of the table, and fewest
places with which it and the table are known. At .3 of the first 19 and 2 are found, at .7 23 and 8.
The second was not varied in any measurement."""
_PAPER, _WHITE = 0.8, 0.9
"""Light, as a share of the card's paper, below which a place is not paper, and above which it is
paper without ink. At .7 of the first 21 and 4 are found, at .9 23 and 3; at .8 of the second 22 and
3."""


def covered_ends(
    view: PaperView,
    px_per_mm: float,
    cards: tuple[Boxes, Boxes],
    layout: CardLayout,
    colours: NDArray[np.uint8],
) -> Boxes:
    """Find boxes of which one end is paper, and the rest is neither paper nor table.

    Parameters
    ----------
    view : PaperView
    px_per_mm : float
        Its pixels per millimetre.
    cards : two float arrays, shape (cards, 4, 2)
        Corners of read cards, of which `view.free` is 0, and of others that were found, pixels: an
        object on a card may hide some of their edges.
    layout : CardLayout
    colours : uint8 array, shape (height, width, channels)
        The same view in colour, or with fewer pixels.

    Returns
    -------
    float array, shape (boxes, 4, 2)
        Corners, pixels; those with the clearest edges first.
    """
    read, found = cards
    size = np.array([layout.width_mm, layout.height_mm]) * px_per_mm
    boxes = rectangles_of_edges(view, size, px_per_mm, _MOST_LIKELY, ends=True)
    shown = measure_paper(without(view, found), boxes)[0]
    (able,) = np.nonzero((shown >= _LEAST_SHOWN) & are_near(boxes, read, _NEAR * size.max()))
    boxes = boxes[able[:_MOST_EXACT]]
    boxes = likeliest_boxes(view, boxes, measure_paper(view, boxes)[2], _MOST_EXACT)
    paper = measure_paper(view, boxes)[2]
    sides = measure_sides(view, boxes, paper)
    order = (sides.evidence.argmax(1)[:, None] + np.arange(4)) % 4
    whole, begun, opposite, other_begun = np.take_along_axis(sides.evidence, order, 1).T
    ends = (whole >= _WHOLE) & (np.minimum(begun, other_begun) >= _BEGUN) & (opposite <= _COVERED)
    ends &= (sides.stretch >= _LEAST_STRETCH) & (sides.within <= _MOST_WITHIN)
    turned = np.take_along_axis(boxes, order[..., None], 1)
    ends &= measure_paper(view, _ends(turned))[1] >= _LEAST_WHITE
    clear = sides.stretch + sides.evidence.sum(1)
    chosen = boxes[:0]
    for place in np.argsort(-clear, kind="stable"):
        if ends[place] and not is_same_card(boxes[place], chosen, _SHARED):
            box, edge = boxes[[place]], sides.along[place] > 0.5
            if _is_covered(view, colours, box, edge, paper[place].max()):
                chosen = np.concatenate([chosen, box])
    return chosen


def _ends(boxes: Boxes) -> Boxes:
    """The ends of boxes at their first sides."""
    first, second, third, fourth = boxes.transpose(1, 0, 2)
    inner = second + _END * (third - second), first + _END * (fourth - first)
    return np.stack([first, second, *inner], 1)


def _is_covered(
    view: PaperView,
    colours: NDArray[np.uint8],
    box: Boxes,
    edge: NDArray[np.bool_],
    paper: float,
) -> bool:
    """Whether what is darker than the paper in a box, shape (1, 4, 2), has other colours than the
    table beyond those points of its sides that are an edge, shape (4, points)."""
    inside = points_inside(box, _INSIDE).transpose(2, 0, 1)
    beyond = side_points(box, -_BEYOND)[0][:, 0].transpose(0, 1, 3, 2)[:, edge].reshape(2, 1, -1)
    light = grey_at(view.light, inside)[0]
    seen, table = (grey_at(view.free, places)[0] > 0.5 * 255 for places in (inside, beyond))
    rest, white = seen & (light < _PAPER * paper), seen & (light > _WHITE * paper)
    if min(rest.sum(), white.sum(), table.sum()) < _FEWEST:
        return False
    scale = colours.shape[1] / view.light.shape[1]
    of_box, of_table = (_colours_at(colours, places[:, 0], scale) for places in (inside, beyond))
    level = np.maximum(np.median(of_box[white], 0), 1)
    apart = np.linalg.norm((of_box[rest][:, None] - of_table[table]) / level, axis=2)
    like_table = np.sort(apart, 1)[:, _AS_OFTEN - 1] < _ALIKE
    return bool(like_table.mean() <= _MOST_TABLE)


def _colours_at(
    colours: NDArray[np.uint8], places: NDArray[np.floating], scale: float
) -> NDArray[np.float64]:
    """The colours next to places in a view, shape (2, places), with `scale` times its pixels."""
    end = np.array(colours.shape[1::-1])[:, None] - 1
    column, row = np.clip(np.round((places + 0.5) * scale - 0.5), 0, end).astype(np.intp)
    return colours[row, column].astype(float)
