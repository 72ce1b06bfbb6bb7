"""Errors of participation on the web, for all methods."""

from study_app.core.errors import StudyError
from study_app.core.text.languages import gettext, rgettext


class TaskUnclear(StudyError):
    """The settings of a task are missing or contradictory."""


class AnswerTooLong(StudyError):
    """A free-text answer is too long."""

    def __init__(self, length: int, longest: int) -> None:
        super().__init__(
            gettext(
                "Your answer has %(length)s characters; at most %(longest)s can be saved. Go back "
                "and shorten it.",
                length=length,
                longest=longest,
            )
        )


class TaskBegun(StudyError):
    """The task cannot be changed, because people have started it."""

    status = 409

    def __init__(self, what: str) -> None:
        super().__init__(
            rgettext(
                "%(what)s can't be changed: participants have started this task. "
                "Create a new task, or, if there were only try-outs, delete them.",
                what=what,
            )
        )


class LinkUnknown(StudyError):
    """The participant's link does not exist, or was renewed."""

    status = 404

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "Unknown link. Check that you copied all of it, or ask the person who invited you "
                "for a new one."
            )
        )


class PersonMissing(StudyError):
    """A platform's link was opened without the platform ID."""

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "This link is for participants from a recruitment platform, but the platform's ID "
                "is missing. Open the study from the platform's page."
            )
        )


class PlatformIdTooLong(StudyError):
    """A platform's link has an ID that is longer than any of the platform's."""

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "The platform's ID in this link is too long. Open the study from the platform's "
                "page."
            )
        )


class SignatureMissing(StudyError):
    """The signature that the platform's links require is missing, invalid or too old."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "This link was not signed by the recruitment platform, or its signature has "
                "expired. Open the study again from the platform's page."
            )
        )


class KeysUnavailable(StudyError):
    """The public keys of the platform could not be fetched."""

    status = 503

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "The recruitment platform can't be reached to check your link. Try again in a "
                "minute."
            )
        )


class DeviceUnsuitable(StudyError):
    """The device does not meet the study's requirements."""

    def __init__(self) -> None:
        super().__init__(
            gettext("This device does not fit the study. Open the same link on a device that does.")
        )


class CheckFirst(StudyError):
    """The comprehension check must be passed before the trials."""

    status = 409

    def __init__(self) -> None:
        super().__init__(gettext("Answer the questions about the instructions first."))


class AlreadyBegun(StudyError):
    """The platform ID has already started, and the browser cannot prove that it is the same person.

    Anyone can add another person's platform ID to a link.
    """

    status = 409

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "This platform ID has already started this study. Continue in the browser where "
                "you started, or contact the people who run the study."
            )
        )


class LinkEnded(StudyError):
    """The participant's link is closed."""

    status = 410


class NoPlaceLeft(StudyError):
    """All places are taken, by participants who finished or by some who may still leave."""

    status = 409

    def __init__(self, is_final: bool) -> None:
        super().__init__(
            gettext("This study has enough participants. Thank you for your interest.")
            if is_final
            else gettext(
                "All places are taken at the moment. Thank you for your interest. A place may "
                "become free: try again in an hour."
            )
        )


class NotAgreed(StudyError):
    """Consent is required."""

    def __init__(self) -> None:
        super().__init__(gettext("To take part, tick the box to agree."))


class Withdrawn(StudyError):
    """The participant has withdrawn; nothing more is stored."""

    status = 410

    def __init__(self) -> None:
        super().__init__(
            gettext("You withdrew from this study: your scores were deleted; no more are accepted.")
        )


class TooManyArrivals(StudyError):
    """Too many people have started from one address within an hour."""

    status = 429

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "Too many people have started from this network within the last hour. "
                "Try again later, or tell the researcher."
            )
        )
