"""Figures of agreement among participants: BCubed F compared with chance, and reliability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import above_diagonal
from analysis.figures.rows import Rows, label_rows, legend_above, place_rows, write_column
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
from analysis.groupings.reliability import TARGETS, Reliability
from analysis.groupings.spearman_brown import spearman_brown
from basics.numerals import probability, statistic
from basics.plurals import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from analysis.groupings.set_agreement import SetAgreement

_OFFSET = 0.17
_BY_SET = (
    "One row per set. Filled dots: mean BCubed F between participants, with 95 % intervals over "
    "participants. Open dots: mean F between participants and random groupings with the same group "
    "sizes, with the central 95 % of chance. Small dots: single participants. On the right: the "
    "numbers."
)
_OF_SET = (
    "Left: BCubed F of pairs of participants, and of participants with random groupings with the "
    "same group sizes; the means, with the 95 % interval over participants and the central 95 % of "
    "chance. Right: reliability of the similarity by number of participants, extrapolated with "
    "the Spearman-Brown formula to the targets; the whisker is a 95 % interval over participants."
)
_DOTS_UP_TO = 400
_NAMED_BELOW_FROM = 0.15
# Share of the axis that the label of the current reliability takes, and the lowest place for it.
_LABEL_WIDTH, _LOWEST_LABEL = 0.4, 0.1


def agreement_figure(sets: Mapping[str, SetAgreement]) -> Figure:
    """Draw BCubed F between participants and the chance level, one row per set.

    Points are means. Whiskers are 95 % intervals over participants (jackknife) or, for chance, the
    central 95 % of permutations. Small dots are means of single participants with all others.

    Parameters
    ----------
    sets : mapping of str to SetAgreement
        Results of each set, by the name of its row.

    Returns
    -------
    matplotlib.figure.Figure
    """
    rows = place_rows(len(sets))
    height = 0.95 + rows.inches(0.36)
    with house_style():
        figure = new_figure(DOUBLE_COLUMN, height, "Agreement of groupings by set", _BY_SET)
        axes = bare_axes(figure.subplots(), keep="bottom")
        for place, named, found in zip(rows.places, rows.named, sets.values(), strict=True):
            _draw_set(axes, float(place), found, scale=1 if named else 0.4)
        label_rows(axes, rows, [whole_name(name) for name in sets], "sets")
        axes.set_ylim(rows.end - 0.45, -1.3)
        axes.set_xlim(0, 1)
        number_ticks(axes.xaxis)
        axes.set_xlabel("Mean BCubed F (95 % interval over participants; central 95 % of chance)")
        axes.grid(axis="x", color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        _legend(axes)
        _columns(axes, rows, list(sets.values()))
    return figure


def set_figure(found: SetAgreement) -> Figure:
    """Draw one set: BCubed F compared with chance, and the reliability of its similarity.

    Parameters
    ----------
    found : SetAgreement

    Returns
    -------
    matplotlib.figure.Figure
    """
    with house_style():
        figure = new_figure(DOUBLE_COLUMN, 2.7, "Agreement and reliability of a set", _OF_SET)
        left, right = figure.subplots(1, 2, width_ratios=(1, 1.15))
        _draw_pairs(bare_axes(left, keep="left"), found)
        _draw_reliability(bare_axes(right), found)
    return figure


def _draw_set(axes: Axes, row: float, found: SetAgreement, scale: float) -> None:
    mean, pairs = found.mean, found.pairs
    for offset, value, interval, measure, colour, face in (
        (-_OFFSET, mean.f, mean.f_interval, pairs.f, ACCENT, ACCENT),
        (_OFFSET, mean.f_random, mean.f_random_spread, pairs.f_random, QUIET, "white"),
    ):
        y = row + offset * scale
        own = found.by_participant(measure)
        small: dict[str, Any] = {"color": colour, "alpha": 0.25, "ms": 4 * scale, "mew": 0}
        axes.plot(own, np.full(len(own), y), ".", **small)
        if not np.isnan(interval.low):
            ends = [interval.low, interval.high]
            axes.plot(ends, [y, y], color=colour, lw=1.2 * scale, solid_capstyle="butt")
        axes.plot([value], [y], "o", color=colour, mfc=face, ms=5 * scale, mew=scale, zorder=3)


def _legend(axes: Axes) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=ACCENT, marker="o", ms=5, label="participant–participant"),
        Line2D([], [], color=QUIET, marker="o", mfc="white", ms=5, label="participant–random"),
    ]
    legend_above(axes, handles, handlelength=1.6)


def _columns(axes: Axes, rows: Rows, sets: Sequence[SetAgreement]) -> None:
    """Write the numbers of each labelled set in columns on the right."""
    named = [found for found, name in zip(sets, rows.named, strict=True) if name]
    places = rows.places[rows.named].tolist()
    for column, (head, cells) in enumerate(
        {
            "F": [statistic(found.mean.f) for found in named],
            "random": [statistic(found.mean.f_random) for found in named],
            "adjusted": [statistic(found.mean.f_adjusted) for found in named],
            "people": [f"{found.participants:,}" for found in named],
            "stimuli": [f"{found.groupings.shape[1]:,}" for found in named],
        }.items()
    ):
        write_column(axes, column, head, places, cells)


def _draw_pairs(axes: Axes, found: SetAgreement) -> None:
    """Draw all pairs of participants in two columns, with the means and their intervals."""
    mean, pairs = found.mean, found.pairs
    of_f, of_random = shown_pairs(pairs.f), shown_pairs(pairs.f_random)
    rng = np.random.default_rng(0)
    for x, values, value, interval, colour, face in (
        (0, of_f, mean.f, mean.f_interval, ACCENT, ACCENT),
        (1, of_random, mean.f_random, mean.f_random_spread, QUIET, "white"),
    ):
        shown = _some(values, rng)
        aside = x + rng.uniform(-0.2, 0.2, len(shown))
        axes.plot(aside, shown, ".", color=colour, alpha=0.3, ms=4, mew=0)
        if not np.isnan(interval.low):
            axes.plot([x + 0.3, x + 0.3], [interval.low, interval.high], color=colour)
        axes.plot([x + 0.3], [value], "o", color=colour, mfc=face, ms=5)
        axes.annotate(
            statistic(value), (x + 0.3, value), (6, 0), textcoords="offset points", va="center"
        )
    axes.set_xticks([0, 1], ["participant–\nparticipant", "participant–\nrandom"])
    axes.tick_params(axis="x", length=0)
    axes.set_xlim(-0.4, 1.65)
    axes.set_ylim(0, 1.02)
    axes.set_ylabel("BCubed F of a pair")
    number_ticks(axes.yaxis)
    chance = "" if np.isnan(mean.p_value) else f", p {probability(mean.p_value)}"
    axes.set_title(f"Agreement ({counted(len(of_f), 'pair')}{chance})")


def shown_pairs(measure: NDArray[np.float64]) -> NDArray[np.float64]:
    """Defined values of pairs of different participants."""
    values = above_diagonal(measure)
    return values[~np.isnan(values)]


def _some(known: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    return known if len(known) <= _DOTS_UP_TO else rng.choice(known, _DOTS_UP_TO, replace=False)


def _draw_reliability(axes: Axes, found: SetAgreement) -> None:
    """Draw the reliability of random samples, and its Spearman-Brown extrapolation."""
    reliability, people = found.reliability, found.participants
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("Participants")
    axes.set_ylabel("Reliability of the similarity")
    number_ticks(axes.yaxis)
    axes.set_title("Is it enough?")
    if np.isnan(reliability.split_half):
        axes.text(0.5, 0.5, "undefined", transform=axes.transAxes, ha="center", color=QUIET)
        axes.set_xticks([])
        return
    needed = [n for n in reliability.expected.values() if n is not None]
    last = int(min(max([people, *needed]) * 1.15 + 1, people * 6))
    n = np.linspace(1, last, 200)
    extrapolated = [float(spearman_brown(reliability.split_half, k / people)) for k in n]
    axes.plot(n, extrapolated, color=ACCENT, linewidth=1)
    for point in reliability.curve:
        axes.plot([point.participants], [point.reliability], "o", color=QUIET, ms=3)
    axes.plot([people] * 2, [reliability.low, reliability.high], color=ACCENT)
    axes.plot([people], [reliability.split_half], "o", color=ACCENT, ms=5)
    _name_point(axes, reliability, people, last)
    _draw_targets(axes, found, last)
    axes.set_xlim(0, last)


def _name_point(axes: Axes, reliability: Reliability, people: int, last: int) -> None:
    """Write the current reliability beside its point, clear of the rising curve."""
    reached = reliability.split_half
    text = f"{statistic(reached)} with {people}"
    width = _LABEL_WIDTH * last

    def curve(participants: float) -> float:
        return max(float(spearman_brown(reached, participants / people)), 0)

    if reached <= _NAMED_BELOW_FROM:
        _write_beside(axes, text, (people, curve(people + width)), (6, 4))
    elif people + width <= last:
        _write_beside(axes, text, (people, reached), (6, -4))
    else:
        below = np.nanmin([reliability.low, curve(max(people - width, 0.1))])
        _write_beside(axes, text, (people, max(below, _LOWEST_LABEL)), (0, -4))


def _write_beside(
    axes: Axes, text: str, place: tuple[float, float], offset: tuple[float, float]
) -> None:
    """Write a text at an offset in points: to its right, or below and to the left."""
    axes.annotate(
        text,
        place,
        offset,
        textcoords="offset points",
        ha="left" if offset[0] else "right",
        va="top" if offset[1] < 0 else "bottom",
        bbox={"facecolor": "white", "linewidth": 0, "pad": 0.5},  # a target's line is behind it
    )


def _draw_targets(axes: Axes, found: SetAgreement, last: int) -> None:
    """Draw the targets, where the curve reaches them, and whether the lower bound does."""
    reliability = found.reliability
    for target in TARGETS:
        axes.axhline(target, color=LINE, linewidth=0.8, zorder=0)
        expected, needed = reliability.expected[target], reliability.needed[target]
        if expected is None:
            continue
        more = f"about {expected:,}" if needed is None else f"{needed:,} for the lower bound"
        text = f"{statistic(target)}: {'enough' if reliability.enough(target) else more}"
        axes.text(last * 1.02, target, text, ha="left", va="center", color=QUIET, size=7)
        if expected <= last:
            axes.plot([expected], [target], "o", color=ACCENT, mfc="white", ms=4)
