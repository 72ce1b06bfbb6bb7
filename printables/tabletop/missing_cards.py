"""Finding cards that were not read, by their edges: face down, covered in part, or too blurred.

In a top view all cards are rectangles of the same known size. Every place and rotation is scored
by how much of the rectangle's four sides is an edge of paper (`card_edges`); on a coarse picture
first, then the best ones exactly. The clearest is taken, and the others are scored again without
its edges, until none is clear enough.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.cards.card import CardLayout
from printables.tabletop.card_edges import Boxes, PaperView, measure_paper, measure_sides
from printables.tabletop.top_view import TopView

_COARSE_PX_PER_MM = 0.3
"""Pixels to a millimetre of the picture that is searched. In 71 photos ("ordinary", "careless", and
sleeves or sheets over cards), where 96 unread cards are outlined, it is 75 at 0.2; the numbers
below were varied on the same photos, in which 25 places without a card are outlined."""
_TURNS = np.arange(0.0, 90.0, 7.5)
"""Rotations searched, degrees. At 9 degrees from each other, four of eight cards of one "careless"
table (60 cards) are missed."""
_LEAST_COARSE = 0.3
"""Least score on the coarse picture. At .4, 84 cards are outlined."""
_LEVEL, _STEEP = 128, 100
"""Numbers of a byte for no slope and, more than that, for the slope of a card's edge: sums of bytes
take half the time."""
_CELL, _CELL_DEG = 0.3, 12.0
"""Side of a cell, in short sides of a card, and degrees in which only the best place is kept.
At .8, 95 cards are outlined, at 45 degrees 94."""
_MOST_LIKELY, _MOST_EXACT = 500, 160
"""Places scored on the fine picture, and those turned and shifted to fit, which bounds the time. Of
the first, 160 outline 94 cards; of the second, 60 outline 97, with 28 places without a card."""
_LEAST_ROUGH = 1.2
"""Least evidence of the four sides together before a place is fitted exactly. Only saves time: of
125 cards outlined in 148 photos, none is found from a place with less than 1.3."""
_DIM = 0.65
"""Least light of one of two neighbouring pixels at an edge of paper, in shadow too, as a share of
paper's. Only saves time: without it, 97 cards are outlined."""
_FINE_DEG = (3.75, 1.9)
"""Degrees by which a rotation found may be off, in the two steps that make it exact."""
_LEAST_PAPER, _LEAST_SHOWN = 0.3, 0.2
"""Least share of a card that is paper (something may cover the rest), and least share that is not
under known cards. At .5 of the first, 93 cards are outlined, at .4 of the second 95; no photo
differs without the first."""
_LEAST_SIDES, _LEAST_CORNER = 0.3, 0.5
"""Least share of the sides not under known cards, and the evidence that two adjacent sides need.
No photo differs without the first; without the second, 39 places without a card are outlined, and
at .7 88 cards."""
_HIDDEN = 0.5
"""Weight of hidden sides, which are expected to look as the visible ones do. At 0, two of 28 cards
of "ordinary" are missed with as many places without a card."""
_LEAST_EVIDENCE, _SURE = 0.53, 0.75
"""Evidence of a card: from the second it is believed, from the first if few places have as much.
With .4, 42 places without a card are outlined, with .65 76 cards; from .6 surely, 182 places
without a card, from .9 90 cards."""
_FEW, _FEW_OF_READ = 4, 0.08
"""Places with middling evidence that can be cards, and how many more for each card read: where more
have it, it is the cloth's pattern. Without the limit, 56 places without a card are reported in
one photo of "ordinary" (300 cards)."""
_NEAR = 2.5
"""Long sides of a card, from a read card, within which middling evidence is believed: streaks of
wood far from five cards were reported as a card. Without the limit, 28 places without a card are
outlined."""
_REACH_MM = 250.0
"""Millimetres around the known cards in which others are searched for. Only saves time: a fifth, of
300 cards; at 500 one card more of 195 is outlined."""
_EXPLAINED = 1.06
"""Growth of a card found, in its sizes, within which edges are its own. At 1, 27 places without a
card are outlined, and 97 cards."""
_WHITE, _MOST_WHITE = 0.85, 0.15
"""Light of paper, and the largest share of the bare table that may be as light: sheets cannot be
recognised on a lighter table."""
_LEAST_SHEET, _FILLED = 1.25, 0.9
"""Area of a sheet, in cards, and the share of its rectangle that it fills; cards that touch fill
less."""
_SEVERAL = 0.08
"""Error of a rectangle's sides as multiples of a card's, for cards laid edge to edge."""


def find_missing_cards(
    top: TopView, known: Boxes, layout: CardLayout, most: int | None = None
) -> Boxes:
    """Find cards on the table that were not read.

    Parameters
    ----------
    top : TopView
        At about a pixel to a millimetre.
    known : float array, shape (cards, 4, 2)
        Outlines of the cards known already, millimetres.
    layout : CardLayout
    most : int, optional
        How many cards are missing, if known.

    Returns
    -------
    float array, shape (cards, 4, 2)
        Outlines, millimetres, the clearest first.
    """
    top = top.near(known, _REACH_MM)
    read = top.from_mm(known)
    view = PaperView.of(top.grey, read, top.px_per_mm)
    size = np.array([layout.width_mm, layout.height_mm]) * top.px_per_mm
    _leave_out_sheets(view, top.grey == 0, size)
    boxes = _candidates(view, size, max(round(top.px_per_mm / _COARSE_PX_PER_MM), 1))
    shown, white, paper = measure_paper(view, boxes)
    able = np.flatnonzero((white >= _LEAST_PAPER) & (shown >= _LEAST_SHOWN))[:_MOST_LIKELY]
    roughly = measure_sides(view, boxes[able], paper[able]).evidence.sum(1)
    likeliest = np.argsort(-roughly, kind="stable")[:_MOST_EXACT]
    best = able[likeliest[roughly[likeliest] >= _LEAST_ROUGH]]
    boxes = _refine(view, boxes[best], paper[best])
    found, evidence = _choose_clearest(view, boxes[_in_photo(boxes, top.grey)])
    few = _FEW + round(_FEW_OF_READ * len(known))
    middling = evidence < _SURE
    believed = ~middling | ((middling.sum() <= few) & _near(found, read, _NEAR * size.max()))
    return top.in_mm(found[believed][:most])


def _near(boxes: Boxes, known: Boxes, reach: float) -> NDArray[np.bool_]:
    """Whether a read card is within reach of each box, middle to middle."""
    apart = boxes.mean(1)[:, None] - known.mean(1)
    return np.asarray((np.linalg.norm(apart, axis=-1) <= reach).any(1))


def _in_photo(boxes: Boxes, grey: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether all corners are inside the photo; what it cuts off may be larger than a card."""
    column, row = np.round(boxes).astype(np.intp).transpose(2, 0, 1)
    height, width = grey.shape
    inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
    seen = grey[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)] > 0
    return np.asarray((inside & seen).all(1))


def _leave_out_sheets(
    view: PaperView, outside: NDArray[np.bool_], size: NDArray[np.float64]
) -> None:
    """Hide rectangles of paper that are larger than a card, or that the photo cuts off."""
    white = ((view.light > _WHITE) & (view.free > 0)).astype(np.uint8)
    if white.sum() > _MOST_WHITE * np.count_nonzero(view.free):
        return
    opened = cv2.morphologyEx(white, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    beyond = cv2.dilate(outside.astype(np.uint8), np.ones((9, 9), np.uint8))
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        area, (_, sides, _) = cv2.contourArea(contour), cv2.minAreaRect(contour)
        if area < _LEAST_SHEET * np.prod(size):
            continue
        column, row = contour[:, 0].T
        cut = beyond[row, column].any() or min(column.min(), row.min()) == 0
        cut |= column.max() == white.shape[1] - 1 or row.max() == white.shape[0] - 1
        several = np.abs(sides / size - np.round(sides / size)).max() < _SEVERAL
        several |= np.abs(sides / size[::-1] - np.round(sides / size[::-1])).max() < _SEVERAL
        if cut or (area > _FILLED * np.prod(sides) and not several):
            cv2.fillConvexPoly(view.free, cv2.convexHull(contour), 0.0)


def _choose_clearest(view: PaperView, boxes: Boxes) -> tuple[Boxes, NDArray[np.float64]]:
    """The boxes with most evidence, each without the edges of those before it; and the evidence."""
    free = view.free.copy()
    left = PaperView(view.light, free, view.contrast)
    evidence = _evidence(left, boxes)
    chosen: list[tuple[int, float]] = []
    while len(boxes) and evidence.max() >= _LEAST_EVIDENCE:
        best = int(evidence.argmax())
        chosen.append((best, float(evidence[best])))
        middle = boxes[best].mean(0)
        cover = middle + _EXPLAINED * (boxes[best] - middle)
        cv2.fillConvexPoly(free, np.round(cover).astype(np.int32), 0.0)
        reach = 1.3 * np.ptp(boxes[best], axis=0).max()
        near = (np.abs(boxes.mean(1) - middle).max(1) < reach) & (evidence > 0)
        evidence[near] = _evidence(left, boxes[near])
        evidence[best] = 0
    places = np.array([place for place, _ in chosen], np.intp)
    return boxes[places], np.array([found for _, found in chosen])


def _evidence(view: PaperView, boxes: Boxes) -> NDArray[np.float64]:
    """Share of each box's sides that are edges of a card; 0 where it cannot be one."""
    shown, white, paper = measure_paper(view, boxes)
    sides = measure_sides(view, boxes, paper)
    seen, found = sides.shown.mean(1), sides.evidence.mean(1)
    corner = np.minimum(sides.evidence, np.roll(sides.evidence, -1, axis=1)).max(1, initial=-1)
    able = (white >= _LEAST_PAPER) & (shown >= _LEAST_SHOWN)
    able &= (seen >= _LEAST_SIDES) & (corner >= _LEAST_CORNER)
    return np.where(able, found * (1 + _HIDDEN * (1 / np.maximum(seen, 0.05) - 1)), 0.0)


def _refine(view: PaperView, boxes: Boxes, paper: NDArray[np.float64]) -> Boxes:
    """Turn and shift boxes, whose paper has a known light, to where their sides are clearest."""
    for step in _FINE_DEG if len(boxes) else ():
        tries = np.stack([_rotated(boxes, turn) for turn in (-step, 0.0, step)])
        seen = [measure_sides(view, turned, paper) for turned in tries]
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
    turn = np.deg2rad(degrees)
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    middle = boxes.mean(1, keepdims=True)
    return np.asarray((boxes - middle) @ rotation + middle)


def _candidates(view: PaperView, size: NDArray[np.float64], reduction: int) -> Boxes:
    """Boxes whose sides may be edges of paper, from a reduced picture, the likeliest first."""
    right, down = _slopes(view, reduction)
    width, height = (float(side) / reduction for side in size)
    found = []
    for turn in _TURNS:
        onto, shape = _rotation_to_canvas(right.shape, turn)
        cos, sin = float(onto[0, 0]), float(onto[0, 1])
        across, along = (
            cv2.warpAffine(
                cv2.addWeighted(right, _STEEP * x, down, _STEEP * y, _LEVEL, dtype=cv2.CV_8U),
                onto,
                shape,
                borderValue=_LEVEL,
            )
            for x, y in ((cos, sin), (-sin, cos))
        )
        for number, sides in enumerate(((width, height), (height, width))):
            scores, middles = _peaks(across, along, sides)
            half = np.array(sides) / 2
            ends = middles[:, None] + half * [[-1, -1], [1, -1], [1, 1], [-1, 1]]
            back = cv2.invertAffineTransform(onto)
            turns = np.full(len(scores), turn + 90 * number)
            found.append((scores, ends @ back[:, :2].T + back[:, 2], turns))
    scores, boxes, turns = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(-scores, kind="stable")
    boxes, turns = boxes[order], turns[order]
    cells = np.floor(boxes.mean(1) / (_CELL * min(width, height)))
    cells = np.concatenate([cells, np.floor(turns / _CELL_DEG)[:, None]], axis=1)
    first = np.sort(np.unique(cells, axis=0, return_index=True)[1])[: 2 * _MOST_LIKELY]
    return np.asarray(boxes[first] * reduction + (reduction - 1) / 2)


def _slopes(view: PaperView, reduction: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Slope of the light to the right and down, 1 where it is as steep as a card's edge."""
    part = 1 / reduction
    light, free = (
        cv2.resize(picture, None, fx=part, fy=part, interpolation=cv2.INTER_AREA)
        for picture in (view.light, view.free)
    )
    across = np.array([[-1, 0, 1]], np.float32)
    right, down = (cv2.filter2D(light, cv2.CV_32F, kernel) for kernel in (across, across.T))
    steep, angle = cv2.cartToPolar(right, down)
    count = len(view.contrast)
    direction = np.round(angle * (count / (2 * np.pi))).astype(np.intp) % count
    scale = 1 / np.maximum(steep, view.full_contrast.astype(np.float32)[direction])
    scale[(free < 0.7) | (cv2.dilate(light, np.ones((3, 3), np.uint8)) < _DIM)] = 0
    return np.asarray(right * scale, np.float32), np.asarray(down * scale, np.float32)


def _rotation_to_canvas(
    shape: tuple[int, ...], degrees: float
) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """The rotation of a picture into one that holds all of it, and the size of that."""
    height, width = shape
    cos, sin = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    size = (int(np.ceil(width * cos + height * sin)), int(np.ceil(width * sin + height * cos)))
    onto = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1.0)
    onto[:, 2] += np.array([(size[0] - width) / 2, (size[1] - height) / 2])
    return np.asarray(onto), size


def _peaks(
    across: cv2.typing.MatLike, along: cv2.typing.MatLike, sides: tuple[float, float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Scores and middles, shape (peaks, 2), of upright rectangles with edges on all sides."""
    wide, high = (max(round(side), 1) for side in sides)
    none = np.zeros(0), np.zeros((0, 2))
    if along.shape[0] <= high or along.shape[1] <= wide:
        return none
    upright, level = (
        cv2.boxFilter(
            slopes, cv2.CV_16U, kernel, normalize=False, borderType=cv2.BORDER_CONSTANT
        ).view(np.int16)
        for slopes, kernel in ((across, (1, high)), (along, (wide, 1)))
    )
    rows, columns = along.shape[0] - high, along.shape[1] - wide
    upright_sides = (upright[:, :-wide] - upright[:, wide:])[high // 2 : high // 2 + rows]
    level_sides = (level[:-high] - level[high:])[:, wide // 2 : wide // 2 + columns]
    # sums of large cards may exceed 16 bits, where `cv2.add` stops
    score = np.asarray(cv2.add(upright_sides, level_sides), np.int16)
    highest = np.asarray(cv2.dilate(score, np.ones((5, 5), np.uint8)))
    whole = 2 * (wide + high) * _STEEP
    # most places are far below, and two-dimensional `nonzero` takes ten times as long
    high_enough = np.flatnonzero(score > int(_LEAST_COARSE * whole))
    peaks = high_enough[score.ravel()[high_enough] >= highest.ravel()[high_enough]]
    row, column = np.unravel_index(peaks, score.shape)
    middles = np.stack([column + wide / 2, row + high / 2], -1)
    return score[row, column] / whole, middles
