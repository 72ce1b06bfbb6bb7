"""One file becomes everything that is kept of it."""

import hashlib
import io
import json
from dataclasses import dataclass
from typing import Any

from PIL import Image

from study_app.stimuli.importing import bitmaps, drawings, svg
from study_app.stimuli.importing.kinds import BITMAPS
from study_app.stimuli.importing.refusals import FileRefused
from study_app.storage.pictures import THUMBNAIL_PIXELS

WEBP_QUALITY = 85


@dataclass(frozen=True)
class Prepared:
    """What is kept of one imported file.

    Attributes
    ----------
    media_type : str
        Of the file as it came.
    form : str
        What it can be printed from: "bitmap", "strokes" or "svg".
    size : (int, int)
        Width and height of the shown picture, in pixels.
    look : str
        SHA-256 of the shown pixels: two files of one look are the same picture.
    png, webp : bytes
        The shown picture and its thumbnail.
    vector : bytes or None
        The lines, where there are any.
    """

    media_type: str
    form: str
    size: tuple[int, int]
    look: str
    png: bytes
    webp: bytes
    vector: bytes | None


def prepare(content: bytes, kind: str, limit_pixels: int, box: int | None = None) -> Prepared:
    """Make the picture, its thumbnail and its lines from a file.

    Parameters
    ----------
    content : bytes
        A whole file, or one line of an .ndjson file.
    kind : str
        As `kinds.kind_of` tells it.
    limit_pixels : int
        Largest bitmap that is decoded.
    box : int, optional
        Side of the box that all strokes of an .ndjson file share.

    Returns
    -------
    Prepared

    Raises
    ------
    FileRefused
        With the reason.
    """
    if kind in BITMAPS:
        image = bitmaps.open_bitmap(io.BytesIO(content), kind, limit_pixels)
        return _prepared(bitmaps.shown(image), BITMAPS[kind], "bitmap", None)
    if kind == "svg":
        safe = svg.made_safe(content)
        return _prepared(drawings.drawn(safe), "image/svg+xml", "svg", safe)
    if kind == "ndjson":
        kept = drawings.in_square(drawings.strokes_of(json_line(content)), box)
        return _prepared(drawings.drawn_strokes(kept), "application/x-ndjson", "strokes", kept)
    raise FileRefused("is not a picture that can be imported")


def json_line(content: bytes) -> Any:
    """One line of an .ndjson file."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        reason = (
            error if isinstance(error, json.JSONDecodeError) else "a number or list without end"
        )
        raise FileRefused(f"is not a line of JSON ({reason})") from error


def _prepared(shown: Image.Image, media_type: str, form: str, vector: bytes | None) -> Prepared:
    if 0 in shown.size:
        raise FileRefused("has no pixels")
    look = hashlib.sha256(f"{shown.mode} {shown.size}".encode() + shown.tobytes()).hexdigest()
    return Prepared(
        media_type, form, shown.size, look, _saved(shown, "PNG"), _thumbnail(shown), vector
    )


def _thumbnail(shown: Image.Image) -> bytes:
    small = shown.copy()
    small.thumbnail((THUMBNAIL_PIXELS, THUMBNAIL_PIXELS), Image.Resampling.LANCZOS)
    return _saved(small, "WEBP", quality=WEBP_QUALITY, method=2)


def _saved(picture: Image.Image, file_format: str, **options: int) -> bytes:
    # Written from a copy of the pixels, so that nothing else of the file comes along.
    picture.info = {}
    kept = io.BytesIO()
    picture.save(kept, file_format, **options)
    return kept.getvalue()
