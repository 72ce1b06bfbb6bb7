"""Precision-recall and ROC curves of several systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.figures.style import (
    ACCENT,
    GREY,
    INK,
    LINE,
    QUIET,
    bare_axes,
    house_style,
    new_figure,
    number_ticks,
    whole_name,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Dark enough on white. Dashes or markers differ too, for colour-blind readers and greyscale prints.
COLOURS = (ACCENT, "#b3400e", "#1a7f4b", "#7a3f9d", "#8a6d00", "#c2307f", "#0b7c8c", INK)
DASHES: tuple[str | tuple[int, tuple[float, ...]], ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (1.5, 1.2)),
    (0, (6, 1.5, 1.5, 1.5)),
)
MARKERS = "os^Dv<>P"
MAX_NAMED = 12
_WIDTH = 4.6
_CHARACTERS = 48
Curve = tuple[NDArray[np.float64], NDArray[np.float64]]


def precision_recall_figure(
    curves: Mapping[str, Curve], note: str, markers: bool = False
) -> Figure:
    """Draw precision over recall, one line per system, with a legend below.

    With more than 12 systems, only those with the largest area under the curve have a colour and a
    name.

    Parameters
    ----------
    curves : dict of system to (recall, precision)
        In the order of the legend; points with NaN are left out.
    note : str
        Description of the curves, shown as the title.
    markers : bool
        Whether to draw markers at the points; useful for curves of few points.

    Returns
    -------
    Figure
    """
    named, others = _prominent([curves])
    legend = _Legend.of(named, others, _WIDTH)
    words = f"One line per system, {note}. Named: {', '.join(named)}."
    with house_style():
        figure = new_figure(_WIDTH, 3.4 + legend.height, "Precision and recall", words)
        axes = figure.subplots()
        _draw(axes, curves, named, markers)
        _unit_square(axes, "Recall", "Precision")
        axes.set_title(note, fontsize=8, color=QUIET, fontweight="normal")
        legend.draw(figure, axes)
    return figure


def panels_figure(panels: Mapping[str, Mapping[str, Curve]], x: str, y: str, note: str) -> Figure:
    """Draw one panel per task, one line per descriptor, with the same scale and a shared legend.

    With more than 12 descriptors, only those with the largest mean area under the curve have a
    colour and a name.

    Parameters
    ----------
    panels : dict of title to dict of name to (x, y)
        All panels have the same names in the same order.
    x, y : str
        Labels of the axes.
    note : str
        Shown at the top: n, and other notes on all panels.

    Returns
    -------
    Figure
    """
    columns = min(len(panels), 2)
    rows = -(-len(panels) // columns)
    named, others = _prominent(list(panels.values()))
    width = 0.7 + 2.9 * columns
    legend = _Legend.of(named, others, width)
    words = f"One panel per task, one line per descriptor; {note}. Named: {', '.join(named)}."
    with house_style():
        figure = new_figure(width, 0.5 + 2.5 * rows + legend.height, f"{y} over {x.lower()}", words)
        grid = np.atleast_1d(figure.subplots(rows, columns, squeeze=False)).ravel()
        for axes, (title, curves) in zip(grid, panels.items(), strict=False):
            _draw(axes, curves, named, markers=False)
            _unit_square(axes, x, y)
            axes.set_title(title, fontsize=8)
        for axes in grid[len(panels) :]:
            axes.set_visible(False)
        figure.suptitle(note, fontsize=7.5, color=QUIET, x=0.02, ha="left")
        legend.draw(figure, grid[0])
    return figure


def thin(curve: Curve, points: int = 1000) -> Curve:
    """Thin out the corners of a curve evenly along its length, keeping both ends.

    Parameters
    ----------
    curve : (x, y), float arrays of shape (corners,)
    points : int

    Returns
    -------
    (x, y), float arrays of at most `points` + 1 corners
    """
    x, y = curve
    if x.size <= points:
        return curve
    length = np.concatenate(([0], np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y)))))
    at = np.searchsorted(length, np.linspace(0, length[-1], points))
    chosen = np.unique(np.concatenate(([0], np.minimum(at, x.size - 1), [x.size - 1])))
    return x[chosen], y[chosen]


def _prominent(panels: Sequence[Mapping[str, Curve]]) -> tuple[list[str], int]:
    """Choose the lines with a colour and a name, in their order, and count the others.

    With more than 12, those with the largest mean area under the curve are chosen.
    """
    names = list(panels[0])
    if len(names) <= MAX_NAMED:
        return names, 0
    area = {name: np.mean([_area(curves[name]) for curves in panels]) for name in names}
    best = set(sorted(names, key=lambda name: -area[name])[:MAX_NAMED])
    return [name for name in names if name in best], len(names) - MAX_NAMED


def _area(curve: Curve) -> float:
    x, y = curve
    there = ~(np.isnan(x) | np.isnan(y))
    return abs(float(np.diff(x[there]) @ (y[there][1:] + y[there][:-1]))) / 2


def _draw(axes: Axes, curves: Mapping[str, Curve], named: Sequence[str], markers: bool) -> None:
    for name, (x, y) in curves.items():
        there = ~(np.isnan(x) | np.isnan(y))
        look: dict[str, Any] = {"color": GREY, "linewidth": 0.5, "zorder": 1}
        if name in named:
            k = named.index(name)
            look = {"label": name, "color": COLOURS[k % len(COLOURS)], "zorder": len(named) - k + 2}
            if markers:
                look |= {"marker": MARKERS[k % len(MARKERS)], "markersize": 3.4, "mew": 0.7}
                look |= {"mfc": "white"} if k >= len(COLOURS) else {}
            else:
                look["linestyle"] = DASHES[(k + k // len(COLOURS)) % len(DASHES)]
        # Markers on the edge of the square are drawn in full.
        axes.plot(x[there], y[there], clip_on=not markers, **look)


class _Legend(NamedTuple):
    """A legend below the axes, in as many columns as the longest name allows."""

    named: Sequence[str]
    others: int
    columns: int

    @classmethod
    def of(cls, named: Sequence[str], others: int, width: float) -> _Legend:
        labels = [_label(name) for name in named]
        longest = max((len(line) for label in labels for line in label.split("\n")), default=0)
        inches = 0.5 + 0.068 * longest
        return cls(named, others, max(1, min(len(named), int(width / inches))))

    @property
    def height(self) -> float:
        lines = 1 + max((_label(name).count("\n") for name in self.named), default=0)
        return 0.14 * lines * -(-(len(self.named) + (self.others > 0)) // self.columns) + 0.1

    def draw(self, figure: Figure, axes: Axes) -> None:
        from matplotlib.lines import Line2D

        handles, _ = axes.get_legend_handles_labels()
        labels = [_label(name) for name in self.named]
        if self.others:
            handles.append(Line2D([], [], color=GREY, linewidth=0.5))
            labels.append(f"{self.others:,} more")
        figure.legend(
            handles,
            labels,
            loc="outside lower center",
            ncols=self.columns,
            handlelength=2.6,
            labelspacing=0.3,
        )


def _label(name: str) -> str:
    """Break a name into lines, but keep the number in parentheses at its end in one piece."""
    own, bracket, number = name.rpartition(" (")
    return whole_name(own, _CHARACTERS) + bracket + number if own else whole_name(name, _CHARACTERS)


def _unit_square(axes: Axes, x: str, y: str) -> None:
    bare_axes(axes)
    axes.set(xlim=(0, 1), ylim=(0, 1.005), xlabel=x, ylabel=y)
    axes.set_xticks(np.linspace(0, 1, 6))
    axes.set_yticks(np.linspace(0, 1, 6))
    number_ticks(axes.xaxis)
    number_ticks(axes.yaxis)
    axes.grid(color=LINE, linewidth=0.5)
    axes.set_axisbelow(True)
