"""Long work that shows its progress and can be left and come back to."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from study_app.models.base import Base, Moment, now


class Job(Base):
    """One piece of long work; `state` is running, done, failed or interrupted."""

    __tablename__ = "job"

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"), index=True)
    kind: Mapped[str] = mapped_column(String(40))
    # With the kind, all that another process needs to run it.
    arguments: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    # Who asked for it, for the audit list.
    researcher_id: Mapped[int | None] = mapped_column(ForeignKey("researcher.id"), index=True)
    # Drawn by the worker that runs it: only this one writes on.
    owner: Mapped[str | None] = mapped_column(String(16))
    state: Mapped[str] = mapped_column(String(12), default="running")
    done: Mapped[int] = mapped_column(default=0)
    total: Mapped[int] = mapped_column(default=0)
    # One sentence on what it does now, or on how it ended.
    message: Mapped[str] = mapped_column(default="")
    # What the page shows when it is done: links, a report.
    result: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    started_at: Mapped[datetime] = mapped_column(Moment, default=now)
    ended_at: Mapped[datetime | None] = mapped_column(Moment)


class InstallationNote(Base):
    """What all servers of an installation agree on."""

    __tablename__ = "installation_note"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[str] = mapped_column(String(200))
