"""Translatable messages for errors of the operating system and of Python's CSV reader."""

import csv
import errno

from basics.wordings import Wording

_NETWORK_DRIVE = Wording("the network drive is not available")
_NO_PERMISSION = Wording("no permission")
_TOO_MANY_FILES = Wording("too many files are open")
_OF_SYSTEM = {
    errno.EACCES: _NO_PERMISSION,
    errno.EADDRINUSE: Wording("another program uses this port"),
    errno.EADDRNOTAVAIL: Wording("the address is not one of this computer"),
    errno.EBUSY: Wording("another program is using it"),
    errno.ECONNREFUSED: Wording("the connection was refused"),
    errno.EDQUOT: Wording("the disk quota is used up"),
    errno.EEXIST: Wording("the name is already taken"),
    errno.EFBIG: Wording("the file is too large for this disk"),
    errno.EHOSTUNREACH: Wording("the network cannot be reached"),
    errno.EIO: Wording("the disk failed"),
    errno.EISDIR: Wording("it is a folder"),
    errno.ELOOP: Wording("the link leads to itself"),
    errno.EMFILE: _TOO_MANY_FILES,
    errno.ENAMETOOLONG: Wording("the name is too long"),
    errno.ENETUNREACH: Wording("the network cannot be reached"),
    errno.ENFILE: _TOO_MANY_FILES,
    errno.ENOENT: Wording("no such file or folder"),
    errno.ENOMEM: Wording("too little memory is free"),
    errno.ENOSPC: Wording("the disk is full"),
    errno.ENOTCONN: _NETWORK_DRIVE,
    errno.ENOTDIR: Wording("part of the path is a file"),
    errno.EPERM: _NO_PERMISSION,
    errno.EROFS: Wording("the disk is read-only"),
    errno.ESTALE: _NETWORK_DRIVE,
    errno.ETIMEDOUT: Wording("there was no answer in time"),
}


def system_reason(fault: OSError) -> str:
    """Describe an error of the operating system.

    Parameters
    ----------
    fault : OSError

    Returns
    -------
    str
        A `Wording`; the system's own message if the error is not known.

    Examples
    --------
    >>> system_reason(FileNotFoundError(2, "No such file or directory"))
    'no such file or folder'
    """
    known = _OF_SYSTEM.get(fault.errno or 0)
    return known or Wording("the system says “%(message)s”", message=fault.strerror or str(fault))


def csv_reason(fault: csv.Error) -> str:
    """Describe why a text is not CSV.

    Parameters
    ----------
    fault : csv.Error

    Returns
    -------
    str
        A `Wording`; Python's own message if the error is not known.

    Examples
    --------
    >>> csv_reason(csv.Error("unexpected end of data"))
    'a quotation mark is not closed'
    """
    # `csv.Error` has neither codes nor subclasses. Its words are in Python's source, in English
    # whatever the language of the system; the tests cause each of these errors.
    message = str(fault)
    if "unexpected end" in message:
        return Wording("a quotation mark is not closed")
    if "expected after" in message:
        return Wording("there is text after a closing quotation mark")
    if "field limit" in message:
        most = f"{csv.field_size_limit():,}"
        return Wording(
            "a field has more than %(most)s characters, perhaps because a quotation mark is not "
            "closed",
            most=most,
        )
    if "new-line" in message:
        return Wording("a line has an unusual end")
    return Wording("Python says “%(message)s”", message=message)
