"""Figure of rating agreement: how well participants predict each other, by query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.figures.rows import Rows, label_rows, legend_above, place_rows, write_column
from analysis.figures.style import (
    ACCENT,
    DOUBLE_COLUMN,
    GREY,
    LINE,
    bare_axes,
    fitted_names,
    house_style,
    new_figure,
    number_ticks,
)
from basics.numerals import statistic

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from analysis.ratings.task_agreement import QueryAgreement, RatingAgreement

_BELOW = 0.4
_NAME_INCHES = 2.2

_DESCRIPTION = (
    "One row per query, sorted by agreement. Grey dots: Kendall's tau_b of each participant with "
    "the mean score of the others; filled dot: their mean; ring: the mean tau_b with the mean "
    "score of all. On the right: tau_b with the others, Kendall's W, Krippendorff's ordinal "
    "alpha and the number of participants; the last row has the means over queries."
)


def ratings_figure(found: RatingAgreement, query_ids: Sequence[str]) -> Figure:
    """Draw, for each query, each participant's tau_b with the others, and the human ceiling.

    Queries are sorted by the lower ceiling. Kendall's W and Krippendorff's ordinal alpha are on the
    right; means over queries are in a separate row. With more than 60 queries, those in the middle
    are drawn close together, without names and numbers.

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
    queries = [query for _, query in ranked]
    rows = place_rows(len(queries))
    height = 1.15 + rows.inches(0.2) + 0.2
    with house_style():
        figure = new_figure(DOUBLE_COLUMN, height, "Agreement of ratings by query", _DESCRIPTION)
        axes = bare_axes(figure.subplots(), keep="bottom")
        for place, named, query in zip(rows.places, rows.named, queries, strict=True):
            _draw_query(axes, float(place), query, bool(named))
        _draw_overall(axes, rows.end + _BELOW, found)
        names, size = fitted_names([name for name, _ in ranked], _NAME_INCHES, 7.5)
        _lay_out(axes, rows, names)
        axes.tick_params(axis="y", labelsize=size)
        _write_columns(axes, rows, queries, found)
    return figure


def _draw_query(axes: Axes, place: float, query: QueryAgreement, named: bool) -> None:
    known = query.lower[~np.isnan(query.lower)]
    size = 4 if named else 1.5
    axes.plot(known, np.full(len(known), place), ".", color=GREY, alpha=0.7, ms=size, mew=0)
    if named:
        _draw_ceilings(axes, place, *query.ceilings)
    else:
        axes.plot([query.ceilings.lower], [place], "o", color=ACCENT, ms=1.5, mew=0)


def _draw_ceilings(axes: Axes, place: float, lower: float, upper: float) -> None:
    axes.plot([lower, upper], [place, place], color=ACCENT, linewidth=1.6, zorder=3)
    ring: dict[str, Any] = {"color": ACCENT, "zorder": 3, "clip_on": False}
    axes.plot([upper], [place], "o", ms=5, mfc="white", **ring)
    axes.plot([lower], [place], "o", ms=3.5, mew=0, **ring)


def _draw_overall(axes: Axes, place: float, found: RatingAgreement) -> None:
    axes.axhline(place - 0.7, color=LINE, linewidth=0.8)
    interval = [found.ceilings_low.lower, found.ceilings_high.lower]
    axes.plot(interval, [place, place], color=ACCENT, linewidth=6, alpha=0.2, zorder=1)
    _draw_ceilings(axes, place, *found.ceilings)


def _lay_out(axes: Axes, rows: Rows, names: Sequence[str]) -> None:
    from matplotlib.lines import Line2D

    label_rows(axes, rows, names, "queries")
    last = rows.end + _BELOW
    ticks, labels = axes.get_yticks(), [label.get_text() for label in axes.get_yticklabels()]
    axes.set_yticks([*ticks, last], [*labels, "all queries"])
    axes.get_yticklabels()[-1].set_fontweight("bold")
    axes.set_ylim(last + 0.6, -1.4)
    left = min(0.0, np.floor(axes.dataLim.x0 * 5) / 5) if np.isfinite(axes.dataLim.x0) else 0.0
    axes.set_xlim(left, 1)
    number_ticks(axes.xaxis)
    axes.set_xlabel("Kendall's tau_b with the mean score (band: 95 % interval over queries)")
    axes.grid(axis="x", color=LINE, linewidth=0.6)
    axes.set_axisbelow(True)
    ring: dict[str, Any] = {"color": ACCENT, "marker": "o", "ls": ""}
    handles = [
        Line2D([], [], color=GREY, marker=".", ls="", label="one participant with the others"),
        Line2D([], [], **ring, ms=3.5, label="mean with the others"),
        Line2D([], [], **ring, ms=5, mfc="white", label="mean with all"),
    ]
    legend_above(axes, handles, handletextpad=0.2, columnspacing=1.2)


def _write_columns(
    axes: Axes, rows: Rows, queries: Sequence[QueryAgreement], found: RatingAgreement
) -> None:
    """Write the numbers of each labelled query in columns on the right, and the means below."""
    named = [query for query, name in zip(queries, rows.named, strict=True) if name]
    places = [*rows.places[rows.named].tolist(), rows.end + _BELOW]
    every: list[QueryAgreement | RatingAgreement] = [*named, found]
    for column, (head, cells) in enumerate(
        {
            "tau_b": [statistic(one.ceilings.lower) for one in every],
            "W": [statistic(one.kendall.w) for one in every],
            "alpha": [statistic(one.alpha["ordinal"]) for one in every],
            "people": [f"{one.participants:,}" for one in every],
        }.items()
    ):
        write_column(axes, column, head, places, cells)
