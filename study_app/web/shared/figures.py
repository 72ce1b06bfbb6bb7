"""Template functions: number formats, and positions of marks on an axis."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from flask import Flask

from basics.numerals import interval, p_value, probability, score, statistic, tick

# Possible starts of an axis, with their ticks; the highest one below all marks is used.
TICKS: dict[float, Sequence[float]] = {
    0: (0, 0.2, 0.4, 0.6, 0.8, 1),
    -0.2: (-0.2, 0, 0.2, 0.4, 0.6, 0.8, 1),
    -0.5: (-0.5, 0, 0.5, 1),
    -1: (-1, -0.5, 0, 0.5, 1),
}
SLIMMEST_PERCENT = 0.4


class Mark(Protocol):
    """A value on an axis, with the lower bound of its interval."""

    @property
    def value(self) -> float | None: ...

    @property
    def low(self) -> float | None: ...


def percent(value: float, low: float = 0, high: float = 1) -> str:
    """The position of a value on an axis from `low` to `high`, which may be swapped."""
    return f"{min(100, max(0, 100 * (value - low) / (high - low))):.2f}%"


def extent(band: Iterable[float], low: float = 0) -> str:
    """The width of a band on an axis from `low` to 1; at least a visible one."""
    values = list(band)
    return f"{max(100 * (max(values) - min(values)) / (1 - low), SLIMMEST_PERCENT):.2f}%"


def axis_low(marks: Iterable[Mark]) -> float:
    """The start of an axis that contains every mark and its interval."""
    ends = [end for mark in marks for end in (mark.value, mark.low) if end is not None]
    lowest = min((end for end in ends if end == end), default=0)
    return next((low for low in TICKS if lowest >= low), -1)


def ticks_from(low: float) -> Sequence[float]:
    """The ticks of an axis with a start."""
    return TICKS[low]


def init_app(app: Flask) -> None:
    """Register the template functions."""
    for function in (statistic, score, interval, probability, p_value):
        app.add_template_global(function)
    for place in (percent, extent, axis_low, ticks_from):
        app.add_template_global(place)
    app.add_template_global(tick, "tick_label")
