"""The error for an invalid request of the recording page."""

from study_app.core.errors import StudyError
from study_app.core.text.languages import gettext


class BadEvent(StudyError):
    """The page sent an invalid event."""

    def __init__(self, what: str) -> None:
        super().__init__(
            gettext(
                "This could not be recorded: %(what)s. Reload the page and try again.", what=what
            )
        )
