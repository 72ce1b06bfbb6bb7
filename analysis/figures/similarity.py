"""Figure of the co-grouping similarity: a matrix in dendrogram order, below the dendrogram."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from analysis.figures.style import (
    ACCENT,
    DOUBLE_COLUMN,
    INK,
    LINE,
    PAPER,
    QUIET,
    fitted_names,
    house_style,
    new_figure,
    number_ticks,
)
from analysis.groupings.hierarchy import average_linkage, seriate
from analysis.groupings.pair_counts import PairCounts
from basics.plurals import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage

_WIDTH = 5.2
_TALLER_BY = 0.2
_MARGIN = 0.09
_LABELS_UP_TO = 60
# About as many as the matrix has dots in print.
_CELLS_UP_TO = 1000
_DARK_BLUE = "#0f2050"
_WIDE_FROM = 25
_LONG_NAME = 30
_NAME_INCHES = 3.0
_DESCRIPTION = (
    "A matrix of stimuli by stimuli: the darker a cell, the greater the share of participants who "
    "put both stimuli in one group; grey if no participant placed both. Stimuli are in the order "
    "of the dendrogram above (average linkage)."
)


def similarity_figure(
    similarity: NDArray[np.float64] | PairCounts,
    stimuli: Sequence[str],
    participants: int,
    order: Sequence[int] | None = None,
) -> Figure:
    """Draw the matrix in optimal leaf order, below its dendrogram (average linkage).

    Parameters
    ----------
    similarity : float array, shape (stimuli, stimuli), or PairCounts
        In [0, 1]; NaN if no participant placed both.
    stimuli : sequence of str
        Names of the stimuli; shown next to the matrix if there are at most 60.
    participants : int
        Number of participants, stated in the figure.
    order : sequence of int, optional
        From `analysis.groupings.hierarchy.seriate`, if already computed.

    Returns
    -------
    matplotlib.figure.Figure
    """
    with house_style():
        # With many rows, legible names need the full width of the page.
        named = len(stimuli) <= _LABELS_UP_TO
        wide = len(stimuli) >= _WIDE_FROM or max(map(len, stimuli), default=0) > _LONG_NAME
        width = DOUBLE_COLUMN if named and wide else _WIDTH
        figure = new_figure(width, width + _TALLER_BY, "Co-grouping similarity", _DESCRIPTION)
        matrix = figure.add_subplot()
        places = np.arange(len(stimuli))
        if len(stimuli) > 1:
            tree = average_linkage(similarity)
            places = seriate(similarity, tree) if order is None else np.asarray(order)
            _draw_tree(matrix.inset_axes((0, 1.01, 1, 0.16), sharex=matrix), tree, places)
        ordered = _ordered(similarity, places)
        image = _draw_matrix(matrix, ordered, len(stimuli))
        _label(matrix, [stimuli[k] for k in places.tolist()], participants)
        bar = figure.colorbar(image, cax=matrix.inset_axes((1.03, 0, 0.025, 1)))
        bar.set_label("Share of participants who put both in one group")
        bar.outline.set_visible(False)
        number_ticks(bar.ax.yaxis)
        if np.isnan(ordered).any():
            bar.ax.set_title("grey:\nno data", size=6.5, color=QUIET, weight="normal")
        if named:
            _cut_to_height(figure)
    return figure


def _ordered(
    similarity: NDArray[np.float64] | PairCounts, order: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The reordered matrix; with very many stimuli, neighbours are averaged to a visible size."""
    if not isinstance(similarity, PairCounts):
        return similarity[np.ix_(order, order)]
    matrix = similarity.similarity.ordered(order)
    step = -(-len(order) // _CELLS_UP_TO)
    if step == 1:
        return matrix.to_array()
    starts = np.arange(0, len(order), step)
    rows = []
    for start in starts.tolist():
        some = matrix[start : start + step]
        known = ~np.isnan(some)
        sums = np.add.reduceat(np.where(known, some, 0).sum(axis=0), starts)
        counts = np.add.reduceat(known.sum(axis=0), starts)
        row = np.full(len(starts), np.nan)
        np.divide(sums, counts, out=row, where=counts > 0)
        rows.append(row)
    return np.array(rows)


def _cut_to_height(figure: Figure) -> None:
    """Reduce the figure's height, since the names next to the matrix reduce its width.

    Each layout pass brings the matrix closer to its final size.
    """
    width, height = figure.get_size_inches()
    for _ in range(3):
        figure.draw_without_rendering()
        figure.set_size_inches(width, min(figure.get_tightbbox().height + 2 * _MARGIN, height))


def _colours() -> Colormap:
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("house", [PAPER, "#b9cbf6", ACCENT, _DARK_BLUE])
    return colours.with_extremes(bad=LINE)


def _draw_matrix(axes: Axes, ordered: NDArray[np.float64], stimuli: int) -> AxesImage:
    image = axes.imshow(
        ordered.astype(np.float32),
        cmap=_colours(),
        vmin=0,
        vmax=1,
        interpolation="none",
        # The colours of the printed dots alone need less memory than those of all cells.
        interpolation_stage="data",
        aspect="equal",
        # One unit per stimulus, even if a cell is the mean of several.
        extent=(-0.5, stimuli - 0.5, stimuli - 0.5, -0.5),
    )
    for spine in axes.spines.values():
        spine.set_color(LINE)
    return image


def _draw_tree(axes: Axes, tree: NDArray[np.float64], order: NDArray[np.int64]) -> None:
    """Draw the dendrogram as brackets, with leaves at the columns of the matrix."""
    from matplotlib.collections import LineCollection

    leaves = len(order)
    place = np.empty(leaves + len(tree))
    place[order] = np.arange(leaves)
    height = np.zeros(leaves + len(tree))
    brackets = []
    for step, (one, other, distance) in enumerate(tree[:, :3]):
        a, b, joined = int(one), int(other), leaves + step
        place[joined], height[joined] = (place[a] + place[b]) / 2, distance
        brackets.append(
            [
                (place[a], height[a]),
                (place[a], distance),
                (place[b], distance),
                (place[b], height[b]),
            ]
        )
    width = 0.8 if leaves <= _LABELS_UP_TO else 0.4
    axes.add_collection(LineCollection(brackets, colors=QUIET, linewidths=width))
    axes.set_ylim(0, max(1e-9, tree[-1, 2]) * 1.05)
    axes.set_axis_off()


def _label(axes: Axes, names: Sequence[str], participants: int) -> None:
    axes.set_xticks([])
    axes.set_yticks([])
    people = counted(participants, "participant")
    axes.set_xlabel(f"{len(names)} stimuli sorted by {people}", color=INK)
    if len(names) <= _LABELS_UP_TO:
        size = float(np.clip(300 / len(names), 5, 7.5))
        shown, size = fitted_names(names, _NAME_INCHES, size)
        axes.set_yticks(np.arange(len(names)), shown, fontsize=size)
        axes.tick_params(axis="y", length=0, pad=2)
