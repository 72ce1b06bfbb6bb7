"""Sketches as they are given: a picture file or strokes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from basics.wordings import Wording
from printables.errors import PaperError

MOST_POINTS = 1_000_000


@dataclass(frozen=True)
class Strokes:
    """A sketch as the polylines of a pen.

    Parameters
    ----------
    polylines : tuple of polylines, each a tuple of (x, y)
        In units of the canvas; y is down.
    size : float
        Side of the square canvas. The canvas, not the drawing, fills a card's sketch area, so that
        small drawings remain small.
    """

    polylines: tuple[tuple[tuple[float, float], ...], ...]
    size: float

    @classmethod
    def from_quickdraw(cls, drawing: Sequence[Sequence[Sequence[float]]], size: float) -> "Strokes":
        """Read the `drawing` of a Quick, Draw! line: strokes as [[x…], [y…]] (times are ignored).

        Parameters
        ----------
        drawing : sequence of strokes
        size : float
            Side of the canvas: 256 in the simplified files of Quick, Draw!.

        Returns
        -------
        Strokes

        Raises
        ------
        PaperError
            If it is not such a drawing, is empty, or exceeds the limits on points and coordinates.
        """
        try:
            polylines = tuple(
                tuple((float(x), float(y)) for x, y in zip(stroke[0], stroke[1], strict=True))
                for stroke in drawing
            )
        except (TypeError, ValueError, IndexError) as error:
            raise PaperError("is not a drawing of strokes [[x…], [y…]]") from error
        points = [value for line in polylines for point in line for value in point]
        if not points or len(points) > 2 * MOST_POINTS:
            raise PaperError(
                Wording(
                    "a drawing has 1 to %(most)s points, this one %(count)s",
                    most=MOST_POINTS,
                    count=len(points),
                )
            )
        if not all(abs(value) <= 1e6 for value in points) or not 0 < size <= 1e6:
            raise PaperError("a drawing's coordinates go up to a million")
        return cls(polylines, float(size))


Picture = Path | Strokes
