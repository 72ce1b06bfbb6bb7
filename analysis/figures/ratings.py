"""Agreement of ratings as a picture: how well participants predict one another, query by query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from analysis.figures.style import (
    ACCENT,
    DOUBLE_COLUMN,
    GREY,
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

    from analysis.rating_agreement import QueryAgreement, RatingAgreement

_LONGEST_LABEL = 28


def ratings_figure(found: RatingAgreement, query_ids: Sequence[str]) -> Figure:
    """Draw, for each query, every participant's tau_b to the others, and the two ceilings.

    Queries are sorted by their lower ceiling; Kendall's W and Krippendorff's ordinal alpha stand
    beside them, and the means over queries in a row of their own.

    Parameters
    ----------
    found : RatingAgreement
    query_ids : sequence of str
        Names of the queries.

    Returns
    -------
    matplotlib.figure.Figure
    """
    ranked = sorted(
        zip(query_ids, found.queries, strict=True),
        key=lambda pair: (np.isnan(pair[1].ceilings.lower), -pair[1].ceilings.lower),
    )
    with house_style():
        figure = new_figure(DOUBLE_COLUMN, 1.15 + 0.2 * (len(ranked) + 1))
        axes, columns = figure.subplots(1, 2, sharey=True, width_ratios=(2.2, 1))
        bare_axes(axes, keep="bottom")
        for row, (_, query) in enumerate(ranked):
            _draw_query(axes, row, query)
        _draw_overall(axes, len(ranked) + 0.4, found)
        _lay_out(axes, [name for name, _ in ranked])
        _columns(columns, [query for _, query in ranked], found)
    return figure


def _draw_query(axes: Axes, row: int, query: QueryAgreement) -> None:
    known = query.lower[~np.isnan(query.lower)]
    axes.plot(known, np.full(len(known), row), ".", color=GREY, alpha=0.6, ms=4, mew=0, zorder=2)
    _draw_ceilings(axes, row, *query.ceilings)


def _draw_ceilings(axes: Axes, row: float, lower: float, upper: float) -> None:
    axes.plot([lower, upper], [row, row], color=ACCENT, linewidth=1.6, zorder=3)
    axes.plot([lower], [row], "o", color=ACCENT, ms=4.5, zorder=4)
    axes.plot([upper], [row], "o", color=ACCENT, mfc="white", ms=4.5, zorder=4)


def _draw_overall(axes: Axes, row: float, found: RatingAgreement) -> None:
    axes.axhline(row - 0.7, color=LINE, linewidth=0.8)
    interval = [found.ceilings_low.lower, found.ceilings_high.lower]
    axes.plot(interval, [row, row], color=ACCENT, linewidth=6, alpha=0.2, zorder=1)
    _draw_ceilings(axes, row, *found.ceilings)


def _lay_out(axes: Axes, names: Sequence[str]) -> None:
    from matplotlib.lines import Line2D

    rows = len(names)
    short = [n if len(n) <= _LONGEST_LABEL else n[: _LONGEST_LABEL - 1] + "…" for n in names]
    axes.set_yticks([*range(rows), rows + 0.4], [*short, "all queries"])
    axes.get_yticklabels()[-1].set_fontweight("bold")
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(rows + 1, -1.2)
    left = min(0.0, np.floor(axes.dataLim.x0 * 5) / 5) if np.isfinite(axes.dataLim.x0) else 0.0
    axes.set_xlim(left, 1)
    axes.set_xlabel("Kendall's tau_b to the mean score (band: 95 % interval over queries)")
    axes.grid(axis="x", color=LINE, linewidth=0.6)
    axes.set_axisbelow(True)
    handles = [
        Line2D([], [], color=GREY, marker=".", ls="", label="one participant to the others"),
        Line2D([], [], color=ACCENT, marker="o", ls="", ms=4.5, label="mean to the others"),
        Line2D([], [], color=ACCENT, marker="o", ls="", mfc="white", ms=4.5, label="mean to all"),
    ]
    axes.legend(
        handles=handles,
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=3,
        borderaxespad=0,
        handletextpad=0.2,
        columnspacing=1.2,
    )


def _columns(axes: Axes, queries: Sequence[QueryAgreement], found: RatingAgreement) -> None:
    """Write the numbers of each query in columns at its right."""
    axes.set_axis_off()
    axes.set_xlim(0, 4)
    rows = [
        (k, query.ceilings.lower, query.kendall.w, query.alpha["ordinal"], query.participants)
        for k, query in enumerate(queries)
    ]
    overall = (found.ceilings.lower, found.kendall.w, found.alpha["ordinal"], found.participants)
    for column, head in enumerate(("tau_b", "W", "alpha", "people")):
        x = column + 0.9
        axes.text(x, -0.9, head, ha="right", va="center", color=QUIET, size=7)
        for row in (*rows, (len(queries) + 0.4, *overall)):
            value = row[column + 1]
            text = f"{value:,}" if isinstance(value, int) else _two_digits(value)
            axes.text(x, row[0], text, ha="right", va="center", color=INK, size=7.5)


def _two_digits(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.2f}"
