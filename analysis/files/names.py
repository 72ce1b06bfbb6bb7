"""Folder names from ids: an id from outside is never a path."""

import re
from collections.abc import Sequence

from analysis.errors import InputError

_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_LONGEST = 80


def folder_names(ids: Sequence[str]) -> dict[str, str]:
    """Give each id a folder name of letters, digits, dot, hyphen and underscore.

    Parameters
    ----------
    ids : sequence of str
        All different.

    Returns
    -------
    dict of str to str
        By id, in the same order.

    Raises
    ------
    InputError
        If two ids would get one folder (on a disk that takes capitals and small letters as one).

    Examples
    --------
    >>> folder_names(["chairs", "../birds & bees"])
    {'chairs': 'chairs', '../birds & bees': 'birds_bees'}
    """
    names = {}
    owner: dict[str, str] = {}
    for id_ in ids:
        name = re.sub(r"[^\w.-]+", "_", id_).strip("._-")[:_LONGEST] or "set"
        if _RESERVED.fullmatch(name):
            name = f"set_{name}"
        other = owner.setdefault(name.lower(), id_)
        if other != id_:
            raise InputError(
                f"sets {other!r} and {id_!r} would both be written into a folder {name}; "
                "rename one of them"
            )
        names[id_] = name
    return names
