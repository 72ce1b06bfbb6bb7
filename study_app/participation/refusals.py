"""What the rules of ranking refuse, and why."""

from study_app.core.errors import StudyError


class TaskUnclear(StudyError):
    """A ranking task that does not say everything it needs, or says two things."""


class ListUnclear(StudyError):
    """A list of queries and images that does not fit the study's stimuli."""


class TaskBegun(StudyError):
    """The task cannot be changed any more, since people are ranking with it."""

    status = 409

    def __init__(self, what):
        super().__init__(
            f"{what} can't be changed: participants have started this task. Create a new task, "
            f"or delete its try-outs if there are only those."
        )


class DesignFixed(StudyError):
    """What people began with stays, so that every score means the same."""

    status = 409

    def __init__(self, what):
        super().__init__(
            f"The {what} can't be changed: participants have started, and scores from two "
            f"designs can't be averaged. Copy this task and change the copy."
        )


class LinkUnknown(StudyError):
    """A participant's link that never was, or was renewed."""

    status = 404

    def __init__(self):
        super().__init__(
            "Unknown link. Check that you copied all of it, or ask the person who invited you "
            "for a new one."
        )


class PersonMissing(StudyError):
    """A platform's link that was opened without the platform saying who comes."""

    def __init__(self):
        super().__init__(
            "This link is for participants from a recruitment platform, but the platform's ID is "
            "missing. Open the study from the platform's page."
        )


class AlreadyBegun(StudyError):
    """A platform's person who takes part already, in a browser that cannot show it is theirs.

    Everybody can write the name of a person of the platform behind its link.
    """

    status = 409

    def __init__(self):
        super().__init__(
            "This platform ID has already started this study. Continue in the browser where you "
            "started, or contact the people who run the study."
        )


class LinkEnded(StudyError):
    """A participant's link that takes nobody any more."""

    status = 410


class NoPlaceLeft(StudyError):
    """Enough people take part already."""

    status = 409

    def __init__(self):
        super().__init__(
            "All places are taken at the moment. Thank you for your interest. A place may become "
            "free: try again in an hour."
        )


class NotAgreed(StudyError):
    """Nobody takes part without agreeing."""

    def __init__(self):
        super().__init__("To take part, tick the box to agree.")


class Withdrawn(StudyError):
    """The participant's scores were removed; nothing more is taken."""

    status = 410

    def __init__(self):
        super().__init__(
            "You withdrew from this study: your scores were deleted; no more are accepted."
        )


class EntriesUnclear(StudyError):
    """A page of ours would not send this."""
