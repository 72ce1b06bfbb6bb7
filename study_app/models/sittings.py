"""Sittings at a table: their groups, photos, events and scans."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from study_app.models.base import Base, Moment, index_of_some, now

if TYPE_CHECKING:
    from study_app.models.people import Participant, Researcher
    from study_app.models.stimuli import Stimulus, StimulusSet, Study


def code_of(number: int) -> str:
    """The code of a sitting on pages and in files: T012."""
    return f"T{number:03d}"


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
    # 1 is deck A; the deck may be printed after planning. None: imported from another tool.
    deck_number: Mapped[int | None]
    # The printed deck, set with the first recorded card; not changed afterwards.
    deck_id: Mapped[int | None] = mapped_column(ForeignKey("deck.id"), index=True)
    # Set on a double entry: the sitting whose table is recorded a second time.
    first_entry_id: Mapped[int | None] = mapped_column(ForeignKey("sitting.id"), index=True)
    # Set on a retest: the sitting whose set the same assessor sorts a second time.
    retest_of_id: Mapped[int | None] = mapped_column(ForeignKey("sitting.id"), index=True)
    # The planned day, and its place in the order of its assessor's sets, from 1.
    day: Mapped[date | None]
    place_in_order: Mapped[int | None]
    state: Mapped[str] = mapped_column(String(10), default="planned")
    # Grows with every change, so that a second tablet knows when to reload.
    revision: Mapped[int] = mapped_column(default=0)
    limit_minutes: Mapped[int | None]
    # Shown to the assessor; None shows the study's.
    instructions: Mapped[str | None] = mapped_column(Text)
    # Language of the pages for its assessor; empty: the study's language.
    language: Mapped[str] = mapped_column(String(12), default="")
    notes: Mapped[str] = mapped_column(Text, default="")
    # Reason for finishing it with cards missing.
    missing_reason: Mapped[str] = mapped_column(Text, default="")
    # Name of the file of an imported grouping.
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
        """Its code on pages and in files: T012."""
        return code_of(self.number)

    @property
    def assessor(self) -> str:
        """Its assessor or assessors: "P01", or "P01+P02" for a joint sitting."""
        return "+".join(person.code for person in self.assessors)

    @property
    def minutes(self) -> float | None:
        """How long the assessor sorted; None if unknown, e.g. because the clock was set back."""
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
    """A one-time link to the recording page of one sitting, for a phone, and the phone's token."""

    __tablename__ = "phone_link"

    id: Mapped[int] = mapped_column(primary_key=True)
    sitting_id: Mapped[int] = mapped_column(
        ForeignKey("sitting.id", ondelete="CASCADE"), index=True
    )
    # The researcher who showed the link, and the author of what the phone records.
    researcher_id: Mapped[int] = mapped_column(ForeignKey("researcher.id"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    expires_at: Mapped[datetime] = mapped_column(Moment)
    # Set once a phone has opened the link: the hash of the phone's token, and its expiry.
    phone_hash: Mapped[str | None] = mapped_column(String(64))
    ends_at: Mapped[datetime | None] = mapped_column(Moment)

    sitting: Mapped[Sitting] = relationship()
    researcher: Mapped[Researcher] = relationship()


class StudyInstructions(Base):
    """A study's instructions for assessors."""

    __tablename__ = "study_instructions"

    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), primary_key=True)
    text: Mapped[str] = mapped_column(Text)


class Group(Base):
    """Sketches that were put together on the table; its number never changes."""

    __tablename__ = "sitting_group"
    __table_args__ = (
        UniqueConstraint("sitting_id", "key"),
        UniqueConstraint("sitting_id", "number"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    sitting_id: Mapped[int] = mapped_column(ForeignKey("sitting.id", ondelete="CASCADE"))
    # Generated by the page, so that groups made on two offline tablets stay apart.
    key: Mapped[str] = mapped_column(String(40))
    number: Mapped[int]
    opened_at: Mapped[datetime] = mapped_column(Moment, default=now)

    sitting: Mapped[Sitting] = relationship(back_populates="groups")
    descriptions: Mapped[list[GroupDescription]] = relationship(
        order_by="GroupDescription.id", lazy="selectin", back_populates="group"
    )

    @property
    def name(self) -> str:
        """Its current name; empty if it has none."""
        return self.descriptions[-1].name if self.descriptions else ""

    @property
    def note(self) -> str:
        """Its current note."""
        return self.descriptions[-1].note if self.descriptions else ""


class GroupDescription(Base):
    """The name and note that an event gave a group; append-only, the latest is valid."""

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
    """A photo of a table or of one group: the original is stored under its SHA-256."""

    __tablename__ = "photo"
    __table_args__ = (UniqueConstraint("sitting_id", "sha256"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    sitting_id: Mapped[int] = mapped_column(ForeignKey("sitting.id", ondelete="CASCADE"))
    sha256: Mapped[str] = mapped_column(String(64))
    original_bytes: Mapped[int]
    # Pixels of the upright picture, in which the corners of its cards are measured.
    width: Mapped[int]
    height: Mapped[int]
    # Whether it shows one group rather than a table.
    one_group: Mapped[bool]
    # The reading: cards with corners, outlines of unread cards, advice.
    reading: Mapped[dict[str, Any]] = mapped_column(JSON)
    taken_at: Mapped[datetime] = mapped_column(Moment, default=now)
    # The event that confirmed or discarded the reading; None while it awaits review.
    settled_by_id: Mapped[int | None] = mapped_column(ForeignKey("act.id"), index=True)

    sitting: Mapped[Sitting] = relationship()


class DeletedPhoto(Base):
    """The record of a photo that was deleted permanently."""

    __tablename__ = "deleted_photo"

    id: Mapped[int] = mapped_column(primary_key=True)
    sitting_id: Mapped[int] = mapped_column(
        ForeignKey("sitting.id", ondelete="CASCADE"), index=True
    )
    deleted_at: Mapped[datetime] = mapped_column(Moment, default=now)
    researcher_id: Mapped[int | None] = mapped_column(ForeignKey("researcher.id"), index=True)

    researcher: Mapped[Researcher | None] = relationship()


class Event(Base):
    """One action of the conductor; append-only, a correction is another event."""

    __tablename__ = "act"
    __table_args__ = (
        UniqueConstraint("sitting_id", "client_id"),
        index_of_some("ix_act_undoes_id", "undoes_id", "undoes_id IS NOT NULL"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    sitting_id: Mapped[int] = mapped_column(ForeignKey("sitting.id", ondelete="CASCADE"))
    # Generated by the page, so that an event sent twice is stored once.
    client_id: Mapped[str] = mapped_column(String(40))
    # place, confirm, move, merge, split, take_away, describe, set_aside, undo, import, finish,
    # reopen
    kind: Mapped[str] = mapped_column(String(10))
    reason: Mapped[str] = mapped_column(Text, default="")
    undoes_id: Mapped[int | None] = mapped_column(ForeignKey("act.id"))
    researcher_id: Mapped[int | None] = mapped_column(ForeignKey("researcher.id"))
    at: Mapped[datetime] = mapped_column(Moment, default=now)

    sitting: Mapped[Sitting] = relationship()
    scans: Mapped[list[Scan]] = relationship(back_populates="event", order_by="Scan.id")


class Scan(Base):
    """A card that an event put into a group or removed from the table (no group); append-only."""

    __tablename__ = "scan"
    __table_args__ = (index_of_some("ix_scan_photo_id", "photo_id", "photo_id IS NOT NULL"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(
        "act_id", ForeignKey("act.id", ondelete="CASCADE"), index=True
    )
    stimulus_id: Mapped[int] = mapped_column(ForeignKey("stimulus.id"), index=True)
    group_id: Mapped[int | None] = mapped_column(ForeignKey("sitting_group.id"), index=True)
    # decoded or matched in a photo, scanner, camera, import, or hand: the conductor chose its group
    how: Mapped[str] = mapped_column(String(10))
    # Margin of the best match over the second; matched cards only.
    margin: Mapped[float | None]
    photo_id: Mapped[int | None] = mapped_column(ForeignKey("photo.id"))
    # [[x, y], …] of the symbol, upper left first and clockwise, in pixels of the upright photo.
    corners: Mapped[list[list[float]] | None] = mapped_column(JSON)

    event: Mapped[Event] = relationship(back_populates="scans")
    stimulus: Mapped[Stimulus] = relationship()
    group: Mapped[Group | None] = relationship()
