"""Errors of the system in a sentence: a full disk, a missing permission, an unavailable
database."""

import errno
import sqlite3
from typing import TYPE_CHECKING, TypeGuard

from basics.wordings import Wording

if TYPE_CHECKING:
    from sqlalchemy.exc import DatabaseError

POSTGRESQL_DISK_FULL = "53100"
_FREE_SPACE = Wording("free some space and try again; no partial files were left")
_WRITABLE = Wording("choose a place you can write to")
_FOLDER = Wording("name a folder")
ADVICE = {
    errno.ENOSPC: _FREE_SPACE,
    errno.EDQUOT: _FREE_SPACE,
    errno.EACCES: _WRITABLE,
    errno.EPERM: _WRITABLE,
    errno.EROFS: _WRITABLE,
    errno.EISDIR: Wording("name a file"),
    errno.EEXIST: _FOLDER,
    errno.ENOTDIR: _FOLDER,
    errno.ENOENT: Wording("check the name"),
    errno.ENAMETOOLONG: Wording("choose a shorter name"),
    errno.EMFILE: Wording("allow more open files (`ulimit -n`)"),
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
    finding = Wording("%(reason)s; %(advice)s.", reason=fault.strerror, advice=advice)
    if not fault.filename:
        return finding
    return Wording("%(place)s: %(finding)s", place=str(fault.filename), finding=finding)


def _of_database(fault: "DatabaseError") -> str:
    """The database's own message, without the statement."""
    reason = str(fault.orig).partition("\n")[0]
    advice = _FREE_SPACE if _has_no_space(fault) else _advice(reason)
    return Wording("Database error: %(reason)s; %(advice)s.", reason=reason, advice=advice)


def _has_no_space(fault: "DatabaseError") -> bool:
    """Classify by the database's error code, or by words of SQLite's messages."""
    code = getattr(fault.orig, "sqlite_errorcode", None) or getattr(fault.orig, "sqlstate", None)
    return code in (sqlite3.SQLITE_FULL, POSTGRESQL_DISK_FULL) or "disk is full" in str(fault.orig)


def _advice(reason: str) -> str:
    if "malformed" in reason or "not a database" in reason:
        return Wording("its file is damaged: move it away and `sketch-study restore` a backup")
    if "locked" in reason:
        return Wording("another program is using it; close that and try again")
    if "readonly" in reason or "unable to open" in reason:
        return _WRITABLE
    return Wording("check its address and that it is running")
