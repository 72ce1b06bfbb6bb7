"""The audit list in the words of the pages: labels of columns, and readable values."""

import re
from ast import literal_eval
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from study_app.core.text.languages import rtranslatable

# By column, for all tables.
LABELS = {
    "age": rtranslatable("age"),
    "backup": rtranslatable("backup"),
    "card": rtranslatable("card"),
    "count": rtranslatable("count"),
    "direction": rtranslatable("direction"),
    "edition": rtranslatable("edition"),
    "ending": rtranslatable("ending"),
    "how": rtranslatable("how"),
    "kind": rtranslatable("kind"),
    "lab": rtranslatable("lab"),
    "language": rtranslatable("language"),
    "methods": rtranslatable("methods"),
    "name": rtranslatable("name"),
    "parts": rtranslatable("parts"),
    "people": rtranslatable("people"),
    "purpose": rtranslatable("purpose"),
    "reason": rtranslatable("reason"),
    "researchers_named": rtranslatable("researchers named"),
    "role": rtranslatable("role"),
    "simulated": rtranslatable("simulated"),
    "state": rtranslatable("state"),
    "text": rtranslatable("text"),
    "threshold": rtranslatable("threshold"),
    "trial": rtranslatable("trial"),
    "version": rtranslatable("version"),
    "debriefing": rtranslatable("debriefing"),
    "endings": rtranslatable("endings"),
    "notes": rtranslatable("notes"),
    "instructions": rtranslatable("instructions"),
    "deck": rtranslatable("deck"),
    "gender": rtranslatable("gender"),
    "answers": rtranslatable("answers"),
    "added_at": rtranslatable("added"),
    "agreed_at": rtranslatable("agreed"),
    "age_band": rtranslatable("age band"),
    "asks_comment": rtranslatable("asks for a comment"),
    "attempts": rtranslatable("attempts at the comprehension check"),
    "began_at": rtranslatable("began"),
    "checks": rtranslatable("attention checks"),
    "checks_needed": rtranslatable("checks to pass"),
    "client_id": rtranslatable("ID of the request"),
    "closed_at": rtranslatable("closed"),
    "completion_code": rtranslatable("completion code"),
    "completion_url": rtranslatable("completion URL"),
    "comprehension": rtranslatable("comprehension questions"),
    "consent_text_id": rtranslatable("consent text"),
    "cookie_key": rtranslatable("signed out everywhere"),
    "created_at": rtranslatable("created"),
    "credential_id": rtranslatable("ID of the passkey"),
    "deck_id": rtranslatable("deck"),
    "deck_number": rtranslatable("deck"),
    "deleted_at": rtranslatable("deleted"),
    "end_questions": rtranslatable("questions after the task"),
    "ends_at": rtranslatable("valid until"),
    "excluded_at": rtranslatable("excluded"),
    "excluded_by_id": rtranslatable("excluded by"),
    "expires_at": rtranslatable("valid until"),
    "file_name": rtranslatable("file name"),
    "finished_at": rtranslatable("finished"),
    "first_entry_id": rtranslatable("first entry"),
    "high_label": rtranslatable("label of the high end"),
    "hold_minutes": rtranslatable("place freed after inactivity (minutes)"),
    "imported_from": rtranslatable("imported from"),
    "invitation_id": rtranslatable("link"),
    "kept_pairs": rtranslatable("near-duplicates that were kept"),
    "laptop_only": rtranslatable("laptop or desktop only"),
    "later_parts": rtranslatable("later parts on the platform"),
    "limit_minutes": rtranslatable("time limit (minutes)"),
    "low_label": rtranslatable("label of the low end"),
    "minutes": rtranslatable("time limit (minutes)"),
    "missing_reason": rtranslatable("reason for missing cards"),
    "most_similar_end": rtranslatable("most similar end"),
    "one_group": rtranslatable("one group"),
    "original_bytes": rtranslatable("size of the file"),
    "part_codes": rtranslatable("codes of the parts"),
    "part_days": rtranslatable("days to return for a part"),
    "part_hours": rtranslatable("hours between parts"),
    "part_seed": rtranslatable("random seed of the parts"),
    "part_size": rtranslatable("queries for each participant"),
    "participant_id": rtranslatable("participant"),
    "passkey_user": rtranslatable("passkeys"),
    "password_hash": rtranslatable("password"),
    "phone_hash": rtranslatable("connected phone"),
    "photos_until": rtranslatable("photos until"),
    "place_in_order": rtranslatable("place in the order"),
    "platform_ids_until": rtranslatable("platform IDs until"),
    "platform_session": rtranslatable("submission"),
    "platform_study": rtranslatable("study on the platform"),
    "points": rtranslatable("points of the scale"),
    "printed_at": rtranslatable("printed"),
    "public_key": rtranslatable("key of the passkey"),
    "questions": rtranslatable("questions about the participant"),
    "quota": rtranslatable("participants for each query"),
    "recorded_by_id": rtranslatable("recorded by"),
    "recovery_codes": rtranslatable("recovery codes"),
    "removed_at": rtranslatable("removed"),
    "repeats": rtranslatable("repeated queries"),
    "researcher_id": rtranslatable("researcher"),
    "retest_of_id": rtranslatable("retest of"),
    "rule_id": rtranslatable("rule"),
    "screen_height": rtranslatable("shorter side of the screen (pixels)"),
    "screen_width": rtranslatable("longer side of the screen (pixels)"),
    "seed": rtranslatable("random seed"),
    "set_at": rtranslatable("set"),
    "set_by_id": rtranslatable("set by"),
    "set_id": rtranslatable("set"),
    "sha256": rtranslatable("file"),
    "sitting_id": rtranslatable("sitting"),
    "started_at": rtranslatable("started"),
    "stimulus_id": rtranslatable("sketch"),
    "study_id": rtranslatable("study"),
    "study_until": rtranslatable("study until"),
    "taken_at": rtranslatable("taken"),
    "task_id": rtranslatable("task"),
    "text_id": rtranslatable("consent text"),
    "token_hash": rtranslatable("address"),
    "totp_secret": rtranslatable("one-time codes"),
    "undoes_id": rtranslatable("undone event"),
    "undone_at": rtranslatable("undone"),
    "undone_by_id": rtranslatable("undone by"),
    "used_at": rtranslatable("used"),
    "web_sitting_id": rtranslatable("sitting on the web"),
    "withdrawal": rtranslatable("withdrawal"),
    "withdrawn_at": rtranslatable("withdrawn"),
    "withdrawn_by": rtranslatable("withdrawn by"),
    "withdrawn_by_id": rtranslatable("withdrawn by"),
    "wording": rtranslatable("question shown to participants"),
    "written_at": rtranslatable("written"),
}
# Labels for the columns of one table.
LABELS_OF = {
    ("task", "people"): rtranslatable("total number of participants"),
    ("participant link", "people"): rtranslatable("maximum participants"),
    ("participant link", "kind"): rtranslatable("kind of link"),
    ("participant link", "purpose"): rtranslatable("for"),
    ("web sitting", "purpose"): rtranslatable("for"),
    ("consent", "how"): rtranslatable("given"),
}
# Columns whose values are identifiers, such as "time_up".
_CODED = {
    "direction",
    "ending",
    "how",
    "kind",
    "methods",
    "purpose",
    "role",
    "state",
    "withdrawn_by",
}
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
    is_word : bool
        Whether the values are words of the program, which pages translate.
    """

    label: str
    stored: bool = False
    was: str | datetime | None = None
    is_now: str | datetime | None = None
    is_word: bool = False


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
            is_word = column in _CODED or any(isinstance(value, bool) for value in pair)
            yield Change(label, True, was, is_now, is_word)


def _value(column: str, value: Any) -> str | datetime | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return rtranslatable("yes") if value else rtranslatable("no")
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
