"""Errors of the system in a sentence: a full disk, a missing permission, an unavailable
database."""

import errno
import sqlite3
from typing import TYPE_CHECKING, TypeGuard

if TYPE_CHECKING:
    from sqlalchemy.exc import DatabaseError

POSTGRESQL_DISK_FULL = "53100"
ADVICE = {
    errno.ENOSPC: "free some space and try again; no partial files were left",
    errno.EDQUOT: "free some space and try again; no partial files were left",
    errno.EACCES: "choose a place you can write to",
    errno.EPERM: "choose a place you can write to",
    errno.EROFS: "choose a place you can write to",
    errno.EISDIR: "name a file",
    errno.EEXIST: "name a folder",
    errno.ENOTDIR: "name a folder",
    errno.ENOENT: "check the name",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.EMFILE: "allow more open files (`ulimit -n`)",
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
    if isinstance(fault, OSError):
        advice = ADVICE.get(fault.errno or 0)
        return advice and _of_system(fault, advice)
    return _of_database(fault) if is_of_database(fault) else None


def is_of_database(fault: BaseException) -> "TypeGuard[DatabaseError]":
    """Whether the database failed: unavailable, damaged or locked, whatever the query."""
    from sqlalchemy.exc import DatabaseError, OperationalError

    return isinstance(fault, OperationalError) or type(fault) is DatabaseError


def is_full(fault: BaseException) -> bool:
    """Whether the disk failed."""
    if isinstance(fault, OSError):
        return fault.errno in (errno.ENOSPC, errno.EDQUOT)
    return is_of_database(fault) and _has_no_space(fault)


def _of_system(fault: OSError, advice: str) -> str:
    place = f"{fault.filename}: " if fault.filename else ""
    return f"{place}{fault.strerror}; {advice}."


def _of_database(fault: "DatabaseError") -> str:
    """The database's own message, without the statement."""
    reason = str(fault.orig).partition("\n")[0]
    advice = ADVICE[errno.ENOSPC] if _has_no_space(fault) else _advice(reason)
    return f"Database error: {reason}; {advice}."


def _has_no_space(fault: "DatabaseError") -> bool:
    """Classify by the database's error code, or by words of SQLite's messages."""
    code = getattr(fault.orig, "sqlite_errorcode", None) or getattr(fault.orig, "sqlstate", None)
    return code in (sqlite3.SQLITE_FULL, POSTGRESQL_DISK_FULL) or "disk is full" in str(fault.orig)


def _advice(reason: str) -> str:
    if "malformed" in reason or "not a database" in reason:
        return "its file is damaged: move it away and `sketch-study restore` a backup"
    if "locked" in reason:
        return "another program is using it; close that and try again"
    if "readonly" in reason or "unable to open" in reason:
        return ADVICE[errno.EACCES]
    return "check its address and that it is running"
