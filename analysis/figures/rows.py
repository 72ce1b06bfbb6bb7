"""Rows of figures that are also tables: a name on the left, marks, and columns of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.figures.style import INK, QUIET

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_NAMED = 60
_FIRST, _BETWEEN, _LAST = 30, 10, 15
_TALLEST = 9.6
_COLUMN = 34
_HEAD = -1.0


class Rows(NamedTuple):
    """Vertical positions of rows.

    Attributes
    ----------
    places : float array, shape (rows,)
        Positions, downwards, in units of the height of a labelled row.
    named : bool array, shape (rows,)
        Whether a row has a label: up to 60 rows, all; with more, the first 30 and the last 15. The
        others are close together.
    """

    places: NDArray[np.float64]
    named: NDArray[np.bool_]

    @property
    def end(self) -> float:
        """Position of the next row."""
        return float(self.places[-1]) + 1 if len(self.places) else 0.0

    def inches(self, row: float) -> float:
        """Height of all rows in inches: `row` inches each, or less if they do not fit on a page."""
        return float(min(self.end * row, _TALLEST))


def place_rows(count: int) -> Rows:
    """Positions of rows, for at most one page."""
    if count <= MAX_NAMED:
        return Rows(np.arange(count, dtype=float), np.ones(count, dtype=bool))
    between = _FIRST + np.linspace(0, _BETWEEN - 2, count - _FIRST - _LAST)
    last = between[-1] + 1 + np.arange(_LAST)
    places = np.concatenate((np.arange(_FIRST), between, last))
    return Rows(places, np.isin(np.arange(count), np.r_[:_FIRST, count - _LAST : count]))


def label_rows(axes: Axes, rows: Rows, names: Sequence[str], many: str) -> None:
    """Write row labels on the left; `many` is the plural noun for the rows."""
    ticks = rows.places[rows.named].tolist()
    labels = [name for name, named in zip(names, rows.named, strict=True) if named]
    unnamed = int((~rows.named).sum())
    if unnamed:
        ticks.append(_FIRST + _BETWEEN / 2 - 1)
        labels.append(f"{unnamed:,} more {many}")
    axes.set_yticks(ticks, labels, color=INK)
    if unnamed:
        axes.get_yticklabels()[-1].set_color(QUIET)
    axes.tick_params(axis="y", length=0)


def legend_above(axes: Axes, handles: Sequence[Any], **spacing: Any) -> None:
    """Write the legend in one line above the axes, left-aligned."""
    axes.legend(
        handles=handles,
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=len(handles),
        borderaxespad=0,
        **spacing,
    )


def write_column(
    axes: Axes, column: int, head: str, places: Sequence[float], cells: Sequence[str]
) -> None:
    """Write a header and texts to the right of the axes; columns are numbered from 0."""
    _write(axes, column, _HEAD, head, color=QUIET, size=7)
    for place, cell in zip(places, cells, strict=True):
        _write(axes, column, place, cell, color=INK, size=7.5)


def _write(axes: Axes, column: int, place: float, text: str, **look: Any) -> None:
    axes.annotate(
        text,
        (1, place),
        xycoords=axes.get_yaxis_transform(),
        xytext=((column + 1) * _COLUMN, 0),
        textcoords="offset points",
        ha="right",
        va="center_baseline",
        **look,
    )
