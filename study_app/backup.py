"""One file that holds a whole installation: every row and every kept file.

Rows are written as JSON lines, table by table, read in one transaction, so that a backup is of one
moment while the server runs, and can be restored into another kind of database. What signs cookies
and certificates stays out: a restored installation draws its own. So do half-sent uploads and print
runs, which can be made again.
"""

import base64
import json
import re
import zipfile
from datetime import date, datetime
from pathlib import PurePosixPath

from alembic import command
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, func, insert, select, text

from study_app.errors import StudyError
from study_app.migrations import NewerDatabase, configuration

FORMAT = 1
NOT_KEPT = re.compile(
    r"(secret_key|authority/.*|[^/]*\.sqlite3.*|.*\.partial|replaced\.zip|(uploads|prints|exports)/.*)"
)
SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
ROWS_AT_ONCE = 1000
VERSION_TABLE = "alembic_version"


class NotABackup(StudyError):
    """A file that this program did not write as a backup."""

    def __init__(self, path, reason):
        super().__init__(f"{path}: is not a backup of sketch-study ({reason}).")


class InstallationInUse(StudyError):
    """Restoring would replace what is there."""

    def __init__(self, rows):
        super().__init__(
            f"This installation holds {rows} rows already; restore into a fresh one "
            "(--instance DIR), or give --force to replace everything in it."
        )


def write(engine, instance, path):
    """Write the installation into one file.

    Parameters
    ----------
    engine : sqlalchemy.Engine
    instance : Path
        The folder whose files are kept beside the database.
    path : Path
        Where the backup goes.

    Returns
    -------
    rows, files : int
        How many of each were written.
    """
    rows = files = 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
        with engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
            about = {"format": FORMAT, "revision": _revision(connection)}
            archive.writestr("about.json", json.dumps(about))
            for table in _tables(connection):
                rows += _write_table(connection, table, archive)
        # Files are there before a row names them, so those of every row above are found now.
        for file in sorted(p for p in instance.rglob("*") if p.is_file()):
            name = file.relative_to(instance).as_posix()
            if not NOT_KEPT.fullmatch(name):
                archive.write(file, f"files/{name}", zipfile.ZIP_STORED)
                files += 1
    return rows, files


def restore(engine, instance, path, force=False):
    """Bring back what `write` kept, then upgrade it to the tables of this version.

    Parameters
    ----------
    engine : sqlalchemy.Engine
        A fresh database, or with `force` any.
    instance : Path
        The folder that the files go to.
    path : Path
        The backup.
    force : bool
        Whether rows that are there may be replaced; they are first kept in the instance folder,
        as the backup `replaced.zip`.

    Returns
    -------
    rows, files : int
    """
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError) as fault:
        raise NotABackup(path, str(fault)) from fault
    with archive, engine.connect() as connection:
        revision = _check(archive, path)
        present = _count(connection)
        if present and not force:
            raise InstallationInUse(present)
        if present:
            write(engine, instance, instance / "replaced.zip")
        connection.rollback()
        _empty_tables(connection, revision)
        rows = _read_tables(connection, archive)
        connection.commit()
        command.upgrade(configuration(connection), "head")
        return rows, _read_files(archive, instance)


def _revision(connection):
    return MigrationContext.configure(connection).get_current_revision()


def _tables(connection):
    metadata = MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name != VERSION_TABLE]


def _count(connection):
    return sum(
        connection.scalar(select(func.count()).select_from(table))
        for table in _tables(connection)
        if table.name not in ("sign_in_link",)
    )


def _write_table(connection, table, archive):
    """One table as JSON lines, streamed."""
    rows = 0
    query = select(table).order_by(*table.primary_key.columns)
    with archive.open(f"tables/{table.name}.jsonl", "w", force_zip64=True) as target:
        for row in connection.execute(query).yield_per(ROWS_AT_ONCE).mappings():
            line = json.dumps({name: _plain(value) for name, value in row.items()})
            target.write(line.encode() + b"\n")
            rows += 1
    return rows


def _plain(value):
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value


def _check(archive, path):
    """The revision of a backup that this version can read."""
    try:
        about = json.loads(archive.read("about.json"))
        kind, revision = about["format"], about["revision"]
    except (KeyError, ValueError, TypeError) as fault:
        raise NotABackup(path, "it has no about.json") from fault
    if kind != FORMAT:
        raise NotABackup(path, f"its format {kind} is unknown to this version")
    if archive.testzip():
        raise NotABackup(path, f"{archive.testzip()} in it is damaged")
    known = ScriptDirectory.from_config(configuration()).walk_revisions()
    if revision not in {script.revision for script in known}:
        raise NewerDatabase(revision)
    return revision


def _empty_tables(connection, revision):
    """Tables as they were at the revision of the backup, without rows."""
    if _revision(connection) is not None:
        connection.rollback()
        command.downgrade(configuration(connection), "base")
    connection.rollback()
    command.upgrade(configuration(connection), revision)


def _read_tables(connection, archive):
    rows = 0
    for table in _tables(connection):
        name = f"tables/{table.name}.jsonl"
        if name not in archive.namelist():
            continue
        batch = []
        with archive.open(name) as source:
            for line in source:
                batch.append(_typed(table, json.loads(line)))
                if len(batch) == ROWS_AT_ONCE:
                    rows += _insert(connection, table, batch)
                    batch = []
        rows += _insert(connection, table, batch)
        _restart_count(connection, table)
    return rows


def _typed(table, row):
    return {name: _value(table.c[name], value) for name, value in row.items()}


def _value(column, value):
    """A JSON value as the column's own type takes it."""
    try:
        kind = column.type.python_type
    except NotImplementedError:
        return value
    if value is not None and kind in (datetime, date):
        return kind.fromisoformat(value)
    if value is not None and kind is bytes:
        return base64.b64decode(value)
    return value


def _insert(connection, table, batch):
    if batch:
        connection.execute(insert(table), batch)
    return len(batch)


def _restart_count(connection, table):
    """PostgreSQL counts new numbers apart from the rows: let it go on after the last one."""
    if connection.dialect.name != "postgresql" or "id" not in table.c:
        return
    sequence = connection.scalar(select(func.pg_get_serial_sequence(table.name, "id")))
    highest = connection.scalar(select(func.max(table.c.id)))
    if sequence and highest:
        connection.execute(select(func.setval(sequence, highest)))


def _read_files(archive, instance):
    """The kept files, each into its place; a name that would leave the folder is not followed."""
    files = 0
    for entry in archive.infolist():
        parts = PurePosixPath(entry.filename).parts
        inside = parts[:1] == ("files",) and all(SAFE_NAME.fullmatch(part) for part in parts)
        if entry.is_dir() or not inside or NOT_KEPT.fullmatch("/".join(parts[1:])):
            continue
        target = instance.joinpath(*parts[1:])
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(target.name + ".partial")
        with archive.open(entry) as source, partial.open("wb") as file:
            while piece := source.read(1 << 20):
                file.write(piece)
        partial.replace(target)
        files += 1
    return files
