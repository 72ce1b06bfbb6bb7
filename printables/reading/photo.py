"""Photos from outside, opened with care: bounded in bytes and pixels, upright, in grey."""

import io
import warnings
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from printables.errors import PaperError
from printables.reading.heic import heic_pixels, is_heic

MOST_BYTES = 150_000_000
MOST_PIXELS = 120_000_000

_FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "BMP")
_ORIENTATION_TAG = 0x0112
_SMALLEST_SIDE = 24

PhotoSource = str | Path | bytes | NDArray[np.uint8]


def load_grey(photo: PhotoSource, most_bytes: int = MOST_BYTES) -> NDArray[np.uint8]:
    """Open a photo as a grey picture that stands upright.

    Parameters
    ----------
    photo : path, bytes or uint8 array
        JPEG, PNG, WebP, TIFF or BMP, HEIC where its decoder is installed; or pixels, grey of
        shape (height, width) or RGB of shape (height, width, 3), which are taken to be upright.
    most_bytes : int
        Larger files are refused before they are read.

    Returns
    -------
    uint8 array, shape (height, width)
        Turned as the file's orientation says.

    Raises
    ------
    PaperError
        If it is no picture of these kinds, is damaged, or has more than 120 million pixels.
    """
    if isinstance(photo, np.ndarray):
        return _grey_pixels(photo)
    name = "the photo" if isinstance(photo, bytes) else str(photo)
    content = photo if isinstance(photo, bytes) else _read(Path(photo), most_bytes)
    return _upright(content, name, most_bytes, cv2.IMREAD_GRAYSCALE)


def load_colour(photo: PhotoSource, most_bytes: int = MOST_BYTES) -> NDArray[np.uint8]:
    """Open a photo as `load_grey` does, in OpenCV's colours, shape (height, width, 3).

    Parameters
    ----------
    photo : path, bytes or uint8 array
        As for `load_grey`.
    most_bytes : int
        Of the file.

    Returns
    -------
    uint8 array, shape (height, width, 3)
        Blue, green, red; upright.

    Raises
    ------
    PaperError
        As `load_grey`.
    """
    if isinstance(photo, np.ndarray):
        grey = _grey_pixels(photo)
        code = cv2.COLOR_GRAY2BGR if photo.ndim == 2 else cv2.COLOR_RGB2BGR
        return np.asarray(cv2.cvtColor(grey if photo.ndim == 2 else photo, code), np.uint8)
    name = "the photo" if isinstance(photo, bytes) else str(photo)
    content = photo if isinstance(photo, bytes) else _read(Path(photo), most_bytes)
    return _upright(content, name, most_bytes, cv2.IMREAD_COLOR)


def _grey_pixels(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    if pixels.dtype != np.uint8 or pixels.ndim not in (2, 3) or pixels.shape[2:] not in ((), (3,)):
        raise PaperError(
            "pixels should be uint8 of shape (height, width) or (height, width, 3), "
            f"not {pixels.dtype} of shape {pixels.shape}"
        )
    _check_size(pixels.shape[1], pixels.shape[0], "the photo")
    if pixels.ndim == 3:
        return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8)
    return np.ascontiguousarray(pixels)


def _read(path: Path, most_bytes: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(most_bytes + 1)
    except OSError as error:
        raise PaperError(f"{path}: cannot be opened ({error.strerror or error})") from error


def _upright(content: bytes, name: str, most_bytes: int, mode: int) -> NDArray[np.uint8]:
    if len(content) > most_bytes:
        raise PaperError(
            f"{name}: is larger than {most_bytes // 1_000_000} MB; save it smaller as a JPEG"
        )
    if is_heic(content):
        colour = heic_pixels(content, name, _check_size)
        return colour if mode == cv2.IMREAD_COLOR else _grey_of(colour)
    orientation = _examine(content, name)
    try:
        pixels = cv2.imdecode(
            np.frombuffer(content, np.uint8), mode | cv2.IMREAD_IGNORE_ORIENTATION
        )
    except cv2.error as error:
        raise PaperError(f"{name}: is damaged and cannot be shown; copy it again") from error
    if pixels is None:
        raise PaperError(f"{name}: is damaged or cut short; copy it again from the camera")
    return _turned(np.asarray(pixels, np.uint8), orientation)


def _grey_of(blue_green_red: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(blue_green_red, cv2.COLOR_BGR2GRAY), np.uint8)


def _examine(content: bytes, name: str) -> int:
    """Check the kind and the size that the file declares, before pixels are made; orientation."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            header = Image.open(io.BytesIO(content), formats=_FORMATS)
            _check_size(header.width, header.height, name)
            return int(header.getexif().get(_ORIENTATION_TAG, 1))
    except UnidentifiedImageError as error:
        raise PaperError(_not_a_photo(content, name)) from error
    except Image.DecompressionBombError as error:
        raise PaperError(_too_many_pixels(name)) from error
    except PaperError:
        raise
    # a hostile header can make its parser fail in any way
    except Exception as error:
        raise PaperError(f"{name}: is damaged; copy it again from the camera") from error


def _not_a_photo(content: bytes, name: str) -> str:
    if not content:
        return f"{name}: is empty; copy it again from the camera"
    if content[4:8] == b"ftyp":
        return f"{name}: is a film or an unusual picture; save or share it as JPEG"
    return f"{name}: is not a photo that can be read; give JPEG, PNG, WebP, TIFF or BMP"


def _too_many_pixels(name: str) -> str:
    return f"{name}: has more than {MOST_PIXELS // 1_000_000} million pixels; save it smaller"


def _check_size(width: int, height: int, name: str) -> None:
    if width * height > MOST_PIXELS:
        raise PaperError(_too_many_pixels(name))
    if min(width, height) < _SMALLEST_SIDE:
        raise PaperError(f"{name}: {width} x {height} pixels are too few to show a card")


def _turned(pixels: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """Undo an EXIF orientation: odd mirrorings first, then quarter turns."""
    if orientation in (2, 4, 5, 7):
        pixels = np.asarray(cv2.flip(pixels, 1), np.uint8)
        orientation = {2: 1, 4: 3, 5: 8, 7: 6}[orientation]
    quarter = {3: cv2.ROTATE_180, 6: cv2.ROTATE_90_CLOCKWISE, 8: cv2.ROTATE_90_COUNTERCLOCKWISE}
    if orientation not in quarter:
        return pixels
    return np.asarray(cv2.rotate(pixels, quarter[orientation]), np.uint8)
