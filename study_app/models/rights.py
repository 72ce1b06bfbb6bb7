"""Consent of assessors, and retention dates of data about people."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from study_app.models.base import Base, Moment, now

if TYPE_CHECKING:
    from study_app.models.people import Participant, Researcher


class AssessorText(Base):
    """The information and consent text for assessors, in Markdown; a change is a new version."""

    __tablename__ = "assessor_text"
    __table_args__ = (UniqueConstraint("study_id", "version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), index=True)
    version: Mapped[int]
    information: Mapped[str] = mapped_column(Text)
    consent: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)


class AssessorConsent(Base):
    """The consent of an assessor to one version of the text."""

    __tablename__ = "assessor_consent"
    __table_args__ = (UniqueConstraint("participant_id", "text_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    participant_id: Mapped[int] = mapped_column(ForeignKey("participant.id"), index=True)
    text_id: Mapped[int] = mapped_column(ForeignKey("assessor_text.id"), index=True)
    # "tablet" or "paper".
    how: Mapped[str] = mapped_column(String(10))
    agreed_at: Mapped[datetime] = mapped_column(Moment, default=now)
    # The conductor who was signed in; for paper, the one who recorded it.
    recorded_by_id: Mapped[int | None] = mapped_column(ForeignKey("researcher.id"), index=True)

    participant: Mapped[Participant] = relationship()
    text: Mapped[AssessorText] = relationship()
    recorded_by: Mapped[Researcher | None] = relationship()


class Retention(Base):
    """Retention dates of a study's identifying data; None: no date set."""

    __tablename__ = "retention"

    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), primary_key=True)
    photos_until: Mapped[date | None]
    platform_ids_until: Mapped[date | None]
    study_until: Mapped[date | None]
