"""Researchers, who sign in, and participants, known by pseudonymous codes."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import BigInteger, ForeignKey, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from study_app.models.base import Base, Moment, now

if TYPE_CHECKING:
    from study_app.models.stimuli import Study


class Researcher(Base):
    """A person who signs in; their role in a study says what they may do there."""

    __tablename__ = "researcher"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    password_hash: Mapped[str] = mapped_column(String(255))
    # Part of every sign-in cookie: a new key, as with a new password, signs out everywhere.
    cookie_key: Mapped[str] = mapped_column(String(32))
    # Shared with their authenticator app; None: sign-in with the password alone.
    totp_secret: Mapped[str | None] = mapped_column(String(40))
    # Time step (30 s) of the last code used: no code works twice.
    totp_used: Mapped[int] = mapped_column(BigInteger, default=0)
    # User handle of their passkeys: random, the same in all of them.
    passkey_user: Mapped[str | None] = mapped_column(String(88))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)


class StudyMember(Base):
    """The role of a researcher in a study; only members see it."""

    __tablename__ = "study_member"

    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), primary_key=True)
    researcher_id: Mapped[int] = mapped_column(
        ForeignKey("researcher.id"), primary_key=True, index=True
    )
    # A name in `study_app.accounts.roles.ROLES`.
    role: Mapped[str] = mapped_column(String(10))
    since: Mapped[datetime] = mapped_column(Moment, default=now)

    researcher: Mapped[Researcher] = relationship()


class Passkey(Base):
    """A passkey of a researcher: its public half."""

    __tablename__ = "passkey"

    id: Mapped[int] = mapped_column(primary_key=True)
    researcher_id: Mapped[int] = mapped_column(ForeignKey("researcher.id"), index=True)
    # In base64url; up to 1,023 bytes before encoding.
    credential_id: Mapped[str] = mapped_column(String(1400), unique=True)
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    sign_count: Mapped[int] = mapped_column(BigInteger, default=0)
    # The host name that it was made for: browsers offer it there only.
    host: Mapped[str] = mapped_column(String(255))
    name: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    used_at: Mapped[datetime | None] = mapped_column(Moment)


class RecoveryCode(Base):
    """A code that replaces one one-time code, for somebody without their phone."""

    __tablename__ = "recovery_code"

    id: Mapped[int] = mapped_column(primary_key=True)
    researcher_id: Mapped[int] = mapped_column(ForeignKey("researcher.id"), index=True)
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)


class SignInLink(Base):
    """A one-time link: to a new account, to a new password, or into a study."""

    __tablename__ = "sign_in_link"

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    # Set if the link is for a new password of an existing researcher.
    researcher_id: Mapped[int | None] = mapped_column(ForeignKey("researcher.id"))
    # Set if the link invites to a study, with this role.
    study_id: Mapped[int | None] = mapped_column(ForeignKey("study.id"), index=True)
    role: Mapped[str | None] = mapped_column(String(10))
    expires_at: Mapped[datetime] = mapped_column(Moment)
    used_at: Mapped[datetime | None] = mapped_column(Moment)

    study: Mapped[Study | None] = relationship()


class SignIn(Base):
    """A browser in which a researcher is signed in; deleted on sign-out."""

    __tablename__ = "sign_in"

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    researcher_id: Mapped[int] = mapped_column(ForeignKey("researcher.id"), index=True)
    began_at: Mapped[datetime] = mapped_column(Moment, default=now)


class Attempt(Base):
    """A rate-limited attempt: a sign-in with a wrong password, or an arrival from an address."""

    __tablename__ = "attempt"

    id: Mapped[int] = mapped_column(primary_key=True)
    # A hash, which reveals neither name nor address.
    key: Mapped[str] = mapped_column(String(64), index=True)
    # Seconds since 1970, with fractions.
    at: Mapped[float]
    # Its place in a series of attempts, from 1.
    number: Mapped[int] = mapped_column(default=1)


class Participant(Base):
    """A person who judges, at a table (assessor) or on the web; known by a pseudonymous code."""

    __tablename__ = "participant"
    __table_args__ = (UniqueConstraint("study_id", "code"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), index=True)
    code: Mapped[str] = mapped_column(String(40))
    age_band: Mapped[str | None] = mapped_column(String(20))
    gender: Mapped[str | None] = mapped_column(String(40))
    simulated: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    # When all sittings at tables were withdrawn; web sittings have their own time.
    withdrawn_at: Mapped[datetime | None] = mapped_column(Moment)

    study: Mapped[Study] = relationship()
