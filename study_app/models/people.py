"""Researchers, who sign in, and participants, who are pseudonyms."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import BigInteger, ForeignKey, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from study_app.models.base import Base, Moment, now

if TYPE_CHECKING:
    from study_app.models.stimuli import Study


class Researcher(Base):
    """Somebody who signs in; what they may do in a study is their role there."""

    __tablename__ = "researcher"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    password_hash: Mapped[str] = mapped_column(String(255))
    # In the cookie of every sign-in: a new one, as with a new password, ends them all.
    cookie_key: Mapped[str] = mapped_column(String(32))
    # Shared with the app on their phone; None where the password alone signs in.
    totp_secret: Mapped[str | None] = mapped_column(String(40))
    # The 30 seconds whose code was used last: no code works twice.
    totp_used: Mapped[int] = mapped_column(BigInteger, default=0)
    # What their passkeys call them: random, and alike in all of them.
    passkey_user: Mapped[str | None] = mapped_column(String(88))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)


class StudyMember(Base):
    """What a researcher may do in a study; who is no member does not see it."""

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
    # As base64url; authenticators make up to 1,023 bytes.
    credential_id: Mapped[str] = mapped_column(String(1400), unique=True)
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    sign_count: Mapped[int] = mapped_column(BigInteger, default=0)
    # The host name that it was made for: browsers offer it under no other.
    host: Mapped[str] = mapped_column(String(255))
    name: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    used_at: Mapped[datetime | None] = mapped_column(Moment)


class RecoveryCode(Base):
    """A code that replaces a one-time code once, for somebody without their phone."""

    __tablename__ = "recovery_code"

    id: Mapped[int] = mapped_column(primary_key=True)
    researcher_id: Mapped[int] = mapped_column(ForeignKey("researcher.id"), index=True)
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)


class SignInLink(Base):
    """A one-time link: to an account, to another password, or into a study."""

    __tablename__ = "sign_in_link"

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    # Set where the link renews the password of somebody who is there already.
    researcher_id: Mapped[int | None] = mapped_column(ForeignKey("researcher.id"))
    # Set where the link invites into a study, in this role.
    study_id: Mapped[int | None] = mapped_column(ForeignKey("study.id"), index=True)
    role: Mapped[str | None] = mapped_column(String(10))
    expires_at: Mapped[datetime] = mapped_column(Moment)
    used_at: Mapped[datetime | None] = mapped_column(Moment)

    study: Mapped[Study | None] = relationship()


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
    # Its place in a row of attempts, from 1.
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
