"""Decoding untrusted photos within a limit on pixels; the result is upright, in grey or colour.

This runs in a worker process (`basics.workers`), called by `photo`.
"""

import io
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from basics.wordings import Wording
from printables.artwork.jpeg import scans_fault
from printables.errors import PaperError
from printables.reading.photos.decoder_warnings import is_damaged, written_to_stderr
from printables.reading.photos.heic import heic_pixels, is_heic

SMALLEST_SIDE = 24
CheckSize = Callable[[int, int, str], None]

_FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "BMP")
_ORIENTATION_TAG = 0x0112
_IN_GREY = {1: cv2.IMREAD_GRAYSCALE, 2: cv2.IMREAD_REDUCED_GRAYSCALE_2}
_IN_COLOUR = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


def decode(
    content: bytes, name: str, colour: bool, most_pixels: int, reduction: int = 1
) -> tuple[dict[str, Any], list[NDArray[np.uint8]]]:
    """Decode a photo and turn it upright.

    Parameters
    ----------
    content : bytes
    name : str
        Its name in error messages.
    colour : bool
        Decode to blue, green and red rather than to grey. A photo is read in grey; in colour, a
        damaged one is shown as far as it can be.
    most_pixels : int
        Limit on width times height.
    reduction : {1, 2} in grey, {1, 2, 4, 8} in colour
        How many times smaller it is decoded.

    Returns
    -------
    dict
        The array's `shape`.
    list of one uint8 array
        Shape (height, width), or (height, width, 3) in colour.

    Raises
    ------
    PaperError
        If it is not a picture in a known format, is damaged, or is too large or too small.
    """
    check = partial(check_size, most_pixels=most_pixels)
    pixels = _pixels(content, name, colour, reduction, check)
    return {"shape": pixels.shape}, [np.ascontiguousarray(pixels)]


def reduced(pixels: NDArray[np.uint8], times: int) -> NDArray[np.uint8]:
    """Make a picture this many times smaller.

    Parameters
    ----------
    pixels : uint8 array, shape (height, width) or (height, width, 3)
    times : int

    Returns
    -------
    uint8 array, shape (height / times, width / times) or (height / times, width / times, 3)
    """
    if times == 1:
        return pixels
    part = 1 / times
    return np.asarray(
        cv2.resize(pixels, None, fx=part, fy=part, interpolation=cv2.INTER_AREA), np.uint8
    )


def check_size(width: int, height: int, name: str, most_pixels: int) -> None:
    """Check that a photo has not too many pixels, and enough to show a card.

    Raises
    ------
    PaperError
        If it has more than `most_pixels` pixels, or a side of less than 24 pixels.
    """
    if width * height > most_pixels:
        most = most_pixels // 1_000_000
        raise PaperError(
            Wording("has more than %(most)s million pixels; save it smaller", most=most), name
        )
    if min(width, height) < SMALLEST_SIDE:
        raise PaperError(
            Wording(
                "%(width)s x %(height)s pixels are too few to show a card; choose the original "
                "photo",
                width=width,
                height=height,
            ),
            name,
        )


def _pixels(
    content: bytes, name: str, colour: bool, reduction: int, check: CheckSize
) -> NDArray[np.uint8]:
    if is_heic(content):
        pixels = heic_pixels(content, name, check)
        if not colour:
            pixels = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
        return reduced(pixels, reduction)
    orientation = _examine(content, name, check)
    try:
        with written_to_stderr() as written:
            way = (_IN_COLOUR if colour else _IN_GREY)[reduction]
            read = cv2.imdecode(
                np.frombuffer(content, np.uint8), way | cv2.IMREAD_IGNORE_ORIENTATION
            )
    except cv2.error as error:
        if error.code == cv2.Error.StsNoMem:
            raise MemoryError from error
        raise PaperError("is damaged and cannot be shown; copy it again", name) from error
    if read is None:
        raise PaperError("is damaged or truncated; copy it again from the camera", name)
    if not colour and is_damaged(written[0]):
        raise PaperError(
            Wording(
                "is damaged: a part of the picture is missing or displaced; copy it again from the "
                "camera, or take it again"
            ),
            name,
        )
    return _turned(np.asarray(read, np.uint8), orientation)


def _examine(content: bytes, name: str, check: CheckSize) -> int:
    """Check the declared format and size before pixels are allocated; return the orientation
    in which OpenCV decodes it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            header = Image.open(io.BytesIO(content), formats=_FORMATS)
            check(header.width, header.height, name)
            if header.format in ("JPEG", "MPO") and (fault := scans_fault(content)):
                raise PaperError(fault, name)
            if header.format == "TIFF":
                # OpenCV turns these itself, whatever it is asked for
                return 1
            return int(header.getexif().get(_ORIENTATION_TAG, 1))
    except UnidentifiedImageError as error:
        raise PaperError(_not_a_photo(content), name) from error
    except Image.DecompressionBombError:
        # Pillow's limit is above ours, so this raises the error about too many pixels
        check(2**31, 2**31, name)
        raise
    except (PaperError, MemoryError):
        raise
    # on a malicious header the parser can fail in any way
    except Exception as error:
        raise PaperError("is damaged; copy it again from the camera", name) from error


def _not_a_photo(content: bytes) -> str:
    if not content:
        return Wording("is empty; copy it again from the camera")
    if content[4:8] == b"ftyp":
        return Wording("is a video or an unusual picture; save or share it as JPEG")
    return Wording("is not a photo that can be read; give JPEG, PNG, WebP, TIFF or BMP")


def _turned(pixels: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """Undo an EXIF orientation: mirroring first, then quarter turns."""
    if orientation in (2, 4, 5, 7):
        pixels = np.asarray(cv2.flip(pixels, 1), np.uint8)
        orientation = {2: 1, 4: 3, 5: 8, 7: 6}[orientation]
    quarter = {3: cv2.ROTATE_180, 6: cv2.ROTATE_90_CLOCKWISE, 8: cv2.ROTATE_90_COUNTERCLOCKWISE}
    if orientation not in quarter:
        return pixels
    return np.asarray(cv2.rotate(pixels, quarter[orientation]), np.uint8)
