"""Observations that a researcher excludes from every result, and the rules for it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from study_app.models.base import Base, Moment, now

if TYPE_CHECKING:
    from study_app.models.participation import WebSitting
    from study_app.models.people import Participant, Researcher
    from study_app.models.sittings import Sitting


class ExclusionRule(Base):
    """A rule for excluding people; never changed, so that its date shows when it was set."""

    __tablename__ = "exclusion_rule"

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), index=True)
    # A name in `study_app.participation.people.rule_kinds`.
    kind: Mapped[str] = mapped_column(String(20))
    threshold: Mapped[float]
    set_at: Mapped[datetime] = mapped_column(Moment, default=now)
    set_by_id: Mapped[int | None] = mapped_column(ForeignKey("researcher.id"), index=True)
    removed_at: Mapped[datetime | None] = mapped_column(Moment)

    set_by: Mapped[Researcher | None] = relationship()


class Exclusion(Base):
    """A person, a sitting or a single trial excluded from every result, until this is undone.

    One of `participant_id`, `sitting_id` and `web_sitting_id` is set.
    """

    __tablename__ = "exclusion"

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), index=True)
    participant_id: Mapped[int | None] = mapped_column(ForeignKey("participant.id"), index=True)
    # A sitting at a table.
    sitting_id: Mapped[int | None] = mapped_column(
        ForeignKey("sitting.id", ondelete="CASCADE"), index=True
    )
    web_sitting_id: Mapped[int | None] = mapped_column(ForeignKey("web_sitting.id"), index=True)
    # The position of one trial in the web sitting; None excludes all of it.
    trial: Mapped[int | None]
    # As a person wrote it; empty if a rule excluded.
    reason: Mapped[str] = mapped_column(Text, default="")
    rule_id: Mapped[int | None] = mapped_column(ForeignKey("exclusion_rule.id"), index=True)
    # The fact that the rule compared, in the unit of its threshold.
    value: Mapped[float | None]
    excluded_at: Mapped[datetime] = mapped_column(Moment, default=now)
    excluded_by_id: Mapped[int | None] = mapped_column(ForeignKey("researcher.id"), index=True)
    undone_at: Mapped[datetime | None] = mapped_column(Moment)
    undone_by_id: Mapped[int | None] = mapped_column(ForeignKey("researcher.id"), index=True)

    participant: Mapped[Participant | None] = relationship()
    sitting: Mapped[Sitting | None] = relationship()
    web_sitting: Mapped[WebSitting | None] = relationship()
    rule: Mapped[ExclusionRule | None] = relationship()
    excluded_by: Mapped[Researcher | None] = relationship(foreign_keys=[excluded_by_id])
