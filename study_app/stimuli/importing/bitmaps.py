"""Bitmaps: decoded within limits, rotated upright, put on white."""

import io

import numpy as np
from PIL import Image, ImageOps

from printables.artwork.jpeg import scans_fault
from study_app.core.storage.picture_sizes import SHOWN_PIXELS
from study_app.core.text.languages import rgettext
from study_app.stimuli.importing.refusals import FileRefused

# The size is checked against the installation's own limit before anything is decoded.
Image.MAX_IMAGE_PIXELS = None

BIG_PIXELS = 16_000_000
LONGEST_SIDE = 60_000
BAND_PIXELS = 4_000_000
REDUCED_MODES = ("L", "RGB", "RGBA", "CMYK")


def open_bitmap(content: bytes, kind: str, limit_pixels: int) -> Image.Image:
    """Open a bitmap and check what its header claims, before decoding.

    Raises
    ------
    FileRefused
        If it is corrupt, animated, has several pages, or claims more pixels than the limit.
    """
    try:
        image = Image.open(io.BytesIO(content), formats=[kind.upper()])
        # Only whether there is a second frame: counting them takes minutes in a hostile file.
        several = getattr(image, "is_animated", False)
    except MemoryError:
        raise
    except Exception as error:  # a decoder can raise anything on a hostile file
        raise FileRefused(
            rgettext("is corrupt: its header cannot be read; save it again")
        ) from error
    width, height = image.size
    if width * height > limit_pixels or max(width, height) > LONGEST_SIDE:
        raise FileRefused(
            rgettext(
                "has %(width)s x %(height)s pixels (%(megapixels)s megapixels); at most "
                "%(limit)s are read: make it smaller",
                width=width,
                height=height,
                megapixels=f"{width * height / 1e6:.0f}",
                limit=f"{limit_pixels / 1e6:.0f}",
            )
        )
    if several and image.format != "MPO":
        if kind == "tiff":
            raise FileRefused(rgettext("has several pages; save one of them as a picture"))
        raise FileRefused(rgettext("is animated; save one frame of it as a picture"))
    if kind == "jpeg" and (fault := scans_fault(content)):
        raise FileRefused(fault)
    return image


def is_big(image: Image.Image) -> bool:
    """Whether a picture needs so much memory that only one of this size is decoded at a time."""
    return image.width * image.height > BIG_PIXELS


def shown(image: Image.Image) -> Image.Image:
    """The picture that people see: upright, on white, at most SHOWN_PIXELS long.

    Parameters
    ----------
    image : PIL.Image.Image
        As `open_bitmap` gives it; it is decoded here.

    Returns
    -------
    PIL.Image.Image
        Mode L or RGB.

    Raises
    ------
    FileRefused
        If the pixels cannot be decoded.
    """
    try:
        return _bounded(_on_white(_upright(_decoded(image))))
    except (FileRefused, MemoryError):
        raise
    except Exception as error:  # as above
        raise FileRefused(
            rgettext("is corrupt: its pixels end early or are damaged; save it again")
        ) from error


def _decoded(image: Image.Image) -> Image.Image:
    """Decode, at a reduced resolution if the full one is not needed."""
    image.draft(None, (SHOWN_PIXELS, SHOWN_PIXELS))
    image.load()
    factor = max(image.size) // SHOWN_PIXELS
    if is_big(image) and factor > 1:
        exif = image.getexif()
        image = _reduced(image, factor)
        image.getexif().update(exif)
    return image


def _reduced(image: Image.Image, factor: int) -> Image.Image:
    """Reduce band by band: a big picture is in memory once, and never with 8 bytes per pixel."""
    rows = factor * max(1, BAND_PIXELS // (image.width * factor))
    deep, bands = _is_deep(image), []
    for top in range(0, image.height, rows):
        band = image.crop((0, top, image.width, min(top + rows, image.height)))
        if band.mode not in REDUCED_MODES:
            band = _on_white(band, deep)
        bands.append(band.reduce(factor))
    small = Image.new(bands[0].mode, (bands[0].width, -(-image.height // factor)))
    for number, band in enumerate(bands):
        small.paste(band, (0, number * rows // factor))
    return small


def _upright(image: Image.Image) -> Image.Image:
    upright = ImageOps.exif_transpose(image)
    return image if upright is None else upright


def _on_white(image: Image.Image, deep: bool | None = None) -> Image.Image:
    if image.mode.startswith("I"):
        return _from_16_bits(image, _is_deep(image) if deep is None else deep)
    if image.mode == "F":
        raise FileRefused(
            rgettext("contains floating-point values, not a picture; save it with 8 bits")
        )
    if image.mode in ("LA", "La", "PA", "RGBA", "RGBa") or "transparency" in image.info:
        layer = image.convert("RGBA")
        white = Image.new("RGBA", layer.size, "white")
        white.alpha_composite(layer)
        image = white.convert("RGB")
    return image if image.mode in ("L", "RGB") else image.convert(_plain_mode(image))


def _plain_mode(image: Image.Image) -> str:
    return "L" if image.mode == "1" else "RGB"


def _is_deep(image: Image.Image) -> bool:
    """Whether a picture has values beyond 8 bits."""
    if image.mode != "I":
        return image.mode.startswith("I;16")
    greatest = image.getextrema()[1]
    return not isinstance(greatest, tuple) and greatest > 255


def _from_16_bits(image: Image.Image, deep: bool) -> Image.Image:
    values = np.asarray(image).astype(np.int64)
    values = np.clip(values >> 8 if deep else values, 0, 255)
    return Image.fromarray(values.astype(np.uint8))


def _bounded(image: Image.Image) -> Image.Image:
    if max(image.size) > SHOWN_PIXELS:
        image.thumbnail((SHOWN_PIXELS, SHOWN_PIXELS), Image.Resampling.LANCZOS)
    return image
