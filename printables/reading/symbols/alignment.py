"""Fitting a symbol's grid to a photo, to a fraction of a module, before the symbol is read.

Starting from a rough quadrilateral, each of its four rotations is refined on the modules common to
all symbols, by Gauss-Newton steps (inverse compositional image alignment) with one fixed linear
model: image = illumination gradient + contrast * (symbol + its derivatives * a small change of
pose). All quadrilaterals of a photo are refined together.

References
----------
Baker, S., & Matthews, I. (2004). Lucas-Kanade 20 years on: a unifying framework. International
Journal of Computer Vision, 56(3), 221-255.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import MODULES
from printables.reading.symbols.pose import (
    Poses,
    apply_change,
    maps_from_corners,
    module_sizes,
    sample,
)
from printables.reading.symbols.symbol_model import (
    PER_MODULE,
    SPAN,
    blurred_samples,
    common_modules,
    common_samples,
    grid,
    inside_symbol,
)

_ROUGH, _ROUGH_STEPS, _ROUGH_STRIDE = 1.0, 4, 6
"""Of the rough steps: blur of the model, a standard deviation in modules; number of steps; and one
in how many samples is used. At a blur of 0.6, 43 of 146 cards are missed in "careless" (150 cards)
and as many in "messenger", at 1.6 three in "careless"; with one in 20 samples, two. With one or two
steps no card is missed, but a table of "careless" (60 cards) has wrong groups without a warning."""
_FINE, _FINE_STEPS = (0.6, 1.0, 1.4, 1.9), 5
"""Of the fine steps: blurs of the models, of which the best is used, and number of steps. With 0.6
alone 36 of 286 cards are missed in "careless" (300 cards), with 1.0 alone four in "careless" (150
cards); no scene tried differs without 1.4 and 1.9. With one step one card is missed there."""
FAINTEST = 4.0
"""Least contrast, in grey levels, by which a step is divided. No scene tried differs at 0.5 or
20."""
_LEAST_BEFORE, _LEAST_AFTER, _OF_BEST = 0.3, 0.2, 0.6
"""Least correlation of the best rotation before and after the rough steps, and of the others before
them, as a share of the best one's. Of 1,578 symbols in eleven searches of six scenes the least had
0.48 before; of 3,663 patches on one cloth, 92 % were under 0.3. Only saves time: no scene tried
misses a card at 0 and 0.45, or -1 and 0.4 of the first two, or without the third."""
_LIKELY = 0.45
"""Least correlation after the rough steps of `refine_poses`; symbols in "careless" have 0.6 or
more. At 0.65 seven cards are missed in "careless" (150 cards); no scene tried differs at 0.1."""
_BLUR_STRIDE = 3
"""One in how many samples is used to choose a blur. With one in 15, a card is missed on each of two
"careless" tables of 150."""
_SURE, _LEAST_SURE, _SLACK = 0.7, 5, 1.4
"""Least correlation of symbols from which a photo's blur is estimated, their least number, and by
what factor the blur may be greater near the photo's edges. No scene tried differs at 0.4 or 0.9, 1
or 30, 1.0 or 2.5."""
_AT_ONCE = 64
"""Poses refined together: as many as fit the processor's cache."""
_COMPARED, _COMPARED_STRIDE = 512, 13
"""Poses compared together, and one in how many samples is used: about 60 samples are enough. No
card is missed with one in 4 or 40."""

BLURS = (0.45, 0.7, 1.0, 1.4, 1.9)
"""Blurs that are tried for symbols that were not decoded: standard deviations in modules. Not
varied in any measurement."""
_USUAL = 1.0
"""Greatest blur, in modules, that is tried in every photo. Any grey spot resembles a symbol that is
blurred enough, so greater blurs are tried only if the photo is known to be blurred. At 0.6 a card
is missed in "careless" (150 cards); no scene tried misses one at 1.9."""


def fit_poses(
    grey: NDArray[np.uint8], quads: NDArray[np.float64], soft: NDArray[np.uint8] | None = None
) -> Poses:
    """Refine quadrilaterals into poses.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        At a scale of about 1 to 4 pixels per module.
    quads : float array, shape (n, 4, 2)
        Corners, pixels, clockwise, starting at any corner; accurate to about two modules.
    soft : uint8 array, shape (height, width), optional
        `grey` averaged over 3 x 3 pixels, if it is known already.

    Returns
    -------
    Poses
        The best rotation of each quadrilateral that resembles a symbol.
    """
    if not len(quads):
        return Poses(np.zeros((0, 2, 3)), np.zeros(0))
    turned = np.concatenate([np.roll(quads, -turn, axis=1) for turn in range(4)])
    middle = turned.mean(1, keepdims=True)
    maps = maps_from_corners(middle + 0.97 * (turned - middle))
    module = np.sqrt(np.median(np.abs(np.linalg.det(maps[:, :, :2]))))
    # a box of this side has the standard deviation of half a module
    side = int((3 * module**2 + 1) ** 0.5 / 2) * 2 + 1
    if soft is None or side != 3:
        soft = np.asarray(cv2.blur(grey, (side, side)), np.uint8)
    model = _CommonModel.of(_ROUGH, _ROUGH_STRIDE)
    first = model.correlation(sample(soft, maps, model.points)).reshape(4, -1)
    most = first.max(0)
    quad, turn = np.nonzero(((most >= _LEAST_BEFORE) & (first >= _OF_BEST * most)).T)
    rough = _gauss_newton(soft, maps.reshape(4, -1, 2, 3)[turn, quad], model, _ROUGH_STEPS)
    after = np.full(first.shape, -1.0)
    after[turn, quad] = rough.correlation
    (likely,) = np.nonzero((rough.correlation >= _LEAST_AFTER) & (turn == after.argmax(0)[quad]))
    return refine_finely(grey, rough.maps[likely])


def refine_finely(
    grey: NDArray[np.uint8],
    maps: NDArray[np.float64],
    blur_px: float | None = None,
    quiet_zone: bool = True,
) -> Poses:
    """Refine maps that are accurate to a module and whose rotation is known.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    maps : float array, shape (n, 2, 3)
        From modules to pixels.
    blur_px : float, optional
        Greatest blur of the picture, pixels, if known.
    quiet_zone : bool
        Whether the symbols have their quiet zone.

    Returns
    -------
    Poses
        In the same order.
    """
    chosen = best_blur(grey, maps, _FINE, blur_px)
    settled = Poses(maps.copy(), np.zeros(len(maps)))
    for choice in np.unique(chosen):
        (mine,) = np.nonzero(chosen == choice)
        model = _CommonModel.of(_FINE[choice], 1, quiet_zone)
        fine = _gauss_newton(grey, maps[mine], model, _FINE_STEPS)
        settled.maps[mine], settled.correlation[mine] = fine.maps, fine.correlation
    return settled


def rough_correlation(grey: NDArray[np.uint8], maps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute the correlation of unrefined poses with the common modules, from some samples.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    maps : float array, shape (n, 2, 3)
        From modules to pixels.

    Returns
    -------
    float array, shape (n,)
        In [-1, 1].
    """
    model = _CommonModel.of(_ROUGH, _COMPARED_STRIDE, False)
    parts = [maps[start : start + _COMPARED] for start in range(0, len(maps), _COMPARED)]
    alike = [model.correlation(sample(grey, part, model.points)) for part in parts]
    return np.concatenate([np.zeros(0), *alike])


def refine_poses(
    grey: NDArray[np.uint8], maps: NDArray[np.float64], blur_px: float | None = None
) -> Poses:
    """Refine maps that are accurate to two modules and whose rotation is known.

    Symbols need no quiet zone.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    maps : float array, shape (n, 2, 3)
        From modules to pixels.
    blur_px : float, optional
        Greatest blur of the picture, pixels, if known.

    Returns
    -------
    Poses
        Those that resemble a symbol after the rough steps.
    """
    rough = _CommonModel.of(_ROUGH, _ROUGH_STRIDE, False)
    poses = _gauss_newton(grey, maps, rough, _ROUGH_STEPS)
    return refine_finely(grey, poses.maps[poses.correlation >= _LIKELY], blur_px, False)


def linear_model(shown: NDArray[np.float32]) -> NDArray[np.float32]:
    """Compute the columns of the linear model: illumination, the symbol, and changes of its pose.

    Parameters
    ----------
    shown : float array, shape (..., SPAN * SPAN)
        Symbols from `blurred_samples`.

    Returns
    -------
    float array, shape (..., SPAN * SPAN, 10)
        Illumination and its gradients (3), the symbol (1), and its derivatives by pose (6): shift,
        scale and shear along x, then along y, each in modules at the symbol's edge.
    """
    image = shown.reshape(*shown.shape[:-1], SPAN, SPAN)
    down, right = np.gradient(image, 1 / PER_MODULE, axis=(-2, -1))
    u, v = (np.broadcast_to(part, shown.shape) for part in _centred_grid().T)
    columns = np.stack([np.ones(shown.shape, np.float32), u, v, shown], -1)
    slopes = (right.reshape(shown.shape), down.reshape(shown.shape))
    changes = [part for slope in slopes for part in (slope, slope * u, slope * v)]
    return np.concatenate([columns, np.stack(changes, -1)], -1)


def best_blur(
    grey: NDArray[np.uint8],
    maps: NDArray[np.float64],
    blurs: Sequence[float],
    blur_px: float | None = None,
) -> NDArray[np.intp]:
    """Choose the blur with which the common modules correlate best with each pose.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    maps : float array, shape (poses, 2, 3)
    blurs : sequence of float
        In modules, ascending.
    blur_px : float, optional
        Greatest blur of the picture, pixels; by default that of usual photos.

    Returns
    -------
    int array, shape (poses,)
        Index in `blurs`.
    """
    models = [_CommonModel.of(blur, _BLUR_STRIDE, False) for blur in blurs]
    seen = sample(grey, maps, models[0].points)
    alike = np.array([model.correlation(seen) for model in models])
    most = np.maximum((blur_px or 0.0) / np.maximum(module_sizes(maps), 1e-6), _USUAL)
    alike[np.array(blurs)[:, None] > most + 1e-6] = -2.0
    return np.asarray(alike.argmax(0))


def estimate_blur(grey: NDArray[np.uint8], poses: Poses) -> float | None:
    """Estimate the greatest blur of a picture, in pixels, from its symbols; None if too few."""
    sure = poses.maps[poses.correlation >= _SURE]
    if len(sure) < _LEAST_SURE:
        return None
    chosen = best_blur(grey, sure, BLURS, np.inf)
    return float(_SLACK * np.quantile(np.array(BLURS)[chosen] * module_sizes(sure), 0.8))


def symbol_darkness(
    grey: NDArray[np.uint8], maps: NDArray[np.float64], blur: float
) -> NDArray[np.float32]:
    """Sample symbols on `grid`, corrected for illumination: 0 for light modules, 1 for dark ones.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    maps : float array, shape (poses, 2, 3)
        From modules to pixels.
    blur : float
        Of the symbols, in modules.

    Returns
    -------
    float array, shape (poses, SPAN * SPAN)
    """
    model = _CommonModel.of(blur, 1)
    terms = sample(grey, maps, model.points) @ model.inverse
    light = terms[:, :3] @ linear_model(np.zeros(SPAN * SPAN, np.float32))[:, :3].T
    return (sample(grey, maps, grid()) - light) / np.minimum(terms[:, 3:4], -FAINTEST)


def gauss_newton_step(
    maps: NDArray[np.float64], terms: NDArray[np.floating]
) -> NDArray[np.float64]:
    """Change poses by the terms of `linear_model`, shape (poses, 10), that fit the picture best."""
    # dark modules have low grey levels, so a symbol's contrast is negative
    return apply_change(maps, terms[:, 4:] / np.minimum(terms[:, 3:4], -FAINTEST))


def _centred_grid() -> NDArray[np.float32]:
    """The grid scaled to [-1, 1] across the symbol, so that all changes of pose are in modules."""
    return grid() / (MODULES / 2) - 1


@dataclass(frozen=True)
class _CommonModel:
    """The linear model on the samples that are the same for all codes."""

    points: NDArray[np.float32]
    inverse: NDArray[np.float32]
    light: NDArray[np.float32]
    pattern: NDArray[np.float32]

    @classmethod
    @lru_cache(maxsize=32)
    def of(cls, blur: float, stride: int, quiet_zone: bool = True) -> "_CommonModel":
        """The model at a blur, on one in `stride` samples, with or without the quiet zone."""
        known = np.flatnonzero(common_samples() & (quiet_zone | inside_symbol()))[::stride]
        model = linear_model(blurred_samples(common_modules(), blur))[known].astype(float)
        light = np.linalg.qr(model[:, :3])[0]
        pattern = model[:, 3] - light @ (light.T @ model[:, 3])
        parts = (np.linalg.pinv(model).T, light, pattern / np.linalg.norm(pattern))
        return cls(grid()[known], *(part.astype(np.float32) for part in parts))

    def correlation(self, seen: NDArray[np.float32]) -> NDArray[np.float64]:
        """Partial correlation given the illumination, so that the edge of a shadow is not mistaken
        for a symbol."""
        rest = seen - (seen @ self.light) @ self.light.T
        return np.asarray(-(rest @ self.pattern) / np.maximum(np.linalg.norm(rest, axis=1), 1e-6))


def _gauss_newton(
    grey: NDArray[np.uint8], maps: NDArray[np.float64], model: _CommonModel, steps: int
) -> Poses:
    """Refine poses in batches, which fit the cache and keep matrix products on one thread."""
    starts = range(0, max(len(maps), 1), _AT_ONCE)
    parts = [
        _gauss_newton_batch(grey, maps[start : start + _AT_ONCE], model, steps) for start in starts
    ]
    return Poses(
        np.concatenate([part.maps for part in parts]),
        np.concatenate([part.correlation for part in parts]),
    )


def _gauss_newton_batch(
    grey: NDArray[np.uint8], maps: NDArray[np.float64], model: _CommonModel, steps: int
) -> Poses:
    for _ in range(steps):
        terms = sample(grey, maps, model.points) @ model.inverse
        maps = gauss_newton_step(maps, terms)
    return Poses(maps, model.correlation(sample(grey, maps, model.points)))
