"""The plot of a quality page: a line per measure, with a dot per person."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isnan, log10
from typing import Any

from study_app.core.text.languages import rgettext, rngettext

# Margin at both ends for half a dot, in percent.
MARGIN = 2
# With more people, those who are not flagged share a dot if they are closer than this percentage.
MOST_DOTS, CLOSE = 200, 0.5


@dataclass(frozen=True)
class Dot:
    """One person on the line of a measure.

    Attributes
    ----------
    at : str
        Distance from the left end, such as "12.50%".
    name, value : str
    stands_out : bool
        Whether the person is flagged by this measure.
    """

    at: str
    name: str
    value: str
    stands_out: bool


@dataclass(frozen=True)
class Line:
    """One measure: its ends and its known values."""

    label: str
    low: str
    high: str
    dots: list[Dot]

    @property
    def drawn(self) -> list[Dot]:
        """A dot for each flagged person, and one for all others at the same place."""
        places: dict[tuple[str, str], list[Dot]] = {}
        for dot in self.dots:
            places.setdefault((dot.at, dot.name if dot.stands_out else ""), []).append(dot)
        return [_together(dots) for dots in places.values()]

    @property
    def in_words(self) -> str:
        """A text alternative."""
        out = sum(dot.stands_out for dot in self.dots)
        return rgettext(
            "%(measure)s: %(people)s people, from %(low)s to %(high)s; %(out)s flagged",
            measure=rgettext(self.label),
            people=len(self.dots),
            low=self.low,
            high=self.high,
            out=out,
        )


@dataclass(frozen=True)
class Measure:
    """How a measure is drawn.

    Attributes
    ----------
    name : str
        Name of the field.
    label : str
    written : callable (float) -> str
    flags : collection of str
        Flags that belong to this measure.
    is_ratio : bool
        Whether the axis is logarithmic.
    """

    name: str
    label: str
    written: Callable[[float], str]
    flags: tuple[str, ...]
    is_ratio: bool = False


def lines_of(
    people: Sequence[Any], measures: Sequence[Measure], name_of: Callable[[Any], str]
) -> list[Line]:
    """The lines of all measures with at least two known values."""
    lines = []
    for measure in measures:
        known = [one for one in people if not isnan(getattr(one, measure.name))]
        if len(known) > 1:
            lines.append(_line(known, measure, name_of))
    return lines


def _line(people: Sequence[Any], measure: Measure, name_of: Callable[[Any], str]) -> Line:
    values = [float(getattr(one, measure.name)) for one in people]
    places = [log10(max(value, 0.01)) for value in values] if measure.is_ratio else values
    low, high = min(places), max(places)
    span = (high - low) or 1.0
    dots = [
        Dot(
            _at(MARGIN + (100 - 2 * MARGIN) * (place - low) / span, len(people)),
            name_of(one),
            measure.written(value),
            any(flag in one.flags for flag in measure.flags),
        )
        for one, value, place in zip(people, values, places, strict=True)
    ]
    # Outliers are drawn last, above the others.
    dots.sort(key=lambda dot: dot.stands_out)
    ends = measure.written(min(values)), measure.written(max(values))
    return Line(measure.label, *ends, dots)


def _together(dots: list[Dot]) -> Dot:
    first, others = dots[0], len(dots) - 1
    if not others:
        return first
    return replace(
        first,
        name=rngettext(
            "%(name)s and %(num)s other", "%(name)s and %(num)s others", others, name=first.name
        ),
    )


def _at(place: float, people: int) -> str:
    return f"{round(place / CLOSE) * CLOSE if people > MOST_DOTS else place:.2f}%"
