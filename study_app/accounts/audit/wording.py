"""The audit list in the words of the pages: labels of columns, and readable values."""

import re
from ast import literal_eval
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

# By column, for all tables; other columns are labelled with their names.
LABELS = {
    "added_at": "added",
    "agreed_at": "agreed",
    "age_band": "age band",
    "asks_comment": "asks for a comment",
    "attempts": "attempts at the comprehension check",
    "began_at": "began",
    "checks": "attention checks",
    "checks_needed": "checks to pass",
    "client_id": "ID of the request",
    "closed_at": "closed",
    "completion_code": "completion code",
    "completion_url": "completion URL",
    "comprehension": "comprehension questions",
    "consent_text_id": "consent text",
    "cookie_key": "signed out everywhere",
    "created_at": "created",
    "credential_id": "ID of the passkey",
    "deck_id": "deck",
    "deck_number": "deck",
    "deleted_at": "deleted",
    "end_questions": "questions after the task",
    "ends_at": "valid until",
    "excluded_at": "excluded",
    "excluded_by_id": "excluded by",
    "expires_at": "valid until",
    "file_name": "file name",
    "finished_at": "finished",
    "first_entry_id": "first entry",
    "high_label": "label of the high end",
    "hold_minutes": "place freed after inactivity (minutes)",
    "imported_from": "imported from",
    "invitation_id": "link",
    "kept_pairs": "near-duplicates that were kept",
    "laptop_only": "laptop or desktop only",
    "later_parts": "later parts on the platform",
    "limit_minutes": "time limit (minutes)",
    "low_label": "label of the low end",
    "minutes": "time limit (minutes)",
    "missing_reason": "reason for missing cards",
    "most_similar_end": "most similar end",
    "one_group": "one group",
    "original_bytes": "size of the file",
    "part_codes": "codes of the parts",
    "part_days": "days to return for a part",
    "part_hours": "hours between parts",
    "part_seed": "random seed of the parts",
    "part_size": "queries for each participant",
    "participant_id": "participant",
    "passkey_user": "passkeys",
    "password_hash": "password",
    "phone_hash": "connected phone",
    "photos_until": "photos until",
    "place_in_order": "place in the order",
    "platform_ids_until": "platform IDs until",
    "platform_session": "submission",
    "platform_study": "study on the platform",
    "points": "points of the scale",
    "printed_at": "printed",
    "public_key": "key of the passkey",
    "questions": "questions about the participant",
    "quota": "participants for each query",
    "recorded_by_id": "recorded by",
    "recovery_codes": "recovery codes",
    "removed_at": "removed",
    "repeats": "repeated queries",
    "researcher_id": "researcher",
    "retest_of_id": "retest of",
    "rule_id": "rule",
    "screen_height": "shorter side of the screen (pixels)",
    "screen_width": "longer side of the screen (pixels)",
    "seed": "random seed",
    "set_at": "set",
    "set_by_id": "set by",
    "set_id": "set",
    "sha256": "file",
    "sitting_id": "sitting",
    "started_at": "started",
    "stimulus_id": "sketch",
    "study_id": "study",
    "study_until": "study until",
    "taken_at": "taken",
    "task_id": "task",
    "text_id": "consent text",
    "token_hash": "address",
    "totp_secret": "one-time codes",
    "undoes_id": "undone event",
    "undone_at": "undone",
    "undone_by_id": "undone by",
    "used_at": "used",
    "web_sitting_id": "sitting on the web",
    "withdrawn_at": "withdrawn",
    "withdrawn_by": "withdrawn by",
    "withdrawn_by_id": "withdrawn by",
    "wording": "question shown to participants",
}
# Labels for the columns of one table.
LABELS_OF = {
    ("task", "people"): "total number of participants",
    ("participant link", "people"): "maximum participants",
    ("participant link", "kind"): "kind of link",
    ("participant link", "purpose"): "for",
    ("web sitting", "purpose"): "for",
    ("consent", "how"): "given",
}
# Columns whose values are identifiers, such as "time_up".
_CODED = {"direction", "ending", "how", "kind", "purpose", "role", "state", "withdrawn_by"}
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")


@dataclass(frozen=True)
class Change:
    """One changed column on a page.

    Attributes
    ----------
    label : str
    stored : bool
        Whether the values are recorded.
    was, is_now : str or datetime.datetime or None
        None: no value.
    """

    label: str
    stored: bool = False
    was: str | datetime | None = None
    is_now: str | datetime | None = None


def changes_of(subject: str, changes: Mapping[str, Any]) -> list[Change]:
    """The changes of an entry about a `subject`, in the order of their labels."""
    return sorted(_each(subject, changes), key=lambda change: change.label)


def label_of(subject: str, column: str) -> str:
    """The label of a column of a subject.

    Examples
    --------
    >>> label_of("account", "cookie_key"), label_of("task", "people"), label_of("task", "name")
    ('signed out everywhere', 'total number of participants', 'name')
    """
    return LABELS_OF.get((subject, column)) or LABELS.get(column) or column


def readable(value: Any) -> str:
    """A stored value as text: lists and nested fields without brackets and quotes.

    Examples
    --------
    >>> readable([{"name": "age", "label": "Age band", "options": ["18–29", "30–44"]}])
    'Age band: 18–29 | 30–44'
    >>> readable({"time_up": {"text": "Thank you", "code": ""}})
    'time up (text: Thank you)'
    """
    if isinstance(value, Mapping) and "label" in value:
        options = " | ".join(value.get("options") or ())
        return f"{value['label']}: {options}" if options else str(value["label"])
    if isinstance(value, Mapping):
        return "; ".join(_part(str(name), part) for name, part in value.items() if part)
    if isinstance(value, list | tuple):
        return ", ".join(map(readable, value))
    return str(value)


def _part(name: str, part: Any) -> str:
    plain = name.replace("_", " ")
    return f"{plain} ({readable(part)})" if isinstance(part, Mapping) else f"{plain}: {part}"


def _each(subject: str, changes: Mapping[str, Any]) -> Iterator[Change]:
    for column, pair in changes.items():
        label = label_of(subject, column)
        if pair is None:
            yield Change(label)
        else:
            was, is_now = (_value(column, value) for value in pair)
            yield Change(label, True, was, is_now)


def _value(column: str, value: Any) -> str | datetime | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str):
        return str(value)
    if _TIME.match(value):
        return datetime.fromisoformat(value)
    if column in _CODED:
        return value.replace("_", " ")
    return _of_earlier(value)


def _of_earlier(value: str) -> str | None:
    """Parse a value of an earlier version, which was stored as a Python literal."""
    if value[:1] not in ("[", "{"):
        return value
    try:
        return readable(literal_eval(value)) or None
    except (ValueError, SyntaxError):
        return value
