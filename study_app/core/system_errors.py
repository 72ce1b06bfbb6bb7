"""Errors of the system in a sentence: a full disk, a missing permission, an unavailable
database."""

import errno
import sqlite3
from typing import TYPE_CHECKING, TypeGuard

from basics.system_messages import system_reason
from basics.wordings import Wording

if TYPE_CHECKING:
    from sqlalchemy.exc import DatabaseError

POSTGRESQL_DISK_FULL = "53100"
# Classes of codes: a connection that failed; a server that ends or starts.
POSTGRESQL_ENDING = ("08", "57P")
# A server that accepts no changes, as a standby does; a transaction that the server ended.
POSTGRESQL_READ_ONLY, POSTGRESQL_IDLE = "25006", "25P03"
_FREE_SPACE = Wording("free some space and try again; no partial files were left")
_WRITABLE = Wording("choose a place you can write to")
_FOLDER = Wording("name a folder")
ADVICE = {
    errno.ENOSPC: _FREE_SPACE,
    errno.EDQUOT: _FREE_SPACE,
    errno.EACCES: _WRITABLE,
    errno.EPERM: _WRITABLE,
    errno.EROFS: _WRITABLE,
    errno.EIO: Wording("check the disk"),
    errno.EISDIR: Wording("name a file"),
    errno.EEXIST: _FOLDER,
    errno.ENOTDIR: _FOLDER,
    errno.ENOENT: Wording("check the name"),
    errno.ENAMETOOLONG: Wording("choose a shorter name"),
    errno.EMFILE: Wording("allow more open files (ulimit -n)"),
}
_NO_MEMORY = Wording("Not enough memory; close other programs, or use a computer with more memory.")
_FULL = Wording("the disk is full"), _FREE_SPACE
_DAMAGED = (
    Wording("its file is damaged"),
    Wording("move it away and restore a backup with sketch-study restore"),
)
_IN_USE = Wording("another program is using it"), Wording("close that and try again")
_BY_CODE: dict[int | str | None, tuple[Wording, Wording]] = {
    sqlite3.SQLITE_FULL: _FULL,
    POSTGRESQL_DISK_FULL: _FULL,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_BUSY: _IN_USE,
    sqlite3.SQLITE_LOCKED: _IN_USE,
    sqlite3.SQLITE_READONLY: (Wording("it cannot be written to"), _WRITABLE),
    POSTGRESQL_READ_ONLY: (
        Wording("it accepts no changes"),
        Wording("connect to the primary server, not to a standby"),
    ),
    sqlite3.SQLITE_CANTOPEN: (Wording("its file cannot be opened"), _WRITABLE),
    sqlite3.SQLITE_IOERR: (Wording("the disk failed"), Wording("check the disk")),
}
# Words in messages about failed connections: libpq, PostgreSQL's client, has no function that
# returns the SQLSTATE of one (psycopg's `sqlstate` is None), so there is nothing but the words.
_BY_WORDS = {
    "authentication failed": (
        Wording("it does not accept this name and password"),
        Wording("check them in its address"),
    ),
    "too many clients": (
        Wording("it has too many connections"),
        Wording("close some, or raise max_connections"),
    ),
    "starting up": (Wording("it is starting"), Wording("try again in a minute")),
    "does not exist": (
        Wording("the server has no database or user of that name"),
        Wording("create it, or check the address"),
    ),
    "onnection": (
        Wording("it does not answer"),
        Wording("check its address and that it is running"),
    ),
}


def sentence(fault: BaseException) -> str | None:
    """What happened and what to do, or None for a bug in this program.

    Parameters
    ----------
    fault : Exception

    Returns
    -------
    str or None
    """
    if isinstance(fault, MemoryError):
        return _NO_MEMORY
    if isinstance(fault, OSError):
        advice = ADVICE.get(fault.errno or 0)
        return advice and _of_system(fault, advice)
    return _of_database(fault) if is_of_database(fault) else None


def is_of_database(fault: BaseException) -> "TypeGuard[DatabaseError]":
    """Whether the database failed: unavailable, damaged or locked, whatever the query."""
    from sqlalchemy.exc import DatabaseError, OperationalError

    if isinstance(fault, DatabaseError) and _code(fault) in (POSTGRESQL_READ_ONLY, POSTGRESQL_IDLE):
        return True
    return isinstance(fault, OperationalError) or type(fault) is DatabaseError


def is_busy(fault: BaseException) -> bool:
    """Whether no connection to the database became free in time."""
    from sqlalchemy.exc import TimeoutError

    return isinstance(fault, TimeoutError)


def is_away(fault: BaseException) -> bool:
    """Whether PostgreSQL could not be reached, or ended the connection."""
    from sqlalchemy.exc import OperationalError

    if not isinstance(fault, OperationalError) or "psycopg" not in type(fault.orig).__module__:
        return False
    code = _code(fault)
    # Without a connection there is no code; the others are of a server that ends or starts.
    return code is None or str(code).startswith(POSTGRESQL_ENDING)


def is_full(fault: BaseException) -> bool:
    """Whether the disk failed."""
    if isinstance(fault, OSError):
        return fault.errno in (errno.ENOSPC, errno.EDQUOT)
    return is_of_database(fault) and _code(fault) in (sqlite3.SQLITE_FULL, POSTGRESQL_DISK_FULL)


def _of_system(fault: OSError, advice: str) -> str:
    place = str(fault.filename) if fault.filename else Wording("System error")
    return Wording(
        "%(place)s: %(reason)s; %(advice)s.",
        place=place,
        reason=system_reason(fault),
        advice=advice,
    )


def _of_database(fault: "DatabaseError") -> str:
    """What is wrong with the database, without the statement."""
    message = str(fault.orig).partition("\n")[0]
    known = _BY_CODE.get(_code(fault)) or next(
        (known for words, known in _BY_WORDS.items() if words in str(fault.orig)), None
    )
    if known is None:
        return Wording(
            "Database error: check its address and that it is running. It says “%(message)s”.",
            message=message,
        )
    reason, advice = known
    return Wording("Database error: %(reason)s; %(advice)s.", reason=reason, advice=advice)


def _code(fault: "DatabaseError") -> int | str | None:
    """SQLite's primary result code, or PostgreSQL's error code; None without a connection."""
    extended: int | None = getattr(fault.orig, "sqlite_errorcode", None)
    return extended & 0xFF if extended else getattr(fault.orig, "sqlstate", None)
