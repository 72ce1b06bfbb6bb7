"""Dot plot of systems with their intervals, best on top, with a band for the human ceiling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis.figures.rows import Rows, label_rows, place_rows, write_column
from analysis.figures.style import (
    ACCENT,
    DOUBLE_COLUMN,
    LINE,
    QUIET,
    bare_axes,
    house_style,
    new_figure,
    number_ticks,
    whole_name,
)
from basics.numerals import statistic
from basics.plurals import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Values = NDArray[np.float64]
_NOTE_CHARACTERS = 88
_NAME_CHARACTERS = 40


@dataclass(frozen=True)
class SystemScores:
    """Scores of systems, for the figure.

    Attributes
    ----------
    systems : list of str
    score, low, high : float arrays, shape (systems,)
        Systems with a NaN score are not drawn, but counted in the note.
    wide_low, wide_high : float arrays, shape (systems,), or None
        A second, wider interval, drawn as a thinner line.
    marks : float array, shape (systems,), or None
        A reference level for each system, such as chance; drawn as a short bar.
    marks_low, marks_high : float arrays, shape (systems,), or None
        Central 95 % of chance; drawn as a thin whisker through the bar.
    """

    systems: Sequence[str]
    score: Values
    low: Values
    high: Values
    wide_low: Values | None = None
    wide_high: Values | None = None
    marks: Values | None = None
    marks_low: Values | None = None
    marks_high: Values | None = None


def systems_figure(
    scores: SystemScores,
    axis: str,
    note: str,
    band: tuple[float, float] | None = None,
) -> Figure:
    """Draw systems sorted by score; with more than 60, those in the middle have no labels.

    Parameters
    ----------
    scores : SystemScores
    axis : str
        Label of the axis.
    note : str
        n and the meaning of the whiskers, shown above the figure.
    band : (lower, upper), optional
        Human ceiling.

    Returns
    -------
    Figure
    """
    order = _best_first(scores)
    undefined = len(scores.systems) - len(order)
    if undefined:
        note = f"{note}; {counted(undefined, 'system')} undefined, not shown"
    rows = place_rows(len(order))
    words = f"{axis}: one dot per system with its interval, best on top; {note}."
    if band is not None and not np.isnan(band).any():
        words += f" Human ceiling: {statistic(band[0])} to {statistic(band[1])}."
    names = [whole_name(scores.systems[k], _NAME_CHARACTERS) for k in order]
    lines = 1 + max((name.count("\n") for name in names), default=0)
    height = 1.15 + max(rows.inches(0.24 if lines == 1 else 0.04 + 0.11 * lines), 0.24)
    with house_style():
        figure = new_figure(DOUBLE_COLUMN * 0.75, height, "Systems and their intervals", words)
        axes = bare_axes(figure.subplots(), "bottom")
        if band is not None and not np.isnan(band).any():
            _band(axes, band)
        _whiskers(axes, scores, order, rows)
        _rows(axes, scores, order, rows, names)
        _fit_names(axes, rows, lines)
        axes.set_xlabel(axis)
        figure.suptitle(fill(note, _NOTE_CHARACTERS), color=QUIET, fontsize=7.5, x=0.01, ha="left")
        _from_zero(axes)
        number_ticks(axes.xaxis)
    return figure


def _best_first(scores: SystemScores) -> NDArray[np.int64]:
    """Indices of systems by descending score, then by name; undefined scores are left out."""
    there = np.flatnonzero(~np.isnan(scores.score)).tolist()
    return np.array(sorted(there, key=lambda k: (-scores.score[k], scores.systems[k])), dtype=int)


def _fit_names(axes: Axes, rows: Rows, lines: int) -> None:
    """Reduce the font size of multi-line names so that they do not overlap the next row."""
    if lines > 1:
        row = rows.inches(0.04 + 0.11 * lines) / rows.end
        axes.tick_params(axis="y", labelsize=min(6.5, 72 * row / (1.3 * lines)))


def _from_zero(axes: Axes) -> None:
    """Extend the axis to zero, and to 1 if there are values above .6."""
    axes.margins(x=0.04)
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, 0), 1 if high > 0.6 else max(high, 0))
    if low < 0:
        axes.axvline(0, color=QUIET, linewidth=0.7, zorder=1)


def _band(axes: Axes, band: tuple[float, float]) -> None:
    lower, upper = band
    axes.axvspan(lower, upper, color=LINE, linewidth=0, zorder=0)
    axes.annotate(
        f"people {statistic(lower)}–{statistic(upper)}",
        ((lower + upper) / 2, 1),
        xycoords=axes.get_xaxis_transform(),
        xytext=(0, 2),
        textcoords="offset points",
        ha="center",
        va="bottom",
        fontsize=7,
        color=QUIET,
    )


def _whiskers(axes: Axes, scores: SystemScores, order: NDArray[np.int64], rows: Rows) -> None:
    wide = scores.wide_low is not None and scores.wide_high is not None
    for named, scale, alpha in ((True, 1.0, 1.0), (False, 0.3, 0.5)):
        at = np.flatnonzero(rows.named == named)
        if not at.size:
            continue
        mine, y = order[at], rows.places[at]
        look: dict[str, Any] = {"color": ACCENT, "alpha": alpha}
        if scores.wide_low is not None and scores.wide_high is not None:
            low, high = scores.wide_low[mine], scores.wide_high[mine]
            axes.hlines(y, low, high, linewidth=0.8 * scale, **look)
        thick = (2.0 if wide else 1.3) * scale
        axes.hlines(y, scores.low[mine], scores.high[mine], linewidth=thick, **look)
        axes.plot(scores.score[mine], y, "o", color=ACCENT, mew=0, ms=5 * scale, zorder=3)
        if scores.marks is not None:
            half = 0.22 * scale
            if scores.marks_low is not None and scores.marks_high is not None:
                spread = scores.marks_low[mine], scores.marks_high[mine]
                axes.hlines(y, *spread, color=QUIET, linewidth=0.8 * scale)
            axes.vlines(scores.marks[mine], y - half, y + half, color=QUIET, linewidth=1.2 * scale)


def _rows(
    axes: Axes, scores: SystemScores, order: NDArray[np.int64], rows: Rows, names: Sequence[str]
) -> None:
    label_rows(axes, rows, names, "systems")
    numbers = [statistic(scores.score[k]) for k in order[rows.named]]
    write_column(axes, 0, "", rows.places[rows.named].tolist(), numbers)
    axes.set_ylim(max(rows.end, 1) - 0.4, -0.6)
    axes.grid(axis="x", color=LINE, linewidth=0.5)
    axes.set_axisbelow(True)
