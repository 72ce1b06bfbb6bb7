"""How much unread cards look like the sketches of cards that are missing.

A card's code may be covered while its sketch is in sight. The photo around the card is rectified,
turned in steps, and reduced to its dark lines, which are correlated with those of each sketch as it
is printed, at every position nearby (normalised cross-correlation around its lines). The
correlation orders sketches for a person who looks at both; it identifies no card.

References
----------
Lewis, J. P. (1995). Fast normalized cross-correlation. Vision Interface, 10, 120-123.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from printables.cards.card import CardLayout

_MOST_VALUES = 1600
"""Most values of a sketch, about. The unit is 1 mm, longer for sketch areas above 1,600 mm² (usual
cards have 1,384), so that these take no more time. The lengths below are in such units, and the
counts up to `_SIMPLE` were taken without it."""
_PX = 4
"""Pixels per unit in which lines are found."""
_LINE, _DARKEST, _BLUR = 4.0, 0.12, 0.35
"""Greatest width of lines; by how much they are darker than the paper beside them, as a share of
its light, from which all count alike, whether pale or black; and their blur. Of 145 unread cards of
which at least .3 is in sight, by a fifth simulator, the own sketch is the likeliest for 87; for 85
if the second is .2, or the blur .5. The width was not varied."""
_TURNED_DEG = (-16, -8, 0, 8, 16)
"""Angles between an outline and its card, in degrees, in each of four quarter turns. With the
middle three, 83 of the 145."""
_AWAY = 16
"""Greatest distance of a sketch from its place in the outline, in x and in y. At 12, 77 of the 145;
at 22, 89, in 1.6 times the time."""
_FAINT, _AROUND = 0.05, 4
"""Darkness above which a value of a sketch belongs to a line, and how far around lines sketches are
compared. What lies farther from the sketch, such as other cards, does not count. If the whole area
counts, 84 of the 145, and more cards that lie face down are similar to a sketch."""
_SIMPLE = 7.0
"""Added to the sum of squared deviations of the photo's values around a sketch, so that a few short
lines, which fit any line, are not likelier than a whole sketch, and bare paper is similar to none.
Without it,
four simple sketches take the first place of 3 of 18 cards in a drawn picture; with it, 86 of the
145, and fewer cards that lie face down look like a sketch."""

Lines = NDArray[np.float32]


def lines_on_card(sketch: NDArray[np.uint8], layout: CardLayout) -> Lines:
    """Reduce a sketch to its lines, as they are printed on a card.

    Parameters
    ----------
    sketch : uint8 array, shape (height, width)
        Grey.
    layout : CardLayout

    Returns
    -------
    float32 array, shape (rows, columns)
        0 to 1, one value per square unit of the sketch area.
    """
    height, width = (side * _PX for side in _size_of_area(layout))
    scale = min(width / sketch.shape[1], height / sketch.shape[0])
    drawn = cv2.resize(
        sketch,
        (max(round(sketch.shape[1] * scale), 1), max(round(sketch.shape[0] * scale), 1)),
        interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR,
    )
    area = np.full((height, width), 255, np.uint8)
    top, left = ((full - part) // 2 for full, part in zip(area.shape, drawn.shape, strict=True))
    area[top : top + drawn.shape[0], left : left + drawn.shape[1]] = drawn
    return _lines_of(area)


def sketch_correlation(
    photo: NDArray[np.uint8],
    to_table: NDArray[np.float64],
    outline: NDArray[np.float64],
    layout: CardLayout,
    sketches: Sequence[Lines],
) -> NDArray[np.float64]:
    """Compute how much an unread card looks like some sketches.

    Parameters
    ----------
    photo : uint8 array, shape (height, width)
    to_table : float array, shape (3, 3)
        Homography from the photo's pixels to millimetres.
    outline : float array, shape (4, 2)
        Of the unread card, millimetres; only its place and axes matter, not which corner is first.
    layout : CardLayout
    sketches : sequence of float32 arrays, shape (rows, columns)
        From `lines_on_card`.

    Returns
    -------
    float array, shape (sketches,)
        The greatest correlation of each, -1 to 1, reduced where the photo has few lines; 0 for a
        blank sketch.
    """
    if not len(sketches):
        return np.zeros(0)
    wanted, around = _standardised(np.stack(sketches))
    count = np.maximum(around.sum(1), 1)
    best = np.full(len(sketches), -1.0)
    for angle in _angles(outline):
        lines = _lines_of(_rectified(photo, to_table, outline.mean(0), angle, layout))
        seen = sliding_window_view(lines, sketches[0].shape).reshape(-1, wanted.shape[1])
        spread = (seen * seen) @ around.T - (seen @ around.T) ** 2 / count
        length = np.sqrt(np.maximum(spread, 0) + _SIMPLE)
        best = np.maximum(best, (seen @ wanted.T / length).max(0))
    return best


def _standardised(sketches: Lines) -> tuple[Lines, Lines]:
    """Sketches of mean 0 and length 1 within the surroundings of their lines, and masks of these
    surroundings (1 within, 0 outside); both of shape (sketches, values)."""
    side = 2 * _AROUND + 1
    disk = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    drawn = (sketches > _FAINT).astype(np.float32)
    grown = np.array([cv2.dilate(one, disk) for one in drawn], np.float32)
    around = grown.reshape(len(sketches), -1)
    flat = sketches.reshape(len(sketches), -1)
    mean = (flat * around).sum(1, keepdims=True) / np.maximum(around.sum(1, keepdims=True), 1)
    centred = (flat - mean) * around
    length = np.linalg.norm(centred, axis=1, keepdims=True)
    return centred / np.maximum(length, 1e-6), around


def _angles(outline: NDArray[np.float64]) -> NDArray[np.float64]:
    """Angles of the card to try, radians."""
    along = outline[1] - outline[0] + outline[2] - outline[3]
    turned = np.arange(0, 360, 90)[:, None] + np.array(_TURNED_DEG)
    return np.asarray(np.arctan2(along[1], along[0]) + np.deg2rad(turned.ravel()))


def _unit_mm(layout: CardLayout) -> float:
    """The unit in which sketches are compared, millimetres."""
    area = layout.picture
    return max(1.0, float(np.sqrt(area.width * area.height / _MOST_VALUES)))


def _size_of_area(layout: CardLayout) -> tuple[int, int]:
    """Height and width of the sketch area, in units."""
    unit = _unit_mm(layout)
    return round(layout.picture.height / unit), round(layout.picture.width / unit)


def _rectified(
    photo: NDArray[np.uint8],
    to_table: NDArray[np.float64],
    middle: NDArray[np.float64],
    angle: float,
    layout: CardLayout,
) -> NDArray[np.uint8]:
    """The surroundings of the sketch area of a card at some angle, as seen from above."""
    area = layout.picture
    off = np.array([area.x + area.width / 2, area.y + area.height / 2])
    off -= np.array([layout.width_mm, layout.height_mm]) / 2
    height, width = (side + 2 * _AWAY for side in _size_of_area(layout))
    scale = _PX / _unit_mm(layout)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    onto = np.eye(3)
    onto[:2, :2] = turn * scale
    onto[:2, 2] = np.array([width, height]) * _PX / 2 - scale * (off + turn @ middle)
    # a value of the view is the middle of its pixel
    onto[:2, 2] -= 0.5
    size = (width * _PX, height * _PX)
    seen = cv2.warpPerspective(photo, onto @ to_table, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def _lines_of(grey: NDArray[np.uint8]) -> Lines:
    """How dark the lines are, from 0 to 1, one value per square unit."""
    side = round(_LINE * _PX) | 1
    disk = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    paper = cv2.morphologyEx(grey, cv2.MORPH_CLOSE, disk)
    dark = cv2.subtract(paper, grey).astype(np.float32) / np.maximum(paper, 30)
    dark = np.minimum(dark, _DARKEST) / _DARKEST
    soft = cv2.GaussianBlur(dark, (0, 0), _BLUR * _PX)
    size = (grey.shape[1] // _PX, grey.shape[0] // _PX)
    return np.asarray(cv2.resize(soft, size, interpolation=cv2.INTER_AREA), np.float32)
