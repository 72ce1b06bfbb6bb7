"""The audit list: who changed what, when, from what to what."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from study_app.models.base import Base, Moment, now


class AuditEntry(Base):
    """One line of the audit list; append-only, deleted with its study."""

    __tablename__ = "audit_entry"
    __table_args__ = (Index("ix_audit_entry_study_id_id", "study_id", "id"),)

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment, default=now)
    # None: an entry about an account or the installation.
    study_id: Mapped[int | None] = mapped_column(ForeignKey("study.id"))
    # researcher, participant, terminal or server
    actor: Mapped[str] = mapped_column(String(12))
    researcher_id: Mapped[int | None] = mapped_column(ForeignKey("researcher.id"), index=True)
    # created, changed, deleted; or an explicit entry: exported, downloaded, …
    action: Mapped[str] = mapped_column(String(16))
    # The kind of object, as pages call it: "sitting", "participant link", ….
    subject: Mapped[str] = mapped_column(String(30))
    # Its name or code: T012, P003.
    name: Mapped[str] = mapped_column(String(200))
    # {"state": ["planned", "sorting"]}; null for a value that is not stored.
    changes: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
