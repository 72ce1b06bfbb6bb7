"""Decoding HEIC photos, the format of iPhones, if the optional decoder is installed.

The decoder is compiled code that reads untrusted files, and crafted photos could exploit older
versions. It is therefore an optional dependency (`sketch-study[heic]`), and versions with known
vulnerabilities are not used.
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
    """Whether a file declares itself a HEIC still image."""
    return content[4:8] == b"ftyp" and content[8:12] in _STILL_BRANDS


def decoder_present() -> bool:
    """Whether a HEIC decoder without known vulnerabilities is installed."""
    try:
        from pi_heif import libheif_version
    except ImportError:
        return False
    version = tuple(int(part) for part in re.findall(r"\d+", libheif_version())[:3])
    return version >= LEAST_LIBHEIF


def heic_pixels(
    content: bytes, name: str, check_size: Callable[[int, int, str], None]
) -> NDArray[np.uint8]:
    """Decode a HEIC photo. The decoder applies the file's orientation, so the result is upright.

    Parameters
    ----------
    content : bytes
    name : str
        Its name in error messages.
    check_size : function of width, height and name
        Raises an error if the photo is too large; called before pixels are allocated.

    Returns
    -------
    uint8 array, shape (height, width, 3)
        Blue, green and red.

    Raises
    ------
    PaperError
        If no decoder is installed, the photo is too large, or the file is damaged.
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
    # on a malicious file the parser can fail in any way
    except Exception as error:
        raise PaperError("is damaged; copy it again from the phone", name) from error
    if decoded.ndim == 2:
        return np.asarray(cv2.cvtColor(decoded, cv2.COLOR_GRAY2BGR), np.uint8)
    return np.ascontiguousarray(decoded[..., :3], np.uint8)
