"""Drawing the reading over the photo, for the researcher to check.

Each card is outlined in its group's colour and labelled with its group's number. After twelve
groups the colours repeat, with a dotted line inside the outline. Unread cards and scraps of paper
are circled.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from basics.group_colours import GROUP_COLOURS, colour_number, is_repeated
from printables.reading.findings import Code
from printables.reading.photos.photo import PhotoSource, load_colour
from printables.reading.reader import PhotoReading

_UNREAD = (30, 38, 179)
_WHITE = (255, 255, 255)


def draw_overlay(photo: PhotoSource, reading: PhotoReading) -> NDArray[np.uint8]:
    """Draw a reading over its photo.

    Parameters
    ----------
    photo : path, bytes or uint8 array
        The photo that was read.
    reading : PhotoReading

    Returns
    -------
    uint8 array, shape (height, width, 3)
        Upright; blue, green, red (OpenCV's order).

    Raises
    ------
    PaperError
        If the photo cannot be opened.
    """
    picture = load_colour(photo)
    outlines = np.zeros((0, 4, 2)) if reading.plan is None else reading.plan.in_photo()
    for symbol, outline in zip(reading.symbols, outlines, strict=True):
        _outline_card(picture, outline, symbol.group)
    for symbol, outline in zip(reading.symbols, outlines, strict=True):
        _label(picture, outline, str(symbol.group), _colour(symbol.group))
    scraps = [f.facts["places"] for f in reading.findings if f.code == Code.PAPER_UNEXPLAINED]
    for outline in (*reading.unread, *np.array(scraps, float).reshape(-1, 4, 2)):
        # scraps may be much smaller than cards
        card = outlines[0] if len(outlines) else outline
        middle, width = outline.mean(0), _line(card)
        radius = max(1.1 * np.linalg.norm(outline - middle, axis=1).max(), _size(card) / 2)
        _circle(picture, middle, radius, _WHITE, width * 4)
        _circle(picture, middle, radius, _UNREAD, width * 2)
    return picture


def _colour(group: int) -> tuple[int, int, int]:
    """A group's colour: blue, green, red."""
    code = GROUP_COLOURS[colour_number(group) - 1]
    red, green, blue = (int(code[start : start + 2], 16) for start in (1, 3, 5))
    return blue, green, red


def _size(outline: NDArray[np.float64]) -> float:
    """Square root of a card's area, pixels."""
    return float(cv2.contourArea(outline.astype(np.float32)) ** 0.5)


def _line(outline: NDArray[np.float64]) -> int:
    """Half the width of the line around a card, in pixels."""
    return max(1, round(_size(outline) / 60))


def _outline_card(picture: NDArray[np.uint8], outline: NDArray[np.float64], group: int) -> None:
    width = _line(outline)
    corners = np.round(outline).astype(np.int32)
    cv2.polylines(picture, [corners], True, _WHITE, width * 4, cv2.LINE_AA)
    cv2.polylines(picture, [corners], True, _colour(group), width * 2, cv2.LINE_AA)
    if is_repeated(group):
        inner = outline.mean(0) + (outline - outline.mean(0)) * 0.88
        edges = np.stack([inner, np.roll(inner, -1, axis=0)], 1)
        for share in np.linspace(0, 1, 10, endpoint=False):
            for dot in edges[:, 0] * (1 - share) + edges[:, 1] * share:
                _circle(picture, dot, width, _colour(group), -1)


def _label(
    picture: NDArray[np.uint8],
    outline: NDArray[np.float64],
    text: str,
    colour: tuple[int, int, int],
) -> None:
    middle, font = outline.mean(0), cv2.FONT_HERSHEY_SIMPLEX
    scale = max(_size(outline) / 130, 0.4)
    stroke = max(1, round(scale * 1.8))
    (wide, high), _ = cv2.getTextSize(text, font, scale, stroke)
    _circle(picture, middle, max(wide, high) * 0.75 + stroke, _WHITE, -1)
    _circle(picture, middle, max(wide, high) * 0.75, colour, -1)
    start = (round(middle[0] - wide / 2), round(middle[1] + high / 2))
    cv2.putText(picture, text, start, font, scale, _WHITE, stroke, cv2.LINE_AA)


def _circle(
    picture: NDArray[np.uint8],
    middle: NDArray[np.float64],
    radius: float,
    colour: tuple[int, int, int],
    width: int,
) -> None:
    centre = (round(float(middle[0])), round(float(middle[1])))
    cv2.circle(picture, centre, max(1, round(float(radius))), colour, width, cv2.LINE_AA)
