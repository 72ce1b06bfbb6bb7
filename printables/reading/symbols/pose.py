"""Fitting a symbol's grid to a photo, to a fraction of a module, before anything is read.

A pose is an affine map from the symbol's modules to pixels (over a symbol's 20 mm, perspective is
less than a tenth of a module). Starting from a rough quadrilateral, each of its four rotations is
refined on the modules common to all symbols, by Gauss-Newton steps with one fixed linear model:
image = light gradient + contrast * (symbol + its derivatives * a small change of pose). All
quadrilaterals of a photo are refined together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import MODULES
from printables.reading.symbols.symbol_model import (
    PER_MODULE,
    SPAN,
    common_modules,
    common_samples,
    grid,
    on_symbol,
    seen_through,
)

_ROUGH, _ROUGH_STEPS, _ROUGH_STRIDE = 1.0, 4, 6
"""Blur, in modules, of the model of the rough steps, their number, and the part of the samples. At
a blur of 0.6 43 of 146 cards are missed in "careless" (150 cards) and as many in "messenger", at
1.6 three in "careless"; at one step in 20 samples two. With one or two steps no card is missed, and
one of "careless" (60 cards) has wrong groups without a doubt."""
_FINE, _FINE_STEPS = (0.6, 1.0, 1.4, 1.9), 5
"""The same of the fine steps. With 0.6 alone 36 of 286 cards are missed in "careless" (300 cards),
with 1.0 alone four in "careless" (150 cards); no scene tried differs without 1.4 and 1.9. With one
step one card is missed there."""
_FAINTEST = 4.0
"""Least contrast, grey levels, by which a step is divided. No scene tried differs at 0.5 or 20."""
_AT_A_GLANCE, _HOPEFUL = 0.3, 0.2
"""Correlation of the best rotation before and after the rough steps; of 1,578 true places in eleven
looks at six scenes the least had 0.48 before, and 92 % of 3,663 patches on one cloth under 0.3.
They only save time: no scene tried misses a card at 0 and 0.45, or -1 and 0.4."""
_LIKELY = 0.45
"""Correlation after the rough steps; true places in "careless" have 0.6 and more. At 0.65 seven
cards are missed in "careless" (150 cards); no scene tried differs at 0.1."""
_BLUR_STRIDE = 3
"""Part of the samples that tell a blur: every third. With every 15th a card is missed in each of
two "careless" tables of 150."""
_SURE, _LEAST_SURE, _SLACK = 0.7, 5, 1.4
"""Least correlation and number of symbols that show a photo's blur, and how much greater it may be
at its edges. No scene tried differs at 0.4 or 0.9, 1 or 30, 1.0 or 2.5."""
_AT_ONCE = 64
_LOOKED_AT, _GLANCE_STRIDE = 512, 13
"""Places looked at in one go, and the part of the samples: about 60 decide on a first look.
No card is missed with every 4th or 40th."""

BLURS = (0.45, 0.7, 1.0, 1.4, 1.9)
"""Blurs, in modules, that are tried for symbols that no decoder reads."""
_USUAL = 1.0
"""Blur up to which symbols are searched for in every photo. Any grey spot resembles a symbol that
is blurred enough, so more is tried only if the photo is known to be blurred. At 0.6 a card is
missed in "careless" (150 cards); no scene tried misses one at 1.9."""


@dataclass(frozen=True)
class Poses:
    """Poses of likely symbols.

    Attributes
    ----------
    maps : float array, shape (poses, 2, 3)
        From modules to pixels.
    correlation : float array, shape (poses,)
        Correlation of the photo with the modules common to all symbols, in [-1, 1].
    """

    maps: NDArray[np.float64]
    correlation: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.maps)

    def __getitem__(self, chosen: NDArray[np.generic]) -> "Poses":
        return Poses(self.maps[chosen], self.correlation[chosen])

    def corners(self) -> NDArray[np.float64]:
        """Corners in pixels, TL TR BR BL of each symbol as printed, shape (poses, 4, 2)."""
        ends = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * MODULES
        return np.einsum("pij,cj->pci", self.maps[:, :, :2], ends) + self.maps[:, None, :, 2]


def maps_from_corners(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The affine maps, shape (n, 2, 3), that best fit corners TL TR BR BL, shape (n, 4, 2)."""
    ends = np.array([[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], float) * [MODULES, MODULES, 1]
    return np.asarray(np.einsum("ic,ncj->nji", np.linalg.pinv(ends), corners))


def fit_poses(grey: NDArray[np.uint8], quads: NDArray[np.float64]) -> Poses:
    """Refine quadrilaterals into poses.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        At a scale where a module is about 1 to 4 pixels.
    quads : float array, shape (n, 4, 2)
        Corners in pixels, clockwise, starting at any corner; accurate to about two modules.

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
    soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.5 * module), np.uint8)
    model = _CommonModel.of(_ROUGH, _ROUGH_STRIDE)
    glance = model.correlation(sample(soft, maps, model.points)).reshape(4, -1)
    maps = maps.reshape(4, -1, 2, 3)[:, glance.max(0) >= _AT_A_GLANCE]
    left = maps.shape[1]
    rough = _descend(soft, maps.reshape(-1, 2, 3), model, _ROUGH_STEPS)
    best = rough.correlation.reshape(4, -1).argmax(0) * left + np.arange(left)
    hopeful = best[rough.correlation[best] >= _HOPEFUL]
    return settle_poses(grey, rough.maps[hopeful])


def settle_poses(
    grey: NDArray[np.uint8],
    maps: NDArray[np.float64],
    blur_px: float | None = None,
    rim: bool = True,
) -> Poses:
    """Refine maps that are right to a module already, and whose rotation is known.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    maps : float array, shape (n, 2, 3)
    blur_px : float, optional
        Greatest blur of the picture, if known.
    rim : bool
        Whether the symbols have their quiet zone.
    """
    chosen = best_blur(grey, maps, _FINE, blur_px)
    settled = Poses(maps.copy(), np.zeros(len(maps)))
    for choice in np.unique(chosen):
        (mine,) = np.nonzero(chosen == choice)
        model = _CommonModel.of(_FINE[choice], 1, rim)
        fine = _descend(grey, maps[mine], model, _FINE_STEPS)
        settled.maps[mine], settled.correlation[mine] = fine.maps, fine.correlation
    return settled


def rough_correlation(grey: NDArray[np.uint8], maps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Correlation of each unrefined pose with a symbol, from a part of the samples."""
    model = _CommonModel.of(_ROUGH, _GLANCE_STRIDE, False)
    parts = [maps[start : start + _LOOKED_AT] for start in range(0, len(maps), _LOOKED_AT)]
    alike = [model.correlation(sample(grey, part, model.points)) for part in parts]
    return np.concatenate([np.zeros(0), *alike])


def refine_poses(
    grey: NDArray[np.uint8], maps: NDArray[np.float64], blur_px: float | None = None
) -> Poses:
    """Refine maps that are right to a module or two, and whose rotation is known; needs no rim."""
    rough = _CommonModel.of(_ROUGH, _ROUGH_STRIDE, False)
    poses = _descend(grey, maps, rough, _ROUGH_STEPS)
    return settle_poses(grey, poses.maps[poses.correlation >= _LIKELY], blur_px, False)


def sample(
    grey: NDArray[np.uint8], maps: NDArray[np.float64], points: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Grey levels at points of each symbol, shape (poses, points); pixels at the rim are
    repeated."""
    if not len(maps):
        return np.zeros((0, len(points)), np.float32)
    places = (maps[:, :, :2].astype(np.float32) @ points.T + maps[:, :, 2:]).astype(np.float32)
    seen = cv2.remap(
        grey, places[:, 0], places[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(seen, np.float32)


def change_model(shown: NDArray[np.float32]) -> NDArray[np.float32]:
    """The columns of the linear model: light, the symbol, and changes of its pose.

    Parameters
    ----------
    shown : float array, shape (..., SPAN * SPAN)
        Symbols from `seen_through`.

    Returns
    -------
    float array, shape (..., SPAN * SPAN, 10)
        Light and its gradients (3), the symbol, and its derivatives by pose (6): shift, scale and
        shear along x, then along y, each in modules at the symbol's rim.
    """
    image = shown.reshape(*shown.shape[:-1], SPAN, SPAN)
    down, right = np.gradient(image, 1 / PER_MODULE, axis=(-2, -1))
    u, v = (np.broadcast_to(part, shown.shape) for part in _from_middle().T)
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
    """Which blur, in modules, explains best how each pose shows what all symbols share.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    maps : float array, shape (poses, 2, 3)
    blurs : sequence of float
        In modules, rising.
    blur_px : float, optional
        Greatest blur of the picture; by default that of usual photos.
    """
    models = [_CommonModel.of(blur, _BLUR_STRIDE, False) for blur in blurs]
    seen = sample(grey, maps, models[0].points)
    alike = np.array([model.correlation(seen) for model in models])
    most = np.maximum((blur_px or 0.0) / np.maximum(module_sizes(maps), 1e-6), _USUAL)
    alike[np.array(blurs)[:, None] > most + 1e-6] = -2.0
    return np.asarray(alike.argmax(0))


def module_sizes(maps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Side of a module in pixels, shape (poses,)."""
    return np.asarray(np.sqrt(np.abs(np.linalg.det(maps[:, :, :2]))))


def blur_of(grey: NDArray[np.uint8], poses: Poses) -> float | None:
    """The greatest blur of a picture, in pixels, from its symbols; None if there are too few."""
    sure = poses.maps[poses.correlation >= _SURE]
    if len(sure) < _LEAST_SURE:
        return None
    chosen = best_blur(grey, sure, BLURS, np.inf)
    return float(_SLACK * np.quantile(np.array(BLURS)[chosen] * module_sizes(sure), 0.8))


def symbol_darkness(
    grey: NDArray[np.uint8], maps: NDArray[np.float64], blur: float
) -> NDArray[np.float32]:
    """Samples on `grid` corrected for light: 0 for light modules, 1 for dark ones."""
    model = _CommonModel.of(blur, 1)
    terms = sample(grey, maps, model.points) @ model.inverse
    light = terms[:, :3] @ change_model(np.zeros(SPAN * SPAN, np.float32))[:, :3].T
    return (sample(grey, maps, grid()) - light) / np.minimum(terms[:, 3:4], -_FAINTEST)


def moved(maps: NDArray[np.float64], change: NDArray[np.floating]) -> NDArray[np.float64]:
    """Maps after a change of pose in the six terms of `change_model`, shifted by a module at
    most."""
    small = change / np.maximum(np.abs(change).max(1, keepdims=True), 1)
    middle = MODULES / 2
    step = np.zeros((len(maps), 3, 3))
    for axis, (shift, u, v) in enumerate((small[:, :3].T, small[:, 3:].T)):
        step[:, axis] = np.stack([u / middle, v / middle, shift - u - v], -1)
    return np.asarray(maps @ (np.eye(3) - step))


def _from_middle() -> NDArray[np.float32]:
    """The grid scaled to -1 to 1 across the symbol, so that all changes of pose are in modules."""
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
    def of(cls, blur: float, stride: int, rim: bool = True) -> "_CommonModel":
        """The model at a blur, on a part of the samples, with or without the quiet zone."""
        known = np.flatnonzero(common_samples() & (rim | on_symbol()))[::stride]
        model = change_model(seen_through(common_modules(), blur))[known].astype(float)
        light = np.linalg.qr(model[:, :3])[0]
        pattern = model[:, 3] - light @ (light.T @ model[:, 3])
        parts = (np.linalg.pinv(model).T, light, pattern / np.linalg.norm(pattern))
        return cls(grid()[known], *(part.astype(np.float32) for part in parts))

    def correlation(self, seen: NDArray[np.float32]) -> NDArray[np.float64]:
        """Partial correlation given the light, so that an edge in the lighting does not count as a
        symbol."""
        rest = seen - (seen @ self.light) @ self.light.T
        return np.asarray(-(rest @ self.pattern) / np.maximum(np.linalg.norm(rest, axis=1), 1e-6))


def _descend(
    grey: NDArray[np.uint8], maps: NDArray[np.float64], model: _CommonModel, steps: int
) -> Poses:
    """Slices of a few poses, which fit the cache and keep matrix products on one thread."""
    starts = range(0, max(len(maps), 1), _AT_ONCE)
    parts = [_descend_few(grey, maps[start : start + _AT_ONCE], model, steps) for start in starts]
    return Poses(
        np.concatenate([part.maps for part in parts]),
        np.concatenate([part.correlation for part in parts]),
    )


def _descend_few(
    grey: NDArray[np.uint8], maps: NDArray[np.float64], model: _CommonModel, steps: int
) -> Poses:
    for _ in range(steps):
        terms = sample(grey, maps, model.points) @ model.inverse
        # dark modules have low grey levels, so a symbol's contrast is negative
        maps = moved(maps, terms[:, 4:] / np.minimum(terms[:, 3:4], -_FAINTEST))
    return Poses(maps, model.correlation(sample(grey, maps, model.points)))
