"""Names of files: letters and digits only, no two alike."""

import re
from collections.abc import Iterable

NOT_PLAIN = re.compile(r"[^A-Za-z0-9]+")


def plain_names(names: Iterable[str]) -> dict[str, str]:
    """Each name in letters and digits; those that would be alike are told apart by a number.

    Parameters
    ----------
    names : iterable of str

    Returns
    -------
    dict of str to str

    Examples
    --------
    >>> plain_names(["P-01", "P01", "Büro"])
    {'P-01': 'P01', 'P01': 'P01x2', 'Büro': 'Bro'}
    """
    chosen: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        if name in chosen:
            continue
        stem = NOT_PLAIN.sub("", name)[:60] or "x"
        number, plain = 1, stem
        while plain.lower() in taken:
            number += 1
            plain = f"{stem}x{number}"
        taken.add(plain.lower())
        chosen[name] = plain
    return chosen
