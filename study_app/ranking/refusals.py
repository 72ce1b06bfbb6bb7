"""What the rules of ranking refuse, and why."""

from study_app.core.errors import StudyError


class ListUnclear(StudyError):
    """A list of queries and images that does not fit the study's stimuli."""


class DesignFixed(StudyError):
    """What people began with stays, so that every score means the same."""

    status = 409

    def __init__(self, what: str) -> None:
        super().__init__(
            f"The {what} can't be changed: participants have started, and scores from two "
            "designs can't be averaged. Copy this task and change the copy."
        )


class EntriesUnclear(StudyError):
    """A page of ours would not send this."""
