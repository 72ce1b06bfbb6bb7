"""The latest gold standards, and the systems measured against them."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import ForeignKey, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from study_app.models.base import Base, Moment, now

if TYPE_CHECKING:
    from study_app.models.ranking import RankingTask
    from study_app.models.stimuli import StimulusSet


class GoldFigure(Base):
    """The headline number of a gold standard, stored so that the study's page is fast.

    `target` is "set-3" or "task-2": no foreign key, since the set may be deleted first.
    """

    __tablename__ = "gold_figure"

    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), primary_key=True)
    target: Mapped[str] = mapped_column(String(20), primary_key=True)
    # Fingerprint of the judgments behind it.
    fingerprint: Mapped[str] = mapped_column(String(64))
    # "F" (BCubed) or "W" (Kendall).
    measure: Mapped[str] = mapped_column(String(4))
    value: Mapped[float | None]
    # Expected value for random groups of the same sizes; None for a ranking.
    chance: Mapped[float | None]
    # Number of participants or assessors behind it.
    people: Mapped[int | None]
    computed_at: Mapped[datetime] = mapped_column(Moment, default=now)


class System(Base):
    """An uploaded result file, measured against a set or a ranking task."""

    __tablename__ = "system"
    __table_args__ = (UniqueConstraint("study_id", "set_id", "task_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), index=True)
    # Exactly one of the two is set.
    set_id: Mapped[int | None] = mapped_column(ForeignKey("stimulus_set.id"), index=True)
    task_id: Mapped[int | None] = mapped_column(ForeignKey("ranking_task.id"), index=True)
    name: Mapped[str] = mapped_column(String(80))
    # "ranking", "clustering" or "matrix".
    kind: Mapped[str] = mapped_column(String(10))
    # "similarity" or "distance"; empty for a clustering.
    direction: Mapped[str] = mapped_column(String(10), default="")
    # Name of the uploaded file; shown, never used as a path.
    file_name: Mapped[str] = mapped_column(String(200))
    # The uploaded file, deflated.
    content: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    added_at: Mapped[datetime] = mapped_column(Moment, default=now)

    set: Mapped[StimulusSet | None] = relationship()
    task: Mapped[RankingTask | None] = relationship()
