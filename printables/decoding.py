"""What zxing-cpp makes of a photo, kept only where it is one of our codes.

A plain decoder invents a code now and then; only what passes the check digits is kept.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from printables.codes import MODULES, QUIET_MODULES, decode
from printables.errors import PaperError
from printables.pose import Poses, sample

_THREADS = 4
_TILE_OVERLAP = 0.12
_CROP_MODULE_PX = 6
_SHARPEN = 1.5


@dataclass(frozen=True, eq=False)
class Decoded:
    """A code and its symbol's corners in pixels, TL TR BR BL as printed, shape (4, 2)."""

    code: str
    corners: NDArray[np.float64]


def decode_frame(grey: NDArray[np.uint8]) -> list[Decoded]:
    """Decode a photo in one go; zxing-cpp stops after some 85 symbols among other things."""
    return _decode(grey, np.zeros(2))


def decode_tiles(grey: NDArray[np.uint8], tile_px: int) -> list[Decoded]:
    """Decode a photo in overlapping tiles, where one go stops early; each symbol once."""
    height, width = grey.shape
    across, down = (max(1, round(size / tile_px)) for size in (width, height))
    overlap = int(tile_px * _TILE_OVERLAP)
    tiles = []
    for row in range(down):
        for column in range(across):
            left, top = width * column // across, height * row // down
            right, bottom = width * (column + 1) // across, height * (row + 1) // down
            left, top = max(left - overlap, 0), max(top - overlap, 0)
            tile = grey[top : bottom + overlap, left : right + overlap]
            tiles.append((np.ascontiguousarray(tile), np.array([left, top], float)))
    with ThreadPoolExecutor(_THREADS) as pool:
        parts = pool.map(lambda tile: _decode(*tile), tiles)
        return merge([], [found for part in parts for found in part])


def decode_poses(grey: NDArray[np.uint8], poses: Poses) -> list[str | None]:
    """Decode symbols whose place is known, each cut out, straightened, enlarged and sharpened.

    Returns
    -------
    list of str or None
        The code of each pose.
    """
    pixels = (MODULES + 2 * QUIET_MODULES) * _CROP_MODULE_PX
    along = (np.arange(pixels) + 0.5) / _CROP_MODULE_PX - QUIET_MODULES
    y, x = np.meshgrid(along, along, indexing="ij")
    points = np.stack([x.ravel(), y.ravel()], -1).astype(np.float32)

    def read(pose: int) -> str | None:
        cut = sample(grey, poses.maps[[pose]], points).reshape(pixels, pixels)
        soft = cv2.GaussianBlur(cut, (0, 0), 0.6 * _CROP_MODULE_PX)
        sharp = np.clip((1 + _SHARPEN) * cut - _SHARPEN * soft, 0, 255).astype(np.uint8)
        found = _decode(sharp, np.zeros(2))
        return found[0].code if found else None

    with ThreadPoolExecutor(_THREADS) as pool:
        return list(pool.map(read, range(len(poses))))


def merge(known: list[Decoded], more: list[Decoded]) -> list[Decoded]:
    """Add what is not there yet; the same code elsewhere is another card with it."""
    merged = list(known)
    places: dict[str, list[Decoded]] = {}
    for found in merged:
        places.setdefault(found.code, []).append(found)
    for found in more:
        side = np.linalg.norm(found.corners[0] - found.corners[1])
        here = places.setdefault(found.code, [])
        apart = [np.linalg.norm(found.corners.mean(0) - o.corners.mean(0)) for o in here]
        if all(distance > side / 2 for distance in apart):
            here.append(found)
            merged.append(found)
    return merged


def _decode(grey: NDArray[np.uint8], offset: NDArray[np.float64]) -> list[Decoded]:
    found = []
    for barcode in zxingcpp.read_barcodes(
        grey, formats=zxingcpp.BarcodeFormat.QRCode, try_invert=False
    ):
        if _is_ours(barcode.text):
            at = barcode.position
            ends = (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
            corners = np.array([[end.x, end.y] for end in ends], float) + offset
            found.append(Decoded(barcode.text, corners))
    return found


def _is_ours(text: str) -> bool:
    try:
        decode(text)
    except PaperError:
        return False
    return True
