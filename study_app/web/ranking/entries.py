"""What a participant's page sends, turned from JSON into entries."""

from typing import Any

from study_app.ranking.refusals import EntriesUnclear
from study_app.ranking.scores.entries import MOST_ENTRIES, Entry

KINDS = {"score", "not_loaded", "entered", "handed_in", "time_up"}
# What fits every column, and a date of the year 2255; a response takes less than 24 days.
LARGEST = {"answered_ms": 9 * 10**12}
LARGEST_OTHER = 2**31 - 1


def entries_of(sent: Any) -> list[Entry]:
    """Read `{"entries": [{…}]}`, refusing what no page of ours would send."""
    listed = sent.get("entries") if isinstance(sent, dict) else None
    if not isinstance(listed, list) or len(listed) > MOST_ENTRIES:
        raise EntriesUnclear(f"Send a list of at most {MOST_ENTRIES} entries.")
    return [_entry(said) for said in listed]


def _entry(said: Any) -> Entry:
    kind = said.get("kind") if isinstance(said, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise EntriesUnclear(f"An entry is one of {', '.join(sorted(KINDS))}.")
    key = said.get("key")
    if not isinstance(key, str) or not 8 <= len(key) <= 40:
        raise EntriesUnclear("An entry has a key of 8 to 40 characters.")
    value = said.get("value")
    if value is not None and not _number(value):
        raise EntriesUnclear("A score is a number.")
    return Entry(
        key=key,
        kind=kind,
        value=value,
        looking_over=said.get("looking_over") is True,
        position=_whole(said, "position"),
        shown_position=_whole(said, "shown_position"),
        shown_ms=_whole(said, "shown_ms"),
        stimulus_id=_whole_or_none(said, "image"),
        response_ms=_whole_or_none(said, "response_ms"),
        answered_ms=_whole_or_none(said, "answered_ms"),
    )


def _whole(said: dict[str, Any], name: str) -> int:
    value = said.get(name, 0)
    largest = LARGEST.get(name, LARGEST_OTHER)
    if not _number(value) or not 0 <= value <= largest:
        raise EntriesUnclear(f"{name} is a number from 0 to {largest}.")
    return int(value)


def _whole_or_none(said: dict[str, Any], name: str) -> int | None:
    return None if said.get(name) is None else _whole(said, name)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
