"""Errors of ranking tasks."""

from study_app.core.errors import StudyError
from study_app.core.text.languages import rgettext


class ListUnclear(StudyError):
    """The list of queries and images does not fit the study's stimuli."""


class DesignFixed(StudyError):
    """The design of a task can't be changed once participants have started."""

    status = 409

    def __init__(self, what: str) -> None:
        super().__init__(
            rgettext(
                "The %(what)s can't be changed: participants have started, and scores "
                "from two designs can't be averaged. Copy this task and change the "
                "copy.",
                what=what,
            )
        )


class EntriesUnclear(StudyError):
    """The request is not one of the participant's page."""
