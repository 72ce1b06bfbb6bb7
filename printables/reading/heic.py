"""Photos as iPhones store them: HEIC, decoded where the optional decoder is installed.

The decoder is compiled code that meets bytes from outside, and older ones of it could be taken over
by a crafted photo: it is installed only where a lab asks for it (`sketch-study[heic]`), and older
ones are not used.
"""

import io
import re
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.errors import PaperError

LEAST_LIBHEIF = (1, 23, 4)

_STILL_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"mif1"}


def is_heic(content: bytes) -> bool:
    """Whether a file says that it is a HEIC still picture."""
    return content[4:8] == b"ftyp" and content[8:12] in _STILL_BRANDS


def decoder_present() -> bool:
    """Whether HEIC photos can be decoded here, by a decoder without known holes."""
    try:
        from pi_heif import libheif_version
    except ImportError:
        return False
    version = tuple(int(part) for part in re.findall(r"\d+", libheif_version())[:3])
    return version >= LEAST_LIBHEIF


def heic_pixels(
    content: bytes, name: str, check_size: Callable[[int, int, str], None]
) -> NDArray[np.uint8]:
    """Decode a HEIC photo; it comes upright, since the decoder turns it as the file says.

    Parameters
    ----------
    content : bytes
    name : str
        What refusals call it.
    check_size : function of width, height and name
        Refuses what is too large before pixels are made.

    Returns
    -------
    uint8 array, shape (height, width, 3)
        Blue, green and red.

    Raises
    ------
    PaperError
        If no decoder is installed, or the file is damaged.
    """
    if not decoder_present():
        raise PaperError("is a HEIC photo; share it as JPEG, or install sketch-study[heic]", name)
    import pi_heif

    for extra in ("THUMBNAILS", "DEPTH_IMAGES", "AUX_IMAGES"):
        setattr(pi_heif.options, extra, False)
    try:
        photo = pi_heif.open_heif(io.BytesIO(content), bgr_mode=True)
        width, height = photo.size
        check_size(width, height, name)
        decoded = np.asarray(photo)
    except (PaperError, MemoryError):
        raise
    # a hostile file can make its parser fail in any way
    except Exception as error:
        raise PaperError("is damaged; copy it again from the phone", name) from error
    if decoded.ndim == 2:
        return np.asarray(cv2.cvtColor(decoded, cv2.COLOR_GRAY2BGR), np.uint8)
    return np.ascontiguousarray(decoded[..., :3], np.uint8)
