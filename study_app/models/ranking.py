"""Ranking on the web: tasks, invitations, and every score as it was given."""

from datetime import datetime

from sqlalchemy import JSON, BigInteger, ForeignKey, Integer, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from study_app.models.base import Base, Moment, now


class RankingTask(Base):
    """Queries with their candidates, and how people are asked to score them."""

    __tablename__ = "ranking_task"
    __table_args__ = (UniqueConstraint("study_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), index=True)
    name: Mapped[str] = mapped_column(String(120))
    wording: Mapped[str]
    # 2 to 11; none is a continuous slider from 0 to 100.
    points: Mapped[int | None]
    low_label: Mapped[str] = mapped_column(String(60))
    high_label: Mapped[str] = mapped_column(String(60))
    # Which end of the scale is most similar, "low" or "high"; whoever makes the task says it.
    best: Mapped[str] = mapped_column(String(4))
    # Minutes that a participant has; none is as long as it takes.
    minutes: Mapped[int | None]
    # How many participants each query needs.
    places: Mapped[int]
    # Queries that each participant gets; none is all of them.
    part_size: Mapped[int | None]
    # Minutes for which the places of somebody who does nothing are held.
    hold_minutes: Mapped[int] = mapped_column(default=60)
    # Queries that each participant gets a second time, to see how consistent they are.
    repeats: Mapped[int] = mapped_column(default=0)
    # Queries in which the sketch itself stands among its images, to see who pays attention.
    checks: Mapped[int] = mapped_column(default=0)
    # Every order that a participant sees is drawn from this.
    seed: Mapped[int]
    # [{"name", "label", "options"}]; a question without options is answered in words.
    questions: Mapped[list] = mapped_column(JSON, default=list)
    completion_url: Mapped[str] = mapped_column(String(400), default="")
    completion_code: Mapped[str] = mapped_column(String(40), default="")
    closed_at: Mapped[datetime | None] = mapped_column(Moment)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)

    study = relationship("Study")
    queries = relationship("RankingQuery", back_populates="task", order_by="RankingQuery.number")


class RankingQuery(Base):
    """One sketch, against which the images of its list are scored."""

    __tablename__ = "ranking_query"
    __table_args__ = (UniqueConstraint("task_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("ranking_task.id"), index=True)
    number: Mapped[int]
    stimulus_id: Mapped[int] = mapped_column(ForeignKey("stimulus.id"), index=True)
    # Shown first to everybody, for trying out; in no result.
    practice: Mapped[bool] = mapped_column(default=False)

    task = relationship("RankingTask", back_populates="queries")
    stimulus = relationship("Stimulus")
    candidates = relationship("Candidate", order_by="Candidate.number")


class Candidate(Base):
    """An image that is scored against a query."""

    __tablename__ = "candidate"

    query_id: Mapped[int] = mapped_column(ForeignKey("ranking_query.id"), primary_key=True)
    stimulus_id: Mapped[int] = mapped_column(
        ForeignKey("stimulus.id"), primary_key=True, index=True
    )
    number: Mapped[int]

    stimulus = relationship("Stimulus")


class ConsentText(Base):
    """What participants are told and agree to, in Markdown; a change is a new version."""

    __tablename__ = "consent_text"
    __table_args__ = (UniqueConstraint("task_id", "version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("ranking_task.id"), index=True)
    version: Mapped[int]
    information: Mapped[str]
    consent: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)


class Invitation(Base):
    """A link to a task: personal, open to many, or for a recruitment platform."""

    __tablename__ = "invitation"

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("ranking_task.id"), index=True)
    # "personal", "open" or "platform".
    kind: Mapped[str] = mapped_column(String(10))
    # "real", "tryout" or "simulated": what the scores given through it are.
    purpose: Mapped[str] = mapped_column(String(10), default="real")
    # A personal link's number within the task, printed beside its QR code.
    number: Mapped[int]
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    # How many people may come through it; none is no limit but the places of the task.
    people: Mapped[int | None]
    expires_at: Mapped[datetime | None] = mapped_column(Moment)
    closed_at: Mapped[datetime | None] = mapped_column(Moment)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)

    task = relationship("RankingTask")


class RankingSitting(Base):
    """One participant with one list of queries, once."""

    __tablename__ = "ranking_sitting"
    __table_args__ = (UniqueConstraint("task_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("ranking_task.id"), index=True)
    # Order of arrival at the task; the sitting's own seed is drawn from the task's with it.
    number: Mapped[int]
    invitation_id: Mapped[int] = mapped_column(ForeignKey("invitation.id"), index=True)
    participant_id: Mapped[int] = mapped_column(ForeignKey("participant.id"), index=True)
    # Of the participant's own address, never of a link.
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    purpose: Mapped[str] = mapped_column(String(10))
    seed: Mapped[int] = mapped_column(BigInteger)
    consent_text_id: Mapped[int] = mapped_column(ForeignKey("consent_text.id"), index=True)
    agreed_at: Mapped[datetime] = mapped_column(Moment, default=now)
    # Answers to the task's questions, by the question's name.
    answers: Mapped[dict] = mapped_column(JSON, default=dict)
    seen_at: Mapped[datetime] = mapped_column(Moment, default=now)
    finished_at: Mapped[datetime | None] = mapped_column(Moment)
    # Whether the time limit ended it rather than the last query.
    time_up: Mapped[bool] = mapped_column(default=False)
    withdrawn_at: Mapped[datetime | None] = mapped_column(Moment)
    # "participant" or "researcher".
    withdrawn_by: Mapped[str | None] = mapped_column(String(12))

    task = relationship("RankingTask")
    participant = relationship("Participant")
    consent_text = relationship("ConsentText")
    queries = relationship("AssignedQuery", order_by="AssignedQuery.position")


class AssignedQuery(Base):
    """A query as one participant gets it: when, and its images in which order."""

    __tablename__ = "assigned_query"
    __table_args__ = (UniqueConstraint("sitting_id", "position"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    sitting_id: Mapped[int] = mapped_column(ForeignKey("ranking_sitting.id"), index=True)
    query_id: Mapped[int] = mapped_column(ForeignKey("ranking_query.id"), index=True)
    position: Mapped[int]
    # "practice", "main" or "repeat"; only "main" counts for the ground truth.
    kind: Mapped[str] = mapped_column(String(10))
    # Stimulus numbers in the order of display; with `checked` the sketch's own is among them.
    shown_order: Mapped[list] = mapped_column(JSON)
    checked: Mapped[bool] = mapped_column(default=False)
    entered_at: Mapped[datetime | None] = mapped_column(Moment)
    handed_in_at: Mapped[datetime | None] = mapped_column(Moment)

    query = relationship("RankingQuery")


class ScoreEntry(Base):
    """One thing that a participant's page said about an image; only added to, never changed."""

    __tablename__ = "score_entry"
    __table_args__ = (UniqueConstraint("sitting_id", "key"),)

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    sitting_id: Mapped[int] = mapped_column(ForeignKey("ranking_sitting.id"))
    # Made by the page, so that a repeated request adds nothing.
    key: Mapped[str] = mapped_column(String(40))
    assigned_query_id: Mapped[int] = mapped_column(ForeignKey("assigned_query.id"), index=True)
    stimulus_id: Mapped[int] = mapped_column(ForeignKey("stimulus.id"), index=True)
    # None where the image did not load.
    value: Mapped[float | None]
    # Place in the grid, from 1, or in the looking over.
    shown_position: Mapped[int]
    looking_over: Mapped[bool] = mapped_column(default=False)
    # On the server's clock: what the page says is how long ago it was.
    shown_at: Mapped[datetime | None] = mapped_column(Moment)
    answered_at: Mapped[datetime] = mapped_column(Moment)
    response_ms: Mapped[int | None]
    received_at: Mapped[datetime] = mapped_column(Moment, default=now)


class Score(Base):
    """What stands for an image now: the last entry about it."""

    __tablename__ = "score"

    assigned_query_id: Mapped[int] = mapped_column(
        ForeignKey("assigned_query.id"), primary_key=True
    )
    stimulus_id: Mapped[int] = mapped_column(
        ForeignKey("stimulus.id"), primary_key=True, index=True
    )
    value: Mapped[float | None]
    answered_at: Mapped[datetime] = mapped_column(Moment)


class PlatformIdentity(Base):
    """What a recruitment platform calls a participant; apart from everything, and in no export."""

    __tablename__ = "platform_identity"

    sitting_id: Mapped[int] = mapped_column(ForeignKey("ranking_sitting.id"), primary_key=True)
    person: Mapped[str] = mapped_column(String(80))
    platform_study: Mapped[str] = mapped_column(String(80))
    platform_session: Mapped[str] = mapped_column(String(80))
