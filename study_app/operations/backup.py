"""One file that holds a whole installation: every row and every kept file; `restore` reads it.

Rows are written as JSON lines, table by table, read in one transaction, so that a backup is of one
moment while the server runs, and can be restored into another kind of database. What signs cookies
and certificates stays out: a restored installation draws its own. So do half-sent uploads and print
runs, which can be made again.
"""

import base64
import contextlib
import hashlib
import json
import re
import time
import zipfile
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, Engine, MetaData, Table, select, text

from study_app.operations.encryption import Encryption, encrypt

# 1 had no checksums.
FORMAT, FORMATS = 2, (1, 2)
SUMS = "checksums.json"
PIECE_BYTES = 1 << 20
NOT_KEPT = re.compile(
    r"(secret_key.*|authority/.*|[^/]*\.sqlite3.*|.*\.partial|replaced[-0-9]*\.zip"
    r"|(uploads|prints|exports|unfinished)/.*)"
)
SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
ROWS_AT_ONCE = 1000
VERSION_TABLE = "alembic_version"


def write(engine: Engine, instance: Path, path: Path, with_files: bool = True) -> tuple[int, int]:
    """Write the installation into one file, with the SHA-256 of everything in it.

    Parameters
    ----------
    engine : sqlalchemy.Engine
    instance : Path
        The folder whose files are kept beside the database.
    path : Path
        Where the backup goes.
    with_files : bool
        False writes rows alone.

    Returns
    -------
    rows, files : int
        How many of each were written.
    """
    rows, found = 0, 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
        sums: dict[str, str] = {}
        with engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
            about = {"format": FORMAT, "revision": revision_of(connection)}
            _add(archive, sums, "about.json", [json.dumps(about).encode()])
            for table in tables_of(connection):
                lines = list[int]()
                _add(archive, sums, f"tables/{table.name}.jsonl", _rows(connection, table, lines))
                rows += len(lines)
        # Files are there before a row names them, so those of every row above are found now.
        for name in _kept_files(instance) if with_files else []:
            # A file deleted meanwhile belongs to a row that was deleted meanwhile.
            with contextlib.suppress(FileNotFoundError), (instance / name).open("rb") as file:
                pieces = iter(lambda file=file: file.read(PIECE_BYTES), b"")  # type: ignore[misc]
                _add(archive, sums, f"files/{name}", pieces, zipfile.ZIP_STORED)
                found += 1
        archive.writestr(SUMS, json.dumps(sums))
    return rows, found


def write_sealed(
    engine: Engine, instance: Path, path: Path, encryption: Encryption
) -> tuple[int, int]:
    """Write the installation into one file, encrypted where that is asked for."""
    if not encryption:
        return write(engine, instance, path)
    plain = path.with_name(path.name + ".plain")
    counts = write(engine, instance, plain)
    encrypt(plain, path, encryption)
    plain.unlink()
    return counts


def _add(
    archive: zipfile.ZipFile,
    sums: dict[str, str],
    name: str,
    pieces: Iterable[bytes],
    how: int = zipfile.ZIP_DEFLATED,
) -> None:
    """One entry, and its checksum."""
    entry = zipfile.ZipInfo(name, time.localtime()[:6])
    entry.compress_type, entry.external_attr = how, 0o600 << 16
    seen = hashlib.sha256()
    with archive.open(entry, "w", force_zip64=True) as target:
        for piece in pieces:
            seen.update(piece)
            target.write(piece)
    sums[name] = seen.hexdigest()


def _kept_files(instance: Path) -> list[str]:
    """Finished files in folders: a backup that is being written here does not include itself."""
    found = (p.relative_to(instance) for p in instance.glob("*/**/*") if p.is_file())
    names = sorted(p.as_posix() for p in found if all(map(SAFE_NAME.fullmatch, p.parts)))
    return [name for name in names if not NOT_KEPT.fullmatch(name)]


def revision_of(connection: Connection) -> str | None:
    """The revision of the tables in a database; None for an empty database."""
    return MigrationContext.configure(connection).get_current_revision()


def tables_of(connection: Connection) -> list[Table]:
    """The tables in a database, each after those that it names."""
    metadata = MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name != VERSION_TABLE]


def _rows(connection: Connection, table: Table, counted: list[int]) -> Iterator[bytes]:
    """One table as JSON lines, streamed."""
    query = select(table).order_by(*table.primary_key.columns)
    for row in connection.execute(query).yield_per(ROWS_AT_ONCE).mappings():
        counted.append(1)
        yield json.dumps({name: _plain(value) for name, value in row.items()}).encode() + b"\n"


def _plain(value: Any) -> Any:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value
