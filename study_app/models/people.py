"""Researchers, who sign in, and participants, who are pseudonyms."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from study_app.models.base import Base, Moment, now

if TYPE_CHECKING:
    from study_app.models.stimuli import Study


class Researcher(Base):
    """Somebody who may see and change every study of this installation."""

    __tablename__ = "researcher"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    password_hash: Mapped[str] = mapped_column(String(255))
    # In the cookie of every sign-in: a new one, as with a new password, ends them all.
    cookie_key: Mapped[str] = mapped_column(String(32))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)


class SignInLink(Base):
    """A one-time link with which a researcher chooses a password."""

    __tablename__ = "sign_in_link"

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    # Set where the link renews the password of somebody who is there already.
    researcher_id: Mapped[int | None] = mapped_column(ForeignKey("researcher.id"))
    expires_at: Mapped[datetime] = mapped_column(Moment)
    used_at: Mapped[datetime | None] = mapped_column(Moment)


class SignIn(Base):
    """A browser in which a researcher is signed in; signing out there removes it."""

    __tablename__ = "sign_in"

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    researcher_id: Mapped[int] = mapped_column(ForeignKey("researcher.id"), index=True)
    began_at: Mapped[datetime] = mapped_column(Moment, default=now)


class Attempt(Base):
    """Something that is allowed so often: a guess at a password, an arrival from an address."""

    __tablename__ = "attempt"

    id: Mapped[int] = mapped_column(primary_key=True)
    # A hash: neither the name nor the address can be read here.
    key: Mapped[str] = mapped_column(String(64), index=True)
    # Seconds since 1970, to the fraction.
    at: Mapped[float]
    # The how manieth in a row.
    number: Mapped[int] = mapped_column(default=1)


class Participant(Base):
    """Somebody who judges: at a table (assessor) or on the web; known by a pseudonymous code."""

    __tablename__ = "participant"
    __table_args__ = (UniqueConstraint("study_id", "code"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), index=True)
    code: Mapped[str] = mapped_column(String(40))
    age_band: Mapped[str | None] = mapped_column(String(20))
    gender: Mapped[str | None] = mapped_column(String(40))
    simulated: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    # When all sittings at tables were withdrawn; a sitting on the web says it itself.
    withdrawn_at: Mapped[datetime | None] = mapped_column(Moment)

    study: Mapped[Study] = relationship()
