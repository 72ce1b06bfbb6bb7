"""Preparing bitmap files for a PDF without loss: PNG pixels and JPEG files are copied unchanged.

Everything else (other formats, and PNG with transparency, interlacing or an orientation) is
decoded, put on a white background, turned upright, and encoded as a PNG whose pixels are then
copied.
"""

import io
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from basics.wordings import Wording
from basics.workers import pool
from printables.artwork.jpeg import (
    first_picture,
    scans_fault,
    without_metadata,
)
from printables.artwork.png import SIGNATURE, PlainPng, plain_png
from printables.errors import PaperError
from printables.worker_errors import as_paper_errors

MOST_PIXELS = 50_000_000
MOST_SECONDS = 60
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "TIFF", "BMP")
_JPEG_MODES = {"L": 1, "RGB": 3, "CMYK": 4}
_ORIENTATION = 0x0112


@dataclass(frozen=True)
class Jpeg:
    """A JPEG file, copied unchanged except that metadata and data after the picture are removed.

    Parameters
    ----------
    width, height : int
        Pixels as stored.
    channels : int
        1 grey, 3 colour, 4 inks.
    inverted : bool
        Whether 0 is full ink, as in files written by Adobe's programs.
    orientation : int
        EXIF orientation of the stored pixels, 1 to 8.
    content : bytes
        The file.
    """

    width: int
    height: int
    channels: int
    inverted: bool
    orientation: int
    content: bytes


Bitmap = PlainPng | Jpeg


def read_bitmap(content: bytes, place: str) -> Bitmap:
    """Open a picture file for printing.

    Parameters
    ----------
    content : bytes
        The file.
    place : str
        Its name in error messages.

    Returns
    -------
    PlainPng or Jpeg

    Raises
    ------
    PaperError
        If it is damaged, of another format, larger than 50 megapixels, or needs more than 60 s or
        2 GB to decode.
    """
    # A plain PNG is not decoded, only split into its parts.
    if content.startswith(SIGNATURE) and (plain := plain_png(content, place)):
        _check_pixels(plain.width, plain.height, place)
        return plain
    failed = Wording(
        "is damaged, or needs more than %(seconds)s s or 2 GB to open; save the picture again",
        seconds=MOST_SECONDS,
    )
    with as_paper_errors(place, failed):
        answer, parts = pool.call(f"{__name__}:decode_bitmap", content, MOST_SECONDS, place=place)
    if answer["kind"] == "png":
        return PlainPng(**answer["facts"], palette=bytes(parts[0]), pixels=bytes(parts[1]))
    alone = content[: answer["end"]]
    return Jpeg(**answer["facts"], content=without_metadata(alone) or alone)


def decode_bitmap(content: bytes, place: str) -> tuple[dict[str, Any], list[bytes]]:
    """Decode all but plain PNG files; `read_bitmap` runs this in a worker process.

    Returns
    -------
    dict
        The `kind` of picture ("jpeg" or "png") and its `facts`: the fields of `Jpeg` or `PlainPng`.
        For a JPEG also `end`, the length of the picture in the file.
    list of bytes
        Palette and pixels of a PNG; empty for a JPEG, whose bytes the caller has.

    Raises
    ------
    PaperError
        As for `read_bitmap`.
    """
    bitmap = _bitmap(content, place)
    facts = dict(vars(bitmap))
    if isinstance(bitmap, Jpeg):
        # The JPEG is the beginning of the file, which the caller has.
        return {"kind": "jpeg", "facts": facts, "end": len(facts.pop("content"))}, []
    return {"kind": "png", "facts": facts}, [facts.pop("palette"), facts.pop("pixels")]


def _bitmap(content: bytes, place: str) -> Bitmap:
    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as image:
            _check_pixels(*image.size, place)
            if fault := scans_fault(content):
                raise PaperError(fault, place)
            return _jpeg(image, content, place) or _decoded(image, place)
    except (PaperError, MemoryError):
        raise
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        raise _too_many_pixels(place) from None
    except UnidentifiedImageError:
        formats = ", ".join(FORMATS)
        raise PaperError(
            Wording("is not a picture; use SVG, %(formats)s", formats=formats), place
        ) from None
    except Exception as error:  # Pillow's decoders raise many kinds of errors on damaged files
        raise PaperError("cannot be read as a picture; save it again as PNG", place) from error


def _check_pixels(width: int, height: int, place: str) -> None:
    if width * height > MOST_PIXELS:
        raise _too_many_pixels(place)


def _too_many_pixels(place: str) -> PaperError:
    most = MOST_PIXELS // 1_000_000
    return PaperError(
        Wording("has more than %(most)s megapixels; reduce the picture", most=most), place
    )


def _jpeg(image: Image.Image, content: bytes, place: str) -> Jpeg | None:
    if image.format not in ("JPEG", "MPO") or image.mode not in _JPEG_MODES:
        return None
    alone = first_picture(content)
    if alone is None:
        raise PaperError("the JPEG is cut off; save or copy the picture again", place)
    orientation = image.getexif().get(_ORIENTATION, 1)
    orientation = orientation if orientation in range(1, 9) else 1
    inverted = image.mode == "CMYK" and "adobe" in image.info
    return Jpeg(*image.size, _JPEG_MODES[image.mode], inverted, orientation, alone)


def _decoded(image: Image.Image, place: str) -> PlainPng:
    upright = _eight_bits(ImageOps.exif_transpose(image))
    grey = upright.mode in ("1", "L", "LA", "La")
    if upright.has_transparency_data:
        glass = upright.convert("RGBA")
        upright = Image.alpha_composite(Image.new("RGBA", glass.size, "white"), glass)
    if upright.mode != "1":
        upright = upright.convert("L" if grey else "RGB")
    written = io.BytesIO()
    upright.save(written, format="PNG")
    plain = plain_png(written.getvalue(), place)
    assert plain is not None
    return plain


def _eight_bits(image: Image.Image) -> Image.Image:
    """Convert 16-bit grey to 8 bits; Pillow's own conversion would clip it to white."""
    if not image.mode.startswith("I"):
        return image
    return Image.fromarray((np.asarray(image) >> 8).clip(0, 255).astype(np.uint8))
