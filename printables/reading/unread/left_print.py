"""Cards that only their print shows.

The edges of a card in a heap, or on a table as light as paper, are often too faint. But a part of
its sketch, its words or its symbol is usually in sight: thin dark lines on paper that run in
several directions. Other lines are left out: edges are straight, stripes have one direction, text
has gaps between its lines, veins and lace are paler, and of a pattern there are too many. A
heading, a label or a drawing on other paper still looks like a card's print.
"""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from printables.cards.card import CardLayout
from printables.reading.detections import Detections
from printables.reading.unread.unread_cards import count_missing
from printables.tabletop.light import grey_at, paper_level
from printables.tabletop.outlines import points_inside
from printables.tabletop.top_view import TopView

PX_PER_MM = 2.0
"""Pixels per millimetre of the view in which print is looked for."""
_NEAR_MM = 100.0
"""Margin around the rectangle that holds all read cards; print is looked for inside. Saves time: at
40 and at 400, two more of the 181 cards of `_DARK` are outlined."""
_WHITE = 200
"""Grey level of paper after its light is corrected."""
_LINE_MM, _DARK = 2.5, 0.15
"""Greatest width of a line of print, and least amount by which it is darker than what is beside it,
as a share of paper's grey. The numbers below were varied, before the rules of `_AS_DARK` and
`_MOST`, on 177 photos in which cards are missing (48 by a fifth simulator and 113 by somebody who
looked for false outlines): 181 cards that nothing else outlines and 13 places are outlined of which
no card is in sight at all. At 1.5 of the first 108 and 0, at 3.5 186 and 61; at .12 of the second
190 and 22, at .2 155 and 10."""
_LIGHT, _PAPER = 0.85, 1.15
"""Least and greatest light of what is beside such a line, as shares of paper's. At .8 of the first
184 and 12, at .9 177 and 17; at 1.1 of the second 178 and 12, at 1.25 182 and 13."""
_CLEAN, _AROUND_MM, _ON_PAPER = 0.88, 5.5, 0.55
"""Least light of paper without print, distance within which such paper is measured around print,
and least share of that area that is such paper. At .84 of the first 187 and 15, at .92 162 and 14;
at 4 of the second 181 and 13, at 7 185 and 13; at .5 of the last 185 and 13, at .6 169 and 14."""
_GROWN_MM = 2.0
"""By how much the corners of known cards are moved outwards, inside of which no print is looked
for: cuts are inexact, and edges throw shadows. At 1 185 and 23, at 3 170 and 12."""
_OTHER_DECKS = 3.0
"""Sides of the area around a card of another deck where no print is looked for, as multiples of the
sides of this deck's cards, since the other's may be larger. Not varied in any measurement."""
_APART_MM, _AREA_MM2 = 5.0, 4.0
"""Greatest gap between lines of one card's print, and least area of these lines. At 3.5 of the
first 181 and 12, at 7 175 and 14; nothing differs at 1.5 of the second, or at 8."""
_TURN_DEG = 7.5
"""Angle between the directions that are tried. At 5 179 and 11, at 15 187 and 26."""
_BAND_MM, _STRAIGHT = 1.5, 0.6
"""Width of a straight band, and greatest share of a piece of print that one may hold: one holds all
of an edge. At 1 of the first 191 and 27, at 2 162 and 12; at .5 of the second 148 and 11, at .7 192
and 22."""
_GAP_MM, _GAPS = 1.0, 0.3
"""Width of straight bands, and greatest share of those in one direction that may be empty, as
between lines of text. At .7 of the first 180 and 9, at 1.4 186 and 13; at .25 of the second 176 and
12, at .4 187 and 23, without it 188 and 73."""
_ALIKE = 0.6
"""How much the edges of print may share one direction, from 0 to 1: those of stripes do. At .55 174
and 10, at .65 185 and 19, without it 189 and 37."""
_AS_DARK = 0.65
"""Least darkness of print, as a share of that on read cards: veins, cracks and lace are paler. In
76 more photos of printed things and patterned tables, by the same person, 516 instead of 556 places
without a card are outlined; with `_MOST` as well, 337 instead of 377. Two of the 181 cards are lost
by it, at .6 one, at .75 six more."""
_MOST = 2.0
"""Most such places, as a multiple of the number of missing cards without an outline: if there are
more, they are a pattern, and none is outlined. In those 76 photos 337 instead of 516 places without
a card are outlined, at 1.5 293, but also four of the 181 cards fewer; at 3 377."""
_MOST_POINTS, _COARSE = 400, 4
"""Most points of such lines that are compared with bands, and by how much smaller the picture is in
which paper around them is measured. Only saves time."""
_MOST_PIECES = 600
"""Most pieces of lines on paper: if there are more, nothing is outlined. Bounds time and memory:
careless tables have at most 191, lace has thousands."""
_INSIDE, _SAMPLED = np.linspace(0.1, 0.9, 40), 60
"""Where print of read cards is measured, as shares of their sides; and from twice as many cards on
it is measured only on every second one, and so on, which saves time."""

Mask = NDArray[np.uint8]
Boxes = NDArray[np.float64]


def with_left_print(detected: Detections, outlines: Boxes) -> Boxes:
    """Add places where print of unread cards is in sight that no outline explains.

    Where these cards end is too uncertain to tell which groups or cards they touch.

    Parameters
    ----------
    detected : Detections
    outlines : float array, shape (cards, 4, 2)
        Of unread cards, millimetres.

    Returns
    -------
    float array, shape (more cards, 4, 2)
        These, and those of `cards_by_print` as far as more cards are missing.
    """
    missing = count_missing(detected) or 0
    if not detected.symbols or missing <= len(outlines):
        return outlines
    view, plan, layout = detected.view, detected.plan, detected.layout
    read = plan.outlines[: len(detected.symbols)]
    top = TopView.of(view.grey, view.scale, plan.to_table, read, PX_PER_MM)
    strange = read[~detected.own]
    middles = strange.mean(1, keepdims=True)
    known = np.concatenate([outlines, middles + _OTHER_DECKS * (strange - middles)])
    places = cards_by_print(top, read, known, layout, missing - len(outlines))
    return np.concatenate([outlines, places])


def cards_by_print(top: TopView, read: Boxes, other: Boxes, layout: CardLayout, most: int) -> Boxes:
    """Find places where print shows that an unread card lies.

    Parameters
    ----------
    top : TopView
        At `PX_PER_MM`, or at a lower resolution if the table is very large.
    read, other : float array, shape (cards, 4, 2)
        Outlines of the read cards, of any deck, of which there is at least one; and further areas
        where no print is looked for: outlines of unread cards, and wider ones around cards of other
        decks, millimetres.
    layout : CardLayout
    most : int
        Number of missing cards without an outline.

    Returns
    -------
    float array, shape (at most `most`, 4, 2)
        Outlines around the middle of such print, turned like the nearest read card, millimetres;
        first those of whose print a straight band holds the smallest share. None if there are more
        than `_MOST` times `most`, or too many pieces of lines.
    """
    top = top.near(read, _NEAR_MM)
    scale, longest = top.px_per_mm, max(layout.width_mm, layout.height_mm)
    lines, least, paper = _lines_left(top, read, np.concatenate([read, other]))
    pieces = _pieces(lines, least, paper, scale, longest * scale)
    found = sorted(pieces, key=lambda piece: piece[0])
    middles = np.array([top.in_mm(middle) for _, middle in found]).reshape(-1, 2)
    near = cdist(middles, middles) < min(layout.width_mm, layout.height_mm) / 2
    kept: list[int] = []
    for number in range(len(middles)):
        if not near[number, kept].any():
            kept.append(number)
    kept = kept[:most] if len(kept) <= _MOST * most else []
    middles, centres = middles[kept], read.mean(1)
    beside = cdist(middles, centres).argmin(1)
    return np.asarray(read[beside] + (middles - centres[beside])[:, None])


def _lines_left(top: TopView, read: Boxes, known: Boxes) -> tuple[Mask, float, Mask]:
    """How dark lines outside known cards are, and a card's print is at least, in grey levels; and,
    `_COARSE` times smaller, the share of paper without print around each place, from 0 to 255."""
    scale = top.px_per_mm
    level = paper_level(top.grey, top.from_mm(read).astype(np.float32), scale)
    light = cv2.divide(top.grey, level, scale=_WHITE)
    wide = cv2.morphologyEx(light, cv2.MORPH_CLOSE, _square(_LINE_MM * scale))
    able = cv2.erode(cv2.inRange(top.grey, 1, 255), _square(_LINE_MM * scale))
    for card in np.round(top.from_mm(_grown(known))).astype(np.int32):
        cv2.fillConvexPoly(able, card, 0)
    able = cv2.bitwise_and(able, cv2.inRange(wide, _LIGHT * _WHITE, _PAPER * _WHITE))
    lines = np.asarray(cv2.subtract(wide, light), np.uint8)
    some = top.from_mm(read[:: max(len(read) // _SAMPLED, 1)])
    printed = grey_at(lines, points_inside(some, _INSIDE).transpose(2, 0, 1))
    printed = printed[printed >= _DARK * _WHITE]
    least = _AS_DARK * float(np.median(printed)) if len(printed) else 0.0
    clean = cv2.inRange(light, _CLEAN * _WHITE, _PAPER * _WHITE)
    coarse = cv2.resize(clean, None, fx=1 / _COARSE, fy=1 / _COARSE, interpolation=cv2.INTER_AREA)
    paper = cv2.blur(coarse, _square(2 * _AROUND_MM * scale / _COARSE).shape)
    left = np.asarray(cv2.bitwise_and(lines, able), np.uint8)
    return left, least, np.asarray(paper, np.uint8)


def _grown(cards: Boxes) -> Boxes:
    """Cards with their corners `_GROWN_MM` farther from their middles."""
    middles = cards.mean(1, keepdims=True)
    away = cards - middles
    return np.asarray(cards + _GROWN_MM * away / np.linalg.norm(away, axis=2, keepdims=True))


def _square(width: float) -> Mask:
    """A square with an odd width."""
    return np.ones((int(width) | 1,) * 2, np.uint8)


def _pieces(
    lines: Mask, least: float, paper: Mask, scale: float, longest: float
) -> Iterator[tuple[float, NDArray[np.float64]]]:
    """Print of cards: the share of each piece that a straight band holds, and its middle."""
    dark = np.asarray(cv2.inRange(lines, _DARK * _WHITE, 255), np.uint8)
    if not cv2.countNonZero(dark):
        return
    joined = cv2.morphologyEx(dark, cv2.MORPH_CLOSE, _square(_APART_MM * scale))
    count, labels = cv2.connectedComponents(joined)
    places = np.reshape(np.array(cv2.findNonZero(dark), np.intp), (-1, 2))
    piece = labels[places[:, 1], places[:, 0]]
    area = np.bincount(piece, minlength=count)
    column, row = np.minimum(places // _COARSE, np.array(paper.shape[::-1]) - 1).T
    around = np.bincount(piece, paper[row, column], count) / np.maximum(255 * area, 1)
    able = (area >= _AREA_MM2 * scale**2) & (around >= _ON_PAPER)
    if np.count_nonzero(able) > _MOST_PIECES:
        return
    points = places[able[piece]]
    order = np.argsort(piece[able[piece]], kind="stable")
    for some in np.split(points[order], np.cumsum(area[able]))[:-1]:
        middle, sides, _ = cv2.minAreaRect(some.astype(np.float32))
        if max(sides) > longest or np.median(lines[some[:, 1], some[:, 0]]) < least:
            continue
        straight, gaps = _bands(some[:: len(some) // _MOST_POINTS + 1] / scale)
        (left, over), (right, under) = some.min(0), some.max(0) + 1
        window = np.s_[over:under, left:right]
        alike = _alike(lines[window], joined[window])
        if straight <= _STRAIGHT and gaps <= _GAPS and alike <= _ALIKE:
            yield straight, np.array(middle)


def _bands(points: NDArray[np.float64]) -> tuple[float, float]:
    """Greatest share of points, in millimetres, that a straight band holds; and greatest share of
    the bands of one direction that hold none."""
    turn = np.deg2rad(np.arange(0, 180, _TURN_DEG))
    most = empty = 0.0
    for places in np.sort(points @ np.stack([np.cos(turn), np.sin(turn)]), axis=0).T:
        ends = np.searchsorted(places, places + _BAND_MM, side="right")
        most = max(most, float((ends - np.arange(len(places))).max()) / len(places))
        bands = np.bincount(((places - places[0]) / _GAP_MM).astype(np.intp))
        empty = max(empty, 1 - np.count_nonzero(bands) / len(bands))
    return most, empty


def _alike(lines: Mask, where: cv2.typing.MatLike) -> float:
    """By how much the edges of lines have one direction, from 0 to 1."""
    across, down = (cv2.Sobel(lines, cv2.CV_32F, *order)[where > 0] for order in ((1, 0), (0, 1)))
    same, turned = (across**2 - down**2).sum(), 2 * (across * down).sum()
    return float(np.hypot(same, turned) / max((across**2 + down**2).sum(), 1e-9))
