"""Hard shadows across the cards, such as those of a window's frame.

Where the edge of a shadow crosses a symbol, half of its paper is as dark as its dark modules in the
light, so that it is not found as a dark blob. A morphological closing removes whatever is narrower
than a few modules, all dark modules among them. What it leaves is the light at each place, by which
the photo is divided.
"""

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from printables.cards.codes import MODULES
from printables.reading.symbols.pose import maps_from_corners, sample

_BESIDE, _PLACES = 1.5, (4.0, 10.5, 17.0)
"""Distance from a symbol's edge at which its paper is examined, and where along each side, in
modules. No photo tried for `_WINDOW` differs at distances of 1 and 2."""
_SECOND = 2
"""Rank, among these twelve places, of the darkest and lightest that count, which leaves out what
lies beside a card that was cut too short. No such photo differs at 0; at 4, one card fewer is
read."""
_NEIGHBOUR = 6.0
"""Distance of another symbol, in sides, up to which the light on it is compared. At 3 one card
fewer is read, at 12 as many."""
_SHADED, _LEAST_SHADED = 0.7, 0.08
"""Grey level of paper in a shadow, as a share of that beside it, and least share of the symbols on
or beside which there is such a shadow. The share was .12 or more in 12 photos with hard shadows by
another simulator, .09 in one of our own, and at most .07 in 48 ordinary and careless ones. At .6
and at .16 one card fewer is read, at .8 and .04 as many."""
_MUCH_SHADED = 0.35
"""The same for cards that are not found to be lost in shadows. The share was at least .42 in 12
photos with spots of hard light in which cards are lost or said to be, and at most .25 in 74 photos
without hard shadows."""
_MUCH_WITHIN = 0.1
"""Least share of the symbols whose own paper is partly in shadow for such cards to be lost in
shadows: where only neighbouring cards differ, some are of darker paper. The share was .26 or more
in 15 photos with spots of hard light, and at most .03 in 22 photos in which half of the cards were
drawn in the colour of kraft paper."""
_WINDOW = 7
"""Side of the closing's window, in modules: it contains white wherever in a symbol it lies. In 12
photos of "window" (60 cards, 2 megapixels), 625 of 720 cards are read without this search and 717
with it; in 11 photos with hard shadows by another simulator 608 and 630, and 2 or 3 fewer at 5, 9
and 12."""
_WHITE = 220
"""Grey level that paper gets."""

Grey = NDArray[np.uint8]


def has_hard_shadows(grey: Grey, symbols: NDArray[np.float64]) -> bool:
    """Whether the light changes abruptly on or between many cards.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    symbols : float array, shape (symbols, 4, 2)
        Corners of symbols, pixels.

    Returns
    -------
    bool
    """
    return bool(_shaded(grey, symbols)[1].mean() >= _LEAST_SHADED)


def are_mostly_shaded(grey: Grey, symbols: NDArray[np.float64]) -> bool:
    """Whether the light changes abruptly on or between so many cards that others may be lost there.

    Cards of two colours of paper are not shaded.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    symbols : float array, shape (symbols, 4, 2)
        Corners of symbols, pixels.

    Returns
    -------
    bool
    """
    within, around = _shaded(grey, symbols).mean(1)
    return bool(around >= _MUCH_SHADED and within >= _MUCH_WITHIN)


def _shaded(grey: Grey, symbols: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether the light changes abruptly on or beside each symbol: on its own paper, and on that or
    between it and the nearest symbol's; shape (2, symbols)."""
    if len(symbols) < 2:
        return np.zeros((2, 1), bool)
    low, high = -_BESIDE, MODULES + _BESIDE
    ring = [place for at in _PLACES for place in ((at, low), (high, at), (at, high), (low, at))]
    paper = np.sort(sample(grey, maps_from_corners(symbols), np.array(ring, np.float32)), axis=1)
    dark, light = paper[:, _SECOND], paper[:, -1 - _SECOND]
    middles, sides = symbols.mean(1), np.linalg.norm(symbols[:, 0] - symbols[:, 2], axis=1) / 2**0.5
    apart, other = (part[:, 1] for part in cKDTree(middles).query(middles, 2))
    other = np.where(apart < _NEIGHBOUR * sides, other, np.arange(len(symbols)))
    darkest, lightest = np.minimum(dark, dark[other]), np.maximum(light, light[other])
    left = np.stack([dark, darkest]) / np.maximum(np.stack([light, lightest]), 1)
    return np.asarray(left < _SHADED)


def evened(grey: Grey, module_px: float) -> Grey:
    """Remove light and shadow from a photo, and everything else that is wider than a few modules.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    module_px : float
        Pixels per module.

    Returns
    -------
    uint8 array, shape (height, width)
    """
    side = int(_WINDOW * module_px) | 1
    window = np.ones((side, side), np.uint8)
    light = cv2.morphologyEx(cv2.blur(grey, (3, 3)), cv2.MORPH_CLOSE, window)
    light = cv2.max(cv2.blur(light, (side, side)), np.ones(1))
    return np.asarray(cv2.divide(grey, light, scale=_WHITE), np.uint8)
