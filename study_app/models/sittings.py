"""Sittings at a table: what was scanned, when, how, and in which photo."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from study_app.models.base import Base, Moment, now

if TYPE_CHECKING:
    from study_app.models.people import Participant, Researcher
    from study_app.models.stimuli import Stimulus, StimulusSet, Study


class Sitting(Base):
    """One assessor, or two jointly, sorting one deck once.

    `state` is planned, sorting, recording, finished or withdrawn.
    """

    __tablename__ = "sitting"
    __table_args__ = (UniqueConstraint("study_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), index=True)
    # 12 is sitting T012.
    number: Mapped[int]
    set_id: Mapped[int] = mapped_column(ForeignKey("stimulus_set.id"), index=True)
    # 1 is deck A; the deck may be printed after the sitting is planned. None: sorted elsewhere.
    deck_number: Mapped[int | None]
    # The printed deck, from when its cards are recorded: it is not changed any more then.
    deck_id: Mapped[int | None] = mapped_column(ForeignKey("deck.id"), index=True)
    # Set on a double entry: the sitting whose table is recorded a second time.
    first_entry_id: Mapped[int | None] = mapped_column(ForeignKey("sitting.id"), index=True)
    # Set on a retest: the sitting whose set the same assessor sorts a second time.
    retest_of_id: Mapped[int | None] = mapped_column(ForeignKey("sitting.id"), index=True)
    # The day that it is planned for, and its place in the order of its assessor's sets, from 1.
    day: Mapped[date | None]
    place_in_order: Mapped[int | None]
    state: Mapped[str] = mapped_column(String(10), default="planned")
    # Grows with every change, so that a second tablet knows when to look.
    revision: Mapped[int] = mapped_column(default=0)
    limit_minutes: Mapped[int | None]
    # Shown to the assessor; None shows the study's.
    instructions: Mapped[str | None] = mapped_column(Text)
    # Of the pages for its assessor; empty is that of the study.
    language: Mapped[str] = mapped_column(String(12), default="")
    notes: Mapped[str] = mapped_column(Text, default="")
    # Why it was finished without every card.
    missing_reason: Mapped[str] = mapped_column(Text, default="")
    # The file of a grouping that was made elsewhere.
    imported_from: Mapped[str | None] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    started_at: Mapped[datetime | None] = mapped_column(Moment)
    stopped_at: Mapped[datetime | None] = mapped_column(Moment)
    finished_at: Mapped[datetime | None] = mapped_column(Moment)
    withdrawn_at: Mapped[datetime | None] = mapped_column(Moment)
    withdrawn_by_id: Mapped[int | None] = mapped_column(ForeignKey("researcher.id"), index=True)

    study: Mapped[Study] = relationship()
    set: Mapped[StimulusSet] = relationship()
    first_entry: Mapped[Sitting | None] = relationship(
        remote_side=[id], foreign_keys=[first_entry_id]
    )
    retest_of: Mapped[Sitting | None] = relationship(remote_side=[id], foreign_keys=[retest_of_id])
    withdrawn_by: Mapped[Researcher | None] = relationship()
    assessors: Mapped[list[Participant]] = relationship(
        secondary="sitting_assessor", order_by="Participant.id"
    )
    groups: Mapped[list[Group]] = relationship(back_populates="sitting", order_by="Group.number")

    @property
    def code(self) -> str:
        """What people call it: T012."""
        return f"T{self.number:03d}"

    @property
    def assessor(self) -> str:
        """Who sorted, as one unit: "P01", or "P01+P02" for a joint sitting."""
        return "+".join(person.code for person in self.assessors)

    @property
    def minutes(self) -> float | None:
        """How long the assessor sorted; None if it is unknown, as after the clock was set back."""
        if not (self.started_at and self.stopped_at) or self.stopped_at < self.started_at:
            return None
        return (self.stopped_at - self.started_at).total_seconds() / 60


class SittingAssessor(Base):
    """An assessor of a sitting; a joint sitting has two."""

    __tablename__ = "sitting_assessor"

    sitting_id: Mapped[int] = mapped_column(
        ForeignKey("sitting.id", ondelete="CASCADE"), primary_key=True
    )
    participant_id: Mapped[int] = mapped_column(
        ForeignKey("participant.id"), primary_key=True, index=True
    )


class PhoneLink(Base):
    """A one-time link that opens the recording page of one sitting on a phone, and that phone."""

    __tablename__ = "phone_link"

    id: Mapped[int] = mapped_column(primary_key=True)
    sitting_id: Mapped[int] = mapped_column(
        ForeignKey("sitting.id", ondelete="CASCADE"), index=True
    )
    # Who showed the link: what the phone records is theirs.
    researcher_id: Mapped[int] = mapped_column(ForeignKey("researcher.id"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    expires_at: Mapped[datetime] = mapped_column(Moment)
    # Set once a phone has opened the link: the hash of that phone's own token, and its end.
    phone_hash: Mapped[str | None] = mapped_column(String(64))
    ends_at: Mapped[datetime | None] = mapped_column(Moment)

    sitting: Mapped[Sitting] = relationship()
    researcher: Mapped[Researcher] = relationship()


class StudyInstructions(Base):
    """What a study tells its assessors before they sort."""

    __tablename__ = "study_instructions"

    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), primary_key=True)
    text: Mapped[str] = mapped_column(Text)


class Group(Base):
    """Sketches that lie together on the table: its number is given once and stays."""

    __tablename__ = "sitting_group"
    __table_args__ = (
        UniqueConstraint("sitting_id", "key"),
        UniqueConstraint("sitting_id", "number"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    sitting_id: Mapped[int] = mapped_column(ForeignKey("sitting.id", ondelete="CASCADE"))
    # Made by the page that opened the group, so that two tablets without network never mix theirs.
    key: Mapped[str] = mapped_column(String(40))
    number: Mapped[int]
    opened_at: Mapped[datetime] = mapped_column(Moment, default=now)

    sitting: Mapped[Sitting] = relationship(back_populates="groups")
    descriptions: Mapped[list[GroupDescription]] = relationship(
        order_by="GroupDescription.id", lazy="selectin", back_populates="group"
    )

    @property
    def name(self) -> str:
        """What the conductor calls it now; empty before it has a name."""
        return self.descriptions[-1].name if self.descriptions else ""

    @property
    def note(self) -> str:
        """What is noted about it now."""
        return self.descriptions[-1].note if self.descriptions else ""


class GroupDescription(Base):
    """The name and the note that an event gave a group; append-only, the last one counts."""

    __tablename__ = "group_description"

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(
        "act_id", ForeignKey("act.id", ondelete="CASCADE"), index=True
    )
    group_id: Mapped[int] = mapped_column(
        ForeignKey("sitting_group.id", ondelete="CASCADE"), index=True
    )
    name: Mapped[str] = mapped_column(String(80))
    note: Mapped[str] = mapped_column(Text)

    group: Mapped[Group] = relationship(back_populates="descriptions")


class Photo(Base):
    """A photo of a table or of one group: the original is kept under its SHA-256."""

    __tablename__ = "photo"
    __table_args__ = (UniqueConstraint("sitting_id", "sha256"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    sitting_id: Mapped[int] = mapped_column(ForeignKey("sitting.id", ondelete="CASCADE"))
    sha256: Mapped[str] = mapped_column(String(64))
    original_bytes: Mapped[int]
    # Of the upright picture, in pixels: the corners of its cards are measured in it.
    width: Mapped[int]
    height: Mapped[int]
    # Whether it shows one group rather than a table.
    one_group: Mapped[bool]
    # What was read in it: cards with corners, outlines left unread, advice.
    reading: Mapped[dict[str, Any]] = mapped_column(JSON)
    taken_at: Mapped[datetime] = mapped_column(Moment, default=now)
    # The event that confirmed what was read in it, or set it aside; None while it waits for one.
    settled_by_id: Mapped[int | None] = mapped_column(ForeignKey("act.id"), index=True)

    sitting: Mapped[Sitting] = relationship()


class DeletedPhoto(Base):
    """The trace of a photo that was deleted permanently."""

    __tablename__ = "deleted_photo"

    id: Mapped[int] = mapped_column(primary_key=True)
    sitting_id: Mapped[int] = mapped_column(
        ForeignKey("sitting.id", ondelete="CASCADE"), index=True
    )
    deleted_at: Mapped[datetime] = mapped_column(Moment, default=now)
    researcher_id: Mapped[int | None] = mapped_column(ForeignKey("researcher.id"), index=True)

    researcher: Mapped[Researcher | None] = relationship()


class Event(Base):
    """One thing that the conductor did; never changed, a correction is a further event."""

    __tablename__ = "act"
    __table_args__ = (UniqueConstraint("sitting_id", "client_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    sitting_id: Mapped[int] = mapped_column(ForeignKey("sitting.id", ondelete="CASCADE"))
    # Made by the page, so that an event that is sent twice happens once.
    client_id: Mapped[str] = mapped_column(String(40))
    # place, confirm, move, merge, split, take_away, describe, set_aside, undo, import, finish,
    # reopen
    kind: Mapped[str] = mapped_column(String(10))
    reason: Mapped[str] = mapped_column(Text, default="")
    undoes_id: Mapped[int | None] = mapped_column(ForeignKey("act.id"), index=True)
    researcher_id: Mapped[int | None] = mapped_column(ForeignKey("researcher.id"))
    at: Mapped[datetime] = mapped_column(Moment, default=now)

    sitting: Mapped[Sitting] = relationship()
    scans: Mapped[list[Scan]] = relationship(back_populates="event", order_by="Scan.id")


class Scan(Base):
    """A card that an event put into a group, or took off the table (no group); append-only."""

    __tablename__ = "scan"

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(
        "act_id", ForeignKey("act.id", ondelete="CASCADE"), index=True
    )
    stimulus_id: Mapped[int] = mapped_column(ForeignKey("stimulus.id"), index=True)
    group_id: Mapped[int | None] = mapped_column(ForeignKey("sitting_group.id"), index=True)
    # decoded or matched in a photo, scanner, camera, hand, or import
    how: Mapped[str] = mapped_column(String(10))
    # How far the best match was ahead of the second; matched cards only.
    margin: Mapped[float | None]
    photo_id: Mapped[int | None] = mapped_column(ForeignKey("photo.id"), index=True)
    # [[x, y], …] of the symbol, upper left first and clockwise, in pixels of the upright photo.
    corners: Mapped[list[list[float]] | None] = mapped_column(JSON)

    event: Mapped[Event] = relationship(back_populates="scans")
    stimulus: Mapped[Stimulus] = relationship()
    group: Mapped[Group | None] = relationship()
