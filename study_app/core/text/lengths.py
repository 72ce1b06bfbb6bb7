"""Texts that people write: stored whole or refused, never cut."""

from study_app.core.errors import StudyError
from study_app.core.text.languages import gettext


class TextTooLong(StudyError):
    """A text that is longer than its field."""

    def __init__(self, what: str, length: int, longest: int) -> None:
        super().__init__(
            gettext(
                "%(what)s has %(length)s characters; at most %(longest)s can be saved. Shorten it.",
                what=what,
                length=f"{length:,}",
                longest=f"{longest:,}",
            )
        )


def whole(text: str, longest: int, what: str) -> str:
    """A text from a form as it is stored: without surrounding spaces, with line ends normalised.

    Parameters
    ----------
    text : str
    longest : int
        Maximum number of characters.
    what : str
        The name of the field, capitalised for the beginning of a sentence.

    Raises
    ------
    TextTooLong
    """
    cleaned = text.replace("\r\n", "\n").strip()
    if len(cleaned) > longest:
        raise TextTooLong(what, len(cleaned), longest)
    return cleaned
