"""Recognising symbols that are printed too pale or with gaps.

Where a pale symbol is, the photo still correlates with the modules common to all symbols. Where one
is covered it does not, or a finder pattern is gone while another is as dark as on other cards, or
the modules between them are all alike.
"""

import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import MODULES
from printables.reading.symbols.alignment import refine_finely, rough_correlation
from printables.reading.symbols.pose import Poses, maps_from_corners, sample
from printables.reading.symbols.rotations import transforms
from printables.reading.symbols.symbol_model import UNKNOWN, common_modules

_SHIFTS, _TURNS_DEG = (-1.5, 0.0, 1.5), (-8.0, 0.0, 8.0)
"""Shifts along both axes, in modules, and rotations, in degrees, in which a symbol is searched for
beside the place that its card's outline gives."""
_TRIED = 6
"""In how many of these shifts and rotations each symbol is refined. In 18 photos of print that is
faded to a quarter, 75 of 100 unread cards compared are pale, 72 at 3, 77 at 12, which takes longer;
in 48 photos of covered cards 2 of 130 are, with each of them."""
_LEAST_CORRELATION = 0.38
"""Least correlation of a pale symbol. With the conditions below, 165 of 197 unread cards with pale
or streaked print are above it, and 6 of 364 that are covered, face down, written on or under a coin
or paper; at .44, 152 and 5 (`tests/bench/worn.py`, 40 cards each)."""
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
_MIDDLE, _LEAST_VARIED = slice(8, 13), 0.008
"""Rows and columns in the middle of a symbol, and least standard deviation of their darkness. It
was at most .006 for a blank card, a coin or paper, and at least .009 for 126 of 127 pale
symbols."""
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
    pale = np.zeros(len(places), bool)
    maps = maps_from_corners(places.reshape(-1, 4, 2)).reshape(*places.shape[:2], 2, 3)
    varied = _varied(_darkness(grey, maps.reshape(-1, 2, 3), _MIDDLE)).reshape(maps.shape[:2])
    (inked,) = np.nonzero(varied.any(1))
    if not len(inked) or not len(read):
        return pale
    poses = _most_similar(grey, maps[inked], blur_px)
    usual, seen = _darkness(grey, maps_from_corners(read)), _darkness(grey, poses.maps)
    full = max(float(np.median(usual[:, common_modules() == 1])), 1e-6)
    centres = [usual[:, y + 2 : y + 5, x + 2 : x + 5] for x, y in _FINDERS]
    all_pale = bool(np.median(centres) < _ALL_PALE)
    left = np.array([_is_pale(symbol, all_pale) for symbol in seen / full], bool)
    left &= _varied(seen[:, _MIDDLE, _MIDDLE]) & (poses.correlation >= _LEAST_CORRELATION)
    pale[inked] = left
    return pale


def _varied(middles: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which middles of symbols, by the darkness of their modules, show more than one tone."""
    return np.asarray(middles.std((1, 2)) >= _LEAST_VARIED)


def _most_similar(
    grey: NDArray[np.uint8], maps: NDArray[np.float64], blur_px: float | None
) -> Poses:
    """The pose near each card's places, shape (cards, ways, 2, 3), that resembles a symbol most."""
    near = (maps[:, :, None] @ transforms(_TURNS_DEG, _SHIFTS)).reshape(len(maps), -1, 2, 3)
    alike = rough_correlation(grey, near.reshape(-1, 2, 3)).reshape(near.shape[:2])
    likely = np.argsort(-alike, axis=1, kind="stable")[:, :_TRIED]
    chosen = np.take_along_axis(near, likely[..., None, None], 1)
    poses = refine_finely(grey, chosen.reshape(-1, 2, 3), blur_px, False)
    best = poses.correlation.reshape(likely.shape).argmax(1)
    return poses[best + _TRIED * np.arange(len(maps))]


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


def _darkness(
    grey: NDArray[np.uint8], maps: NDArray[np.float64], part: slice = slice(MODULES)
) -> NDArray[np.float32]:
    """How much darker than paper each module is, as a share of paper's grey level, shape (symbols,
    21, 21); or only of these rows and columns."""
    x, y = np.meshgrid(*[np.arange(MODULES)[part]] * 2)
    offsets = np.array([[x, y] for y in (0.3, 0.5, 0.7) for x in (0.3, 0.5, 0.7)])
    points = np.stack([x, y], -1).reshape(-1, 1, 2) + offsets
    seen = sample(grey, maps, points.reshape(-1, 2).astype(np.float32))
    light = seen.reshape(len(maps), *x.shape, len(offsets)).mean(3)
    paper = np.quantile(light, _PAPER, axis=(1, 2), keepdims=True)
    return np.asarray(1 - light / np.maximum(paper, 1), np.float32)
