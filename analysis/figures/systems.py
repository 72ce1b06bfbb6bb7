"""A dot and whisker a system on one axis, the band of human ceilings behind, the best on top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from analysis.figures.style import (
    ACCENT,
    DOUBLE_COLUMN,
    INK,
    LINE,
    QUIET,
    bare_axes,
    house_style,
    new_figure,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Values = NDArray[np.float64]
_MOST_LABELS = 60


@dataclass(frozen=True)
class SystemScores:
    """What the figure shows.

    Attributes
    ----------
    systems : list of str
    score, low, high : float arrays, shape (systems,)
        A NaN score is not drawn.
    wide_low, wide_high : float arrays, shape (systems,), or None
        A second interval that holds more uncertainty, drawn thinner behind the first.
    marks : float array, shape (systems,), or None
        A level of each system's own to be compared with, such as chance; a short bar.
    """

    systems: Sequence[str]
    score: Values
    low: Values
    high: Values
    wide_low: Values | None = None
    wide_high: Values | None = None
    marks: Values | None = None


def systems_figure(
    scores: SystemScores,
    axis: str,
    note: str,
    band: tuple[float, float] | None = None,
) -> Figure:
    """Draw systems sorted by score.

    Parameters
    ----------
    scores : SystemScores
    axis : str
        What the axis shows, with its unit.
    note : str
        n and what whiskers are, under the figure's title.
    band : (lower, upper), optional
        Human ceilings.
    """
    there = np.flatnonzero(~np.isnan(scores.score))
    order = there[np.argsort(scores.score[there], kind="stable")]
    height = 1.15 + 0.24 * max(len(order), 1)
    with house_style():
        figure = new_figure(DOUBLE_COLUMN * 0.75, min(height, 11.0))
        axes = figure.subplots()
        if band is not None and not np.isnan(band).any():
            _band(axes, band, len(order))
        _whiskers(axes, scores, order)
        _rows(axes, scores, order)
        axes.set_xlabel(axis)
        axes.set_title(note, color=QUIET, fontsize=7.5, fontweight="normal", pad=14)
        axes.margins(x=0.06)
        low, high = axes.get_xlim()
        if low < 0 < high:
            axes.axvline(0, color=QUIET, linewidth=0.7, zorder=1)
    return figure


def _band(axes: Axes, band: tuple[float, float], rows: int) -> None:
    lower, upper = band
    axes.axvspan(lower, upper, color=LINE, linewidth=0, zorder=0)
    axes.text(
        (lower + upper) / 2,
        rows - 0.35,
        f"people {lower:.2f}–{upper:.2f}",
        ha="center",
        va="bottom",
        fontsize=7,
        color=QUIET,
    )


def _whiskers(axes: Axes, scores: SystemScores, order: NDArray[np.int64]) -> None:
    rows = np.arange(len(order))
    if scores.wide_low is not None and scores.wide_high is not None:
        axes.hlines(
            rows, scores.wide_low[order], scores.wide_high[order], color=ACCENT, linewidth=0.8
        )
    axes.hlines(
        rows,
        scores.low[order],
        scores.high[order],
        color=ACCENT,
        linewidth=2.0 if scores.wide_low is not None else 1.3,
    )
    axes.plot(scores.score[order], rows, "o", color=ACCENT, markersize=4.5, zorder=3)
    if scores.marks is not None:
        axes.vlines(scores.marks[order], rows - 0.22, rows + 0.22, color=QUIET, linewidth=1.2)


def _rows(axes: Axes, scores: SystemScores, order: NDArray[np.int64]) -> None:
    bare_axes(axes, "bottom")
    rows = np.arange(len(order))
    if len(order) <= _MOST_LABELS:
        axes.set_yticks(rows, [scores.systems[k] for k in order], color=INK)
        right = axes.secondary_yaxis("right")
        right.set_yticks(rows, [f"{scores.score[k]:.3f}" for k in order])
        right.spines["right"].set_visible(False)
        right.tick_params(length=0)
    else:
        axes.set_yticks([])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(-0.6, len(order) - 0.4)
    axes.grid(axis="x", color=LINE, linewidth=0.5)
    axes.set_axisbelow(True)
