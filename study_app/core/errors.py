"""Errors for the user: one class per reason, with its facts."""

from collections.abc import Sequence

MOST_NAMES = 20
"""Names that an error lists."""


class StudyError(Exception):
    """An error for the user; `str()` is one sentence for the person who made the request.

    Attributes
    ----------
    status : int
        HTTP status of the error page.
    """

    status = 400


class NotFound(StudyError):
    """There is no study, set or task of that name.

    Parameters
    ----------
    kind : str
    name : str
        What was asked for.
    known : list of str, optional
        The names that there are.
    """

    status = 404

    def __init__(self, kind: str, name: str, known: Sequence[str] = ()) -> None:
        self.kind, self.name = kind, name
        shown = known[:MOST_NAMES]
        self.known = ", ".join([*shown, "…"] if len(known) > len(shown) else shown)
        names = f" Choose one of: {self.known}" if known else ""
        super().__init__(f"There is no {kind} {name!r}.{names}")
