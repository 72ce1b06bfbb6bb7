"""What the machine refuses, in a sentence: a full disk, a closed folder, a lost database."""

import errno
from typing import TYPE_CHECKING, TypeGuard

if TYPE_CHECKING:
    from sqlalchemy.exc import DatabaseError

ADVICE = {
    errno.ENOSPC: "free some space and try again; nothing was left half-written",
    errno.EDQUOT: "free some space and try again; nothing was left half-written",
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
    """What happened and what to do, or None for a fault of this program.

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
    """Whether the database is what failed: it is away, damaged or held, whatever it was asked."""
    from sqlalchemy.exc import DatabaseError, OperationalError

    return isinstance(fault, OperationalError) or type(fault) is DatabaseError


def is_full(fault: BaseException) -> bool:
    """Whether the disk is what failed."""
    told = sentence(fault)
    return told is not None and told.endswith(f"{ADVICE[errno.ENOSPC]}.")


def _of_system(fault: OSError, advice: str) -> str:
    place = f"{fault.filename}: " if fault.filename else ""
    return f"{place}{fault.strerror}; {advice}."


def _of_database(fault: "DatabaseError") -> str:
    """The database's own words, without the statement that it was asked."""
    reason = str(fault.orig).partition("\n")[0]
    return f"The database refuses: {reason}; {_advice(reason)}."


def _advice(reason: str) -> str:
    if "disk is full" in reason:
        return ADVICE[errno.ENOSPC]
    if "malformed" in reason or "not a database" in reason:
        return "its file is damaged: move it away and `sketch-study restore` a backup"
    if "locked" in reason:
        return "another program is using it; close that and try again"
    if "readonly" in reason or "unable to open" in reason:
        return ADVICE[errno.EACCES]
    return "check its address and that it is running"
