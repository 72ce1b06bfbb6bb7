"""Poses of symbols: affine maps from a symbol's modules to pixels, and sampling at them.

Over a symbol's 20 mm, perspective differs from an affine map by less than a tenth of a module.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import MODULES
from printables.tabletop.light import grey_at

_FROM_CORNERS = np.linalg.pinv(
    np.array([[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], float) * [MODULES, MODULES, 1]
)
"""Affine map from a symbol's modules to pixels by least squares, from its four corners."""


@dataclass(frozen=True)
class Poses:
    """Poses of candidate symbols.

    Attributes
    ----------
    maps : float array, shape (poses, 2, 3)
        Affine maps from modules to pixels.
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
        """Corners of the symbols, TL TR BR BL as printed, pixels, shape (poses, 4, 2)."""
        ends = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * MODULES
        return np.einsum("pij,cj->pci", self.maps[:, :, :2], ends) + self.maps[:, None, :, 2]

    def quarter_turns(self) -> "Poses":
        """All poses rotated by one quarter turn, then by two, then by three."""
        corners = self.corners()
        turned = np.concatenate([np.roll(corners, -turn, axis=1) for turn in (1, 2, 3)])
        return Poses(maps_from_corners(turned), np.tile(self.correlation, 3))


def maps_from_corners(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fit affine maps to corners by least squares.

    Parameters
    ----------
    corners : float array, shape (n, 4, 2)
        TL TR BR BL of each symbol as printed, pixels.

    Returns
    -------
    float array, shape (n, 2, 3)
        From modules to pixels.
    """
    return np.asarray(np.einsum("ic,ncj->nji", _FROM_CORNERS, corners))


def module_sizes(maps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute the side of a module, pixels, shape (poses,), from maps of shape (poses, 2, 3)."""
    return np.asarray(np.sqrt(np.abs(np.linalg.det(maps[:, :, :2]))))


def sample(
    grey: NDArray[np.uint8], maps: NDArray[np.float64], points: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Sample grey levels at points of each symbol; the picture's border pixels are repeated.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    maps : float array, shape (poses, 2, 3)
        From modules to pixels.
    points : float array, shape (points, 2)
        Modules.

    Returns
    -------
    float array, shape (poses, points)
    """
    flat = np.ascontiguousarray(maps.transpose(1, 0, 2), np.float32).reshape(-1, 3)
    places = flat[:, :2] @ points.T
    places += flat[:, 2:]
    seen = grey_at(grey, places.reshape(2, len(maps), len(points)))
    return np.asarray(seen, np.float32)


def apply_change(maps: NDArray[np.float64], change: NDArray[np.floating]) -> NDArray[np.float64]:
    """Change poses.

    Parameters
    ----------
    maps : float array, shape (poses, 2, 3)
        From modules to pixels.
    change : float array, shape (poses, 6)
        In the last six terms of `linear_model`; reduced to one module at most.

    Returns
    -------
    float array, shape (poses, 2, 3)
    """
    small = change / np.maximum(np.abs(change).max(1, keepdims=True), 1)
    middle = MODULES / 2
    shift, u, v = (small[:, term::3] for term in range(3))
    step = np.zeros((len(maps), 3, 3))
    step[:, :2, 0], step[:, :2, 1], step[:, :2, 2] = u / middle, v / middle, shift - u - v
    return np.asarray(maps @ (np.eye(3) - step))


def middles_of(maps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Centres of symbols in poses, shape (..., 2, 3)."""
    return np.asarray(maps[..., :2].sum(-1) * (MODULES / 2) + maps[..., 2])


def are_on_symbols(middles: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Test which points are within half a side of the centre of a symbol.

    Parameters
    ----------
    middles : float array, shape (n, 2)
    corners : float array, shape (symbols, 4, 2)

    Returns
    -------
    bool array, shape (n,)
    """
    if not len(middles) or not len(corners):
        return np.zeros(len(middles), bool)
    sides = np.linalg.norm(corners[:, 0] - corners[:, 2], axis=1) / 2**0.5
    apart = np.linalg.norm(middles[:, None] - corners.mean(1)[None], axis=2)
    return np.asarray((apart < 0.5 * sides).any(1))
