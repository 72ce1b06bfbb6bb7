"""Searching a photo for symbols that the decoder did not find.

A photo is searched at the scale where a module is about 1.7 pixels: at that scale a symbol is a
compact blob, and the search of 48 megapixels takes no longer than that of 12. The scale is known if
a symbol was decoded; otherwise several scales are tried.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from printables.cards.codes import MODULES
from printables.reading.symbols.alignment import fit_poses, refine_finely
from printables.reading.symbols.blobs import LARGE_SPECK, MODULE_PX, SMALL_SPECK, find_blobs
from printables.reading.symbols.decoding import Decoded, corners_of
from printables.reading.symbols.pose import Poses, maps_from_corners, module_sizes

SIDE_PX = MODULES * MODULE_PX
"""Side of a symbol at the scale of the search, pixels."""
SCALES = (1.0, 0.4, 0.16)
"""Scales that are tried if no symbol was decoded. Chosen by trial; no scene tried differs with the
first alone, since a symbol is decoded in all of them."""
_MANY = 20
"""Symbols at one scale from which no other is tried. Only saves time."""
_BLOB_SCALE = 2 / 3
"""Reduction of the view in which blobs are searched for, unless the view is enlarged. It takes two
fifths of the time and finds 3,804 symbols in 27 scenes (3,812 without it, 3,708 at a half)."""
LARGEST_ENLARGEMENT, _MOST_ENLARGED_PX = 1.5, 30_000_000
"""Greatest enlargement of a photo for the search, and greatest size in pixels. In 14 of 32 sharp
photos taken from far (0.6 to 1 pixel per module) no card was found at their own scale; enlarged,
all 22 cards are found in each."""
_TOO_SMALL = 1.25
"""By what factor symbols found in a reduced photo must be smaller than usual for it to be reduced
less. Only saves time."""
_LEAST_CORRELATION = 0.5
"""Least correlation of a pose that is read. In earlier versions, "careless" lost 28 of 284 cards at
.8 (300 cards) and had a false code at .2 (150 cards); now neither differs."""
_LEAST_MODULE_PX = 0.8
"""Least pixels per module, in the view, of a pose that is read. At 1.6 more than half of the cards
are missed in "ordinary" and nearly half in "careless" (300 cards)."""
_LEAST_REFINED = 0.7
"""Least correlation of a refined pose whose corners replace the decoder's; no scene differs at
.97."""


@dataclass(frozen=True, eq=False)
class View:
    """A photo at the scale of the search.

    Attributes
    ----------
    grey : uint8 array, shape (height, width)
    scale : float
        Pixels of the view per pixel of the photo.
    known : bool
        Whether the scale comes from decoded symbols, so that all symbols are of similar size.
    evened : bool
        Whether the light of hard shadows is evened out: symbols in them are faint.
    """

    grey: NDArray[np.uint8]
    scale: float
    known: bool
    evened: bool = False

    @cached_property
    def soft(self) -> NDArray[np.uint8]:
        """The view averaged over 3 x 3 pixels."""
        return np.asarray(cv2.blur(self.grey, (3, 3)), np.uint8)

    @classmethod
    def at(cls, grey: NDArray[np.uint8], scale: float, known: bool) -> "View":
        """Scale a photo; it is used as it is if the scale is within 5 % of 1."""
        if 0.95 < scale < 1.05:
            return cls(grey, 1.0, known)
        if scale < 1:
            return cls(_reduced(grey, scale), scale, known)
        seen = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        return cls(np.asarray(seen, np.uint8), scale, known)

    def to_photo(self, poses: Poses) -> Poses:
        """Convert poses in the view to the photo's pixels."""
        maps = poses.maps / self.scale
        maps[:, :, 2] += 0.5 / self.scale - 0.5
        return Poses(maps, poses.correlation)

    def to_photo_corners(self, corners: NDArray[np.float64]) -> NDArray[np.float64]:
        """Convert points in the view, shape (..., 2), to the photo's pixels."""
        return np.asarray((corners + 0.5) / self.scale - 0.5)

    def from_photo(self, corners: NDArray[np.float64]) -> NDArray[np.float64]:
        """Convert points in the photo, shape (..., 2), to the view's pixels."""
        return np.asarray((corners + 0.5) * self.scale - 0.5)

    def refined_corners(self, found: Sequence[Decoded]) -> NDArray[np.float64]:
        """Refine the corners of decoded symbols to a fraction of a module, if possible.

        Returns
        -------
        float array, shape (symbols, 4, 2)
            The photo's pixels.
        """
        corners = corners_of(found)
        poses = refine_finely(self.grey, maps_from_corners(self.from_photo(corners)))
        better = self.to_photo(poses).corners()
        side = sides_of(corners)
        moved = np.abs(better - corners).max((1, 2))
        kept = (poses.correlation >= _LEAST_REFINED) & (moved < 0.15 * side)
        return np.where(kept[:, None, None], better, corners)


def sides_of(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Side of each symbol, shape (symbols,), from its corners, shape (symbols, 4, 2)."""
    return np.asarray(np.linalg.norm(corners[:, 0] - corners[:, 2], axis=1) / 2**0.5)


def _reduced(grey: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """Reduce by an integer factor first: averaging fractional pixels takes twenty times as long."""
    whole = int(1 / scale)
    if whole > 1:
        part = 1 / whole
        smaller = cv2.resize(grey, None, fx=part, fy=part, interpolation=cv2.INTER_AREA)
        grey = np.asarray(smaller, np.uint8)
    rest = scale * whole
    seen = cv2.resize(grey, None, fx=rest, fy=rest, interpolation=cv2.INTER_LINEAR)
    return np.asarray(seen, np.uint8)


def unread_blobs(view: View, found: Sequence[Decoded]) -> NDArray[np.float64]:
    """Find blobs that may be symbols, apart from the symbols found already.

    Parameters
    ----------
    view : View
    found : sequence of Decoded
        In the photo.

    Returns
    -------
    float array, shape (blobs, 4, 2)
        Corners, the view's pixels.
    """
    if not found:
        smallest, largest = (0.6, 1.5) if view.known else (0.5, 1.6)
        return _find_blobs(view, smallest * SIDE_PX, largest * SIDE_PX)
    corners = view.from_photo(corners_of(found))
    sides = sides_of(corners)
    quads = _find_blobs(view, 0.5 * float(sides.min()), 1.5 * float(sides.max()))
    near = cdist(quads.mean(1), corners.mean(1)) < 0.6 * sides
    return np.asarray(quads[~near.any(1)])


def _find_blobs(view: View, smallest: float, largest: float) -> NDArray[np.float64]:
    """Blobs with sides between two lengths, in the view's pixels."""
    speck = SMALL_SPECK if view.evened else LARGE_SPECK
    if view.scale > 1:
        return find_blobs(view.grey, smallest, largest, speck=speck)
    coarse = View.at(view.grey, _BLOB_SCALE, view.known)
    small, large, module_px = (part * _BLOB_SCALE for part in (smallest, largest, MODULE_PX))
    return coarse.to_photo_corners(find_blobs(coarse.grey, small, large, module_px, speck))


def find_poses(
    grey: NDArray[np.uint8], view: View, found: Sequence[Decoded]
) -> tuple[View, Poses, NDArray[np.float64]]:
    """Find candidate symbols, at the best scale if it is unknown.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        The photo.
    view : View
        The photo at the scale of the symbols found.
    found : sequence of Decoded
        Symbols that are known already.

    Returns
    -------
    view : View
        The photo at the scale that was searched.
    poses : Poses
        In the view.
    blobs : float array, shape (blobs, 4, 2)
        Corners of all blobs, the view's pixels.
    """
    if not view.known and view.scale <= 1:
        scale = _best_scale(centre_part(grey)) or _best_scale(grey)
        view = View.at(grey, scale, False) if scale else enlarged(grey)
        if scale and scale < 1:
            view = _enlarged_to_size(grey, view)
    blobs = unread_blobs(view, found)
    return view, _poses_of_blobs(view, blobs), blobs


def _enlarged_to_size(grey: NDArray[np.uint8], view: View) -> View:
    """Scale a photo so that the symbols found in a reduced view have the right size, if they are
    smaller."""
    poses = _poses_of_blobs(view, unread_blobs(view, []))
    if not len(poses):
        return view
    side = np.quantile(sides_of(view.to_photo(poses).corners()), 0.25)
    scale = min(float(SIDE_PX / side), 1.0)
    return View.at(grey, scale, True) if scale > _TOO_SMALL * view.scale else view


def enlarged(grey: NDArray[np.uint8]) -> View:
    """Enlarge a photo, for symbols that are too small at its own scale."""
    scale = float(np.clip((_MOST_ENLARGED_PX / grey.size) ** 0.5, 1.0, LARGEST_ENLARGEMENT))
    return View.at(grey, scale, False)


def _best_scale(grey: NDArray[np.uint8]) -> float | None:
    """The scale at which most symbols are found; None if no symbol is found at any."""
    seen = [len(symbols) for symbols in seen_symbols(grey)]
    return SCALES[int(np.argmax(seen))] if max(seen) else None


def seen_symbols(grey: NDArray[np.uint8]) -> Iterator[NDArray[np.float64]]:
    """Corners of the symbols found at each scale, up to the first at which there are many.

    Each of shape (symbols, 4, 2), in the picture's pixels.
    """
    for scale in SCALES:
        view = View.at(grey, scale, False)
        poses = _poses_of_blobs(view, unread_blobs(view, []))
        yield view.to_photo(poses).corners()
        if len(poses) >= _MANY:
            break


def centre_part(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The central ninth of the photo, which is usually enough to find the scale."""
    height, width = grey.shape
    part = grey[height // 3 : height - height // 3, width // 3 : width - width // 3]
    return np.ascontiguousarray(part)


def _poses_of_blobs(view: View, blobs: NDArray[np.float64]) -> Poses:
    """Poses of the blobs that are symbols of readable size."""
    poses = fit_poses(view.grey, blobs, view.soft)
    return distinct(poses[module_sizes(poses.maps) >= _LEAST_MODULE_PX])


def distinct(poses: Poses) -> Poses:
    """Choose the poses that resemble a symbol; of several on one symbol, the best (non-maximum
    suppression)."""
    poses = poses[poses.correlation >= _LEAST_CORRELATION]
    if not len(poses):
        return poses
    middles = poses.corners().mean(1)
    near = cdist(middles, middles) < 0.5 * MODULES * module_sizes(poses.maps)[:, None]
    rank = np.empty(len(poses), np.intp)
    # ranks are unique, since two poses may converge to the same one with equal correlation
    rank[np.argsort(-poses.correlation, kind="stable")] = np.arange(len(poses))
    return poses[~(near & (rank[None, :] < rank[:, None])).any(1)]
