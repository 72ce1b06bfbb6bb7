"""Searching a photo for symbols that the decoder did not find.

A photo is searched at the scale where a module is about 1.7 pixels: there a symbol is compact, and
the search costs the same for 12 megapixels as for 48. One decoded symbol gives the scale; otherwise
a few scales are tried.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from printables.cards.codes import MODULES
from printables.reading.symbols.blobs import MODULE_PX, find_blobs
from printables.reading.symbols.decoding import Decoded
from printables.reading.symbols.pose import (
    Poses,
    fit_poses,
    maps_from_corners,
    module_sizes,
    settle_poses,
)

_SIDE_PX = MODULES * MODULE_PX
LADDER = (1.0, 0.4, 0.16)
"""Scales tried if no symbol was decoded. Chosen by trial; no scene tried differs with the first
alone, since all have decoded symbols."""
_BLOB_SCALE = 2 / 3
"""Reduction of the view in which symbols are searched for as blobs, unless the view is enlarged. It
takes two fifths of the time and finds 3,804 of the symbols of 27 scenes (3,812 without it, 3,708 at
a half)."""
_LARGEST_ENLARGEMENT, _MOST_ENLARGED_PX = 1.5, 30_000_000
"""Greatest enlargement of a photo for the search, and its size. Of 32 sharp photos from far (0.6 to
1 pixel per module) 14 showed no card at their own scale; enlarged, all show all 22 cards."""
_LIKE_A_SYMBOL = 0.5
"""Least correlation of a place that is read. Earlier, "careless" lost 28 of 284 cards at
.8 (300 cards) and had a false code at .2 (150 cards); now neither differs."""
_LEAST_MODULE_PX = 0.8
"""Least pixels per module, in the view, of a place that is read. At 1.6 more than half of the cards
are missed in "ordinary" and nearly half in "careless" (300 cards)."""
_SETTLED = 0.7
"""Least correlation of a refined pose whose corners replace the decoder's; no scene differs at
.97."""


@dataclass(frozen=True, eq=False)
class View:
    """A photo at the scale of the search.

    Attributes
    ----------
    grey : uint8 array
    scale : float
        Pixels of the view per pixel of the photo.
    known : bool
        Whether the scale comes from decoded symbols, so that all symbols are of similar size.
    """

    grey: NDArray[np.uint8]
    scale: float
    known: bool

    @classmethod
    def of(cls, grey: NDArray[np.uint8], found: Sequence[Decoded]) -> "View":
        """The view at which the symbols found have the right size."""
        if not found:
            return cls.at(grey, LADDER[0], False)
        # unread symbols tend to be far away, hence small
        side = np.quantile(_sides(np.array([symbol.corners for symbol in found])), 0.25)
        return cls.at(grey, min(float(_SIDE_PX / side), _LARGEST_ENLARGEMENT), True)

    @classmethod
    def at(cls, grey: NDArray[np.uint8], scale: float, known: bool) -> "View":
        if 0.95 < scale < 1.05:
            return cls(grey, 1.0, known)
        if scale < 1:
            return cls(_shrunk(grey, scale), scale, known)
        seen = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        return cls(np.asarray(seen, np.uint8), scale, known)

    def to_photo(self, poses: Poses) -> Poses:
        """Poses in the view, converted to the photo."""
        maps = poses.maps / self.scale
        maps[:, :, 2] += 0.5 / self.scale - 0.5
        return Poses(maps, poses.correlation)

    def to_photo_corners(self, corners: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((corners + 0.5) / self.scale - 0.5)

    def from_photo(self, corners: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((corners + 0.5) * self.scale - 0.5)

    def settled(self, found: Sequence[Decoded]) -> NDArray[np.float64]:
        """Corners of decoded symbols in the photo, refined to a fraction of a module if
        possible."""
        corners = np.array([symbol.corners for symbol in found]).reshape(-1, 4, 2)
        poses = settle_poses(self.grey, maps_from_corners(self.from_photo(corners)))
        better = self.to_photo(poses).corners()
        side = _sides(corners)
        moved = np.abs(better - corners).max((1, 2))
        kept = (poses.correlation >= _SETTLED) & (moved < 0.15 * side)
        return np.where(kept[:, None, None], better, corners)


def _sides(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.norm(corners[:, 0] - corners[:, 2], axis=1) / 2**0.5)


def _shrunk(grey: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """Shrink by an integer factor first: means over fractional pixels take twenty times as long."""
    whole = int(1 / scale)
    if whole > 1:
        part = 1 / whole
        smaller = cv2.resize(grey, None, fx=part, fy=part, interpolation=cv2.INTER_AREA)
        grey = np.asarray(smaller, np.uint8)
    rest = scale * whole
    seen = cv2.resize(grey, None, fx=rest, fy=rest, interpolation=cv2.INTER_LINEAR)
    return np.asarray(seen, np.uint8)


def unread_blobs(view: View, found: Sequence[Decoded]) -> NDArray[np.float64]:
    """Quadrilaterals in the view that may be symbols, without those already found."""
    if not found:
        smallest, largest = (0.6, 1.5) if view.known else (0.5, 1.6)
        return _blobs(view, smallest * _SIDE_PX, largest * _SIDE_PX)
    corners = view.from_photo(np.array([symbol.corners for symbol in found]))
    sides = _sides(corners)
    quads = _blobs(view, 0.5 * float(sides.min()), 1.5 * float(sides.max()))
    near = cdist(quads.mean(1), corners.mean(1)) < 0.6 * sides
    return np.asarray(quads[~near.any(1)])


def _blobs(view: View, smallest: float, largest: float) -> NDArray[np.float64]:
    """Likely symbols with sides between two lengths, in pixels of the view."""
    if view.scale > 1:
        return find_blobs(view.grey, smallest, largest)
    coarse = View.at(view.grey, _BLOB_SCALE, view.known)
    sizes = (part * _BLOB_SCALE for part in (smallest, largest, MODULE_PX))
    return coarse.to_photo_corners(find_blobs(coarse.grey, *sizes))


def find_poses(
    grey: NDArray[np.uint8], view: View, found: Sequence[Decoded]
) -> tuple[View, Poses, NDArray[np.float64]]:
    """Find likely symbols, and the view that shows most of them, with its blobs.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        The photo.
    view : View
        The photo at the scale of the symbols found.
    found : sequence of Decoded
        Symbols that need not be found again.
    """
    if not view.known and view.scale <= 1:
        scale = _scale_of(_middle(grey)) or _scale_of(grey)
        view = View.at(grey, scale, False) if scale else enlarged(grey)
    blobs = unread_blobs(view, found)
    return view, _found(view, blobs), blobs


def enlarged(grey: NDArray[np.uint8]) -> View:
    """The photo enlarged for symbols that are too small at its own scale."""
    scale = float(np.clip((_MOST_ENLARGED_PX / grey.size) ** 0.5, 1.0, _LARGEST_ENLARGEMENT))
    return View.at(grey, scale, False)


def _scale_of(grey: NDArray[np.uint8]) -> float | None:
    """The scale that shows most symbols; None if none shows any."""
    views = [View.at(grey, scale, False) for scale in LADDER]
    seen = [len(_found(view, unread_blobs(view, []))) for view in views]
    return LADDER[int(np.argmax(seen))] if max(seen) else None


def _middle(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A ninth of the photo, which is usually enough to find the scale."""
    height, width = grey.shape
    return grey[height // 3 : height - height // 3, width // 3 : width - width // 3]


def _found(view: View, blobs: NDArray[np.float64]) -> Poses:
    poses = fit_poses(view.grey, blobs)
    return distinct(poses[module_sizes(poses.maps) >= _LEAST_MODULE_PX])


def distinct(poses: Poses) -> Poses:
    """The poses that resemble a symbol; of several on one symbol, the best."""
    poses = poses[poses.correlation >= _LIKE_A_SYMBOL]
    if not len(poses):
        return poses
    middles = poses.corners().mean(1)
    near = cdist(middles, middles) < 0.5 * MODULES * module_sizes(poses.maps)[:, None]
    rank = np.empty(len(poses), np.intp)
    # two hypotheses may converge to the same pose, with equal correlation
    rank[np.argsort(-poses.correlation, kind="stable")] = np.arange(len(poses))
    return poses[~(near & (rank[None, :] < rank[:, None])).any(1)]
