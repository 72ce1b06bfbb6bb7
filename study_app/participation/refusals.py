"""What taking part on the web refuses, whatever the method, and why."""

from study_app.core.errors import StudyError


class TaskUnclear(StudyError):
    """A task that does not say everything it needs, or says two things."""


class TaskBegun(StudyError):
    """The task cannot be changed any more, since people take part in it."""

    status = 409

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} can't be changed: participants have started this task. Create a new task, "
            f"or delete its try-outs if there are only those."
        )


class LinkUnknown(StudyError):
    """A participant's link that never was, or was renewed."""

    status = 404

    def __init__(self) -> None:
        super().__init__(
            "Unknown link. Check that you copied all of it, or ask the person who invited you "
            "for a new one."
        )


class PersonMissing(StudyError):
    """A platform's link that was opened without the platform saying who comes."""

    def __init__(self) -> None:
        super().__init__(
            "This link is for participants from a recruitment platform, but the platform's ID is "
            "missing. Open the study from the platform's page."
        )


class SignatureMissing(StudyError):
    """A platform that signs who comes, and a link without its signature, or with one too old."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            "This link was not signed by the recruitment platform, or its signature has expired. "
            "Open the study again from the platform's page."
        )


class KeysUnreached(StudyError):
    """The keys with which a platform's signature is checked could not be fetched."""

    status = 503

    def __init__(self) -> None:
        super().__init__(
            "The recruitment platform can't be reached to check your link. Try again in a minute."
        )


class DeviceUnfit(StudyError):
    """A device that the study excludes."""

    def __init__(self) -> None:
        super().__init__(
            "This device does not fit the study. Open the same link on a device that does."
        )


class CheckFirst(StudyError):
    """Trials that open only after the comprehension check."""

    status = 409

    def __init__(self) -> None:
        super().__init__("Answer the questions about the instructions first.")


class AlreadyBegun(StudyError):
    """A platform's person who takes part already, in a browser that cannot show it is theirs.

    Everybody can write the name of a person of the platform behind its link.
    """

    status = 409

    def __init__(self) -> None:
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

    def __init__(self) -> None:
        super().__init__(
            "All places are taken at the moment. Thank you for your interest. A place may become "
            "free: try again in an hour."
        )


class NotAgreed(StudyError):
    """Nobody takes part without agreeing."""

    def __init__(self) -> None:
        super().__init__("To take part, tick the box to agree.")


class Withdrawn(StudyError):
    """The participant's scores were removed; nothing more is taken."""

    status = 410

    def __init__(self) -> None:
        super().__init__(
            "You withdrew from this study: your scores were deleted; no more are accepted."
        )


class TooManyArrivals(StudyError):
    """More people began from one address within an hour than any room holds."""

    status = 429

    def __init__(self) -> None:
        super().__init__(
            "Too many people have started from this network within the last hour. "
            "Try again later, or tell the researcher."
        )
