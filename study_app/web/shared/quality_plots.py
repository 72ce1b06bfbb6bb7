"""The picture of a quality page: a line for each measure, a dot for each person on it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan, log10
from typing import Any

# Percent that stay free at both ends, for half a dot.
MARGIN = 2


@dataclass(frozen=True)
class Dot:
    """One person on the line of a measure.

    Attributes
    ----------
    at : str
        How far from the left end, as a percentage with its sign.
    name, value : str
    stands_out : bool
        By this measure.
    """

    at: str
    name: str
    value: str
    stands_out: bool


@dataclass(frozen=True)
class Line:
    """One measure: its ends and everybody for whom it is known."""

    label: str
    low: str
    high: str
    dots: list[Dot]

    @property
    def in_words(self) -> str:
        """The line for whoever does not see it."""
        out = sum(dot.stands_out for dot in self.dots)
        return (
            f"{self.label}: {len(self.dots)} people, from {self.low} to {self.high}; "
            f"{out} stand out"
        )


@dataclass(frozen=True)
class Measure:
    """How a measure is drawn.

    Attributes
    ----------
    name : str
        Of the field.
    label : str
    written : callable (float) -> str
    flags : collection of str
        Flags that stand out by this measure.
    is_ratio : bool
        Whether it is drawn on a logarithmic line.
    """

    name: str
    label: str
    written: Callable[[float], str]
    flags: tuple[str, ...]
    is_ratio: bool = False


def lines_of(
    people: Sequence[Any], measures: Sequence[Measure], name_of: Callable[[Any], str]
) -> list[Line]:
    """The lines of all measures that are known of two people or more."""
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
            f"{MARGIN + (100 - 2 * MARGIN) * (place - low) / span:.2f}%",
            name_of(one),
            measure.written(value),
            any(flag in one.flags for flag in measure.flags),
        )
        for one, value, place in zip(people, values, places, strict=True)
    ]
    # Who stands out is drawn last, over the others.
    dots.sort(key=lambda dot: dot.stands_out)
    return Line(measure.label, measure.written(min(values)), measure.written(max(values)), dots)
