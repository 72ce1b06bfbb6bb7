"""Converting SVG files to vector shapes if they are plain drawings, otherwise to bitmaps.

An SVG is plain if it contains only paths and shapes in plain colours. Text, gradients, style sheets
and the like are rendered by resvg. `printables.artwork.svg_source` first checks that the file is
safe.
"""

import re
from dataclasses import dataclass, replace
from typing import Any
from xml.etree import ElementTree

from fontTools.misc.transform import Identity, Transform
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from fontTools.svgLib.path.shapes import PathBuilder
from PIL import ImageColor

from basics.wordings import Wording
from basics.workers import pool
from printables.artwork.drawings import BLACK, Colour, Drawing, Point, Segment, Shape
from printables.artwork.fonts import typeface
from printables.artwork.svg_renderer import MOST_SECONDS, CannotRender, render_svg
from printables.artwork.svg_source import SVG_NAMESPACE, parse_svg
from printables.errors import PaperError
from printables.worker_errors import as_paper_errors

RASTER_PIXELS = 1500
_NOT_DRAWN = {"title", "desc", "metadata", "defs", "script"}
_SHAPES = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"}
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
_UNITS = {"": 1.0, "px": 1.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "pt": 4 / 3, "pc": 16.0}
# Possessive quantifiers, here and below, so that matching never backtracks.
_LENGTH = re.compile(r"\s*+([+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?)\s*+([a-z]*+)\s*+")
_TRANSFORM = re.compile(r"[\s,]*+([a-zA-Z]++)\s*+\(([^()]*+)\)[\s,]*+")
# Attributes that only a full SVG renderer draws; "none" and full opacity count as absent.
_UNSUPPORTED = {
    "class", "clip-path", "mask", "filter", "marker", "marker-start", "marker-mid", "marker-end",
    "stroke-dasharray", "opacity", "fill-opacity", "stroke-opacity", "mix-blend-mode",
    "paint-order", "vector-effect", "transform-origin", "systemLanguage", "requiredFeatures",
}  # fmt: skip
_FAMILIES: dict[str, Any] = {
    f"{kind}_family": "DejaVu Sans"
    for kind in ("serif", "sans_serif", "cursive", "fantasy", "monospace")
}
_WITHOUT_EFFECT = {"none", "1", "1.0", "100%", "normal", ""}


class _NotPlain(Exception):
    """The SVG needs a full renderer."""


@dataclass(frozen=True)
class _Style:
    """Attributes that elements inherit."""

    fill: Colour | None = BLACK
    stroke: Colour | None = None
    even_odd: bool = False
    width: float = 1.0
    cap: int = 0
    join: int = 0
    mitre: float = 4.0
    hidden: bool = False


def read_svg(content: bytes, place: str) -> Drawing | bytes:
    """Open an SVG for printing.

    Parameters
    ----------
    content : bytes
        The file.
    place : str
        Its name in error messages.

    Returns
    -------
    Drawing or bytes
        Shapes if the SVG has only paths, lines and plain colours; otherwise a PNG whose longer side
        is 1,500 pixels.

    Raises
    ------
    PaperError
        If it is unsafe (see `svg_source.parse_svg`) or cannot be drawn within 60 s and 2 GB.
    """
    failed = Wording(
        "is an SVG that takes more than %(seconds)s s or 2 GB to draw; simplify it",
        seconds=MOST_SECONDS,
    )
    with as_paper_errors(place, failed):
        answer, (drawn,) = pool.call(f"{__name__}:draw", content, MOST_SECONDS, place=place)
    return Drawing.from_json(drawn) if answer["plain"] else bytes(drawn)


def draw(content: bytes, place: str) -> tuple[dict[str, Any], list[bytes]]:
    """Convert an SVG; `read_svg` runs this in a worker process.

    Returns
    -------
    dict
        Whether it is `plain`.
    list of bytes
        A drawing as JSON if it is plain, otherwise a PNG.
    """
    root = parse_svg(content, place)
    try:
        return {"plain": True}, [_drawing(root).to_json()]
    except MemoryError:
        raise
    except Exception:  # not plain, or an error in a path: leave it to the full renderer
        return {"plain": False}, [_raster(root, place)]


def _drawing(root: ElementTree.Element) -> Drawing:
    """The shapes of a plain SVG; raises `_NotPlain` at the first element that is not plain."""
    frame = _frame(root)
    shapes: list[Shape] = []
    waiting = [(root, _Style(), Identity)]
    while waiting:
        element, style, matrix = waiting.pop()
        namespace, _, name = element.tag.rpartition("}")
        if name in _NOT_DRAWN or (namespace and namespace != SVG_NAMESPACE):
            continue
        style, matrix = _styled(element, style), _transformed(element, matrix)
        if name == "g" or element is root:
            waiting += [(child, style, matrix) for child in reversed(element)]
        elif name not in _SHAPES:
            raise _NotPlain(name)
        elif not style.hidden:
            shapes.append(_shape(element, style, matrix))
    return Drawing(*frame, tuple(shapes))


def _frame(root: ElementTree.Element) -> tuple[float, float, float, float]:
    if "none" in root.get("preserveAspectRatio", ""):
        raise _NotPlain("preserveAspectRatio")
    box = [float(number) for number in root.get("viewBox", "").replace(",", " ").split()]
    if not box:
        box = [0.0, 0.0, _length(root.get("width", "")), _length(root.get("height", ""))]
    left, top, width, height = box
    if not (width > 0 and height > 0):
        raise _NotPlain("viewBox")
    return left, top, width, height


def _length(text: str) -> float:
    match = _LENGTH.fullmatch(text)
    if not match or match[2] not in _UNITS:
        raise _NotPlain(text)
    return float(match[1]) * _UNITS[match[2]]


def _properties(element: ElementTree.Element) -> dict[str, str]:
    properties = {name: value.strip() for name, value in element.attrib.items()}
    for declaration in properties.pop("style", "").split(";"):
        name, _, value = declaration.partition(":")
        properties[name.strip()] = value.replace("!important", "").strip()
    beyond = [n for n in _UNSUPPORTED & properties.keys() if properties[n] not in _WITHOUT_EFFECT]
    if beyond or "inherit" in properties.values():
        raise _NotPlain(", ".join(beyond))
    return properties


def _styled(element: ElementTree.Element, style: _Style) -> _Style:
    own = _properties(element)
    changes: dict[str, Any] = {}
    for name in ("fill", "stroke"):
        if name in own:
            changes[name] = _colour(own[name])
    if "fill-rule" in own:
        changes["even_odd"] = own["fill-rule"] == "evenodd"
    if "stroke-width" in own:
        changes["width"] = _length(own["stroke-width"])
    if "stroke-linecap" in own:
        changes["cap"] = _CAPS.get(own["stroke-linecap"], 0)
    if "stroke-linejoin" in own:
        changes["join"] = _JOINS.get(own["stroke-linejoin"], 0)
    if "stroke-miterlimit" in own:
        changes["mitre"] = max(float(own["stroke-miterlimit"]), 1.0)
    if own.get("visibility", "visible") != "visible":
        raise _NotPlain("visibility")
    if own.get("display") == "none":
        changes["hidden"] = True
    return replace(style, **changes)


def _colour(text: str) -> Colour | None:
    if text in ("none", "transparent"):
        return None
    if text == "currentColor":
        return BLACK
    levels = ImageColor.getrgb(text)
    if len(levels) == 4 and levels[3] != 255:
        raise _NotPlain(text)
    return levels[0] / 255, levels[1] / 255, levels[2] / 255


def _transformed(element: ElementTree.Element, matrix: Transform) -> Transform:
    text, at = element.get("transform", ""), 0
    while at < len(text):
        found = _TRANSFORM.match(text, at)
        if not found:
            raise _NotPlain(text)
        numbers = [float(number) for number in found[2].replace(",", " ").split()]
        matrix, at = matrix.transform(_transform(found[1], numbers)), found.end()
    return matrix


def _transform(name: str, numbers: list[float]) -> Transform:
    if name == "matrix":
        return Transform(*numbers)
    if name == "translate":
        return Identity.translate(*numbers)
    if name == "scale":
        return Identity.scale(*numbers)
    if name == "rotate":
        x, y = numbers[1:] or (0.0, 0.0)
        return Identity.translate(x, y).rotate(_radians(numbers[0])).translate(-x, -y)
    raise _NotPlain(name)


def _radians(degrees: float) -> float:
    return degrees * 3.141592653589793 / 180


def _shape(element: ElementTree.Element, style: _Style, matrix: Transform) -> Shape:
    builder = PathBuilder()
    untransformed = {name: value for name, value in element.attrib.items() if name != "transform"}
    builder.add_path_from_element(ElementTree.Element(element.tag, untransformed))
    pen = RecordingPen()
    parse_path(builder.paths[0], pen)
    is_line = element.tag.rpartition("}")[2] == "line"
    return Shape(
        segments=tuple(_segments(pen.value)),
        fill=None if is_line else style.fill,
        stroke=style.stroke if style.width > 0 else None,
        even_odd=style.even_odd,
        width=style.width,
        cap=style.cap,
        join=style.join,
        mitre=style.mitre,
        matrix=tuple(matrix),
    )


def _segments(steps: list[tuple[str, tuple[Point, ...]]]) -> list[Segment]:
    letters = {"moveTo": "M", "lineTo": "L", "curveTo": "C", "closePath": "Z"}
    segments: list[Segment] = []
    at: Point = (0.0, 0.0)
    for name, points in steps:
        if name == "qCurveTo":
            segments.append(("C", _as_cubic(at, *points)))
        elif name in letters:
            segments.append((letters[name], points))
        at = points[-1] if points else at
    return segments


def _as_cubic(start: Point, control: Point, end: Point) -> tuple[Point, Point, Point]:
    def towards(point: Point) -> Point:
        return (point[0] + 2 * control[0]) / 3, (point[1] + 2 * control[1]) / 3

    return towards(start), towards(end), end


def _raster(root: ElementTree.Element, place: str) -> bytes:
    try:
        _, _, width, height = _frame(root)
        wide = width >= height
    except (_NotPlain, ValueError):
        wide = True
    try:
        return render_svg(
            ElementTree.tostring(root, encoding="unicode"),
            width=RASTER_PIXELS if wide else None,
            height=None if wide else RASTER_PIXELS,
            dpi=96,
            # With system fonts the same SVG would look different on another computer.
            skip_system_fonts=True,
            font_files=[str(typeface(bold).path) for bold in (False, True)],
            **_FAMILIES,
        )
    except CannotRender as refusal:
        raise PaperError(str(refusal), place) from refusal
