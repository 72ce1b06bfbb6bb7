"""Refusals: one class a reason, each carrying its facts."""


class StudyError(Exception):
    """A request that the rules of a study refuse; `str()` is one sentence for the person who asked.

    Attributes
    ----------
    status : int
        HTTP status of the page that tells it.
    """

    status = 400


class NotFound(StudyError):
    """Nothing of that kind goes by that name here."""

    status = 404

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(f"There is no {kind} {name!r}.")
        self.kind, self.name = kind, name
