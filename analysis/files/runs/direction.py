"""Runs before they are read: whether a file is one, and the direction of its scores.

This loads no library of tables, which takes longer than reading a small file.
"""

from pathlib import Path
from typing import Literal

from analysis.errors import InputError
from analysis.files.text import first_line
from basics.wordings import Wording

Direction = Literal["similarity", "distance"]
# Of a line of a run: query, Q0, document, rank, score, tag.
FIELDS = 6


class ContradictedDirection(InputError):
    """A run whose ranks contradict the stated direction of its scores.

    Attributes
    ----------
    other : {"similarity", "distance"}
        The direction according to the ranks.
    contradiction : str
        The message without the suggestion to add an option.
    """

    def __init__(self, path: Path, declared: Direction, against: int, queries: int) -> None:
        self.other: Direction = "distance" if declared == "similarity" else "similarity"
        self.contradiction = _contradiction(declared, f"{against:,}", queries)
        said = self.contradiction
        if self.other == "distance":
            finding = Wording("%(said)s; if they are distances, add --distance", said=said)
        else:
            finding = Wording("%(said)s; if they are similarities, add --similarity", said=said)
        super().__init__(finding, path)


def _contradiction(declared: Direction, against: str, queries: int) -> Wording:
    count = f"{queries:,}"
    if declared == "similarity":
        return Wording(
            "its scores are read as similarities, but ranks put the smallest first in "
            "%(against)s of %(count)s query",
            "its scores are read as similarities, but ranks put the smallest first in "
            "%(against)s of %(count)s queries",
            queries,
            against=against,
            count=count,
        )
    return Wording(
        "its scores are read as distances, but ranks put the greatest first in %(against)s of "
        "%(count)s query",
        "its scores are read as distances, but ranks put the greatest first in %(against)s of "
        "%(count)s queries",
        queries,
        against=against,
        count=count,
    )


def looks_like_run(path: Path) -> bool:
    """Whether a file is a TREC run and not a CSV table, judging by its first line."""
    first = first_line(path)
    return len(first.split()) == FIELDS and "," not in first
