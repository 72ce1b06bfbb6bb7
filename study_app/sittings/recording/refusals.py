"""What the record page should not have sent."""

from study_app.core.errors import StudyError


class BadEvent(StudyError):
    """An event that the page should not have sent."""

    def __init__(self, what: str) -> None:
        super().__init__(f"This could not be recorded: {what}. Reload the page and try again.")
