"""Scheduled backups: the oldest is deleted when a new one is complete."""

import logging
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from flask import Flask

from basics.errors import Refusal
from basics.output import output_file
from basics.system_messages import system_reason
from study_app.core import system_errors
from study_app.core.database import db
from study_app.core.errors import StudyError
from study_app.operations import backup, backup_folder, backup_report
from study_app.operations.encryption import Encryption

log = logging.getLogger(__name__)

POLL_SECONDS = 60


@dataclass(frozen=True)
class Schedule:
    """When a server makes backups.

    Attributes
    ----------
    folder : Path
        The target folder, preferably on another disk.
    hours : float
        Interval between two backups.
    keep : int
        Number of backups in the folder; older ones are deleted.
    encryption : Encryption
    """

    folder: Path
    hours: float = 24
    keep: int = 14
    encryption: Encryption = field(default_factory=Encryption)


def backups_of(schedule: Schedule) -> list[Path]:
    """The backups in the folder, the oldest first."""
    return list(backup_folder.backups_in(schedule.folder))


def is_due(schedule: Schedule, now: datetime) -> bool:
    """Whether the newest backup is old enough; those dated in the future do not count."""
    made = backup_folder.backups_in(schedule.folder).values()
    return not any(now - timedelta(hours=schedule.hours) < at <= now for at in made)


def make(app: Flask, schedule: Schedule, now: datetime) -> Path:
    """Make a backup, then delete those that are too many, but never the new one."""
    now = now.replace(microsecond=0)
    made = schedule.folder / backup_folder.name_at(now, bool(schedule.encryption))
    with app.app_context():
        backup_folder.claim(schedule.folder)
        _note_begun(schedule, now)
        with output_file(made) as path:
            backup.write_sealed(db.engine, app.config["SETTINGS"], path, schedule.encryption)
    backup_folder.delete_old(schedule.folder, schedule.keep, now)
    return made


def start(app: Flask, schedule: Schedule) -> threading.Event:
    """Make backups in a thread until the event is set; after a fault, try again."""
    stopped = threading.Event()

    def work() -> None:
        while not stopped.is_set():
            _make_if_due(app, schedule, datetime.now(UTC))
            stopped.wait(POLL_SECONDS)

    threading.Thread(target=work, name="backups", daemon=True).start()
    return stopped


def _make_if_due(app: Flask, schedule: Schedule, now: datetime) -> None:
    reason = ""
    try:
        if is_due(schedule, now):
            log.info("backup: %s", make(app, schedule, now))
        else:
            # Some may not have been deletable, or dated in the future.
            backup_folder.delete_old(schedule.folder, schedule.keep, now)
    except (StudyError, Refusal) as refusal:
        reason = str(refusal)
        log.error("backup: %s", reason)
    except Exception as fault:
        reason = _reason(schedule, fault)
        # A folder that cannot be used is no fault of the program.
        log.error("backup: %s", reason, exc_info=not isinstance(fault, OSError))
    try:
        with app.app_context():
            backup_report.note(schedule.folder, _kept(schedule), now, reason)
    except Exception:
        # The database may be on the same full disk.
        log.exception("the state of the backups could not be stored")


def _reason(schedule: Schedule, fault: Exception) -> str:
    if isinstance(fault, OSError):
        return f"{schedule.folder}: {system_reason(fault)}"
    return system_errors.sentence(fault) or "unexpected error; see the server's log"


def _note_begun(schedule: Schedule, now: datetime) -> None:
    """Note a backup that begins: it will contain what is withdrawn while it is made."""
    try:
        backup_report.note_kept(schedule.folder, _kept(schedule, [now]))
    except Exception:
        # A database that cannot be written to can be backed up.
        log.exception("the beginning of a backup could not be stored")


def _kept(schedule: Schedule, begun: Iterable[datetime] = ()) -> backup_report.Kept | None:
    """The backups in the folder, by the times in their names, with those that have begun."""
    times = sorted({*backup_folder.backups_in(schedule.folder).values(), *begun})
    if not times:
        return None
    until = times[-1] + timedelta(hours=schedule.hours * schedule.keep)
    return backup_report.Kept(*(at.isoformat() for at in (times[0], times[-1], until)))
