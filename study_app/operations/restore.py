"""Restoring the installation from a backup: completely, or not at all."""

import base64
import itertools
import json
import shutil
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any

from alembic import command
from sqlalchemy import Column, Connection, Engine, MetaData, Table, delete, func, insert, select

from study_app.core import acting
from study_app.core.caching import shared_results
from study_app.core.config import Settings
from study_app.core.database import instance_lock, restores
from study_app.core.errors import StudyError
from study_app.core.migrations import configuration, revisions
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.stores import is_name
from study_app.core.storage.work_folder import work_folder
from study_app.core.text.languages import rtranslatable
from study_app.models import AuditEntry, Base, Study, now
from study_app.operations import older_copies
from study_app.operations.backup import (
    KEPT_KINDS,
    PIECE_BYTES,
    ROWS_AT_ONCE,
    VERSION_TABLE,
    revision_of,
    tables_of,
    write,
)
from study_app.operations.backup_check import FAULTS, CheckedBackup, checked

# In the audit list.
RESTORED = rtranslatable("restored")
# Longest row of a table: a small file can unpack to any size.
ROW_BYTES = 100_000_000


class NotRestored(StudyError):
    """The rows or files of a backup could not be written."""

    def __init__(self, path: Path, fault: BaseException, earlier: Path | None) -> None:
        reason = str(fault).partition("\n")[0] or type(fault).__name__
        then = (
            f"; `sketch-study restore {earlier} --force` restores the earlier state"
            if earlier
            else ""
        )
        super().__init__(f"{path}: could not be restored ({reason}){then}.")


class InstallationInUse(StudyError):
    """Restoring would replace existing rows."""

    def __init__(self, rows: int) -> None:
        super().__init__(
            f"This installation contains {rows} rows. Restore into a new instance folder "
            f"(--instance DIR), or use --force to replace everything in it."
        )


def restore(engine: Engine, settings: Settings, path: Path, force: bool = False) -> tuple[int, int]:
    """Restore what `backup.write` wrote, then upgrade it to the tables of this version.

    Parameters
    ----------
    engine : sqlalchemy.Engine
        An empty database; with `force`, any.
    settings : study_app.core.config.Settings
        The instance folder, and the store that the files are written to.
    path : Path
        The backup.
    force : bool
        Whether existing rows may be replaced; they are first saved in the instance folder as the
        backup `replaced.zip` (or `replaced-2.zip` …: earlier ones are never overwritten), and
        restored if the new ones cannot be written.

    Returns
    -------
    rows, files : int

    Raises
    ------
    NotOpened, NotABackup, InstallationInUse, NotRestored
    study_app.core.database.instance_lock.InstallationHeld
        If rows would be replaced while a server runs; an empty installation may be served.
    """
    with checked(path) as backup:
        return restore_checked(engine, settings, backup, force)


def restore_checked(
    engine: Engine, settings: Settings, backup: CheckedBackup, force: bool = False
) -> tuple[int, int]:
    """As `restore`, for a backup that is open."""
    with ExitStack() as stack:
        connection = stack.enter_context(engine.connect())
        present = _count(connection)
        # A backup can take longer than PostgreSQL waits for the next statement.
        connection.rollback()
        if present and not force:
            raise InstallationInUse(present)
        if present:
            # A server would continue to save answers into the replaced rows.
            stack.enter_context(instance_lock.installation(engine, settings.instance))
        earlier = _back_up_replaced(engine, settings) if present else None
        # A withdrawal at a terminal may have been stored since.
        connection.rollback()
        mark = older_copies.mark_of(connection) if present else older_copies.Mark()
        connection.rollback()
        # Results of the rows before, which may look like those of the restored ones.
        shared_results.delete_all(settings)
        try:
            return _fill(connection, backup, settings, mark)
        except BaseException as fault:
            connection.rollback()
            if earlier:
                try:
                    with checked(earlier) as replaced:
                        _fill(connection, replaced, settings, mark)
                except FAULTS:
                    raise NotRestored(backup.path, fault, earlier) from fault
            if isinstance(fault, FAULTS):
                raise NotRestored(backup.path, fault, None) from fault
            raise


def _back_up_replaced(engine: Engine, settings: Settings) -> Path:
    """Back up what is about to be replaced, without overwriting earlier backups."""
    names = itertools.chain(["replaced.zip"], (f"replaced-{n}.zip" for n in itertools.count(2)))
    earlier = next(path for name in names if not (path := settings.instance / name).exists())
    with work_folder(settings) as folder:
        write(engine, store_of(settings), folder / earlier.name)
        return (folder / earlier.name).replace(earlier)


def _fill(
    connection: Connection, backup: CheckedBackup, settings: Settings, mark: older_copies.Mark
) -> tuple[int, int]:
    """Restore the files first: without rows that refer to them they do no harm, and a second try
    is not refused."""
    with _stored_files(backup.archive, settings) as files:
        _empty_tables(connection, backup.revision)
        rows = _read_tables(connection, backup.archive)
        # Withdrawals in the backup are no reason to delete what it replaces.
        older_copies.set_mark(connection, mark)
        connection.commit()
        try:
            command.upgrade(configuration(connection), "head")
            restores.note(connection)
            _note_for_readers(connection, backup.path)
            connection.commit()
        except BaseException:
            _empty_tables(connection, backup.revision)
            raise
    return rows, files


def _note_for_readers(connection: Connection, path: Path) -> None:
    """Note in the audit list of every study that what happened since the backup was undone."""
    who = {"at": now(), "actor": acting.current().kind, "action": RESTORED, "subject": "study"}
    about = {**who, "changes": {"backup": [None, path.name[:200]]}}
    studies = connection.execute(select(Study.id, Study.name)).all()
    rows = [{**about, "study_id": study.id, "name": study.name[:200]} for study in studies]
    if rows:
        connection.execute(insert(AuditEntry), rows)


def _count(connection: Connection) -> int:
    return sum(
        connection.scalar(select(func.count()).select_from(table))
        for table in tables_of(connection)
        if table.name not in ("sign_in_link", "audit_entry", "installation_note")
    )


def _empty_tables(connection: Connection, revision: str) -> None:
    """Create empty tables at the revision of the backup."""
    present = revision_of(connection)
    connection.rollback()
    if present == revisions()[-1]:
        # A downgrade would take every row through every revision.
        Base.metadata.drop_all(connection)
        connection.execute(delete(Table(VERSION_TABLE, MetaData())))
        connection.commit()
    elif present is not None:
        command.downgrade(configuration(connection), "base")
    command.upgrade(configuration(connection), revision)


def _read_tables(connection: Connection, archive: zipfile.ZipFile) -> int:
    rows = 0
    for table in tables_of(connection):
        name = f"tables/{table.name}.jsonl"
        if name not in archive.namelist():
            continue
        batch, size = [], 0
        with archive.open(name) as source:
            while line := source.readline(ROW_BYTES):
                batch.append(_typed(table, json.loads(line)))
                size += len(line)
                if len(batch) == ROWS_AT_ONCE or size > ROW_BYTES:
                    rows += _insert(connection, table, batch)
                    batch, size = [], 0
        rows += _insert(connection, table, batch)
        _restart_count(connection, table)
    return rows


def _typed(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _value(table.c[name], value) for name, value in row.items()}


def _value(column: Column[Any], value: Any) -> Any:
    """A JSON value converted to the column's type.

    SQLite stores a NUL in a text, which earlier versions accepted; PostgreSQL does not.
    """
    if isinstance(value, str):
        value = value.replace("\0", "")
    try:
        kind = column.type.python_type
    except NotImplementedError:
        return value
    if value is not None and kind in (datetime, date):
        return kind.fromisoformat(value)
    if value is not None and kind is bytes:
        return base64.b64decode(value)
    return value


def _insert(connection: Connection, table: Table, batch: Sequence[Mapping[str, Any]]) -> int:
    if batch:
        connection.execute(insert(table), batch)
    return len(batch)


def _restart_count(connection: Connection, table: Table) -> None:
    """Set PostgreSQL's sequence to continue after the last row."""
    if connection.dialect.name != "postgresql" or "id" not in table.c:
        return
    sequence = connection.scalar(select(func.pg_get_serial_sequence(table.name, "id")))
    highest = connection.scalar(select(func.max(table.c.id)))
    if sequence and highest:
        connection.execute(select(func.setval(sequence, highest)))


@contextmanager
def _stored_files(archive: zipfile.ZipFile, settings: Settings) -> Iterator[int]:
    """Store the files, and give their number; after a fault the new ones are deleted."""
    store, entries = store_of(settings), _files_in(archive)
    new = store.absent(list(entries))
    try:
        with work_folder(settings) as folder:
            for name, entry in entries.items():
                with archive.open(entry) as source, (folder / "file").open("wb") as file:
                    shutil.copyfileobj(source, file, PIECE_BYTES)
                store.move_in(name, folder / "file")
        yield len(entries)
    except BaseException:
        with suppress(FAULTS):
            for name in new:
                store.delete(name)
        raise


def _files_in(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The files by name; a name that this program does not make is not followed."""
    found = {}
    for entry in archive.infolist():
        first, _, name = entry.filename.partition("/")
        if first == "files" and name.partition("/")[0] in KEPT_KINDS and is_name(name):
            found[name] = entry
    return found
