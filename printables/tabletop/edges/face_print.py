"""Print on the faces of cards: a sketch, a code and words.

A rectangle in a pattern of the table, between the shadows of cards or on a blank sheet may have
edges like a card's, but shows no thin dark lines. A card that lies face down shows none, either,
but usually long stretches of its edges.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.tabletop.edges.box_evidence import STRETCH, SURE
from printables.tabletop.edges.card_edges import measure_paper, measure_sides
from printables.tabletop.edges.paper_view import Boxes, PaperView
from printables.tabletop.light import grey_at
from printables.tabletop.outlines import points_inside

_LINE_PX = 5
"""Width in pixels, about millimetres, up to which a dark line is print. In 160 photos by a fourth
simulator, with an earlier version, three cards fewer and five more places without a card are
outlined at 3, and two fewer and two more at 7."""
_WHITE = 200
"""Value of paper in the bytes in which lines are searched for."""
_CLEAREST, _CLEAR = 0.95, 0.3
"""Quantile of the read cards' faces whose lines are clear ones, and how dark print is at least, as
a share of these. At .5 of the second, 924 instead of 926 of 1,163 unread cards in those photos and
174 instead of 181 places without a card are outlined, at .2 921 and 191. The first was not varied
in any measurement."""
_LEAST_PRINT = 0.1
"""Least share of a face in sight that is print, as a share of the read cards'. Without such a rule,
904 cards and 197 places are outlined in those photos, at .05 922 and 188, at .2 923 and 173."""
_INSIDE = np.linspace(0.08, 0.92, 40)
"""Where print is looked for, as shares of a card's sides, not beside its edges. From .14 to .86, as
many cards and places without a card are outlined."""
_STRETCH = 1.4
"""Length, in sides, of a stretch of edges without a break from which an outline may be a card face
down, if no pattern of the table is likely. With `box_evidence.STRETCH`, 707 instead of 719 of 890
unread cards (most of them face down) and 59 instead of 65 places without a card are outlined in 266
photos by somebody who looked for cards that the rule for print misses; if it always counts, the
checks of a cloth are outlined."""
_SAMPLED = 60
"""Most read cards whose print is measured. Only saves time."""


def are_faces_or_backs(
    view: PaperView, boxes: Boxes, evidence: NDArray[np.float64], read: Boxes, many: bool
) -> NDArray[np.bool_]:
    """Test which boxes show print, or edges as clear as a card that lies face down.

    Parameters
    ----------
    view : PaperView
    boxes : float array, shape (boxes, 4, 2)
        Corners, pixels.
    evidence : float array, shape (boxes,)
        As `box_evidence.choose_clearest` gives it.
    read : float array, shape (cards, 4, 2)
        Outlines of the read cards, pixels; at least one.
    many : bool
        Whether there are so many boxes that some may belong to a pattern of the table.

    Returns
    -------
    bool array, shape (boxes,)
    """
    _, _, paper = measure_paper(view, boxes)
    least = STRETCH if many else _STRETCH
    able = (evidence >= SURE) | (measure_sides(view, boxes, paper).stretch >= least)
    able[~able] = _show_print(view, boxes[~able], read)
    return np.asarray(able)


def _show_print(view: PaperView, boxes: Boxes, read: Boxes) -> NDArray[np.bool_]:
    """Whether boxes show as much print as a card's face."""
    if not len(boxes):
        return np.zeros(0, bool)
    grey = cv2.convertScaleAbs(view.light, alpha=_WHITE)
    round_ = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_LINE_PX, _LINE_PX))
    lines = cv2.morphologyEx(grey, cv2.MORPH_BLACKHAT, round_)
    faces = _within(lines, read[:: max(len(read) // _SAMPLED, 1)])
    least = _CLEAR * np.quantile(faces, _CLEAREST)
    usual = (faces > least).mean()
    free = _within(view.free, boxes) > 0
    found = ((_within(lines, boxes) > least) & free).mean(1)
    return np.asarray(found >= _LEAST_PRINT * usual * free.mean(1))


def _within(picture: cv2.typing.MatLike, boxes: Boxes) -> NDArray[np.uint8]:
    """Values at points within boxes, shape (boxes, points)."""
    return np.asarray(grey_at(picture, points_inside(boxes, _INSIDE).transpose(2, 0, 1)))
