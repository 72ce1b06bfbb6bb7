"""Precision-recall and ROC curves of several systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from analysis.figures.style import ACCENT, INK, LINE, QUIET, bare_axes, house_style, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Dark enough on white, and apart for colour-blind eyes; dashes tell them apart in print.
COLOURS = (ACCENT, "#b3400e", "#1a7f4b", "#7a3f9d", "#8a6d00", "#c2307f", "#0b7c8c", INK)
DASHES: tuple[str | tuple[int, tuple[float, ...]], ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (1.5, 1.2)),
    (0, (6, 1.5, 1.5, 1.5)),
)
Curve = tuple[NDArray[np.float64], NDArray[np.float64]]


def precision_recall_figure(
    curves: Mapping[str, Curve], note: str, markers: bool = False
) -> Figure:
    """Draw precision over recall, one line a system, named in a legend from the best on.

    Parameters
    ----------
    curves : dict of system to (recall, precision)
        In the order of the legend; points with NaN are left out.
    note : str
        What the curves are, under the title.
    markers : bool
        Mark the points, where they are few and averaged.
    """
    with house_style():
        figure = new_figure(4.6, 3.4)
        axes = figure.subplots()
        _draw(axes, curves, markers)
        _unit_square(axes, "Recall", "Precision")
        axes.set_title(
            f"Precision and recall\n{note}", fontsize=8, color=QUIET, fontweight="normal"
        )
    return figure


def panels_figure(panels: Mapping[str, Mapping[str, Curve]], x: str, y: str, note: str) -> Figure:
    """Draw a panel a task with a line a descriptor, all on one scale and with one legend.

    Parameters
    ----------
    panels : dict of title to dict of name to (x, y)
        Every panel has the same names in the same order.
    x, y : str
        What the axes show.
    note : str
        n and what else holds for all panels, on top.
    """
    columns = min(len(panels), 2)
    rows = -(-len(panels) // columns)
    with house_style():
        figure = new_figure(0.7 + 2.9 * columns, 0.8 + 2.5 * rows)
        grid = np.atleast_1d(figure.subplots(rows, columns, squeeze=False)).ravel()
        for axes, (title, curves) in zip(grid, panels.items(), strict=False):
            _draw(axes, curves, markers=False, legend=False)
            _unit_square(axes, x, y)
            axes.set_title(title, fontsize=8)
        for axes in grid[len(panels) :]:
            axes.set_visible(False)
        figure.suptitle(note, fontsize=7.5, color=QUIET, x=0.02, ha="left")
        handles, names = grid[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=min(len(names), 5))
    return figure


def thin(curve: Curve, points: int = 1000) -> Curve:
    """Keep about `points` of a curve's corners, evenly along its length, ends included."""
    x, y = curve
    if x.size <= points:
        return curve
    length = np.concatenate(([0], np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y)))))
    at = np.searchsorted(length, np.linspace(0, length[-1], points))
    kept = np.unique(np.concatenate(([0], np.minimum(at, x.size - 1), [x.size - 1])))
    return x[kept], y[kept]


def _draw(axes: Axes, curves: Mapping[str, Curve], markers: bool, legend: bool = True) -> None:
    for k, (name, (x, y)) in enumerate(curves.items()):
        there = ~(np.isnan(x) | np.isnan(y))
        axes.plot(
            x[there],
            y[there],
            label=name,
            color=COLOURS[k % len(COLOURS)],
            linestyle=DASHES[k // len(COLOURS) % len(DASHES)] if len(curves) > 8 else "-",
            marker="o" if markers else None,
            markersize=2.2,
            zorder=len(curves) - k + 1,
        )
    if legend:
        _legend(axes, list(curves))


def _legend(axes: Axes, names: Sequence[str]) -> None:
    if len(names) <= 6:
        axes.legend(loc="best", handlelength=1.6, labelspacing=0.35)
    else:
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), handlelength=1.6)


def _unit_square(axes: Axes, x: str, y: str) -> None:
    bare_axes(axes)
    axes.set(xlim=(0, 1), ylim=(0, 1.005), xlabel=x, ylabel=y)
    axes.set_xticks(np.linspace(0, 1, 6))
    axes.set_yticks(np.linspace(0, 1, 6))
    axes.grid(color=LINE, linewidth=0.5)
    axes.set_axisbelow(True)
