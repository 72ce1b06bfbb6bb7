"""Telling a pattern of the table from cards.

Checks, tiles and printed rectangles about as large as a card look like blank cards, and like each
other. So do cards that are face down; but what is around these is darker than paper, and people
lay them neither so evenly nor so straight that three in a row are exactly as far apart as each
other.

With these tests, 172 instead of 640 places without a card are outlined in 45 photos of patterned
tables by a second simulator, each read with the deck on the table and with one of 25 more cards,
and 325 instead of 327 of 433 unread cards; 76 instead of 71 groupings are right, and none instead
of two is wrong without a warning.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from printables.tabletop.edges.box_evidence import STRETCH, without
from printables.tabletop.edges.card_edges import measure_paper, measure_sides
from printables.tabletop.edges.paper_view import Boxes, PaperView
from printables.tabletop.light import grey_at
from printables.tabletop.outlines import points_inside

_AROUND, _POINTS, _ALIKE = 1.5, 20, 0.65
"""Scale of a card within which its appearance is compared, so that what is around it belongs to it;
points across; and least correlation of what looks alike. Without the comparison, 429 instead of 440
of the 702 unread cards of `refining._OF_CORNER` are outlined, and 88 instead of 45 places
without a card. Without what is around, 65 instead of 39 such places, at .7 of the last 54, at .6
33, but 437 cards."""
_SEVERAL_ALIKE, _OF_MOST_ALIKE = 5, 0.1
"""Fewest other boxes that look like one of a pattern, also as a share of the most that look like
any. Without the second, 39 instead of 45 places without a card, but a card of "ordinary" (40 cards,
seed 505) with perfect edges is lost, which 9 of 110 boxes resemble."""
_MORE_BLANK = 3
"""How many more blank cards than are missing may be outlined, since a few may be notes. In 11
photos with offcuts and notes by a seventh simulator, 114 instead of 91 of 115 unread cards are
outlined since this also applies to boxes with clear sides."""
_OFF, _TURNED_DEG, _REACH = 0.04, 2.0, 4.0
"""Greatest distance of a box from its place in an even row, by how many degrees the boxes of a row
differ, and greatest distance of neighbours; distances in longer sides of a card. Not varied in any
measurement."""
_FEWEST, _EVEN, _OF_READ = 5, 0.15, 1.5
"""Fewest boxes of a pattern; least share of the pairs of neighbours that a third box continues to
an even row; and how many times the share of the read cards' pairs that must be. In 253 photos by a
second simulator (45 of them of patterns about as large as cards), six patterns have .25 or more;
no five cards that look alike have any such pair, and read cards have up to .04."""
_RIM, _REACH_AROUND, _AROUND_POINTS = 0.06, 0.3, 30
"""Distances around a box, as shares of its sides, between which paper is looked for, and points
across. Not varied in any measurement."""
_PAPER_AROUND, _IN_PAPER, _AROUND_CARD = 0.03, 0.5, 0.1
"""Least median share of what is around boxes of a pattern that is as light as the boxes; and on a
table with a pattern, least such share for a box to be a part of larger paper, and for an unclear
one to be a card. In these photos, most patterns have .04 to .8 of the first, and cards that look
alike up to .01. Without the last, 24 instead of 7 places without a card are outlined on a checked
cloth (300 cards), and one card more."""
_ALL_CLEAR, _IN_SIGHT = 0.9, 0.5
"""Evidence of the least clear side from which a box is no part of larger paper, and least share of
a side in sight for it to count. Without them, 397 instead of 577 of 584 cards face down on drawn
checked and striped cloths are outlined."""


def repeated(
    view: PaperView, boxes: Boxes, found: Boxes, read: Boxes, most: int | None
) -> NDArray[np.bool_]:
    """Tell boxes that show a pattern of the table: several others look like them.

    Cards that are face down look alike, too, on a plain table. So a table only has a pattern if
    more boxes with four clear sides look alike than cards are missing, plus a few for notes, if
    boxes lie in even rows, or if there is paper around them.

    Parameters
    ----------
    view : PaperView
    boxes : float array, shape (boxes, 4, 2)
        Corners, pixels.
    found : float array, shape (found, 4, 2)
        The clearest of the boxes, which do not overlap.
    read : float array, shape (cards, 4, 2)
        The read cards, pixels.
    most : int, optional
        Number of missing cards, if it is known.

    Returns
    -------
    bool array, shape (boxes,)
    """
    alike = _count_alike(view.light, found)
    several = found[alike >= _SEVERAL_ALIKE]
    clear = _least_clear(view, found) >= _ALL_CLEAR
    many = most is not None and (clear & (alike > 0)).sum() > most + _MORE_BLANK
    many |= bool(in_even_rows(several, read).any())
    if not many and not _are_parts_of_paper(view, several, found):
        return np.zeros(len(boxes), bool)
    count = _count_alike(view.light, boxes)
    pattern = count >= max(_SEVERAL_ALIKE, _OF_MOST_ALIKE * count.max())
    pattern |= _paper_around(view, boxes) >= _IN_PAPER
    return pattern if many else np.asarray(pattern & (_least_clear(view, boxes) < _ALL_CLEAR))


def are_corners(view: PaperView, found: Boxes) -> NDArray[np.bool_]:
    """Tell boxes that may be corners of a pattern's light parts, most of which read cards cover.

    Around a card on such a table, there are light parts of the table.

    Parameters
    ----------
    view : PaperView
    found : float array, shape (boxes, 4, 2)
        Corners, pixels.

    Returns
    -------
    bool array, shape (boxes,)
    """
    unclear = measure_sides(view, found).stretch < STRETCH
    return np.asarray(unclear & (_paper_around(without(view, found), found) < _AROUND_CARD))


def are_of_table(
    papers: Boxes, read: Boxes, missing: int | None, more: int = _MORE_BLANK
) -> NDArray[np.bool_]:
    """Tell pieces of paper of a card's size that belong to a pattern of the table.

    Parameters
    ----------
    papers, read : float array, shape (boxes, 4, 2)
        Corners of these pieces, and of the read cards.
    missing : int, optional
        Number of missing cards, if it is known.
    more : int
        By how many there may be more of them than that, if they are in no even rows.

    Returns
    -------
    bool array, shape (papers,)
    """
    pattern = in_even_rows(papers, read)
    if missing is not None and (~pattern).sum() > missing + (0 if pattern.any() else more):
        pattern[:] = True
    return pattern


def in_even_rows(boxes: Boxes, read: Boxes) -> NDArray[np.bool_]:
    """Find boxes that belong to a pattern of the table, since three are in a row at equal distances
    or two as far apart as those.

    Parameters
    ----------
    boxes, read : float array, shape (boxes, 4, 2)
        Corners of boxes of a card's size, and of the read cards.

    Returns
    -------
    bool array, shape (boxes,)
        All false if only few are, or as many of the read cards.
    """
    even, share = _even_rows(boxes)
    if even.sum() < _FEWEST or share < max(_EVEN, _OF_READ * _even_rows(read)[1]):
        even[:] = False
    return even


def _even_rows(boxes: Boxes) -> tuple[NDArray[np.bool_], float]:
    """Which boxes are in even rows, and the share of the pairs of neighbours turned alike that a
    third box continues."""
    found = np.zeros(len(boxes), bool)
    if len(boxes) < 3:
        return found, 0.0
    middles, sides = boxes.mean(1), boxes[:, 1:3] - boxes[:, :2]
    longer = np.linalg.norm(sides, axis=2).argmax(1)
    x, y = sides[np.arange(len(boxes)), longer].T
    long = float(np.median(np.hypot(x, y)))
    angles = np.rad2deg(np.arctan2(y, x)) % 180
    turned = np.abs(angles[:, None] - angles)
    alike = np.minimum(turned, 180 - turned) <= _TURNED_DEG
    near = alike & (cdist(middles, middles) <= _REACH * long)
    np.fill_diagonal(near, False)
    first, second = np.nonzero(near)
    if not len(first):
        return found, 0.0
    steps = middles[second] - middles[first]
    third = (cdist(middles[second] + steps, middles) <= _OFF * long) & alike[second]
    even = third.any(1)
    if even.any():
        same = (cdist(steps, steps[even]) <= _OFF * long).any(1)
        found[first[same]] = found[second[same]] = True
    return found, float(even.mean())


def _are_parts_of_paper(view: PaperView, boxes: Boxes, found: Boxes) -> bool:
    """Whether most of some boxes lack a clear side, and there is paper around them besides known
    cards and those found."""
    if len(boxes) < _FEWEST or np.median(_least_clear(view, boxes)) >= _ALL_CLEAR:
        return False
    return bool(np.median(_paper_around(without(view, found), boxes)) >= _PAPER_AROUND)


def _least_clear(view: PaperView, boxes: Boxes) -> NDArray[np.float64]:
    """Evidence of that side of each box that is least clear, of those in sight."""
    sides = measure_sides(view, boxes)
    return np.asarray(np.where(sides.shown >= _IN_SIGHT, sides.evidence, 1).min(1))


def _paper_around(view: PaperView, boxes: Boxes) -> NDArray[np.float64]:
    """Share of what is around each box, besides known cards, that is as light as the box."""
    share = (np.arange(_AROUND_POINTS) + 0.5) / _AROUND_POINTS
    share = share * (1 + 2 * _REACH_AROUND) - _REACH_AROUND
    beyond = (share < -_RIM) | (share > 1 + _RIM)
    places = points_inside(boxes, share).transpose(2, 0, 1)
    around = (beyond[:, None] | beyond).ravel() & (grey_at(view.free, places) > 128)
    paper = measure_paper(view, boxes)[2].max(1) - view.contrast.clip(0).min() / 2
    white = around & (grey_at(view.light, places) >= paper[:, None])
    return np.asarray(white.sum(1) / np.maximum(around.sum(1), 1))


def _count_alike(light: NDArray[np.float32], boxes: NDArray[np.float64]) -> NDArray[np.intp]:
    """How many boxes elsewhere look like each box, upright or turned by half a turn."""
    looks, middles = _looks(light, boxes), boxes.mean(1)
    likeness = np.maximum(looks @ looks.T, looks @ looks[:, ::-1].T)
    apart = np.linalg.norm(middles[:, None] - middles, axis=2)
    elsewhere = apart > np.ptp(boxes, axis=1).max(1)[:, None]
    return np.asarray((elsewhere & (likeness >= _ALIKE)).sum(1))


def _looks(light: NDArray[np.float32], boxes: NDArray[np.float64]) -> NDArray[np.float32]:
    """Normalised brightness in and around boxes, long sides level, shape (boxes, points ** 2)."""
    across, down = (np.linalg.norm(boxes[:, n] - boxes[:, n + 1], axis=1) for n in (0, 1))
    boxes = np.where((across < down)[:, None, None], np.roll(boxes, 1, axis=1), boxes)
    share = ((np.arange(_POINTS) + 0.5) / _POINTS - 0.5) * _AROUND + 0.5
    seen = grey_at(light, points_inside(boxes, share).transpose(2, 0, 1))
    seen = seen - seen.mean(1, keepdims=True)
    return np.asarray(seen / np.maximum(np.linalg.norm(seen, axis=1, keepdims=True), 1e-6))
