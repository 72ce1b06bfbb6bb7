"""Decoding a photo with zxing-cpp.

Decoders occasionally report a code that is not in the photo, so only card codes with correct check
digits are returned.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import zxingcpp
from numpy.typing import NDArray

from printables.cards.codes import decode
from printables.errors import PaperError

_QR: Any = zxingcpp.BarcodeFormat.QRCode


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
    more than about 85.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)

    Returns
    -------
    list of Decoded
        Every card code; a code appears twice if two symbols have it.
    """
    found = []
    for barcode in zxingcpp.read_barcodes(grey, formats=_QR, try_invert=False):
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
