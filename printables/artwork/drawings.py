"""Line drawings as vector shapes: pen strokes and simple SVG."""

import json
from dataclasses import dataclass
from typing import Any

from printables.artwork.pictures import Strokes

PEN_SHARE = 0.012
BLACK = (0.0, 0.0, 0.0)
IDENTITY = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

Colour = tuple[float, float, float]
Point = tuple[float, float]
# "M" and "L" with one point, "C" with three, "Z" without points.
Segment = tuple[str, tuple[Point, ...]]


@dataclass(frozen=True)
class Shape:
    """One path and how it is painted.

    Parameters
    ----------
    segments : tuple of Segment
    fill, stroke : colour of red, green, blue in 0 to 1, or None
    even_odd : bool
        Whether the even-odd rule decides what is filled.
    width : float
        Of the stroke, in the path's units.
    cap, join : int
        0 butt or mitre, 1 round, 2 square or bevel.
    mitre : float
        Longest mitre, in stroke widths.
    matrix : tuple of six floats
        From the path's units to the drawing's: x' = a x + c y + e, y' = b x + d y + f.
    """

    segments: tuple[Segment, ...]
    fill: Colour | None = None
    stroke: Colour | None = None
    even_odd: bool = False
    width: float = 1.0
    cap: int = 0
    join: int = 0
    mitre: float = 4.0
    matrix: tuple[float, float, float, float, float, float] = IDENTITY


@dataclass(frozen=True)
class Drawing:
    """Shapes in a frame whose upper left corner is (left, top), y down; clipped to the frame."""

    left: float
    top: float
    width: float
    height: float
    shapes: tuple[Shape, ...]

    def to_json(self) -> bytes:
        """The drawing as JSON, for `from_json`."""
        frame = (self.left, self.top, self.width, self.height)
        return json.dumps([frame, [vars(shape) for shape in self.shapes]]).encode()

    @classmethod
    def from_json(cls, written: bytes | bytearray) -> "Drawing":
        """A drawing from the JSON that `to_json` wrote."""
        (left, top, width, height), shapes = json.loads(written)
        drawn = tuple(Shape(**_as_tuples(shape)) for shape in shapes)
        return cls(left, top, width, height, drawn)


def _as_tuples(shape: dict[str, Any]) -> dict[str, Any]:
    """The fields of a shape, with lists turned back into tuples."""
    return {name: _as_tuple(value) for name, value in shape.items()}


def _as_tuple(value: Any) -> Any:
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


def stroke_drawing(strokes: Strokes) -> Drawing:
    """Draw strokes with a round black pen whose width is 1.2 % of the canvas."""
    segments: list[Segment] = []
    for polyline in strokes.polylines:
        if polyline:
            segments.append(("M", (polyline[0],)))
            # A tap of the pen is a line of length zero, which the round cap makes a dot.
            segments += [("L", (point,)) for point in polyline[1:] or polyline]
    pen = strokes.size * PEN_SHARE
    shape = Shape(tuple(segments), stroke=BLACK, width=pen, cap=1, join=1)
    # A line along the edge of the canvas must keep its full width.
    side = strokes.size + pen
    return Drawing(-pen / 2, -pen / 2, side, side, (shape,))
