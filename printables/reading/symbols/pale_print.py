"""Recognising symbols that are printed too pale or with gaps.

Where a pale symbol is, the photo still correlates with the modules common to all symbols. Where one
is covered it does not, or a finder pattern is gone while another is as dark as on other cards, or
the modules between them are all alike.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import MODULES
from printables.reading.symbols.alignment import refine_finely
from printables.reading.symbols.pose import maps_from_corners, sample
from printables.reading.symbols.rotations import best_rotations
from printables.reading.symbols.symbol_model import UNKNOWN, common_modules

_SOFT_PX, _LEAST_ROUGH, _TRIED = 3, 0.38, 3
"""Side, in pixels, of the blur before rotations are compared; least correlation of a symbol whose
rotation is refined, which only saves time; and number of rotations that are. With one, 9 of 36 pale
symbols of `_LEAST_CORRELATION` are below it, with three 3."""
_LEAST_CORRELATION = 0.44
"""Least correlation of a pale symbol. It was .43 or more on 33 of 36 unread cards with pale or
streaked print, and .43 or less on 26 of 28 that lay face down or under things, hands or cards
(`tests/bench/worn.py`, 40 cards each)."""
_PALE, _LEAST_PALE = 0.6, 0.25
"""Darkness, as a share of that of the symbols read, below which a dark module is pale, and least
share of them in a pale symbol. It was .33 to 1 in these photos, and .07 or less where the cards
were written on."""
_ALL_PALE = 0.3
"""Darkness of finder patterns' centres on the cards read below which the whole deck is pale. It was
.54 to .72 in 25 photos of well printed decks (.35 and .47 in two out of focus), .24 in one of a
pale deck."""
_WHOLE, _GONE = 0.7, 0.15
"""Darkness of a finder pattern, as a share of that of the symbols read, from which it is in sight,
and up to which something covers it."""
_CONTRAST, _MIDDLING = (0.38, 2.6), (0.2, 0.8)
"""Least and greatest difference of the darkness of the other modules, between these two quantiles,
as a share of the darkness of the common dark ones. It was .40 to 2.5 on 35 of 36 pale symbols, and
.45 or less on seven of nine with a uniform thing in the middle: two under paper remain that are
called pale. It was 3.3 and 8.9 where a sketch in a pile was compared."""
_PAPER = 0.9
"""Quantile of a symbol's grey levels that is paper's."""
_FINDER = 7
"""Modules along a side of a finder pattern."""
_FINDERS = ((0, 0), (MODULES - _FINDER, 0), (0, MODULES - _FINDER))
"""Their upper left modules."""

Corners = NDArray[np.float64]


def pale_symbols(
    grey: NDArray[np.uint8], places: Corners, read: Corners, blur_px: float | None
) -> NDArray[np.bool_]:
    """Test which symbols of unread cards are printed too pale or with gaps.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    places : float array, shape (cards, ways, 4, 2)
        Where each symbol is, for every way in which its card may be turned, pixels.
    read : float array, shape (symbols, 4, 2)
        Corners of symbols that were read, pixels.
    blur_px : float or None
        Greatest blur of the picture, pixels, if known.

    Returns
    -------
    bool array, shape (cards,)
    """
    cards, ways = places.shape[:2]
    maps = maps_from_corners(places.reshape(-1, 4, 2))
    soft = np.asarray(cv2.blur(grey, (_SOFT_PX, _SOFT_PX)), np.uint8)
    rough, alike = best_rotations(soft, maps, _TRIED)
    tried = np.flatnonzero(alike.reshape(cards, -1).max(1) >= _LEAST_ROUGH)
    pale = np.zeros(cards, bool)
    if not len(tried) or not len(read):
        return pale
    rough = rough.reshape(cards, ways * _TRIED, 2, 3)[tried]
    poses = refine_finely(grey, rough.reshape(-1, 2, 3), blur_px, False)
    correlation = poses.correlation.reshape(len(tried), -1)
    best = poses.maps.reshape(rough.shape)[np.arange(len(tried)), correlation.argmax(1)]
    usual = _darkness(grey, maps_from_corners(read))
    common = common_modules()
    full = max(float(np.median(usual[:, common == 1])), 1e-6)
    centres = [usual[:, y + 2 : y + 5, x + 2 : x + 5] for x, y in _FINDERS]
    all_pale = bool(np.median(centres) < _ALL_PALE)
    left = [_is_pale(symbol, all_pale) for symbol in _darkness(grey, best) / full]
    pale[tried] = np.array(left) & (correlation.max(1) >= _LEAST_CORRELATION)
    return pale


def _is_pale(left: NDArray[np.float32], all_pale: bool) -> bool:
    """Test the darkness of a symbol's modules, as a share of that of the symbols read."""
    dark = common_modules() == 1
    squares = [np.s_[y : y + _FINDER, x : x + _FINDER] for x, y in _FINDERS]
    finders = [np.median(left[square][dark[square]]) for square in squares]
    if max(finders) >= _WHOLE and min(finders) <= _GONE:
        return False
    low, high = np.quantile(left[common_modules() == UNKNOWN], _MIDDLING)
    least, most = np.multiply(_CONTRAST, np.median(left[dark]))
    if not least <= high - low <= most:
        return False
    return all_pale or bool((left[dark] < _PALE).mean() >= _LEAST_PALE)


def _darkness(grey: NDArray[np.uint8], maps: NDArray[np.float64]) -> NDArray[np.float32]:
    """How much darker than paper each module is, as a share of paper's grey level, shape (symbols,
    21, 21)."""
    x, y = np.meshgrid(np.arange(MODULES), np.arange(MODULES))
    offsets = np.array([[x, y] for y in (0.3, 0.5, 0.7) for x in (0.3, 0.5, 0.7)])
    points = np.stack([x, y], -1).reshape(-1, 1, 2) + offsets
    seen = sample(grey, maps, points.reshape(-1, 2).astype(np.float32))
    light = seen.reshape(len(maps), MODULES, MODULES, len(offsets)).mean(3)
    paper = np.quantile(light, _PAPER, axis=(1, 2), keepdims=True)
    return np.asarray(1 - light / np.maximum(paper, 1), np.float32)
