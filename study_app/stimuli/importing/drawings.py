"""Line drawings: Quick, Draw! strokes and SVG, and the pictures made from them."""

import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from PIL import Image

from printables.artwork.drawings import PEN_SHARE
from printables.artwork.svg_renderer import CANNOT_BE_DRAWN, CannotRender, render_svg
from study_app.core.text.languages import rgettext
from study_app.stimuli.importing.refusals import FileRefused

DRAWN_PIXELS = 800
MARGIN_SHARE = 0.06
SUPERSAMPLING = 2
FRACTION_BITS = 4
MOST_POINTS = 200_000
BOXES = (256, 512)

# The x and y coordinates of its points.
Stroke = tuple[Sequence[float], Sequence[float]]


def box_of(drawings: Iterable[tuple[float, float]]) -> int | None:
    """The side of the box that the drawings of one file share.

    Simplified Quick, Draw! files have coordinates in 0..255, similar ones in 0..512; raw ones in
    pixels of the screen they were drawn on, so they have no common box and each gets its own.

    Parameters
    ----------
    drawings : iterable of (low, high)
        Smallest and largest coordinate of each drawing.

    Returns
    -------
    int or None
        256, 512, or None if each drawing has its own box.
    """
    low, high = 0.0, 0.0
    for least, greatest in drawings:
        low, high = min(low, least), max(high, greatest)
    return next((side for side in BOXES if low >= 0 and high <= side), None)


def extent(drawing: Iterable[Stroke]) -> tuple[float, float]:
    """Smallest and largest coordinate of a drawing."""
    coordinates = [value for stroke in drawing for axis in stroke[:2] for value in axis]
    return min(coordinates, default=0), max(coordinates, default=0)


def strokes_of(record: object) -> list[Stroke]:
    """The strokes of one line of an .ndjson file: `[[x…], [y…]]` each, times left out.

    Raises
    ------
    FileRefused
        If it contains no drawing, or invalid coordinates.
    """
    drawing = record.get("drawing") if isinstance(record, dict) else None
    if not isinstance(drawing, list):
        raise FileRefused(
            rgettext('has no "drawing"; a line is {"key_id": …, "drawing": [[[x…],[y…]]…]}')
        )
    strokes = [_stroke(stroke) for stroke in drawing]
    if not any(len(xs) for xs, _ in strokes):
        raise FileRefused(rgettext("is an empty drawing"))
    if sum(len(xs) for xs, _ in strokes) > MOST_POINTS:
        most = f"{MOST_POINTS:,}"
        raise FileRefused(rgettext("has more than %(most)s points; simplify it", most=most))
    return strokes


def _stroke(stroke: Any) -> Stroke:
    try:
        xs, ys = stroke[0], stroke[1]
        fine = len(xs) == len(ys) and all(_is_coordinate(value) for value in (*xs, *ys))
    except (TypeError, IndexError, KeyError):
        fine = False
    if not fine:
        raise FileRefused(rgettext("has a stroke that is not [[x…], [y…]] with as many x as y"))
    return xs, ys


def _is_coordinate(value: object) -> bool:
    # To `isinstance`, a bool is an int.
    return isinstance(value, int | float) and type(value) is not bool and abs(value) < 1e6


def in_square(strokes: Sequence[Stroke], side: float | None) -> bytes:
    """Move strokes into a square from (0, 0), as JSON that is stored for printing.

    Drawings of a 512 box keep their place in it. Those of a 256 box fill its long side and start
    in its corner, so they are centred; raw ones likewise, in a box of their own.
    """
    if side != 512:
        left, right = _range(xs for xs, _ in strokes)
        top, bottom = _range(ys for _, ys in strokes)
        inner = max(right - left, bottom - top, 1)
        if side is not None:
            inner = max(inner, side - 1)
        side = round(inner / (1 - 2 * MARGIN_SHARE), 3)
        dx, dy = (side - left - right) / 2, (side - top - bottom) / 2
        strokes = [
            ([round(x + dx, 2) for x in xs], [round(y + dy, 2) for y in ys]) for xs, ys in strokes
        ]
    stored = {"box": side, "drawing": [[list(xs), list(ys)] for xs, ys in strokes if len(xs)]}
    return json.dumps(stored, separators=(",", ":")).encode()


def _range(axes: Iterable[Sequence[float]]) -> tuple[float, float]:
    values = [value for axis in axes for value in axis]
    return min(values), max(values)


def drawn_strokes(stored: bytes) -> Image.Image:
    """Draw stored strokes as they are printed: black, with round ends and the full pen width.

    Returns
    -------
    PIL.Image.Image
        Mode L, DRAWN_PIXELS square.
    """
    # Here, because it takes 15 MB, and most processes draw no strokes.
    import cv2

    drawing = json.loads(stored)
    pen = drawing["box"] * PEN_SHARE
    scale = DRAWN_PIXELS * SUPERSAMPLING / (drawing["box"] + pen)
    paper = np.full((DRAWN_PIXELS * SUPERSAMPLING,) * 2, 255, np.uint8)
    for xs, ys in drawing["drawing"]:
        # A dot is a line of length zero with round ends.
        points = np.column_stack([xs, ys] if len(xs) > 1 else [xs * 2, ys * 2])
        points = (points + pen / 2) * scale * 2**FRACTION_BITS
        cv2.polylines(
            paper,
            [np.rint(points).astype(np.int32)],
            isClosed=False,
            color=0,
            thickness=round(pen * scale),
            lineType=cv2.LINE_AA,
            shift=FRACTION_BITS,
        )
    small = cv2.resize(paper, (DRAWN_PIXELS, DRAWN_PIXELS), interpolation=cv2.INTER_AREA)
    return Image.fromarray(small)


def drawn(svg: bytes, pixels: int = DRAWN_PIXELS) -> Image.Image:
    """Draw a safe SVG on white, its long side `pixels` long.

    Raises
    ------
    FileRefused
        If it cannot be drawn.
    """
    try:
        png = render_svg(
            svg.decode("utf-8"),
            background="#ffffff",
            skip_system_fonts=b"<text" not in svg,
            width=pixels,
            height=pixels,
        )
        picture = Image.open(io.BytesIO(png), formats=["PNG"]).convert("RGB")
    except CannotRender as refusal:
        raise FileRefused(str(refusal)) from refusal
    except Exception as error:  # a decoder can raise anything on what a renderer made
        raise FileRefused(CANNOT_BE_DRAWN) from error
    return picture.convert("L") if _is_grey(picture) else picture


def _is_grey(picture: Image.Image) -> bool:
    red, green, blue = picture.split()
    return red.tobytes() == green.tobytes() == blue.tobytes()
