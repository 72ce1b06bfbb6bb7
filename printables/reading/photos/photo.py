"""Opening untrusted photos, with limits on bytes, pixels, memory and time."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from basics.system_messages import system_reason
from basics.wordings import Wording
from basics.workers import pool
from printables.errors import PaperError
from printables.reading.photos.photo_decoding import check_size, reduced
from printables.worker_errors import as_paper_errors

MOST_BYTES = 150_000_000
MOST_PIXELS = 120_000_000
MOST_SECONDS = 30

_DECODE = "printables.reading.photos.photo_decoding:decode"

PhotoSource = str | Path | bytes | NDArray[np.uint8]


def file_content(
    photo: PhotoSource, most_bytes: int = MOST_BYTES
) -> tuple[bytes | NDArray[np.uint8], str]:
    """Read a photo's file, so that it can be decoded twice although it may be replaced meanwhile.

    Parameters
    ----------
    photo : path, bytes or uint8 array
    most_bytes : int
        Of a larger file, only so many and one more are read.

    Returns
    -------
    content : bytes or uint8 array
    name : str
        Its name in error messages.

    Raises
    ------
    PaperError
        If it cannot be opened.
    """
    if isinstance(photo, str | Path):
        return _read(Path(photo), most_bytes), str(photo)
    return photo, "the photo"


def load_grey(
    photo: PhotoSource,
    most_bytes: int = MOST_BYTES,
    name: str | None = None,
    reduction: int = 1,
) -> NDArray[np.uint8]:
    """Open a photo as an upright grey picture.

    Parameters
    ----------
    photo : path, bytes or uint8 array
        JPEG, PNG, WebP, TIFF or BMP, HEIC if its decoder is installed; or pixels, grey of shape
        (height, width) or RGB of shape (height, width, 3), assumed to be upright.
    most_bytes : int
        Limit on the file's size; larger files are not read.
    name : str, optional
        Its name in error messages [the path].
    reduction : {1, 2}
        How many times smaller it is returned; that saves time.

    Returns
    -------
    uint8 array, shape (height, width)
        Upright: rotated as the file's EXIF orientation says.

    Raises
    ------
    PaperError
        If it is not a picture in one of these formats, is damaged, has more than 120 million
        pixels, or needs more than 30 seconds or 2 GB to decode.
    """
    content, path = file_content(photo, most_bytes)
    if isinstance(content, np.ndarray):
        return reduced(_grey_pixels(content), reduction)
    return _decoded(content, name or path, most_bytes, colour=False, reduction=reduction)


def load_colour(
    photo: PhotoSource, most_bytes: int = MOST_BYTES, reduction: int = 1
) -> NDArray[np.uint8]:
    """Open a photo as `load_grey` does, in OpenCV's colours, shape (height, width, 3).

    Parameters
    ----------
    photo : path, bytes or uint8 array
        As for `load_grey`.
    most_bytes : int
        Limit on the file's size.
    reduction : {1, 2, 4, 8}
        How many times smaller it is returned; that saves time.

    Returns
    -------
    uint8 array, shape (height, width, 3)
        Blue, green, red; upright.

    Raises
    ------
    PaperError
        As for `load_grey`.
    """
    content, name = file_content(photo, most_bytes)
    if isinstance(content, np.ndarray):
        grey = _grey_pixels(content)
        code = cv2.COLOR_GRAY2BGR if content.ndim == 2 else cv2.COLOR_RGB2BGR
        pixels = cv2.cvtColor(grey if content.ndim == 2 else content, code)
        return reduced(np.asarray(pixels, np.uint8), reduction)
    return _decoded(content, name, most_bytes, colour=True, reduction=reduction)


def _grey_pixels(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    if pixels.dtype != np.uint8 or pixels.ndim not in (2, 3) or pixels.shape[2:] not in ((), (3,)):
        raise PaperError(
            Wording(
                "pixels should be uint8 of shape (height, width) or (height, width, 3), not "
                "%(dtype)s of shape %(shape)s",
                dtype=str(pixels.dtype),
                shape=str(pixels.shape),
            )
        )
    check_size(pixels.shape[1], pixels.shape[0], "the photo", MOST_PIXELS)
    if pixels.ndim == 3:
        return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8)
    return np.ascontiguousarray(pixels)


def _read(path: Path, most_bytes: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(most_bytes + 1)
    except OSError as error:
        raise PaperError(
            Wording("cannot be opened (%(reason)s)", reason=system_reason(error)), path
        ) from error


def _decoded(
    content: bytes, name: str, most_bytes: int, colour: bool, reduction: int
) -> NDArray[np.uint8]:
    """Decode the file in a worker process, since a damaged file may crash or hang the decoder."""
    if len(content) > most_bytes:
        raise PaperError(
            Wording(
                "is larger than %(most)s MB; save it smaller as a JPEG",
                most=most_bytes // 1_000_000,
            ),
            name,
        )
    how = {"colour": colour, "reduction": reduction, "most_pixels": MOST_PIXELS}
    failed = Wording(
        "is damaged, or needs more than %(seconds)s s or 2 GB to open; save it again as a JPEG",
        seconds=MOST_SECONDS,
    )
    with as_paper_errors(name, failed):
        result, (pixels,) = pool.call(_DECODE, content, MOST_SECONDS, name=name, **how)
    return np.frombuffer(pixels, np.uint8).reshape(result["shape"])
