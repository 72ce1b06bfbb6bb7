"""Errors for the user: one class per reason, with its facts."""


class StudyError(Exception):
    """An error for the user; `str()` is one sentence for the person who made the request.

    Attributes
    ----------
    status : int
        HTTP status of the error page.
    """

    status = 400


class NotFound(StudyError):
    """There is no study, set or task of that name."""

    status = 404

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(f"There is no {kind} {name!r}.")
        self.kind, self.name = kind, name
