"""Finding candidates for missing cards: rectangles of a card's size on a coarse picture.

This is a Hough transform for rectangles of known size, computed with running sums of the gradient
of the rotated picture. The numbers below were varied on the photos of `missing_cards`.

References
----------
Ballard, D. H. (1981). Generalizing the Hough transform to detect arbitrary shapes. Pattern
Recognition, 13(2), 111-122.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from basics.threads import side_by_side
from printables.tabletop.edges.paper_view import Boxes, PaperView, Picture
from printables.tabletop.light import grey_at

_COARSE_PX_PER_MM = 0.3
"""Pixels per millimetre of the coarse picture. The numbers below were varied on 71 photos
("ordinary", "careless", and sleeves or sheets over cards), in which 96 unread cards and 25 places
without a card are outlined; at 0.2 pixels per millimetre, 75 cards are."""
_LONGEST_PX = 128
"""Longest side of a card on the coarse picture: the difference of two sides, with 256 levels for a
pixel, has 16 bits up to here. At the resolution above, that is a card of 43 cm."""
_TURNS = np.arange(0.0, 90.0, 7.5)
"""Rotations searched, degrees. In steps of 9 degrees, four of eight cards of one "careless" table
(60 cards) are missed."""
_LEAST_COARSE = 0.3
"""Least score on the coarse picture, as a share of the score of four perfect edges. At .4, 84 cards
are outlined."""
_LEVEL, _STEEP = 128, 100
"""Coding of gradients in a byte: the value of no gradient, and the difference for that of a card's
edge. Rotating bytes takes half the time."""
_CELL, _CELL_DEG = 0.3, 12.0
"""Size of the cells in which only the best candidate is kept, in short sides of a card and in
degrees. At .8, 95 cards are outlined, at 45 degrees 94."""
_DIM = 0.65
"""Least brightness, as a share of paper's, of one of two neighbouring pixels at an edge of paper,
in shadow too. Only saves time: without it, 97 cards are outlined."""
_MOST_OF = 0.9
"""Share of the picture near possible edges from which all of it is searched. Only saves time."""
_HIDDEN, _POINTS = 0.5, 4
"""Weight of hidden sides, as in `missing_cards`, and points along a side at which it may be hidden.
On patterned cloths, thousands of candidates outnumber a card that is partly under another: without
the first, 308 instead of 312 cards are outlined in the 100 photos of `box_evidence.STRETCH`."""
_NEAR_PX = 3
"""Width, in pixels of the coarse picture, within which a side may be on tables nearly as light as
paper: there an edge is a narrow line of shadow, and the gradients on both sides of it cancel each
other in a side that is a pixel off. In 59 photos ("ordinary", 90, 150 and 300 cards; "careless", 60
and 300), 283 instead of 276 of 314 unread cards are outlined, and 18 instead of 17 places without a
card. On darker tables, where the patterns of cloths would outnumber cards, it is 1."""

_LEAST_PAIR, _PAIR_SHOWN = 0.5, 0.2
"""Score of two opposite sides in sight, as a share of the perfect one, below which a candidate's
score is reduced, down to a half: one side of a card at least is an edge; and least share of them
that is in sight. Stripes have two long edges and no others: without the first, 433 instead of 440
cards are outlined in the photos of `refining._OF_CORNER`."""
_BEGUN_MM, _LEAST_END = 13.0, 0.65
"""Length of the sides beside one that belongs to an end of a card, in millimetres, and least score
of an end, as a share of that of perfect edges. In the photos of `covered_ends._MOST_LIKELY`, 20
cards and 2 places without a card are found at 8 of the first, 18 and 3 at 18, and 20 and 3 at .8 of
the second."""

_Part = tuple[NDArray[np.intp], NDArray[np.intp]]
_Peaks = tuple[NDArray[np.float64], NDArray[np.float64]]
_Candidates = tuple[NDArray[np.float64], Boxes, NDArray[np.float64]]


def rectangles_of_edges(
    view: PaperView, size: NDArray[np.float64], px_per_mm: float, most: int, ends: bool = False
) -> Boxes:
    """Find boxes whose sides may be edges of paper.

    Parameters
    ----------
    view : PaperView
    size : float array, shape (2,)
        Width and height of a card, pixels.
    px_per_mm : float
    most : int
        Most boxes that are returned.
    ends : bool
        Whether only one side of each and the beginnings of the two beside it need to be edges.

    Returns
    -------
    float array, shape (boxes, 4, 2)
        Corners, pixels; those with the highest scores first.
    """
    least = int(np.ceil(size.max() / _LONGEST_PX))
    reduction = max(round(px_per_mm / _COARSE_PX_PER_MM), least, 1)
    slopes = _slopes(view, reduction)
    width, height = (float(side) / reduction for side in size)
    peaks = partial(_peaks, near=_NEAR_PX if view.is_light else 1)
    if ends:
        begun = round(min(_BEGUN_MM * px_per_mm / reduction, width, height))
        peaks = partial(_end_peaks, begun=max(begun, 1))
    searched = list(product(_parts_with_edges(slopes, (width, height)), _TURNS))

    def candidates(place: tuple[_Part, float]) -> list[_Candidates]:
        return list(_turned_candidates(slopes, *place, (width, height), peaks))

    none = (np.zeros(0 if ends else (0, 2, 2)), np.zeros((0, 4, 2)), np.zeros(0))
    found = chain([none], *side_by_side(candidates, searched))
    scores, boxes, turns = (np.concatenate(parts) for parts in zip(*found, strict=True))
    if not ends:
        scores = _of_all_sides(scores, _sides_in_sight(view, boxes, reduction))
    order = np.argsort(-scores, kind="stable")
    boxes, turns = boxes[order], turns[order]
    column, row = np.floor(boxes.mean(1) / (_CELL * min(width, height))).T
    # one number for each cell: unique rows take ten times as long
    cells = (row * (column.max(initial=0) + 1) + column) * 180 + np.floor(turns / _CELL_DEG)
    first = np.sort(np.unique(cells, return_index=True)[1])[:most]
    return np.asarray(boxes[first] * reduction + (reduction - 1) / 2)


def _sides_in_sight(view: PaperView, boxes: Boxes, reduction: int) -> NDArray[np.float64]:
    """Share of each box's sides that is not under known cards, shape (boxes, 4)."""
    share = (np.arange(_POINTS) + 0.5)[:, None] / _POINTS
    ahead = np.roll(boxes, -1, axis=1)
    places = boxes[:, :, None] + share * (ahead - boxes)[:, :, None]
    places = places.reshape(len(boxes), 4 * _POINTS, 2) * reduction + (reduction - 1) / 2
    seen = grey_at(view.free, places.transpose(2, 0, 1)) > 0.9 * 255
    return np.asarray(seen.reshape(len(boxes), 4, _POINTS).mean(2), float)


def _of_all_sides(pairs: NDArray[np.float64], seen: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores of boxes, from those of their level and upright sides, each with the best possible
    one, and from the share of each side in sight."""
    scores = pairs[:, :, 0].sum(1) / pairs[:, :, 1].sum(1)
    by_pair = np.maximum((seen[:, :2] + seen[:, 2:]) / 2, 0.05)
    shares = pairs[:, :, 0] / pairs[:, :, 1] / by_pair
    least = np.where(by_pair > _PAIR_SHOWN, shares, 1.0).min(1)
    hidden = 1 / np.maximum(seen.mean(1), 0.05) - 1
    return np.asarray(scores * (1 + _HIDDEN * hidden) * np.clip(least / _LEAST_PAIR, 0.5, 1))


def _turned_candidates(
    slopes: tuple[Picture, Picture],
    part: _Part,
    turn: float,
    size: tuple[float, float],
    peaks: Callable[..., _Peaks],
) -> Iterator[_Candidates]:
    """Scores, boxes and rotations of the candidates in a part at one rotation, upright and
    sideways."""
    (low, high), (width, height) = part, size
    right, down = (slope[low[1] : high[1], low[0] : high[0]] for slope in slopes)
    whole, onto, shape = _rotation_to_canvas(slopes[0].shape, part, turn)
    cos, sin = float(onto[0, 0]), float(onto[0, 1])
    across, along = (
        np.asarray(
            cv2.addWeighted(right, _STEEP * x, down, _STEEP * y, _LEVEL, dtype=cv2.CV_8U), np.uint16
        )
        for x, y in ((cos, sin), (-sin, cos))
    )
    # two bytes as one number are rotated in half the time of both; interpolation takes four times
    # as long, and as many cards are outlined without it
    along <<= 8
    along |= across
    level = _LEVEL << 8 | _LEVEL
    turned = cv2.warpAffine(along, onto, shape, flags=cv2.INTER_NEAREST, borderValue=level)
    numbers = np.asarray(turned, np.uint16)
    across, along = numbers.astype(np.uint8), (numbers >> 8).astype(np.uint8)
    sums = _running_sums(across, 0), _running_sums(along, 1)
    back = cv2.invertAffineTransform(whole)
    for number, sides in enumerate(((width, height), (height, width))):
        scores, middles = peaks(*sums, sides)
        ends = middles[:, None] + np.array(sides) / 2 * [[-1, -1], [1, -1], [1, 1], [-1, 1]]
        yield scores, ends @ back[:, :2].T + back[:, 2], np.full(len(scores), turn + 90 * number)


def _parts_with_edges(slopes: tuple[Picture, Picture], size: tuple[float, float]) -> list[_Part]:
    """Upper left and lower right corners of the parts in which a card's edges may be.

    Most of a dark table has no gradient that may be an edge of paper.
    """
    steepness = np.abs(slopes[0]) + np.abs(slopes[1])
    reach = (2 * int(np.hypot(*size)) + 1,) * 2
    around = cv2.dilate((steepness > 0).astype(np.uint8), np.ones(reach, np.uint8))
    whole = [(np.zeros(2, np.intp), np.array(steepness.shape[::-1], np.intp))]
    if cv2.countNonZero(around) > _MOST_OF * around.size:
        return whole
    count, part, boxes, _ = cv2.connectedComponentsWithStats(around, connectivity=8)
    # few pixels have a gradient
    steep = np.flatnonzero(steepness)
    total = np.bincount(part.ravel()[steep], steepness.ravel()[steep], count)
    (enough,) = np.nonzero(total[1:] >= _LEAST_COARSE * 2 * sum(size))
    low = boxes[1:, :2][enough]
    high = low + boxes[1:, 2:4][enough]
    if np.prod(high - low, axis=1).sum() > steepness.size:
        return whole
    return list(zip(low.astype(np.intp), high.astype(np.intp), strict=True))


def _slopes(view: PaperView, reduction: int) -> tuple[Picture, Picture]:
    """Horizontal and vertical gradient of the brightness; 1 is as steep as a card's edge."""
    part = 1 / reduction
    light, free = (
        cv2.resize(picture, None, fx=part, fy=part, interpolation=cv2.INTER_AREA)
        for picture in (view.light, view.free)
    )
    across = np.array([[-1, 0, 1]], np.float32)
    right, down = (cv2.filter2D(light, cv2.CV_32F, kernel) for kernel in (across, across.T))
    steep, angle = cv2.cartToPolar(right, down)
    count = len(view.contrast)
    direction = cv2.convertScaleAbs(angle, alpha=count / (2 * np.pi))
    # the direction after the last is the first again
    full = np.resize(view.full_contrast.astype(np.float32), 256)
    scale = np.asarray(1 / cv2.max(steep, cv2.LUT(direction, full)))
    scale[(free < 0.7 * 255) | (cv2.dilate(light, np.ones((3, 3), np.uint8)) < _DIM)] = 0
    return np.asarray(right * scale), np.asarray(down * scale)


def _rotation_to_canvas(
    shape: tuple[int, ...], part: _Part, degrees: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], tuple[int, int]]:
    """The rotation of a picture, that of a part of it, and the size that shows all of the part.

    Whole pixels are between the two results, so that a part looks as it does in the whole.
    """
    height, width = shape
    middle = ((width - 1) / 2, (height - 1) / 2)
    whole = np.array(cv2.getRotationMatrix2D(middle, degrees, 1.0), np.float64)
    low, high = part
    ends = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    seen = ends @ whole[:, :2].T + whole[:, 2]
    first = np.floor(seen.min(0))
    size = np.ceil(seen.max(0) - first).astype(int).tolist()
    whole[:, 2] -= first
    onto = whole.copy()
    onto[:, 2] += whole[:, :2] @ low
    return whole, onto, (size[0], size[1])


def _running_sums(slopes: cv2.typing.MatLike, axis: int) -> NDArray[np.uint16]:
    """Sums of a picture's columns (axis 0) or rows (axis 1) before each pixel, and in all.

    They are modulo 2**16: differences over the side of a card are smaller.
    """
    # OpenCV's two-dimensional sums take a third of the time of a box filter
    sums = np.asarray(cv2.integral(slopes), np.int32)
    before, after = (sums[:, :-1], sums[:, 1:]) if axis == 0 else (sums[:-1], sums[1:])
    return np.asarray(cv2.subtract(after, before)).astype(np.uint16)


def _peaks(
    across: NDArray[np.uint16], along: NDArray[np.uint16], sides: tuple[float, float], near: int
) -> _Peaks:
    """Local maxima of the score of upright rectangles: scores of their level and of their upright
    sides, each with the best possible one, shape (peaks, 2, 2), and centres, shape (peaks, 2).

    From the running sums of the gradient across upright sides, and of that across level ones.
    """
    wide, high = (max(round(side), 1) for side in sides)
    none = np.zeros((0, 2, 2)), np.zeros((0, 2))
    rows, columns = along.shape[0] - high, across.shape[1] - wide
    if rows <= 0 or columns <= 0:
        return none
    upright = (across[high:] - across[:-high])[:rows]
    level = (along[:, wide:] - along[:, :-wide])[:, :columns]
    left, right = _highest_and_lowest(upright, high, (1, near))
    over, under = _highest_and_lowest(level, wide, (near, 1))
    upright_sides = (left[:, :-wide] - right[:, wide:]).view(np.int16)
    level_sides = (over[:-high] - under[high:]).view(np.int16)
    # the sum for a large card may exceed 16 bits; OpenCV's saturates
    score = np.asarray(cv2.add(upright_sides, level_sides), np.int16)
    row, column = _maxima(score, int(_LEAST_COARSE * 2 * (wide + high) * _STEEP))
    middles = np.stack([column + wide / 2, row + high / 2], -1)
    best = np.broadcast_to(2 * _STEEP * np.array([wide, high]), (len(row), 2))
    pairs = np.stack([level_sides[row, column], upright_sides[row, column]], -1)
    return np.stack([pairs, best], -1).astype(float), middles


def _end_peaks(
    across: NDArray[np.uint16], along: NDArray[np.uint16], sides: tuple[float, float], begun: int
) -> _Peaks:
    """Local maxima of the score of the ends of upright rectangles, and the centres of these."""
    wide, high = (max(round(side), 1) for side in sides)
    rows, columns = along.shape[0] - high, across.shape[1] - wide
    if min(rows, columns) <= 0:
        return np.zeros(0), np.zeros((0, 2))
    upright, begun_upright = (_differences(across, side, 0) for side in (high, begun))
    level, begun_level = (_differences(along, side, 1) for side in (wide, begun))
    upright, level = upright[:rows], level[:, :columns]
    beside = begun_level[:rows] - begun_level[high:]
    above = begun_upright[:, :columns] - begun_upright[:, wide:]
    left, right = beside[:, :columns], beside[:, wide - begun :][:, :columns]
    over, under = above[:rows], above[high - begun :][:rows]
    found = []
    for one, other, length in (
        (left + upright[:, :columns], right - upright[:, wide:], high),
        (over + level[:rows], under - level[high:], wide),
    ):
        score = np.asarray(cv2.max(one, other), np.int16)
        whole = (length + 2 * begun) * _STEEP
        row, column = _maxima(score, int(_LEAST_END * whole))
        middles = np.stack([column + wide / 2, row + high / 2], -1)
        found.append((score[row, column] / whole, middles))
    scores, places = zip(*found, strict=True)
    return np.concatenate(scores), np.concatenate(places)


def _maxima(score: NDArray[np.int16], least: int) -> _Part:
    """Rows and columns of local maxima that exceed a score."""
    highest = np.asarray(cv2.dilate(score, np.ones((5, 5), np.uint8)))
    # few places are high enough, and two-dimensional `nonzero` takes ten times as long
    high_enough = np.flatnonzero(score > least)
    peaks = high_enough[score.ravel()[high_enough] >= highest.ravel()[high_enough]]
    row, column = np.unravel_index(peaks, score.shape)
    return row, column


def _differences(sums: NDArray[np.uint16], side: int, axis: int) -> NDArray[np.int16]:
    """Sums of gradients over sides of this length, from running sums along an axis."""
    ends = (sums[side:], sums[:-side]) if axis == 0 else (sums[:, side:], sums[:, :-side])
    return (ends[0] - ends[1] - np.uint16(side * _LEVEL)).view(np.int16)


def _highest_and_lowest(
    sums: NDArray[np.uint16], side: int, near: tuple[int, int]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Greatest and least sums of sides of this length within a rectangle around each place."""
    if max(near) == 1:
        return sums, sums
    differences = (sums - np.uint16(side * _LEVEL)).view(np.int16)
    kernel = np.ones(near, np.uint8)
    return np.asarray(cv2.dilate(differences, kernel)), np.asarray(cv2.erode(differences, kernel))
