"""One query of a task as people ranked it: its stimuli by rank, as dots or images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis.figures.rows import name_rows, place_rows, write_column
from analysis.figures.style import (
    ACCENT,
    DOUBLE_COLUMN,
    GREY,
    LINE,
    PRINTED_DPI,
    QUIET,
    bare_axes,
    fitted_names,
    house_style,
    new_figure,
    short_name,
)
from analysis.simulated import is_marked
from basics.numerals import score

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from analysis.ratings.ground_truth import Best, GroundTruth

Picture = NDArray[np.uint8]

_SKETCH, _IMAGE, _FRAME = 1.3, 0.62, 0.03
SKETCH_PIXELS = round((_SKETCH - 2 * _FRAME) * PRINTED_DPI)
_IMAGE_PIXELS = round((_IMAGE - 2 * _FRAME) * PRINTED_DPI)
_ALL_PIXELS = 6_000_000
# More figures would not be looked at, and drawing them takes longer than all computation.
MOST_DRAWN = 1_000
_COLUMNS = 8
_STEP, _LINE = 0.7, 0.13
_GAP, _HEAD = 0.08, 0.42
_CHARACTERS_AN_INCH = 19
_POINTS = 11
_NAME_INCHES = 2.4


@dataclass(frozen=True)
class RankedQuery:
    """A query, its stimuli, and what people scored.

    Attributes
    ----------
    query_id : str
    stimuli : sequence of str
    truth : GroundTruth
        Arrays of shape (stimuli,); NaN if nobody scored a stimulus.
    best : {"low", "high"}
        Which end of the scale is the most similar.
    """

    query_id: str
    stimuli: Sequence[str]
    truth: GroundTruth
    best: Best

    @property
    def order(self) -> list[int]:
        """Indices of the stimuli, most similar first; unscored ones last."""
        order: list[int] = np.argsort(self.truth.rank, kind="stable").tolist()
        return order

    @property
    def note(self) -> str:
        """A note on what the numbers are, with n."""
        least, most = int(self.truth.n.min()), int(self.truth.n.max())
        scores = f"n = {least}" if least == most else f"n = {least}–{most}"
        return f"Mean score ± standard error, {scores}; the {self.best}est is the most similar"


def image_pixels(count: int) -> int:
    """The longer side of an image, in pixels, in a figure of this many images.

    Parameters
    ----------
    count : int
        Images of the query.

    Returns
    -------
    int
        Enough for 300 dpi, but six million pixels in all: a figure of thousands of images is far
        larger than a page, and is viewed on a screen or printed smaller.

    Examples
    --------
    >>> image_pixels(40), image_pixels(2000)
    (168, 54)
    """
    return min(_IMAGE_PIXELS, isqrt(_ALL_PIXELS // max(count, 1)))


def query_figure(query: RankedQuery, scale: tuple[float, float]) -> Figure:
    """Draw the mean score of each stimulus with its standard error, the most similar on top.

    Parameters
    ----------
    query : RankedQuery
    scale : (float, float)
        Ends of the axis; the same for all queries of a task, so that they can be compared.

    Returns
    -------
    matplotlib.figure.Figure
    """
    truth, order = query.truth, query.order
    rows = place_rows(len(order))
    words = f"One row per stimulus, the most similar on top. {query.note}."
    with house_style():
        height = 1.0 + rows.inches(0.17)
        figure = new_figure(DOUBLE_COLUMN * 0.75, height, f"Query {query.query_id}", words)
        axes = bare_axes(figure.subplots(), "bottom")
        mean, se = truth.mean[order], truth.se[order]
        axes.hlines(rows.places, mean - se, mean + se, color=ACCENT, linewidth=1.3)
        dots = np.where(rows.named, 4.0, 1.5) ** 2
        axes.scatter(mean, rows.places, s=dots, color=ACCENT, linewidths=0, zorder=3)
        ranks = _below_one_another([_rank(truth, at) for at in order])
        names, size = fitted_names([query.stimuli[at] for at in order], _NAME_INCHES, 7.5)
        labels = [f"{name}   {rank}" for name, rank in zip(names, ranks, strict=True)]
        name_rows(axes, rows, labels, "stimuli")
        axes.tick_params(axis="y", labelsize=size)
        named = [_score(truth, at) for at, shown in zip(order, rows.named, strict=True) if shown]
        write_column(axes, 1, "mean ± se", rows.places[rows.named].tolist(), named)
        axes.set_ylim(rows.end - 0.4, -1.5)
        margin = 0.03 * (scale[1] - scale[0]) or 0.5
        axes.set_xlim(scale[0] - margin, scale[1] + margin)
        if scale[1] - scale[0] <= _POINTS:
            axes.set_xticks(np.arange(np.ceil(scale[0]), scale[1] + 1e-9))
        # Given tick positions save a search that would take as long as drawing the labels.
        name: dict[str, Any] = {"size": 9, "weight": "bold", "x": 0.01, "ha": "left"}
        figure.suptitle(short_name(query.query_id, 60), **name)
        axes.xaxis.set_label_coords(0.5, 0)
        axes.yaxis.set_label_coords(0, 0.5)
        below: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
        axes.annotate(query.note, (0.5, 0), (0, -18), ha="center", va="top", **below)
        axes.grid(axis="x", color=LINE, linewidth=0.5)
        axes.set_axisbelow(True)
    return figure


def _below_one_another(ranks: Sequence[str]) -> list[str]:
    """Pad ranks with spaces of the width of digits and of a point."""
    parts = [rank.partition(".") for rank in ranks]
    halves = any(half for _, _, half in parts)
    longest = max(len(whole) for whole, _, _ in parts)
    return [
        whole.rjust(longest, "\u2007") + (f".{half}" if half else "\u2008\u2007" * halves)
        for whole, _, half in parts
    ]


def _rank(truth: GroundTruth, at: int) -> str:
    return "–" if np.isnan(truth.rank[at]) else f"{truth.rank[at]:g}"


def _score(truth: GroundTruth, at: int) -> str:
    """Format a mean with its standard error, which needs at least two scores."""
    if np.isnan(truth.mean[at]):
        return "not scored"
    error = "" if np.isnan(truth.se[at]) else f" ± {score(truth.se[at])}"
    return score(truth.mean[at]) + error


def query_picture(
    query: RankedQuery, sketch: Picture | None, images: Sequence[Picture | None]
) -> Figure:
    """Draw the query and its images, most similar first, with rank and mean score below each.

    Parameters
    ----------
    query : RankedQuery
    sketch : uint8 array, shape (height, width, 3), or None
        Its longer side is ideally SKETCH_PIXELS, that of images `image_pixels`. A missing picture
        is an empty frame with its name.
    images : sequence of such arrays
        In the order of the query's stimuli.

    Returns
    -------
    matplotlib.figure.Figure
    """
    count = len(images)
    # Many images fill several rows; a strip of hundreds could not be viewed.
    columns = max(min(_COLUMNS, count), 3, isqrt(count))
    width = _SKETCH + 3 * _GAP + columns * _STEP
    below = -(-count // columns) * (_STEP + 2 * _LINE)
    height = _HEAD + max(below, _SKETCH + _LINE) + _GAP + (_LINE if is_marked() else 0)
    words = f"The query and its images, row by row, most similar first. {query.note}."
    with house_style():
        figure = new_figure(width, height, f"Query {query.query_id}", words)
        figure.set_layout_engine("none")
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0), aspect="equal")
        axes.set_axis_off()
        characters = int(width * _CHARACTERS_AN_INCH)
        name = short_name(query.query_id, characters * 3 // 4)
        axes.text(_GAP, _GAP, name, va="top", weight="bold", size=9)
        axes.text(_GAP, _GAP + 0.17, query.note, va="top", color=QUIET, size=7)
        _draw_picture(axes, (_GAP, _HEAD), _SKETCH, sketch, query.query_id)
        for place, at in enumerate(query.order):
            row, column = divmod(place, columns)
            left = _SKETCH + 3 * _GAP + column * _STEP
            upper = _HEAD + row * (_STEP + 2 * _LINE)
            _draw_picture(axes, (left, upper), _IMAGE, images[at], query.stimuli[at])
            _write_score(axes, query.truth, at, (left + _IMAGE / 2, upper + _IMAGE))
    return figure


def _draw_picture(
    axes: Axes, corner: tuple[float, float], side: float, picture: Picture | None, name: str
) -> None:
    """Put a picture in the middle of a white card, or its name on an empty one."""
    from matplotlib.patches import Rectangle

    (left, top), missing = corner, picture is None
    dashes = (0, (3, 2)) if missing else "-"
    axes.add_patch(Rectangle(corner, side, side, fill=False, ec=GREY, lw=0.5, ls=dashes))
    middle, centre = left + side / 2, top + side / 2
    if picture is None:
        # A line may also break after an underscore, as after a space.
        words = wrap(short_name(name, 40).replace("_", "_ "), int(side * _CHARACTERS_AN_INCH))
        lines = "\n".join(words).replace("_ ", "_")
        axes.text(middle, centre, lines, ha="center", va="center", color=QUIET, size=5)
        return
    high, wide = picture.shape[:2]
    scale = (side - 2 * _FRAME) / max(high, wide) / 2
    half_wide, half_high = wide * scale, high * scale
    extent = (middle - half_wide, middle + half_wide, centre + half_high, centre - half_high)
    axes.imshow(picture, extent=extent, interpolation="none", aspect="equal")


def _write_score(axes: Axes, truth: GroundTruth, at: int, top: tuple[float, float]) -> None:
    middle, upper = top
    rank = _rank(truth, at)
    axes.text(middle, upper + 0.04, rank, ha="center", va="top", size=6.5, weight="bold")
    score = _score(truth, at)
    axes.text(middle, upper + 0.04 + _LINE, score, ha="center", va="top", size=6)
