"""Ranking: queries with their candidates, and every score as it was given."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import JSON, BigInteger, ForeignKey, Integer, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from study_app.models.base import Base, Moment, index_of_some, now
from study_app.models.participation import WebTask

if TYPE_CHECKING:
    from study_app.models.stimuli import Stimulus


class RankingTask(WebTask):
    """Queries with their candidates, and how people are asked to score them."""

    __tablename__ = "ranking_task"

    id: Mapped[int] = mapped_column(ForeignKey("web_task.id"), primary_key=True)
    wording: Mapped[str]
    # Points of the scale, 2 to 11; None: a continuous slider from 0 to 100.
    points: Mapped[int | None]
    low_label: Mapped[str] = mapped_column(String(60))
    high_label: Mapped[str] = mapped_column(String(60))
    # Which end of the scale is most similar, "low" or "high"; chosen when the task is created.
    most_similar_end: Mapped[str] = mapped_column("best", String(4))
    # Number of participants that each query needs.
    quota: Mapped[int] = mapped_column("places")
    # Number of queries for each participant; None: all.
    part_size: Mapped[int | None]
    # Number of queries repeated for each participant, to measure consistency.
    repeats: Mapped[int] = mapped_column(default=0)
    # Number of queries with the sketch itself among the images, as attention checks.
    checks: Mapped[int] = mapped_column(default=0)
    # Attention checks that must be passed; None: no participation is ended for failing.
    checks_needed: Mapped[int | None]

    queries: Mapped[list[RankingQuery]] = relationship(
        back_populates="task", order_by="RankingQuery.number"
    )

    # "inline": loading a link or a sitting loads the whole task in one statement.
    __mapper_args__ = {  # noqa: RUF012 (SQLAlchemy reads a plain dict)
        "polymorphic_identity": "ranking",
        "polymorphic_load": "inline",
    }


class RankingQuery(Base):
    """One sketch, against which its candidates are scored."""

    __tablename__ = "ranking_query"
    __table_args__ = (UniqueConstraint("task_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("ranking_task.id"), index=True)
    number: Mapped[int]
    stimulus_id: Mapped[int] = mapped_column(ForeignKey("stimulus.id"), index=True)
    # A practice query, shown first to everybody; in no result.
    practice: Mapped[bool] = mapped_column(default=False)

    task: Mapped[RankingTask] = relationship(back_populates="queries")
    stimulus: Mapped[Stimulus] = relationship()
    candidates: Mapped[list[Candidate]] = relationship(order_by="Candidate.number")


class Candidate(Base):
    """An image that is scored against a query."""

    __tablename__ = "candidate"

    query_id: Mapped[int] = mapped_column(ForeignKey("ranking_query.id"), primary_key=True)
    stimulus_id: Mapped[int] = mapped_column(
        ForeignKey("stimulus.id"), primary_key=True, index=True
    )
    number: Mapped[int]

    stimulus: Mapped[Stimulus] = relationship()


class AssignedQuery(Base):
    """A query as one participant gets it: its times and the order of its images."""

    __tablename__ = "assigned_query"
    __table_args__ = (UniqueConstraint("sitting_id", "position"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    sitting_id: Mapped[int] = mapped_column(ForeignKey("web_sitting.id"), index=True)
    query_id: Mapped[int] = mapped_column(ForeignKey("ranking_query.id"), index=True)
    position: Mapped[int]
    # The part of the sitting that it belongs to.
    part: Mapped[int] = mapped_column(default=1)
    # "practice", "main" or "repeat"; only "main" counts for the ground truth.
    kind: Mapped[str] = mapped_column(String(10))
    # Stimulus numbers in the order of display; with `checked` the sketch's own is among them.
    shown_order: Mapped[list[int]] = mapped_column(JSON)
    checked: Mapped[bool] = mapped_column(default=False)
    entered_at: Mapped[datetime | None] = mapped_column(Moment)
    submitted_at: Mapped[datetime | None] = mapped_column("handed_in_at", Moment)

    query: Mapped[RankingQuery] = relationship()


class ScoreEntry(Base):
    """One entry about an image, sent by a participant's page; append-only."""

    __tablename__ = "score_entry"
    __table_args__ = (UniqueConstraint("sitting_id", "key"),)

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    sitting_id: Mapped[int] = mapped_column(ForeignKey("web_sitting.id"))
    # Made by the page, so that a repeated request adds nothing.
    key: Mapped[str] = mapped_column(String(40))
    assigned_query_id: Mapped[int] = mapped_column(ForeignKey("assigned_query.id"), index=True)
    stimulus_id: Mapped[int] = mapped_column(ForeignKey("stimulus.id"), index=True)
    # None if the image did not load.
    value: Mapped[float | None]
    # Position in the grid, from 1.
    shown_position: Mapped[int]
    # Whether it was entered in the review before submitting.
    in_review: Mapped[bool] = mapped_column("looking_over", default=False)
    # On the server's clock; the page sends how long ago it was.
    shown_at: Mapped[datetime | None] = mapped_column(Moment)
    answered_at: Mapped[datetime] = mapped_column(Moment)
    response_ms: Mapped[int | None]
    received_at: Mapped[datetime] = mapped_column(Moment, default=now)


class Score(Base):
    """The current score of an image: that of the last entry about it."""

    __tablename__ = "score"
    # The few images that did not load: the live page counts them.
    __table_args__ = (index_of_some("ix_score_not_loaded", "assigned_query_id", "value IS NULL"),)

    assigned_query_id: Mapped[int] = mapped_column(
        ForeignKey("assigned_query.id"), primary_key=True
    )
    stimulus_id: Mapped[int] = mapped_column(
        ForeignKey("stimulus.id"), primary_key=True, index=True
    )
    value: Mapped[float | None]
    answered_at: Mapped[datetime] = mapped_column(Moment)
