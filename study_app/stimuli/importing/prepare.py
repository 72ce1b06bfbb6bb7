"""Preparing one file for storage: its picture, thumbnail, lines, hash and warnings."""

import hashlib
import io
import json
import threading
from dataclasses import dataclass, replace
from typing import Any

from PIL import Image

from basics.errors import Refusal
from basics.wordings import packed, unpacked
from basics.workers import pool
from study_app.core.storage.picture_sizes import THUMBNAIL_PIXELS
from study_app.core.text.languages import rgettext
from study_app.stimuli.importing import bitmaps, drawings, looks, svg
from study_app.stimuli.importing.kinds import BITMAPS
from study_app.stimuli.importing.refusals import FileRefused

# Pictures of twice this size or more are first halved by averaging, which takes less than half of
# the time; on real sketches the result is .1 of 255 grey levels from the exact filter.
THUMBNAIL_GAP = 1.5
WEBP_QUALITY = 85
# Pillow's default, 6, makes files up to 4 % smaller, and takes up to twice the time.
PNG_LEVEL = 5
MOST_SECONDS = 60

_MAKE = f"{__name__}:make"
_big = threading.Lock()


@dataclass(frozen=True)
class Prepared:
    """The stored data of one imported file.

    Attributes
    ----------
    media_type : str
        Of the uploaded file.
    form : str
        What it can be printed from: "bitmap", "strokes" or "svg".
    size : (int, int)
        Width and height of the shown picture, in pixels.
    pixel_hash : str
        SHA-256 of the shown pixels: two files of one hash are the same picture.
    png, webp : bytes
        The shown picture and its thumbnail.
    vector : bytes or None
        The lines, or None for a bitmap.
    remarks : tuple of str
        Warnings: blank, mostly dark, tiny.
    """

    media_type: str
    form: str
    size: tuple[int, int]
    pixel_hash: str
    png: bytes
    webp: bytes
    vector: bytes | None
    remarks: tuple[str, ...] = ()


def prepare(content: bytes, kind: str, limit_pixels: int, box: int | None = None) -> Prepared:
    """Make the picture, its thumbnail and its lines from a file.

    Parameters
    ----------
    content : bytes
        A whole file, or one line of an .ndjson file.
    kind : str
        From `kinds.kind_of`.
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
    options = {"kind": kind, "limit_pixels": limit_pixels, "box": box}
    try:
        made, parts = pool.call(_MAKE, content, MOST_SECONDS, alone=False, **options)
        if not made:
            # Big pictures are decoded one at a time, to limit memory.
            with _big:
                made, parts = pool.call(_MAKE, content, MOST_SECONDS, alone=True, **options)
    except pool.TaskFailed as fault:
        raise FileRefused(_too_much(kind)) from fault
    except Refusal as refusal:
        raise FileRefused(refusal.finding) from refusal
    png, webp, *vector = map(bytes, parts)
    made["size"], made["remarks"] = tuple(made["size"]), tuple(map(unpacked, made["remarks"]))
    return Prepared(**made, png=png, webp=webp, vector=vector[0] if vector else None)


def _too_much(kind: str) -> str:
    if kind == "svg":
        return rgettext(
            "is an SVG that takes more than %(seconds)s s or 2 GB to draw; simplify it",
            seconds=MOST_SECONDS,
        )
    return rgettext(
        "is damaged, or takes more than %(seconds)s s or 2 GB to open; save it again",
        seconds=MOST_SECONDS,
    )


def make(
    content: bytes, kind: str, limit_pixels: int, box: int | None, alone: bool
) -> tuple[dict[str, Any], list[bytes]]:
    """As `prepare`, for a process of the pool.

    Returns
    -------
    dict
        The fields of `Prepared` that are not bytes; empty for a big picture that is not alone.
    list of bytes
        PNG, WebP and, unless it is a bitmap, the lines.
    """
    try:
        prepared = _made(content, kind, limit_pixels, box, alone)
    except FileRefused as refusal:
        raise Refusal(str(refusal)) from refusal
    if prepared is None:
        return {}, []
    fields = vars(prepared) | {"remarks": [packed(remark) for remark in prepared.remarks]}
    parts = [fields.pop(name) for name in ("png", "webp", "vector")]
    return fields, [part for part in parts if part is not None]


def _made(
    content: bytes, kind: str, limit_pixels: int, box: int | None, alone: bool
) -> Prepared | None:
    if kind in BITMAPS:
        image = bitmaps.open_bitmap(content, kind, limit_pixels)
        if bitmaps.is_big(image) and not alone:
            return None
        prepared = _prepared(bitmaps.shown(image), BITMAPS[kind], "bitmap", None)
        if prepared.remarks[:1] == (looks.BLANK,) and looks.has_hidden_lines(image):
            # So that it does not count as a duplicate of a blank picture.
            unlike = hashlib.sha256(content).hexdigest()
            prepared = replace(prepared, pixel_hash=unlike, remarks=(looks.HIDDEN,))
        return prepared
    if kind == "svg":
        safe = svg.made_safe(content)
        return _prepared(drawings.drawn(safe), "image/svg+xml", "svg", safe)
    if kind == "ndjson":
        strokes = drawings.in_square(drawings.strokes_of(json_line(content)), box)
        return _prepared(
            drawings.drawn_strokes(strokes), "application/x-ndjson", "strokes", strokes
        )
    raise FileRefused(rgettext("is not a picture that can be imported"))


def json_line(content: bytes) -> Any:
    """One line of an .ndjson file."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        reason = rgettext("a number or list that is too long")
        if isinstance(error, json.JSONDecodeError):
            reason = rgettext("character %(number)s", number=error.colno)
        raise FileRefused(rgettext("is not a line of JSON (%(reason)s)", reason=reason)) from error


def _prepared(shown: Image.Image, media_type: str, form: str, vector: bytes | None) -> Prepared:
    if 0 in shown.size:
        raise FileRefused(rgettext("has no pixels"))
    hashed = hashlib.sha256(f"{shown.mode} {shown.size}".encode())
    hashed.update(shown.tobytes())
    pixel_hash = hashed.hexdigest()
    remarks = tuple(looks.remarks_on(shown))
    if vector is not None and looks.is_blank(shown):
        pixel_hash, remarks = hashlib.sha256(vector).hexdigest(), (looks.HIDDEN,)
    png, webp = _saved(shown, "PNG", compress_level=PNG_LEVEL), _thumbnail(shown)
    return Prepared(media_type, form, shown.size, pixel_hash, png, webp, vector, remarks)


def _thumbnail(shown: Image.Image) -> bytes:
    small = shown.copy()
    size = (THUMBNAIL_PIXELS, THUMBNAIL_PIXELS)
    small.thumbnail(size, Image.Resampling.LANCZOS, reducing_gap=THUMBNAIL_GAP)
    return _saved(small, "WEBP", quality=WEBP_QUALITY, method=2)


def _saved(picture: Image.Image, file_format: str, **options: int) -> bytes:
    # Written from a copy of the pixels, so that no metadata is included.
    picture.info = {}
    buffer = io.BytesIO()
    picture.save(buffer, file_format, **options)
    return buffer.getvalue()
