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
            f"{what} cannot change any more: participants have begun this task; "
            "make a new task, or clear its try-outs if only those stand in the way."
        )


class DesignFixed(StudyError):
    """What people began with stays, so that every score means the same."""

    status = 409

    def __init__(self, what):
        super().__init__(
            f"The {what} cannot change any more: people have begun, and scores given under two "
            "designs cannot be averaged; copy this task and change the copy."
        )


class LinkUnknown(StudyError):
    """A participant's link that never was, or was renewed."""

    status = 404

    def __init__(self):
        super().__init__(
            "This link is not known here; check that you copied all of it, "
            "or ask the person who invited you for a new one."
        )


class PersonMissing(StudyError):
    """A platform's link that was opened without the platform saying who comes."""

    def __init__(self):
        super().__init__(
            "This link is for people who come from a recruitment platform, and the address does "
            "not say who you are; open the study from the platform's own page."
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
            "Enough people are taking part at the moment, thank you for your interest. "
            "A place may come free: try again in an hour."
        )


class NotAgreed(StudyError):
    """Nobody takes part without agreeing."""

    def __init__(self):
        super().__init__("Tick the box that you agree, if you want to take part.")


class Withdrawn(StudyError):
    """The participant's scores were removed; nothing more is taken."""

    status = 410

    def __init__(self):
        super().__init__("You withdrew from this study: your scores were removed, none is taken.")


class EntriesUnclear(StudyError):
    """A page of ours would not send this."""
