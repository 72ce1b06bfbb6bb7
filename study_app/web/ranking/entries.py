"""Parsing the entries that a participant's page sends."""

import re
from typing import Any

from study_app.core.text.languages import rgettext
from study_app.ranking.refusals import EntriesUnclear
from study_app.ranking.scores.entries import MOST_ENTRIES, Entry

KINDS = {"score", "not_loaded", "entered", "submitted", "time_up"}
# Entries can wait in a browser since before they had these names.
FORMER_KINDS = {"handed_in": "submitted"}
KEY = re.compile(r"[A-Za-z0-9-]{8,40}")
# Limits that fit every column: the year 2255, and response times below 24 days.
LARGEST = {"answered_ms": 9 * 10**12}
LARGEST_OTHER = 2**31 - 1


def entries_of(sent: Any) -> list[Entry]:
    """Parse `{"entries": [{…}]}`; refuses anything that the page would not send."""
    listed = sent.get("entries") if isinstance(sent, dict) else None
    if not isinstance(listed, list) or len(listed) > MOST_ENTRIES:
        raise EntriesUnclear(
            rgettext("Send a list of at most %(most_entries)s entries.", most_entries=MOST_ENTRIES)
        )
    return [_entry(entry) for entry in listed]


def _entry(entry: Any) -> Entry:
    kind = entry.get("kind") if isinstance(entry, dict) else None
    if isinstance(kind, str):
        kind = FORMER_KINDS.get(kind, kind)
    if not isinstance(kind, str) or kind not in KINDS:
        raise EntriesUnclear(
            rgettext("An entry is one of %(names)s.", names=", ".join(sorted(KINDS)))
        )
    key = entry.get("key")
    if not isinstance(key, str) or not KEY.fullmatch(key):
        raise EntriesUnclear(rgettext("An entry has a key of 8 to 40 letters, digits and hyphens."))
    value = entry.get("value")
    if value is not None and not _number(value):
        raise EntriesUnclear(rgettext("A score is a number."))
    return Entry(
        key=key,
        kind=kind,
        value=value,
        in_review=entry.get("in_review", entry.get("looking_over")) is True,
        position=_whole(entry, "position"),
        shown_position=_whole(entry, "shown_position"),
        shown_ms=_whole(entry, "shown_ms"),
        stimulus_id=_whole_or_none(entry, "image"),
        response_ms=_whole_or_none(entry, "response_ms"),
        answered_ms=_whole_or_none(entry, "answered_ms"),
    )


def _whole(entry: dict[str, Any], name: str) -> int:
    value = entry.get(name, 0)
    largest = LARGEST.get(name, LARGEST_OTHER)
    if not _number(value) or not 0 <= value <= largest:
        raise EntriesUnclear(
            rgettext("%(name)s is a number from 0 to %(largest)s.", name=name, largest=largest)
        )
    return int(value)


def _whole_or_none(entry: dict[str, Any], name: str) -> int | None:
    return None if entry.get(name) is None else _whole(entry, name)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
