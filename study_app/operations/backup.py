"""Backup of a whole installation in one file: every row and every stored file.

Rows are written as JSON lines, table by table, read in one transaction, so that a backup is of one
moment while the server runs, and can be restored into another kind of database. The keys that sign
cookies and certificates are left out: a restored installation generates its own. Unfinished uploads
and print runs are left out too, because they can be made again.
"""

import base64
import contextlib
import hashlib
import json
import time
import zipfile
from collections.abc import Collection, Iterable, Iterator
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import IO, Any

from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, Engine, MetaData, Table, select, text

from study_app.core.config import Settings
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.stores import FileMissing, Store
from study_app.models import Photo
from study_app.operations.encryption import Encryption, encrypt, unnamed_file

# Version 1 had no checksums.
FORMAT, FORMATS = 2, (1, 2)
SUMS = "checksums.json"
PIECE_BYTES = 1 << 20
# Everything else can be recreated, or signs cookies and certificates.
KEPT_KINDS = ("checksums", "originals", "photos", "pictures", "thumbnails", "vectors")
ROWS_AT_ONCE = 1000
VERSION_TABLE = "alembic_version"


def write(engine: Engine, store: Store | None, target: Path | IO[bytes]) -> tuple[int, int]:
    """Write the installation into one file, with the SHA-256 of everything in it.

    Parameters
    ----------
    engine : sqlalchemy.Engine
    store : study_app.core.storage.stores.Store or None
        The installation's files; None writes rows alone.
    target : Path or binary file
        Where the backup goes.

    Returns
    -------
    rows, files : int
        How many of each were written.
    """
    rows, found = 0, 0
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
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
            photos = _photos(connection)
        # Files are written before the rows that name them, so the files of all rows above exist.
        for name, place in _kept_files(store, photos):
            # A file that was deleted during the backup belonged to a row that was deleted, too.
            with contextlib.suppress(FileMissing), place.opened(name) as source:
                pieces = iter(partial(source.file.read, PIECE_BYTES), b"")
                _add(archive, sums, f"files/{name}", pieces, zipfile.ZIP_STORED)
                found += 1
        archive.writestr(SUMS, json.dumps(sums))
    return rows, found


def write_sealed(
    engine: Engine, settings: Settings, path: Path, encryption: Encryption
) -> tuple[int, int]:
    """Write the installation into one file, encrypted if requested.

    The unencrypted form has no name, since others may read the target folder.
    """
    store = store_of(settings)
    if not encryption:
        return write(engine, store, path)
    # Files are not compressed, so a backup that is too large is refused before it is written.
    encryption.refuse_too_large(sum(map(store.bytes_in, KEPT_KINDS)))
    with unnamed_file(settings.instance) as plain:
        counts = write(engine, store, plain)
        encrypt(plain, path, encryption)
    return counts


def _add(
    archive: zipfile.ZipFile,
    sums: dict[str, str],
    name: str,
    pieces: Iterable[bytes],
    how: int = zipfile.ZIP_DEFLATED,
) -> None:
    """Add one entry and its checksum."""
    entry = zipfile.ZipInfo(name, time.localtime()[:6])
    entry.compress_type, entry.external_attr = how, 0o600 << 16
    seen = hashlib.sha256()
    with archive.open(entry, "w", force_zip64=True) as target:
        for piece in pieces:
            seen.update(piece)
            target.write(piece)
    sums[name] = seen.hexdigest()


def _photos(connection: Connection) -> set[str]:
    """The photos that have rows, by SHA-256."""
    table = next((one for one in tables_of(connection) if one.name == Photo.__tablename__), None)
    return set() if table is None else set(connection.scalars(select(table.c.sha256)))


def _kept_files(store: Store | None, photos: Collection[str]) -> list[tuple[str, Store]]:
    """The sorted names of the files that a backup contains.

    A photo whose row is just being written is left out: without it, no withdrawal would delete it.
    """
    if store is None:
        return []
    names = (name for kind in KEPT_KINDS for name in sorted(store.names(kind)))
    return [(name, store) for name in names if not _is_photo(name) or _sha256(name) in photos]


def _is_photo(name: str) -> bool:
    return name.startswith("photos/")


def _sha256(name: str) -> str:
    return name.rpartition("/")[2].partition(".")[0]


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
