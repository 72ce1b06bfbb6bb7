"""Studies, their stimulus sets, and the pictures that the stimuli show."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from study_app.models.base import Base, Moment, now


class Study(Base):
    """A research study, from sketches to a gold standard."""

    __tablename__ = "study"

    id: Mapped[int] = mapped_column(primary_key=True)
    # Unique among the studies of a researcher, not of all: it would tell that others exist.
    name: Mapped[str] = mapped_column(String(120))
    lab: Mapped[str] = mapped_column(String(120), default="")
    # Language code of the pages and cards for assessors.
    language: Mapped[str] = mapped_column(String(12), default="en")
    # Whether a program made the judgments; every page and export then says so.
    simulated: Mapped[bool] = mapped_column(default=False)
    # "sorting" at tables, "ranking" on the web, or "both"; decides which steps are shown.
    methods: Mapped[str] = mapped_column(String(10), default="both")
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)

    sets: Mapped[list[StimulusSet]] = relationship(
        back_populates="study", order_by="StimulusSet.number"
    )


class Picture(Base):
    """An imported file, stored once under the SHA-256 of its original bytes."""

    __tablename__ = "picture"

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    media_type: Mapped[str] = mapped_column(String(40))
    # What it can be printed from: "bitmap", "strokes" or "svg".
    form: Mapped[str] = mapped_column(String(10))
    original_bytes: Mapped[int]
    width: Mapped[int]
    height: Mapped[int]
    # SHA-256 of the shown pixels: two files with the same hash are the same picture.
    pixel_hash: Mapped[str] = mapped_column("look", String(64))


class StimulusSet(Base):
    """A category of stimuli, e.g. 300 chairs; its number is part of every card's code."""

    __tablename__ = "stimulus_set"
    __table_args__ = (UniqueConstraint("study_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), index=True)
    # 1 to 9999, unique in the installation, so that cards of two studies differ.
    number: Mapped[int] = mapped_column(unique=True)
    name: Mapped[str] = mapped_column(String(120))
    # The highest card number of a deleted sketch: the printed card may still exist.
    retired_card: Mapped[int] = mapped_column(default=0)
    # Near-duplicates that were reviewed and kept: ids of two stimuli, the smaller first.
    kept_pairs: Mapped[list[list[int]]] = mapped_column(JSON, default=list)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)

    study: Mapped[Study] = relationship(back_populates="sets")
    stimuli: Mapped[list[Stimulus]] = relationship(back_populates="set", order_by="Stimulus.card")
    decks: Mapped[list[Deck]] = relationship(back_populates="set", order_by="Deck.number")


class RetiredSetNumber(Base):
    """The number of a deleted set, never reused: its printed cards may still exist."""

    __tablename__ = "retired_set_number"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)


class Stimulus(Base):
    """A sketch or an image that people judge."""

    __tablename__ = "stimulus"
    __table_args__ = (UniqueConstraint("set_id", "card"), UniqueConstraint("set_id", "name"))

    id: Mapped[int] = mapped_column(primary_key=True)
    set_id: Mapped[int] = mapped_column(ForeignKey("stimulus_set.id"), index=True)
    # The card number printed on it: 1 to 99999 within the set, never reused.
    card: Mapped[int]
    # The stimulus_id in every file: the imported file's name without extension, made unique.
    name: Mapped[str] = mapped_column(String(200))
    sha256: Mapped[str] = mapped_column(ForeignKey("picture.sha256"), index=True)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)

    set: Mapped[StimulusSet] = relationship(back_populates="stimuli")
    picture: Mapped[Picture] = relationship()


class Deck(Base):
    """One printed copy of a set, or of a part of it; its letter is printed on every card."""

    __tablename__ = "deck"
    __table_args__ = (UniqueConstraint("set_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    set_id: Mapped[int] = mapped_column(ForeignKey("stimulus_set.id"), index=True)
    # 1 is deck A, 27 is deck AA.
    number: Mapped[int]
    # The edition; a card of an older edition is rejected at the table.
    edition: Mapped[int] = mapped_column(default=1)
    printed_at: Mapped[datetime | None] = mapped_column(Moment)
    # Random seed of the division into parts; None if the deck has the whole set.
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
    # The trimmed card's rectangle in the newest print of the whole deck, as in the manifest;
    # None if that print is older than this column.
    page: Mapped[int | None]
    x_mm: Mapped[float | None]
    y_mm: Mapped[float | None]
    width_mm: Mapped[float | None]
    height_mm: Mapped[float | None]

    deck: Mapped[Deck] = relationship(back_populates="cards")
    stimulus: Mapped[Stimulus] = relationship()
