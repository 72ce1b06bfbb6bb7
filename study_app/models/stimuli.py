"""Studies, their stimulus sets, and the pictures that the stimuli show."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from study_app.models.base import Base, Moment, now


class Study(Base):
    """One research study: the way from sketches to a gold standard."""

    __tablename__ = "study"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(120), unique=True)
    lab: Mapped[str] = mapped_column(String(120), default="")
    # Of the pages and cards for assessors, as HTML names it.
    language: Mapped[str] = mapped_column(String(12), default="en")
    # A study whose judgments a program made up: said on every page and in every export.
    simulated: Mapped[bool] = mapped_column(default=False)
    # "sorting" at tables, "ranking" on the web, or "both": which steps its pages show.
    methods: Mapped[str] = mapped_column(String(10), default="both")
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)

    sets: Mapped[list[StimulusSet]] = relationship(
        back_populates="study", order_by="StimulusSet.number"
    )


class Picture(Base):
    """An imported file, kept once under the SHA-256 of its original bytes."""

    __tablename__ = "picture"

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    media_type: Mapped[str] = mapped_column(String(40))
    # What it can be printed from: "bitmap", "strokes" or "svg".
    form: Mapped[str] = mapped_column(String(10))
    original_bytes: Mapped[int]
    width: Mapped[int]
    height: Mapped[int]
    # SHA-256 of the pixels that are shown: two files of one hash are the same picture.
    pixel_hash: Mapped[str] = mapped_column("look", String(64))


class StimulusSet(Base):
    """A category of stimuli, e.g. 300 chairs; its number stands in the code of every card."""

    __tablename__ = "stimulus_set"
    __table_args__ = (UniqueConstraint("study_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), index=True)
    # 1 to 9999, one count for the whole installation, so that cards of two studies never meet.
    number: Mapped[int] = mapped_column(unique=True)
    name: Mapped[str] = mapped_column(String(120))
    # The highest card number of a sketch that was removed: the printed card may still exist.
    retired_card: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)

    study: Mapped[Study] = relationship(back_populates="sets")
    stimuli: Mapped[list[Stimulus]] = relationship(back_populates="set", order_by="Stimulus.card")
    decks: Mapped[list[Deck]] = relationship(back_populates="set", order_by="Deck.number")


class RetiredSetNumber(Base):
    """The number of a removed set, not used again: its printed cards may still exist."""

    __tablename__ = "retired_set_number"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)


class Stimulus(Base):
    """A sketch or an image that people judge."""

    __tablename__ = "stimulus"
    __table_args__ = (UniqueConstraint("set_id", "card"), UniqueConstraint("set_id", "name"))

    id: Mapped[int] = mapped_column(primary_key=True)
    set_id: Mapped[int] = mapped_column(ForeignKey("stimulus_set.id"), index=True)
    # The card number printed on it: 1 to 99999 within the set, never given twice.
    card: Mapped[int]
    # The stimulus_id of every file: the name of the imported file without its ending, made unique.
    name: Mapped[str] = mapped_column(String(200))
    sha256: Mapped[str] = mapped_column(ForeignKey("picture.sha256"), index=True)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)

    set: Mapped[StimulusSet] = relationship(back_populates="stimuli")
    picture: Mapped[Picture] = relationship()


class Deck(Base):
    """One printed copy of a set, or of a part of it; its letter stands on every card."""

    __tablename__ = "deck"
    __table_args__ = (UniqueConstraint("set_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    set_id: Mapped[int] = mapped_column(ForeignKey("stimulus_set.id"), index=True)
    # 1 is deck A, 27 is deck AA.
    number: Mapped[int]
    # The edition of the print; a card of an older edition is refused at the table.
    edition: Mapped[int] = mapped_column(default=1)
    printed_at: Mapped[datetime | None] = mapped_column(Moment)
    # The seed with which the parts of the set were drawn; none where the deck holds the whole set.
    part_seed: Mapped[int | None]
    # The card's size in mm and the side of its code, as `printables.CardLayout` takes them.
    card: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)

    set: Mapped[StimulusSet] = relationship(back_populates="decks")
    cards: Mapped[list[DeckCard]] = relationship(
        back_populates="deck", cascade="all, delete-orphan"
    )


class DeckCard(Base):
    """A stimulus in a deck."""

    __tablename__ = "deck_card"

    deck_id: Mapped[int] = mapped_column(
        ForeignKey("deck.id", ondelete="CASCADE"), primary_key=True
    )
    stimulus_id: Mapped[int] = mapped_column(
        ForeignKey("stimulus.id"), primary_key=True, index=True
    )
    # The card's rectangle as trimmed, as the manifest has it: in the newest print of the
    # whole deck; unknown where that was before it was noted.
    page: Mapped[int | None]
    x_mm: Mapped[float | None]
    y_mm: Mapped[float | None]
    width_mm: Mapped[float | None]
    height_mm: Mapped[float | None]

    deck: Mapped[Deck] = relationship(back_populates="cards")
    stimulus: Mapped[Stimulus] = relationship()
