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
# "M" (move) and "L" (line) with one point, "C" (cubic Bézier curve) with three, "Z" (close)
# without.
Segment = tuple[str, tuple[Point, ...]]


@dataclass(frozen=True)
class Shape:
    """A path and how it is painted.

    Parameters
    ----------
    segments : tuple of Segment
    fill, stroke : (float, float, float) or None
        Red, green and blue in [0, 1]; None for no fill or stroke.
    even_odd : bool
        Whether to fill by the even-odd rule rather than the non-zero winding rule.
    width : float
        Stroke width, in the path's units.
    cap, join : int
        As in PDF: 0 butt cap or mitre join, 1 round, 2 square cap or bevel join.
    mitre : float
        Mitre limit, in stroke widths.
    matrix : tuple of six floats
        Transform (a, b, c, d, e, f) from the path's units to the drawing's: x' = a x + c y + e,
        y' = b x + d y + f.
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
    """Shapes, clipped to a frame whose upper left corner is (left, top); y is down."""

    left: float
    top: float
    width: float
    height: float
    shapes: tuple[Shape, ...]

    def to_json(self) -> bytes:
        """Serialise the drawing as JSON, for `from_json`."""
        frame = (self.left, self.top, self.width, self.height)
        return json.dumps([frame, [vars(shape) for shape in self.shapes]]).encode()

    @classmethod
    def from_json(cls, written: bytes | bytearray) -> "Drawing":
        """Restore a drawing from the JSON of `to_json`."""
        (left, top, width, height), shapes = json.loads(written)
        drawn = tuple(Shape(**_as_tuples(shape)) for shape in shapes)
        return cls(left, top, width, height, drawn)


def _as_tuples(shape: dict[str, Any]) -> dict[str, Any]:
    """The fields of a shape, with lists converted back to tuples."""
    return {name: _as_tuple(value) for name, value in shape.items()}


def _as_tuple(value: Any) -> Any:
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


def stroke_drawing(strokes: Strokes) -> Drawing:
    """Convert strokes to a drawing, with a round black pen as wide as 1.2 % of the canvas."""
    segments: list[Segment] = []
    for polyline in strokes.polylines:
        if polyline:
            segments.append(("M", (polyline[0],)))
            # A tap of the pen is a line of length zero, drawn as a dot because of the round cap.
            segments += [("L", (point,)) for point in polyline[1:] or polyline]
    pen = strokes.size * PEN_SHARE
    shape = Shape(tuple(segments), stroke=BLACK, width=pen, cap=1, join=1)
    # Half a pen's width on each side, so that lines along the canvas's edge have their full width.
    side = strokes.size + pen
    return Drawing(-pen / 2, -pen / 2, side, side, (shape,))
