"""Safe names for folders and files, from ids; an id is never used as a path."""

import re
from collections.abc import Sequence

from analysis.errors import InputError
from basics.wordings import Wording

_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_LONGEST = 80


def folder_names(ids: Sequence[str]) -> dict[str, str]:
    """Folder names from ids, with letters, digits, dots, hyphens and underscores only.

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
        If two ids have the same folder name (ignoring case, as some file systems do).

    Examples
    --------
    >>> folder_names(["chairs", "../birds & bees"])
    {'chairs': 'chairs', '../birds & bees': 'birds_bees'}
    """
    names = {}
    owner: dict[str, str] = {}
    for id_ in ids:
        name = _plain(id_, "set")
        other = owner.setdefault(name.lower(), id_)
        if other != id_:
            raise InputError(
                Wording(
                    "sets %(other)s and %(id)s would both be written to the folder %(name)s; "
                    "rename one of them",
                    other=repr(other),
                    id=repr(id_),
                    name=name,
                )
            )
        names[id_] = name
    return names


def file_names(ids: Sequence[str], kind: str) -> dict[str, str]:
    """File names (without extension) from ids; equal names are numbered.

    Parameters
    ----------
    ids : sequence of str
        All different.
    kind : str
        Name for ids without usable characters, such as ``query``.

    Returns
    -------
    dict of str to str
        By id, in the same order.

    Examples
    --------
    >>> file_names(["chair", "a/b", "A?b"], "query")
    {'chair': 'chair', 'a/b': 'a_b', 'A?b': 'A_b_2'}
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    for id_ in ids:
        plain = name = _plain(id_, kind)
        number = 1
        while name.lower() in taken:
            number += 1
            name = f"{plain}_{number}"
        taken.add(name.lower())
        names[id_] = name
    return names


def _plain(id_: str, kind: str) -> str:
    name = re.sub(r"[^\w.-]+", "_", id_).strip("._-")[:_LONGEST] or kind
    return f"{kind}_{name}" if _RESERVED.fullmatch(name) else name
