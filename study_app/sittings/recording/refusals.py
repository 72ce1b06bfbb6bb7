"""The error for an invalid request of the recording page."""

from study_app.core.errors import StudyError


class BadEvent(StudyError):
    """The page sent an invalid event."""

    def __init__(self, what: str) -> None:
        super().__init__(f"This could not be recorded: {what}. Reload the page and try again.")
