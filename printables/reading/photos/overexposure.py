"""Restoring dark lines that overexposed paper covers with its light.

The light of white paper spreads over a pixel or two through the lens and the sensor, and a dark
line beside it gets as much light as it loses to the paper. Where the paper is clipped
(overexposed), its own loss is cut off and the line's gain is not: lines become thinner and paler,
and modules of a symbol vanish. A minimum filter widens them again.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

_CLIPPED, _LEAST_SHARE = 250, 0.2
"""Grey level, of 255, from which a pixel counts as clipped, and least share of such pixels around a
place that counts as overexposed. Of 450 cards overexposed by two stops, with 1.5 (300 cards) and
2.1 pixels per module (150), 449 are read; at .4 of the second number one fewer, at .6 109 fewer, at
254 and .4 41 fewer. Two photos of "careless" differ by one card at most."""
_STEP, _WINDOW = 4, 9
"""Only every fourth pixel is examined; side of the neighbourhood, in these pixels. It is smaller
than a symbol. With a share of .4, 12 fewer of the same cards are read at 5, and 4 fewer at 17."""

Grey = NDArray[np.uint8]


def widen_overexposed_lines(grey: Grey, by: float = 0.5) -> Grey:
    """Widen the dark lines in the overexposed areas of a photo by about a pixel.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    by : float
        How far each pixel is darkened, as a share of the way to the darkest one beside it.

    Returns
    -------
    uint8 array, shape (height, width)
        The same array if nothing is overexposed.
    """
    clipped = cv2.inRange(np.ascontiguousarray(grey[::_STEP, ::_STEP]), _CLIPPED, 255)
    share = cv2.blur(clipped, (_WINDOW, _WINDOW))
    overexposed = cv2.inRange(share, round(255 * _LEAST_SHARE), 255)
    left, top, width, height = np.multiply(cv2.boundingRect(overexposed), _STEP).tolist()
    if not width:
        return grey
    place = np.s_[top : top + height, left : left + width]
    part, some = grey[place], overexposed[top // _STEP :, left // _STEP :]
    mask = cv2.resize(some, None, fx=_STEP, fy=_STEP, interpolation=cv2.INTER_NEAREST)
    darkest = cv2.erode(part, np.ones((3, 3), np.uint8))
    widened = cv2.addWeighted(part, 1 - by, darkest, by, 0)
    restored = grey.copy()
    cv2.copyTo(widened, mask[: part.shape[0], : part.shape[1]], restored[place])
    return restored
