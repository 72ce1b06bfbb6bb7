"""Texts that people write: stored whole or refused, never cut."""

import re

from study_app.core.errors import StudyError
from study_app.core.text.composing import composed
from study_app.core.text.languages import gettext

# Control characters except tab and line feed, which databases refuse, and the byte order mark.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff]")


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


def normalised(text: str) -> str:
    """A text in composed Unicode (NFC), with line feeds as line ends, and without control
    characters."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return composed(CONTROL.sub("", lines))


def whole(text: str, longest: int, what: str) -> str:
    """A text that was sent, as it is stored: normalised, without surrounding spaces.

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
    cleaned = normalised(text).strip()
    if len(cleaned) > longest:
        raise TextTooLong(what, len(cleaned), longest)
    return cleaned
