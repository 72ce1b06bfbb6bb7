"""Names in an export: plain, unique file names, and pseudonyms of researchers."""

import re
from collections.abc import Iterable

NOT_PLAIN = re.compile(r"[^A-Za-z0-9]+")


def plain_names(names: Iterable[str]) -> dict[str, str]:
    """Each name in letters and digits; equal results are made unique with a number.

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


class Pseudonyms:
    """Researchers as C1, C2, …, in the order in which they first appear in the export."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}

    def of(self, researcher_id: int | None) -> str:
        """The pseudonym of a researcher, empty for nobody."""
        if researcher_id is None:
            return ""
        return self._known.setdefault(researcher_id, f"C{len(self._known) + 1}")
