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
    """What people on the web are asked to do; a method adds a table of its own."""

    __tablename__ = "web_task"
    __table_args__ = (UniqueConstraint("study_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), index=True)
    # A name in `study_app.participation.methods`.
    method: Mapped[str] = mapped_column(String(20))
    name: Mapped[str] = mapped_column(String(120))
    # Of the pages for participants, as HTML names it; empty lets their browsers choose.
    language: Mapped[str] = mapped_column(String(12), default="")
    # Minutes that a participant has; None is no limit.
    minutes: Mapped[int | None]
    # Minutes for which the place of somebody who does nothing is held.
    hold_minutes: Mapped[int] = mapped_column(default=60)
    # Random seed of everything that participants are shown.
    seed: Mapped[int]
    # [{"name", "label", "options"}]; a question without options is answered in words.
    questions: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    # How many participants are wanted in all; None leaves it to the method's own quota.
    people: Mapped[int | None]
    # Asked before the trials; each has the option that is right, "right".
    comprehension: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    # How often the comprehension check may be answered.
    attempts: Mapped[int] = mapped_column(default=2)
    # Asked after the last trial, as `questions` are before the first.
    end_questions: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    asks_comment: Mapped[bool] = mapped_column(default=False)
    # Shown to whoever agreed, however their participation ended; Markdown.
    debriefing: Mapped[str] = mapped_column(default="")
    # Devices that may take part: a mouse or trackpad and a hover, and the least screen in CSS px.
    laptop_only: Mapped[bool] = mapped_column(default=False)
    screen_width: Mapped[int | None]
    screen_height: Mapped[int | None]
    # In how many parts each participant does their trials; a next part opens so many hours after
    # the one before, and the place is held for so many days after that.
    parts: Mapped[int] = mapped_column(default=1)
    part_hours: Mapped[int] = mapped_column(default=24)
    part_days: Mapped[int] = mapped_column(default=7)
    # Codes for a platform after each part but the last.
    part_codes: Mapped[list[str]] = mapped_column(JSON, default=list)
    # Where every ending returns to, unless it has its own address; the code of a complete one.
    completion_url: Mapped[str] = mapped_column(String(400), default="")
    completion_code: Mapped[str] = mapped_column(String(40), default="")
    # {ending: {"text", "code", "address"}}, as far as they were written; see `endings`.
    endings: Mapped[dict[str, dict[str, str]]] = mapped_column(JSON, default=dict)
    closed_at: Mapped[datetime | None] = mapped_column(Moment)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)

    study: Mapped[Study] = relationship()

    __mapper_args__ = {"polymorphic_on": "method"}  # noqa: RUF012 (SQLAlchemy reads a plain dict)


class ConsentText(Base):
    """What participants are told and agree to, in Markdown; a change is a new version."""

    __tablename__ = "consent_text"
    __table_args__ = (UniqueConstraint("task_id", "version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("web_task.id"), index=True)
    version: Mapped[int]
    information: Mapped[str]
    consent: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)


class Invitation(Base):
    """A link to a task: personal, open to many, or for a recruitment platform."""

    __tablename__ = "invitation"

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("web_task.id"), index=True)
    # "personal", "open" or "platform".
    kind: Mapped[str] = mapped_column(String(10))
    # A name in `study_app.participation.platforms.platforms` for a platform's link, else empty.
    platform: Mapped[str] = mapped_column(String(20), default="")
    # "real", "tryout" or "simulated": what the observations made through it are.
    purpose: Mapped[str] = mapped_column(String(10), default="real")
    # A personal link's number within the task, printed beside its QR code.
    number: Mapped[int]
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    # How many people may come through it; None is no limit but the quota of the task.
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
    # Order of arrival at the task; the sitting's own seed is derived from the task's with it.
    number: Mapped[int]
    invitation_id: Mapped[int] = mapped_column(ForeignKey("invitation.id"), index=True)
    participant_id: Mapped[int] = mapped_column(ForeignKey("participant.id"), index=True)
    # Of the participant's own address, never of a link.
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    purpose: Mapped[str] = mapped_column(String(10))
    seed: Mapped[int] = mapped_column(BigInteger)
    consent_text_id: Mapped[int] = mapped_column(ForeignKey("consent_text.id"), index=True)
    # In which the texts were read that were agreed to, and every page since.
    language: Mapped[str] = mapped_column(String(12), default="en")
    agreed_at: Mapped[datetime] = mapped_column(Moment, default=now)
    # Answers to the task's questions, by the question's name.
    answers: Mapped[dict[str, str]] = mapped_column(JSON, default=dict)
    seen_at: Mapped[datetime] = mapped_column(Moment, default=now)
    # Times the comprehension check was answered.
    attempts: Mapped[int] = mapped_column(default=0)
    # When the trials were opened: with the consent, or after the comprehension check.
    # Of a task in parts: with the part that was begun last.
    ready_at: Mapped[datetime | None] = mapped_column(Moment)
    # In how many parts its trials are, and the one that was begun last, from 1.
    parts: Mapped[int] = mapped_column(default=1)
    part: Mapped[int] = mapped_column(default=1)
    # When the next part opens; None within a part and after the last.
    next_part_at: Mapped[datetime | None] = mapped_column(Moment)
    finished_at: Mapped[datetime | None] = mapped_column(Moment)
    # A name in `study_app.participation.endings.endings`, once it has ended.
    ending: Mapped[str | None] = mapped_column(String(16))
    # When the questions after the last trial were answered or left out.
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
    """How many people left a link before they agreed; nothing is stored of any of them."""

    __tablename__ = "early_ending"

    invitation_id: Mapped[int] = mapped_column(ForeignKey("invitation.id"), primary_key=True)
    # "no_consent" or "screened_out".
    ending: Mapped[str] = mapped_column(String(16), primary_key=True)
    people: Mapped[int] = mapped_column(default=0)


class PlatformIdentity(Base):
    """What a recruitment platform calls a participant; apart from everything, and in no export.

    It outlasts a withdrawal: who withdrew is paid, or asked to return their submission, as well.
    """

    __tablename__ = "platform_identity"

    sitting_id: Mapped[int] = mapped_column(ForeignKey("web_sitting.id"), primary_key=True)
    person: Mapped[str] = mapped_column(String(80))
    platform_study: Mapped[str] = mapped_column(String(80))
    platform_session: Mapped[str] = mapped_column(String(80))
