"""One file that holds a whole installation: every row and every kept file; `restore` reads it.

Rows are written as JSON lines, table by table, read in one transaction, so that a backup is of one
moment while the server runs, and can be restored into another kind of database. What signs cookies
and certificates stays out: a restored installation draws its own. So do half-sent uploads and print
runs, which can be made again.
"""

import base64
import contextlib
import json
import re
import zipfile
from datetime import date, datetime
from pathlib import Path
from typing import Any

from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, Engine, MetaData, Table, select, text

FORMAT = 1
NOT_KEPT = re.compile(
    r"(secret_key.*|authority/.*|[^/]*\.sqlite3.*|.*\.partial|replaced[-0-9]*\.zip"
    r"|(uploads|prints|exports|unfinished)/.*)"
)
SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
ROWS_AT_ONCE = 1000
VERSION_TABLE = "alembic_version"


def write(engine: Engine, instance: Path, path: Path) -> tuple[int, int]:
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
            about = {"format": FORMAT, "revision": revision_of(connection)}
            archive.writestr("about.json", json.dumps(about))
            for table in tables_of(connection):
                rows += _write_table(connection, table, archive)
        # Files are there before a row names them, so those of every row above are found now.
        for name in _kept_files(instance):
            # A file that went meanwhile belongs to a row that was removed meanwhile.
            with contextlib.suppress(FileNotFoundError):
                archive.write(instance / name, f"files/{name}", zipfile.ZIP_STORED)
                files += 1
    return rows, files


def _kept_files(instance: Path) -> list[str]:
    """What lies in folders, finished: a backup that is being written here is not part of itself."""
    found = (p.relative_to(instance) for p in instance.glob("*/**/*") if p.is_file())
    names = sorted(p.as_posix() for p in found if all(map(SAFE_NAME.fullmatch, p.parts)))
    return [name for name in names if not NOT_KEPT.fullmatch(name)]


def revision_of(connection: Connection) -> str | None:
    """The revision of the tables in a database, None if there are none."""
    return MigrationContext.configure(connection).get_current_revision()


def tables_of(connection: Connection) -> list[Table]:
    """The tables in a database, each after those that it names."""
    metadata = MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name != VERSION_TABLE]


def _write_table(connection: Connection, table: Table, archive: zipfile.ZipFile) -> int:
    """One table as JSON lines, streamed."""
    rows = 0
    query = select(table).order_by(*table.primary_key.columns)
    with archive.open(f"tables/{table.name}.jsonl", "w", force_zip64=True) as target:
        for row in connection.execute(query).yield_per(ROWS_AT_ONCE).mappings():
            line = json.dumps({name: _plain(value) for name, value in row.items()})
            target.write(line.encode() + b"\n")
            rows += 1
    return rows


def _plain(value: Any) -> Any:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value
