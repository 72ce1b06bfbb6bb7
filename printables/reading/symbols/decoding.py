"""What zxing-cpp makes of a photo, kept only where it is one of our codes.

A plain decoder invents a code now and then; only what passes the check digits is kept.
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
    """A code and its symbol's corners in pixels, TL TR BR BL as printed, shape (4, 2)."""

    code: str
    corners: NDArray[np.float64]


def decode_frame(grey: NDArray[np.uint8]) -> list[Decoded]:
    """Decode a photo in one go.

    zxing-cpp looks at no more than 256 finder patterns in one picture, so of a table with more than
    some 85 symbols a part may be missing.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)

    Returns
    -------
    list of Decoded
        Every symbol of ours; a code is there twice if two symbols say it.
    """
    found = []
    for barcode in zxingcpp.read_barcodes(grey, formats=_QR, try_invert=False):
        if _is_ours(barcode.text):
            at = barcode.position
            ends = (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
            found.append(Decoded(barcode.text, np.array([[end.x, end.y] for end in ends], float)))
    return found


def _is_ours(text: str) -> bool:
    try:
        decode(text)
    except PaperError:
        return False
    return True
