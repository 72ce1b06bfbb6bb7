"""Finding symbols of which something covers up to half.

Two finder patterns at the right distance give a hypothesis, and the part of the symbol between them
that must be in sight: the upper or the left half, or the band from corner to corner. If hardly more
than two patterns in a row is in sight, a symbol is found that cannot be recognised. The modules
common to all symbols confirm a hypothesis in its part only, since anything may be printed on the
card that covers the rest. For patterns alone see `deck.glimpsed_cards`.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from printables.cards.codes import MODULES
from printables.reading.symbols.alignment import gauss_newton_step, linear_model
from printables.reading.symbols.finder_patterns import (
    finder_peaks,
    maps_of_pairs,
)
from printables.reading.symbols.pose import middles_of, module_sizes, sample
from printables.reading.symbols.symbol_model import (
    blurred_samples,
    common_modules,
    common_samples,
    grid,
    inside_symbol,
)

_LEAST_PEAK, _LEAST_FINDER, _FINE = 0.3, 0.78, 8
"""Least correlation of a finder pattern in any rotation, and in its own; and steps per module in
which it is drawn. The second only saves time: in 12 careless photos by another simulator as many
cards are read at .5 and .7."""
_STRETCH = 0.1
"""Greatest relative error of the size of a module. Not varied in any measurement."""
_OWN = 0.55
"""Distance from the centre of a known symbol, in its sides, within which patterns belong to it; as
in `finder_patterns`."""
SOFT_PX, _BLUR, _STRIDE, _STEPS = 3, 0.8, 3, 4
"""Side of the box by which the picture is softened, in pixels, and the blur of the model that this
allows, in modules; one in how many samples is used first, and number of Gauss-Newton steps. In the
sharp picture, symbols had a correlation of .5 instead of .85 with the common modules."""
BY_PAIRS, BY_ROWS = (0, 1, 2), (3, 4)
"""Parts of a symbol, as indices in `half_parts`, between two finder patterns, and by a row of
two."""
_LEAST_ROUGH, _LEAST_CORRELATION = 0.5, (0.75, 0.75, 0.75, 0.87, 0.87)
"""Least correlation with the common modules before these steps, and after them for each part. At .7
by two finder patterns, a place without a symbol led by .48 in one of those photos; no place has led
by more than .2 since. By rows, 15 of 21 symbols in 63 photos by a third simulator had .87 or more,
and 29 places without a symbol at most .85."""
_RIGID = 0.1
"""Strength of `rigidity`, per sample. Not varied in any measurement."""
_AROUND = 4.5
"""Distance from a finder pattern's centre, in modules, up to which its slopes are measured. Not
varied in any measurement."""
_ROW = 8
"""Modules from the edge of a symbol to the end of a finder pattern with its separator."""
_CELL = 3.0
"""Distance in modules within which two candidates are one. Bounds the time."""
_AT_ONCE = 512
"""Poses compared together, which bounds the memory."""

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Finders:
    """Finder patterns.

    Attributes
    ----------
    peaks : float array, shape (patterns, 2)
        Centres, pixels.
    turns : float array, shape (patterns,)
        Rotations up to quarter turns, radians.
    """

    peaks: Points
    turns: NDArray[np.float64]

    def __getitem__(self, chosen: NDArray[np.generic]) -> "Finders":
        return Finders(self.peaks[chosen], self.turns[chosen])

    def maps(self, module_px: float) -> Points:
        """Maps from modules around their centres to pixels, shape (patterns, 2, 3)."""
        right = module_px * np.stack([np.cos(self.turns), np.sin(self.turns)], -1)
        return np.stack([right, np.stack([-right[:, 1], right[:, 0]], -1), self.peaks], -1)

    def are_beside(self, middles: Points, module_px: float) -> NDArray[np.bool_]:
        """Which of them belong to no symbol with one of these centres, pixels."""
        return _is_beside(self.peaks, middles, module_px)


@dataclass(frozen=True)
class HalfSymbols:
    """Candidates for symbols of which something covers a part.

    Attributes
    ----------
    maps : float array, shape (symbols, 2, 3)
        Affine maps from modules to pixels.
    correlation : float array, shape (symbols,)
        Correlation of the picture with the common modules of the part, in [-1, 1].
    parts : int array, shape (symbols,)
        The part in sight, as an index in `half_parts`.
    """

    maps: Points
    correlation: NDArray[np.float64]
    parts: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.maps)

    def __getitem__(self, chosen: NDArray[np.generic]) -> "HalfSymbols":
        return HalfSymbols(self.maps[chosen], self.correlation[chosen], self.parts[chosen])


@lru_cache(maxsize=1)
def half_parts() -> NDArray[np.bool_]:
    """Which samples of `grid` are in each part, shape (5, samples).

    The parts are the upper half, the left half and the band from the upper right to the lower left
    corner; and the rows of the upper and of the left finder patterns.
    """
    x, y = grid().T
    middle = MODULES / 2
    band = np.abs(x + y - MODULES) < middle + 2
    halves = [y < middle + 1, x < middle + 1, band]
    return np.stack([*halves, y < _ROW, x < _ROW]) & inside_symbol()


@lru_cache(maxsize=1)
def rigidity() -> NDArray[np.float64]:
    """Penalty on changes of a pose other than shifts and rotations, by the terms of `linear_model`,
    since a part of a symbol shows little of its scale and shear; shape (10, 10)."""
    penalty = 1e-3 * np.eye(10)
    for terms in ((5,), (9,), (6, 8)):
        penalty[np.ix_(terms, terms)] += _RIGID
    return penalty


def places_of_finders(
    grey: NDArray[np.uint8], module_px: float, searched: NDArray[np.integer[Any]]
) -> Points:
    """Find places that look like finder patterns in any rotation.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        A picture in which all modules have the same size.
    module_px : float
        Size of a module, pixels; about 2 works best.
    searched : int array, shape (height, width)
        Greater than 0 where finder patterns are searched for, 0 elsewhere.

    Returns
    -------
    float array, shape (places, 2)
        Whole pixels.
    """
    peaks, _ = finder_peaks(grey, module_px, _LEAST_PEAK)
    column, row = peaks.astype(np.intp).T
    return peaks[searched[row, column] > 0]


def clear_finders(grey: NDArray[np.uint8], module_px: float, peaks: Points) -> Finders:
    """Find clear finder patterns at some places.

    Parameters
    ----------
    grey, module_px
        As for `places_of_finders`.
    peaks : float array, shape (places, 2)
        As from it.

    Returns
    -------
    Finders
    """
    soft = np.asarray(cv2.blur(grey, (SOFT_PX, SOFT_PX)), np.uint8)
    turns = _turns(soft, peaks, module_px)
    found = Finders(peaks, turns)
    points, pattern = finder_model()
    seen = sample(soft, found.maps(module_px), points)
    seen -= seen.mean(1, keepdims=True)
    alike = -(seen @ pattern) / np.maximum(np.linalg.norm(seen, axis=1), 1e-6)
    return found[alike >= _LEAST_FINDER]


def _is_beside(peaks: Points, middles: Points, module_px: float) -> NDArray[np.bool_]:
    """Which finder patterns belong to no symbol with one of these centres."""
    if not len(middles) or not len(peaks):
        return np.ones(len(peaks), bool)
    return np.asarray(cKDTree(middles).query(peaks)[0] > _OWN * MODULES * module_px)


@lru_cache(maxsize=1)
def finder_model() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Draw a finder pattern with its separator.

    Returns
    -------
    points : float32 array, shape (289, 2)
        Modules from its centre, half a module apart.
    dark : float32 array, shape (289,)
        How dark they are, with a mean of 0 and a norm of 1.
    """
    drawn = np.zeros((11, 11), np.float32)
    drawn[2:9, 2:9], drawn[3:8, 3:8], drawn[4:7, 4:7] = 1, 0, 1
    fine = np.kron(drawn, np.ones((_FINE, _FINE), np.float32))
    soft = cv2.GaussianBlur(fine, (0, 0), _BLUR * _FINE)
    along = np.arange(-4.0, 4.5, 0.5)
    y, x = (part.ravel() for part in np.meshgrid(along, along, indexing="ij"))
    row, column = (((part + 5.5) * _FINE).astype(int) for part in (y, x))
    dark = soft[row, column] - soft[row, column].mean()
    return np.stack([x, y], -1).astype(np.float32), dark / np.linalg.norm(dark)


def _turns(grey: NDArray[np.uint8], peaks: Points, module_px: float) -> NDArray[np.float64]:
    """Rotations of finder patterns up to quarter turns, in radians, by the slopes of their
    sides."""
    reach = int(np.ceil(_AROUND * module_px)) + 1
    along = np.arange(-reach, reach + 1, dtype=np.float32)
    y, x = np.meshgrid(along, along, indexing="ij")
    shifts = np.broadcast_to(np.eye(2), (len(peaks), 2, 2))
    maps = np.concatenate([shifts, peaks[..., None]], -1)
    patches = sample(grey, maps, np.stack([x.ravel(), y.ravel()], -1)).reshape(-1, *x.shape)
    inside = np.hypot(x, y)[1:-1, 1:-1] < reach - 1
    right = (patches[:, 1:-1, 2:] - patches[:, 1:-1, :-2])[:, inside]
    down = (patches[:, 2:, 1:-1] - patches[:, :-2, 1:-1])[:, inside]
    # the fourth powers of directions are alike for all four sides
    along, across = right * right - down * down, 2 * right * down
    steepness = np.maximum(np.hypot(along, across), 1e-6)
    real, imaginary = (
        ((along * along - across * across) / steepness),
        2 * along * across / steepness,
    )
    return np.asarray(np.arctan2(imaginary.sum(1), real.sum(1)) / 4, float)


def half_symbols(
    grey: NDArray[np.uint8], module_px: float, finders: Finders, parts: tuple[int, ...]
) -> HalfSymbols:
    """Find candidates by finder patterns.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        A picture in which all modules have the same size.
    module_px : float
        Size of a module, pixels.
    finders : Finders
    parts : {BY_PAIRS, BY_ROWS}

    Returns
    -------
    HalfSymbols
    """
    if not len(finders.peaks):
        return HalfSymbols(np.zeros((0, 2, 3)), np.zeros(0), np.zeros(0, np.intp))
    soft = np.asarray(cv2.blur(grey, (SOFT_PX, SOFT_PX)), np.uint8)
    placed = maps_of_pairs(finders.peaks, module_px)
    found = [
        _confirmed(soft, module_px, maps, part) for part, maps in zip(parts, placed, strict=False)
    ]
    every = HalfSymbols(
        np.concatenate([part.maps for part in found]),
        np.concatenate([part.correlation for part in found]),
        np.concatenate([part.parts for part in found]),
    )
    return _best_per_place(every, _CELL * module_px)


def _confirmed(grey: NDArray[np.uint8], module_px: float, maps: Points, part: int) -> HalfSymbols:
    """The maps, refined, that the common modules of a part confirm."""
    rough = _PartModel.of(part, _STRIDE)
    maps = maps[np.abs(module_sizes(maps) / module_px - 1) < _STRETCH]
    maps = rough.refined(grey, maps[rough.correlation(grey, maps) >= _LEAST_ROUGH])
    alike = _PartModel.of(part, 1).correlation(grey, maps)
    good = alike >= _LEAST_CORRELATION[part]
    return HalfSymbols(maps[good], alike[good], np.full(good.sum(), part))


@dataclass(frozen=True, eq=False)
class _PartModel:
    """The linear model on the common modules of a part."""

    points: NDArray[np.float32]
    inverse: NDArray[np.float32]
    light: NDArray[np.float32]
    pattern: NDArray[np.float32]

    @classmethod
    @lru_cache(maxsize=16)
    def of(cls, part: int, stride: int) -> "_PartModel":
        """The model of a part, on one in `stride` samples."""
        known = np.flatnonzero(common_samples() & half_parts()[part])[::stride]
        model = linear_model(blurred_samples(common_modules(), _BLUR))[known].astype(float)
        square = model.T @ model + len(known) * rigidity()
        light = np.linalg.qr(model[:, :3])[0]
        pattern = model[:, 3] - light @ (light.T @ model[:, 3])
        parts = (model @ np.linalg.inv(square), light, pattern / np.linalg.norm(pattern))
        return cls(grid()[known], *(part.astype(np.float32) for part in parts))

    def correlation(self, grey: NDArray[np.uint8], maps: Points) -> NDArray[np.float64]:
        """Partial correlation given the illumination."""
        alike = [np.zeros(0)]
        for start in range(0, len(maps), _AT_ONCE):
            seen = sample(grey, maps[start : start + _AT_ONCE], self.points)
            seen -= (seen @ self.light) @ self.light.T
            norm = np.maximum(np.linalg.norm(seen, axis=1), 1e-6)
            alike.append(-(seen @ self.pattern) / norm)
        return np.concatenate(alike)

    def refined(self, grey: NDArray[np.uint8], maps: Points) -> Points:
        """Maps after some Gauss-Newton steps."""
        for _ in range(_STEPS if len(maps) else 0):
            maps = gauss_newton_step(maps, sample(grey, maps, self.points) @ self.inverse)
        return maps


def _best_per_place(found: HalfSymbols, apart: float) -> HalfSymbols:
    """The best candidate at each place."""
    middles = middles_of(found.maps)
    kept: list[int] = []
    for place in np.argsort(-found.correlation, kind="stable").tolist():
        if not (np.abs(middles[kept] - middles[place]).max(1) < apart).any():
            kept.append(place)
    return found[np.array(kept, np.intp)]
