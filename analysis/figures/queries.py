"""Figures of one query: its stimuli in the order of the human ranking, as dots or images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis.figures.rows import label_rows, place_rows, write_column
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
# More figures are rarely viewed, and drawing them takes longer than all computation.
MAX_FIGURES = 1_000
_COLUMNS = 8
_STEP, _LINE = 0.7, 0.13
_GAP, _HEAD = 0.08, 0.42
_CHARACTERS_PER_INCH = 19
_POINTS = 11
_NAME_INCHES = 2.4


@dataclass(frozen=True)
class RankedQuery:
    """A query, its stimuli, and their ground truth.

    Attributes
    ----------
    query_id : str
    stimuli : sequence of str
    truth : GroundTruth
        Arrays of shape (stimuli,); NaN for stimuli without scores.
    best : {"low", "high"}
        Which end of the scale means most similar.
    """

    query_id: str
    stimuli: Sequence[str]
    truth: GroundTruth
    best: Best

    @property
    def order(self) -> list[int]:
        """Indices of the stimuli, most similar first; stimuli without scores last."""
        order: list[int] = np.argsort(self.truth.rank, kind="stable").tolist()
        return order

    @property
    def note(self) -> str:
        """What the numbers mean, with n."""
        least, most = int(self.truth.n.min()), int(self.truth.n.max())
        scores = f"n = {least}" if least == most else f"n = {least}–{most}"
        return f"Mean score ± standard error, {scores}; the {self.best}est is the most similar"


def image_pixels(count: int) -> int:
    """Length of the longer side of each image in a figure of this many images, in pixels.

    Parameters
    ----------
    count : int
        Number of images of the query.

    Returns
    -------
    int
        Enough for 300 dpi, but at most six million pixels for all images: a figure of thousands of
        images is larger than a page, and is viewed on a screen or printed smaller.

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
        Ends of the axis; the same for all queries of a task, so that figures can be compared.

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
        ranks = _aligned([_rank(truth, at) for at in order])
        names, size = fitted_names([query.stimuli[at] for at in order], _NAME_INCHES, 7.5)
        labels = [f"{name}   {rank}" for name, rank in zip(names, ranks, strict=True)]
        label_rows(axes, rows, labels, "stimuli")
        axes.tick_params(axis="y", labelsize=size)
        named = [_score(truth, at) for at, shown in zip(order, rows.named, strict=True) if shown]
        write_column(axes, 1, "mean ± se", rows.places[rows.named].tolist(), named)
        axes.set_ylim(rows.end - 0.4, -1.5)
        margin = 0.03 * (scale[1] - scale[0]) or 0.5
        axes.set_xlim(scale[0] - margin, scale[1] + margin)
        if scale[1] - scale[0] <= _POINTS:
            axes.set_xticks(np.arange(np.ceil(scale[0]), scale[1] + 1e-9))
        # Fixed label positions save a search that would take as long as drawing the labels.
        name: dict[str, Any] = {"size": 9, "weight": "bold", "x": 0.01, "ha": "left"}
        figure.suptitle(short_name(query.query_id, 60), **name)
        axes.xaxis.set_label_coords(0.5, 0)
        axes.yaxis.set_label_coords(0, 0.5)
        below: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
        axes.annotate(query.note, (0.5, 0), (0, -18), ha="center", va="top", **below)
        axes.grid(axis="x", color=LINE, linewidth=0.5)
        axes.set_axisbelow(True)
    return figure


def _aligned(ranks: Sequence[str]) -> list[str]:
    """Align ranks at the decimal point, with spaces as wide as digits and as the point."""
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
    """Format a mean with its standard error, if there are at least two scores."""
    if np.isnan(truth.mean[at]):
        return "not scored"
    error = "" if np.isnan(truth.se[at]) else f" ± {score(truth.se[at])}"
    return score(truth.mean[at]) + error


def query_picture(
    query: RankedQuery, sketch: Picture | None, images: Sequence[Picture | None]
) -> Figure:
    """Draw the query and its images, most similar first, with rank and mean score below each.

    Missing pictures are drawn as empty frames with their names.

    Parameters
    ----------
    query : RankedQuery
    sketch : uint8 array, shape (height, width, 3), or None
        Picture of the query, ideally with SKETCH_PIXELS on its longer side; None if missing.
    images : sequence of uint8 array, shape (height, width, 3), or None
        In the order of the query's stimuli, ideally with `image_pixels` on their longer sides.

    Returns
    -------
    matplotlib.figure.Figure
    """
    count = len(images)
    # Many images need several rows; a single row of hundreds would be unreadable.
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
        characters = int(width * _CHARACTERS_PER_INCH)
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
    """Draw a picture in the middle of a frame, or its name in an empty frame."""
    from matplotlib.patches import Rectangle

    (left, top), missing = corner, picture is None
    dashes = (0, (3, 2)) if missing else "-"
    axes.add_patch(Rectangle(corner, side, side, fill=False, ec=GREY, lw=0.5, ls=dashes))
    middle, centre = left + side / 2, top + side / 2
    if picture is None:
        # Lines may also break after underscores.
        words = wrap(short_name(name, 40).replace("_", "_ "), int(side * _CHARACTERS_PER_INCH))
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
