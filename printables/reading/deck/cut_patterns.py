"""Finder patterns that known cards cover in part.

Where a card that was read lies on another one, only a strip of the lower card's symbol may be in
sight beside its edge, with a part of a finder pattern. Such a pattern is compared with the picture
only where no known card lies, and is then used like a whole one.

References
----------
Lewis, J. P. (1995). Fast normalized cross-correlation. Vision Interface, 120-123.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.reading.symbols.finder_patterns import CORNER
from printables.reading.symbols.half_symbols import SOFT_PX, Finders, finder_model
from printables.reading.symbols.pose import sample

_COVERED = (0.04, 0.67)
"""Least and greatest share of the square around a pattern that known cards cover. Only saves
time."""
_STEPS = ((1.25, 0.0, 0.5), (0.6, 6.0, 0.65), (0.3, 3.0, 0.75), (0.15, 1.5, 0.85))
"""Shifts in modules and rotations in degrees that are tried around the best ones so far, and least
correlation then with the part in sight. With three steps of all rotations from 1.25 modules and 6
degrees, the same cards are outlined in 156 photos by a third simulator, which takes longer."""
_LEAST_INSIDE, _LEAST_SEEN = 0.72, 0.4
"""Least correlation within the pattern's edges alone, and least share in sight. In 37 of those
photos, 94 patterns of unread cards have the second, and 23 others of which the first excludes 12,
such as checks of a cloth beside a card, with 3 of unread cards."""
_LEAST_SPREAD, _LEAST_PATTERN = 6.0, 0.45
"""Least standard deviation of the grey levels in sight, and least norm of what is in sight of the
pattern, whose norm is 1. Not varied in any measurement."""
_LIGHT = 64
"""Greatest value of a place that no known card covers, where the edges of cards are drawn
coarsely."""
_AT_ONCE = 512
"""Patterns compared together, which bounds the memory."""

Points = NDArray[np.float64]
Samples = NDArray[np.float32]


@dataclass(frozen=True)
class CutPatterns:
    """Finder patterns of which a part is in sight.

    Attributes
    ----------
    finders : Finders
    places : int array, shape (patterns,)
        Index of the likely one beside which each was found.
    """

    finders: Finders
    places: NDArray[np.intp]


def may_be_cut(places: Points, module_px: float, covered: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which finder patterns, if they are at some places, known cards cover in part.

    Parameters
    ----------
    places : float array, shape (places, 2)
        Whole pixels.
    module_px, covered
        As for `cut_patterns`.

    Returns
    -------
    bool array, shape (places,)
    """
    around = (2 * int(CORNER * module_px) + 1,) * 2
    column, row = places.astype(np.intp).T
    share = cv2.blur(covered, around)[row, column] / 255
    return np.asarray((share >= _COVERED[0]) & (share <= _COVERED[1]))


def cut_patterns(
    grey: NDArray[np.uint8],
    module_px: float,
    likely: Finders,
    covered: NDArray[np.uint8],
) -> CutPatterns:
    """Find finder patterns that known cards cover in part.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        A picture in which all modules have the same size.
    module_px : float
        Size of a module, pixels.
    likely : Finders
        Beside which one may be, and about how each is turned.
    covered : uint8 array, shape (height, width)
        255 on known cards, 0 elsewhere.

    Returns
    -------
    CutPatterns
    """
    soft = np.asarray(cv2.blur(grey, (SOFT_PX, SOFT_PX)), np.uint8)
    found, places = likely, np.arange(len(likely.peaks))
    for number, (shift, turn, least) in enumerate(_STEPS):
        model = _Model.of(number > 1, soft, covered)
        found, alike = _moved(model, module_px, found, shift, np.deg2rad(turn))
        clear = alike >= least
        found, places = found[clear], places[clear]
    inside = _Model.of(True, soft, covered).within(CORNER)
    clear = inside.alike(module_px, found) >= _LEAST_INSIDE
    return CutPatterns(found[clear], places[clear])


def _moved(
    model: "_Model", module_px: float, found: Finders, shift: float, turn: float
) -> tuple[Finders, NDArray[np.float64]]:
    """The most alike of the shifts and rotations around each pattern, and how alike it is."""
    sides, angles = (-shift, 0.0, shift), sorted({-turn, 0.0, turn})
    steps = np.array([(x, y, angle) for angle in angles for x in sides for y in sides])
    peaks = found.peaks[:, None] + module_px * steps[:, :2]
    turns = found.turns[:, None] + steps[:, 2]
    tried = Finders(peaks.reshape(-1, 2), turns.ravel())
    alike = model.alike(module_px, tried).reshape(turns.shape)
    best = np.ravel_multi_index((np.arange(len(turns)), alike.argmax(1)), turns.shape)
    return tried[best], alike.max(1)


@dataclass(frozen=True, eq=False)
class _Model:
    """Points of a finder pattern, how dark they are, and the pictures it is compared with."""

    points: Samples
    dark: Samples
    soft: NDArray[np.uint8]
    covered: NDArray[np.uint8]

    @classmethod
    def of(cls, fine: bool, soft: NDArray[np.uint8], covered: NDArray[np.uint8]) -> "_Model":
        """All points, or those at the middles of modules."""
        points, dark = finder_model()
        used = fine | (points == np.round(points)).all(1)
        return cls(points[used], dark[used], soft, covered)

    def within(self, reach: float) -> "_Model":
        """The points within the pattern's edges."""
        used = np.abs(self.points).max(1) <= reach
        return _Model(self.points[used], self.dark[used], self.soft, self.covered)

    def alike(self, module_px: float, found: Finders) -> NDArray[np.float64]:
        """Correlation with the parts in sight, -1 where too little is."""
        maps = found.maps(module_px)
        parts = [maps[start : start + _AT_ONCE] for start in range(0, len(maps), _AT_ONCE)]
        return np.concatenate([np.zeros(0), *map(self._alike_at, parts)])

    def _alike_at(self, maps: Points) -> NDArray[np.float64]:
        """The same for few maps."""
        free = sample(self.covered, maps, self.points) < _LIGHT
        count = np.maximum(free.sum(1, keepdims=True), 1)
        seen, dark = sample(self.soft, maps, self.points) * free, self.dark * free
        seen -= free * (seen.sum(1, keepdims=True) / count)
        dark -= free * (dark.sum(1, keepdims=True) / count)
        spread, pattern = np.linalg.norm(seen, axis=1), np.linalg.norm(dark, axis=1)
        enough = (free.mean(1) >= _LEAST_SEEN) & (spread >= _LEAST_SPREAD * count[:, 0] ** 0.5)
        enough &= pattern >= _LEAST_PATTERN * np.linalg.norm(self.dark)
        alike = -(seen * dark).sum(1) / np.maximum(spread * pattern, 1e-6)
        return np.where(enough, alike, -1.0)
