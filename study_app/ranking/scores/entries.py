"""Entries sent by a participant's page, their receipt, and the scale of scores."""

from dataclasses import dataclass

from study_app.ranking.refusals import EntriesUnclear

MOST_ENTRIES = 500
SLIDER = (0.0, 100.0)


@dataclass(frozen=True)
class Entry:
    """One entry of a page.

    Attributes
    ----------
    key : str
        Made by the page; the same one again changes nothing.
    kind : str
        "score", "not_loaded", "entered", "handed_in" or "time_up".
    position : int
        Of the query in the participant's list.
    stimulus_id : int or None
    value : float or None
    shown_position : int
    looking_over : bool
    answered_ms : int or None
        When it was, in ms since 1970 on the server's clock, as the page knows it from the plan: so
        the answers of one page keep their order however long each request takes. None is now.
    shown_ms : int
        How long the image had been on the screen when it was answered.
    response_ms : int or None
        Time since the query appeared or the answer before, pauses and hidden tabs left out.
    """

    key: str
    kind: str
    position: int
    stimulus_id: int | None = None
    value: float | None = None
    shown_position: int = 0
    looking_over: bool = False
    answered_ms: int | None = None
    shown_ms: int = 0
    response_ms: int | None = None


@dataclass(frozen=True)
class Receipt:
    """The receipt: saved keys, refused keys with reasons, and the state."""

    saved: list[str]
    refused: list[dict[str, str]]
    state: str


def scale_of(points: int | None) -> tuple[float, float]:
    """The lowest and the highest score of so many points, or of the slider."""
    return (1.0, float(points)) if points else SLIDER


def on_scale(points: int | None, value: float | None) -> float:
    """The value as it is stored, if it is on the scale of so many points, or on the slider."""
    low, high = scale_of(points)
    if value is None or not low <= value <= high or (points and value != int(value)):
        raise EntriesUnclear(f"{value} is not on the scale from {low:g} to {high:g}.")
    return float(value)
