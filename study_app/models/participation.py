"""Taking part on the web, whatever the method: tasks, links, texts and sittings."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, BigInteger, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from study_app.models.base import Base, Moment, now

if TYPE_CHECKING:
    from study_app.models.people import Participant
    from study_app.models.stimuli import Study


class WebTask(Base):
    """A task for participants on the web; each method adds a table of its own."""

    __tablename__ = "web_task"
    __table_args__ = (UniqueConstraint("study_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), index=True)
    # A name in `study_app.participation.methods`.
    method: Mapped[str] = mapped_column(String(20))
    name: Mapped[str] = mapped_column(String(120))
    # Language code of the participants' pages; empty: each browser's own language.
    language: Mapped[str] = mapped_column(String(12), default="")
    # Time limit of a participant; None: no limit.
    minutes: Mapped[int | None]
    # Minutes of inactivity after which a participant's place is freed.
    hold_minutes: Mapped[int] = mapped_column(default=60)
    # Random seed of everything shown to participants.
    seed: Mapped[int]
    # [{"name", "label", "options"}]; a question without options has a free-text answer.
    questions: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    # Maximum number of participants; None: as many as the method's own quota needs.
    people: Mapped[int | None]
    # Questions of the comprehension check, before the trials; "right" is the correct option.
    comprehension: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    # Number of attempts at the comprehension check.
    attempts: Mapped[int] = mapped_column(default=2)
    # Asked after the last trial, as `questions` are before the first.
    end_questions: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    asks_comment: Mapped[bool] = mapped_column(default=False)
    # Shown at every ending to participants who consented; Markdown.
    debriefing: Mapped[str] = mapped_column(default="")
    # Required device: with a mouse or trackpad; and the smallest screen, in CSS pixels.
    laptop_only: Mapped[bool] = mapped_column(default=False)
    screen_width: Mapped[int | None]
    screen_height: Mapped[int | None]
    # Number of parts; hours after one part until the next opens; days after that until the place
    # is freed.
    parts: Mapped[int] = mapped_column(default=1)
    part_hours: Mapped[int] = mapped_column(default=24)
    part_days: Mapped[int] = mapped_column(default=7)
    # Codes for a platform after each part but the last.
    part_codes: Mapped[list[str]] = mapped_column(JSON, default=list)
    # Return address of every ending without its own; code of the ending "complete".
    completion_url: Mapped[str] = mapped_column(String(400), default="")
    completion_code: Mapped[str] = mapped_column(String(40), default="")
    # {ending: {"text", "code", "address"}}, only those that were edited; see `endings`.
    endings: Mapped[dict[str, dict[str, str]]] = mapped_column(JSON, default=dict)
    closed_at: Mapped[datetime | None] = mapped_column(Moment)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)

    study: Mapped[Study] = relationship()

    __mapper_args__ = {"polymorphic_on": "method"}  # noqa: RUF012 (SQLAlchemy reads a plain dict)


class ConsentText(Base):
    """The information and consent text for participants, in Markdown; a change is a new version."""

    __tablename__ = "consent_text"
    __table_args__ = (UniqueConstraint("task_id", "version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("web_task.id"), index=True)
    version: Mapped[int]
    information: Mapped[str]
    consent: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)


class Invitation(Base):
    """A link to a task: personal, open, or for a recruitment platform."""

    __tablename__ = "invitation"

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("web_task.id"), index=True)
    # "personal", "open" or "platform".
    kind: Mapped[str] = mapped_column(String(10))
    # A name in `study_app.participation.platforms.platforms` for a platform's link, else empty.
    platform: Mapped[str] = mapped_column(String(20), default="")
    # "real", "tryout" or "simulated": the kind of the observations made through it.
    purpose: Mapped[str] = mapped_column(String(10), default="real")
    # A personal link's number within the task, printed beside its QR code.
    number: Mapped[int]
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    # Maximum number of participants; None: only the quota of the task applies.
    people: Mapped[int | None]
    expires_at: Mapped[datetime | None] = mapped_column(Moment)
    closed_at: Mapped[datetime | None] = mapped_column(Moment)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)

    task: Mapped[WebTask] = relationship()


class WebSitting(Base):
    """One participant with one task, once."""

    __tablename__ = "web_sitting"
    __table_args__ = (UniqueConstraint("task_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("web_task.id"), index=True)
    # Order of arrival; with the task's seed it determines the sitting's own seed.
    number: Mapped[int]
    invitation_id: Mapped[int] = mapped_column(ForeignKey("invitation.id"), index=True)
    participant_id: Mapped[int] = mapped_column(ForeignKey("participant.id"), index=True)
    # Hash of the token in the participant's own address, never of a link's token.
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    purpose: Mapped[str] = mapped_column(String(10))
    seed: Mapped[int] = mapped_column(BigInteger)
    consent_text_id: Mapped[int] = mapped_column(ForeignKey("consent_text.id"), index=True)
    # Language of the consent text that was agreed to, and of every page since.
    language: Mapped[str] = mapped_column(String(12), default="en")
    agreed_at: Mapped[datetime] = mapped_column(Moment, default=now)
    # Answers to the task's questions, by the question's name.
    answers: Mapped[dict[str, str]] = mapped_column(JSON, default=dict)
    seen_at: Mapped[datetime] = mapped_column(Moment, default=now)
    # Attempts made at the comprehension check.
    attempts: Mapped[int] = mapped_column(default=0)
    # When the trials were opened: with the consent, or after the comprehension check.
    # In a task in parts: the start of the latest part.
    ready_at: Mapped[datetime | None] = mapped_column(Moment)
    # Number of parts, and the latest part that was started, from 1.
    parts: Mapped[int] = mapped_column(default=1)
    part: Mapped[int] = mapped_column(default=1)
    # When the next part opens; None within a part and after the last.
    next_part_at: Mapped[datetime | None] = mapped_column(Moment)
    finished_at: Mapped[datetime | None] = mapped_column(Moment)
    # A name in `study_app.participation.endings.endings`, once it has ended.
    ending: Mapped[str | None] = mapped_column(String(16))
    # When the questions after the last trial were answered or skipped.
    end_answered_at: Mapped[datetime | None] = mapped_column(Moment)
    withdrawn_at: Mapped[datetime | None] = mapped_column(Moment)
    # "participant" or "researcher".
    withdrawn_by: Mapped[str | None] = mapped_column(String(12))

    task: Mapped[WebTask] = relationship()
    invitation: Mapped[Invitation] = relationship()
    participant: Mapped[Participant] = relationship()
    consent_text: Mapped[ConsentText] = relationship()

    @property
    def code(self) -> str:
        """What files call it, within its task: R012."""
        return f"R{self.number:03d}"


class EarlyEnding(Base):
    """Number of people who left before consenting; nothing else is stored about them."""

    __tablename__ = "early_ending"

    invitation_id: Mapped[int] = mapped_column(ForeignKey("invitation.id"), primary_key=True)
    # "no_consent" or "screened_out".
    ending: Mapped[str] = mapped_column(String(16), primary_key=True)
    people: Mapped[int] = mapped_column(default=0)


class PlatformIdentity(Base):
    """The ID of a participant on a recruitment platform; stored separately, never exported.

    It outlives a withdrawal, because people who withdrew are paid too, or asked to return their
    submission.
    """

    __tablename__ = "platform_identity"

    sitting_id: Mapped[int] = mapped_column(ForeignKey("web_sitting.id"), primary_key=True)
    person: Mapped[str] = mapped_column(String(80))
    platform_study: Mapped[str] = mapped_column(String(80))
    platform_session: Mapped[str] = mapped_column(String(80))
    # The platform's IDs of study and submission for later parts that are separate studies there:
    # {"2": {"study", "session"}}.
    later_parts: Mapped[dict[str, dict[str, str]]] = mapped_column(JSON, default=dict)
