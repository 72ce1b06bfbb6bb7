"""Decoding a photo with zxing-cpp.

Decoders occasionally report a code that is not in the photo, so only card codes with correct check
digits are returned.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from printables.cards.codes import MODULES, decode, symbol
from printables.errors import PaperError
from printables.reading.symbols.pose import maps_from_corners, sample
from printables.reading.symbols.symbol_model import common_modules

_QR: Any = zxingcpp.BarcodeFormat.QRCode
_LEAST_PX = 500
"""Shorter side, in pixels, of a picture that is searched at a third of its size, too: that of
zxing-cpp. Not varied in any measurement."""

_COMPARED = 9
"""About how many symbols are compared with their mirror images. Only saves time."""
_MIRRORED = -0.5
"""Greatest correlation of the format bits with what they should be, of a symbol that cannot be read
and is the mirror image of one: it shines through the back of a card."""


@dataclass(frozen=True, eq=False)
class Decoded:
    """A decoded symbol.

    Attributes
    ----------
    code : str
    corners : float array, shape (4, 2)
        TL TR BR BL as printed, pixels.
    """

    code: str
    corners: NDArray[np.float64]


def decode_frame(grey: NDArray[np.uint8]) -> list[Decoded]:
    """Decode the symbols in a photo.

    zxing-cpp examines at most 256 finder patterns per picture, so it misses symbols on a table with
    more than about 85. Only if it finds none is a third of the photo's size searched, too, for
    symbols seen from close by: 140 rendered photos had none of their 3,971 codes from that search,
    which takes a third of the time.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)

    Returns
    -------
    list of Decoded
        Every card code; a code appears twice if two symbols have it.
    """
    found = _decoded(grey)
    if not found and min(grey.shape) >= _LEAST_PX:
        # means of 3 x 3 pixels, in half of the time of `resize`
        smaller = np.ascontiguousarray(cv2.blur(grey, (3, 3))[1:-1:3, 1:-1:3])
        seen = decode_frame(np.asarray(smaller, np.uint8))
        found = [Decoded(symbol.code, 3 * symbol.corners + 1) for symbol in seen]
    return found


def are_mirrored(grey: NDArray[np.uint8], found: Sequence[Decoded]) -> bool:
    """Whether most symbols resemble their mirror images more than themselves.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    found : sequence of Decoded
        At least one.

    Returns
    -------
    bool
    """
    mirrored = _mirrored(grey, found[:: max(len(found) // _COMPARED, 1)])
    return bool(2 * mirrored.sum() > len(mirrored))


def right_way_round(grey: NDArray[np.uint8], found: Sequence[Decoded]) -> list[Decoded]:
    """Leave out symbols that shine through the backs of cards, unless the photo is mirrored.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    found : sequence of Decoded

    Returns
    -------
    list of Decoded
    """
    if not found:
        return []
    mirrored = _mirrored(grey, found)
    if 2 * mirrored.sum() > len(found):
        return list(found)
    return list(compress(found, ~mirrored))


def _mirrored(grey: NDArray[np.uint8], found: Sequence[Decoded]) -> NDArray[np.bool_]:
    """Whether each symbol resembles its mirror image more than itself."""
    modules = np.indices((MODULES, MODULES))[::-1].reshape(2, -1).T + 0.5
    maps = maps_from_corners(corners_of(found))
    light = sample(grey, maps, modules.astype(np.float32)).reshape(-1, MODULES, MODULES)
    drawn = np.array([symbol(one.code) for one in found], np.float32)
    # decoders give the upper right corner of a mirrored symbol as its lower left one
    darker = (light * (drawn - drawn.transpose(0, 2, 1))).sum((1, 2))
    return np.asarray(darker > 0)


def are_mirror_images(grey: NDArray[np.uint8], maps: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether symbols that cannot be read are mirror images, as on cards that lie face down.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    maps : float array, shape (symbols, 2, 3)
        From modules to pixels.

    Returns
    -------
    bool array, shape (symbols,)
    """
    drawn = common_modules() - common_modules().T
    row, column = np.nonzero(drawn)
    light = sample(grey, maps, np.stack([column, row], -1).astype(np.float32) + 0.5)
    light -= light.mean(1, keepdims=True)
    dark = drawn[row, column] / np.linalg.norm(drawn)
    alike = -light @ dark / np.maximum(np.linalg.norm(light, axis=1), 1e-6)
    return np.asarray(alike <= _MIRRORED)


def corners_of(found: Sequence[Decoded]) -> NDArray[np.float64]:
    """Collect the corners of symbols.

    Parameters
    ----------
    found : sequence of Decoded

    Returns
    -------
    float array, shape (symbols, 4, 2)
        Pixels.
    """
    return np.array([symbol.corners for symbol in found], float).reshape(-1, 4, 2)


def _decoded(grey: NDArray[np.uint8]) -> list[Decoded]:
    """The card codes that zxing-cpp finds in a picture at its own size."""
    options = {"formats": _QR, "try_invert": False, "try_downscale": False}
    found = []
    for barcode in zxingcpp.read_barcodes(grey, **options):
        if _is_card_code(barcode.text):
            at = barcode.position
            ends = (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
            found.append(Decoded(barcode.text, np.array([[end.x, end.y] for end in ends], float)))
    return found


def _is_card_code(text: str) -> bool:
    try:
        decode(text)
    except PaperError:
        return False
    return True
