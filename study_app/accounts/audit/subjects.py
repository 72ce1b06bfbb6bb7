"""The audited tables, the names of their rows, and the recorded values.

Every table is here: in `SUBJECTS`, or in `NOT_RECORDED` with the reason. Values are recorded only
for columns in `shown`: no hashes or secrets, and no texts or answers of participants, so that none
stay in the audit list after a withdrawal.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from printables.cards.codes import deck_letter
from study_app.core.text.languages import rtranslatable
from study_app.models import (
    Base,
    Deck,
    DeletedPhoto,
    Event,
    Job,
    Participant,
    Passkey,
    PhoneLink,
    Photo,
    Researcher,
    SignIn,
    SignInLink,
    Sitting,
    Stimulus,
    StimulusSet,
    Study,
    StudyInstructions,
    StudyMember,
)
from study_app.models.exclusion import Exclusion, ExclusionRule
from study_app.models.participation import (
    ConsentText,
    Invitation,
    PlatformIdentity,
    WebSitting,
    WebTask,
)
from study_app.models.ranking import RankingQuery, RankingTask
from study_app.models.rights import AssessorConsent, AssessorText, Retention
from study_app.models.systems import System

# Jobs that a researcher starts; computations for a page are not recorded.
JOBS_RECORDED = {"export", "import", "import_task", "print", "systems"}

TASK_SETTINGS = (
    "name",
    "minutes",
    "hold_minutes",
    "seed",
    "questions",
    "completion_url",
    "completion_code",
    "closed_at",
    "wording",
    "points",
    "low_label",
    "high_label",
    "most_similar_end",
    "quota",
    "part_size",
    "repeats",
    "checks",
    "checks_needed",
    "people",
    "comprehension",
    "attempts",
    "parts",
    "part_hours",
    "part_days",
    "part_codes",
    "end_questions",
    "asks_comment",
    "debriefing",
    "language",
    "laptop_only",
    "screen_width",
    "screen_height",
    "endings",
)


@dataclass(frozen=True)
class Subject:
    """How the audit list describes the rows of one table.

    Attributes
    ----------
    kind : str
        Name of the kind of row.
    name : callable (session, row) -> str
        Name of the row.
    study : callable (session, row) -> int or None
        The study of the row; None for an account.
    shown : tuple of str
        Attributes whose values are recorded.
    quiet : tuple of str
        Attributes whose changes are not recorded.
    counted : bool
        Whether many rows of one transaction become one entry.
    created : str
        The action for a new row.
    recorded : callable (row) -> bool
        Whether a row is recorded at all.
    """

    kind: str
    name: Callable[[Session, Any], str]
    study: Callable[[Session, Any], int | None]
    shown: tuple[str, ...] = ()
    quiet: tuple[str, ...] = ()
    counted: bool = False
    created: str = "created"
    recorded: Callable[[Any], bool] = lambda _row: True


def _own(_session: Session, row: Any) -> int | None:
    return row.study_id


def _no_study(_session: Session, _row: Any) -> None:
    return None


def _named(_session: Session, row: Any) -> str:
    return row.name


def _task(session: Session, row: Any) -> WebTask:
    return session.get_one(WebTask, row.task_id)


def _of_task(session: Session, row: Any) -> int:
    return _task(session, row).study_id


def _sitting(session: Session, row: Any) -> Sitting:
    return session.get_one(Sitting, row.sitting_id)


def _of_sitting(session: Session, row: Any) -> int:
    return _sitting(session, row).study_id


def _set(session: Session, row: Any) -> StimulusSet:
    return session.get_one(StimulusSet, row.set_id)


def _of_set(session: Session, row: Any) -> int:
    return _set(session, row).study_id


def _researcher(session: Session, row: Any) -> str:
    return session.get_one(Researcher, row.researcher_id).name


def _participant(session: Session, row: Any) -> str:
    return session.get_one(Participant, row.participant_id).code


def _of_participant(session: Session, row: Any) -> int:
    return session.get_one(Participant, row.participant_id).study_id


def _of_platform(session: Session, row: Any) -> str:
    """The participant's code instead of the platform ID."""
    return _participant(session, session.get_one(WebSitting, row.sitting_id))


def _of_web_sitting(session: Session, row: Any) -> int:
    return _of_task(session, session.get_one(WebSitting, row.sitting_id))


def _excluded(session: Session, row: Any) -> str:
    """The code of the excluded person or sitting."""
    if row.sitting_id is not None:
        return _sitting(session, row).code
    if row.web_sitting_id is not None:
        return _participant(session, session.get_one(WebSitting, row.web_sitting_id))
    return _participant(session, row)


def _deck(session: Session, row: Any) -> str:
    return f"{_set(session, row).name}, deck {deck_letter(row.number)}"


def _code(_session: Session, row: Any) -> str:
    return row.code


SUBJECTS: dict[type[Base], Subject] = {
    Study: Subject(
        rtranslatable("study"),
        _named,
        lambda _s, row: row.id,
        ("name", "lab", "language", "methods", "simulated"),
    ),
    StudyMember: Subject(rtranslatable("member"), _researcher, _own, ("role",)),
    StimulusSet: Subject(rtranslatable("set"), _named, _own, ("name",), quiet=("retired_card",)),
    Stimulus: Subject(
        rtranslatable("sketch"),
        lambda s, row: f"{_set(s, row).name}/{row.name}",
        _of_set,
        counted=True,
    ),
    Deck: Subject(
        rtranslatable("deck"), _deck, _of_set, ("edition", "printed_at", "part_seed", "card")
    ),
    Participant: Subject(rtranslatable("person"), _code, _own, ("simulated", "withdrawn_at")),
    Sitting: Subject(
        rtranslatable("sitting"),
        _code,
        _own,
        (
            "state",
            "deck_number",
            "language",
            "limit_minutes",
            "imported_from",
            "finished_at",
            "withdrawn_at",
        ),
        quiet=("revision", "started_at", "stopped_at"),
    ),
    StudyInstructions: Subject(rtranslatable("instructions"), lambda _s, _row: "", _own, ("text",)),
    Photo: Subject(
        rtranslatable("photo"),
        lambda s, row: f"{_sitting(s, row).code}, photo {row.id}",
        _of_sitting,
        quiet=("settled_by_id", "reading"),
    ),
    Event: Subject(
        rtranslatable("table"),
        lambda s, row: _sitting(s, row).code,
        _of_sitting,
        ("kind",),
        created=rtranslatable("recorded"),
    ),
    RankingTask: Subject(rtranslatable("task"), _named, _own, TASK_SETTINGS),
    RankingQuery: Subject(
        rtranslatable("query"),
        lambda s, row: f"{_task(s, row).name}, {row.number}",
        _of_task,
        counted=True,
    ),
    ConsentText: Subject(
        rtranslatable("text"), lambda s, row: _task(s, row).name, _of_task, ("version",)
    ),
    Invitation: Subject(
        rtranslatable("participant link"),
        lambda s, row: f"{_task(s, row).name}, {row.number}",
        _of_task,
        ("kind", "purpose", "people", "expires_at", "closed_at"),
    ),
    WebSitting: Subject(
        rtranslatable("web sitting"),
        _participant,
        _of_task,
        ("purpose", "finished_at", "ending", "withdrawn_at", "withdrawn_by"),
        quiet=(
            "seen_at",
            "token_hash",
            "attempts",
            "ready_at",
            "end_answered_at",
            "parts",
            "part",
            "next_part_at",
        ),
    ),
    Exclusion: Subject(
        rtranslatable("exclusion"), _excluded, _own, ("trial", "rule_id", "undone_at")
    ),
    ExclusionRule: Subject(
        rtranslatable("exclusion rule"),
        lambda _s, row: row.kind,
        _own,
        ("kind", "threshold", "removed_at"),
    ),
    AssessorText: Subject(rtranslatable("assessor text"), lambda _s, row: "", _own, ("version",)),
    AssessorConsent: Subject(rtranslatable("consent"), _participant, _of_participant, ("how",)),
    Retention: Subject(
        rtranslatable("retention"),
        lambda _s, _row: "",
        _own,
        ("photos_until", "platform_ids_until", "study_until"),
    ),
    DeletedPhoto: Subject(
        rtranslatable("photo"),
        lambda s, row: _sitting(s, row).code,
        _of_sitting,
        created=rtranslatable("deleted"),
    ),
    PlatformIdentity: Subject(
        rtranslatable("platform ID"), _of_platform, _of_web_sitting, counted=True
    ),
    System: Subject(
        rtranslatable("system"), _named, _own, ("name", "kind", "direction", "file_name")
    ),
    Job: Subject(
        rtranslatable("work"),
        lambda _s, row: row.kind,
        _own,
        ("researchers_named",),
        quiet=("state", "done", "total", "message", "result", "ended_at", "owner"),
        created=rtranslatable("started"),
        recorded=lambda row: row.kind in JOBS_RECORDED,
    ),
    Researcher: Subject(
        rtranslatable("account"), _named, _no_study, ("name",), quiet=("totp_used",)
    ),
    PhoneLink: Subject(
        rtranslatable("phone link"), lambda s, row: _sitting(s, row).code, _of_sitting, ("ends_at",)
    ),
    SignInLink: Subject(
        rtranslatable("invitation"), lambda _s, row: row.role or "", _own, ("role", "used_at")
    ),
    SignIn: Subject(
        rtranslatable("sign-in"), _researcher, _no_study, created=rtranslatable("signed in")
    ),
    Passkey: Subject(rtranslatable("passkey"), _named, _no_study, quiet=("sign_count", "used_at")),
}
"""The tables that are recorded."""

NOT_RECORDED = {
    "assigned_query": "assigned when a participant starts; append-only",
    "attempt": "counts of the login throttle, as hashes",
    "audit_entry": "the list itself",
    "candidate": "part of a query",
    "deck_card": "part of a deck",
    "early_ending": "counts by link, without a person",
    "gold_figure": "computed from judgments",
    "group_description": "part of a recording",
    "installation_note": "values shared by the servers of an installation",
    "picture": "the file of a sketch",
    "recovery_code": "hashes; turning codes on or off changes the account",
    "retired_set_number": "part of deleting a set",
    "scan": "part of a recording; append-only",
    "score": "computed from score_entry",
    "score_entry": "judgments: append-only, each with its time",
    "sitting_assessor": "part of a sitting",
    "sitting_group": "part of a recording",
}
"""The tables that are not recorded, by name, each with the reason."""
