"""Texts in the reader's language, and those that come with the program in every language.

`gettext` and `ngettext` translate at once, into the language of the request; without a request they
return the English text.
"""

from flask_babel import gettext, ngettext

__all__ = ["gettext", "ngettext", "shipped", "translatable"]

ENGLISH = "en"
LONGEST_CODE = 12

_texts: set[str] = set()


def translatable(text: str) -> str:
    """Mark a text for translation that is stored or shown in English first.

    Parameters
    ----------
    text : str
        A literal, so that it is found in the source.

    Returns
    -------
    str
        The same text; `shipped` translates it.
    """
    _texts.add(text)
    return text


def shipped(text: str) -> str:
    """Translate a text that comes with the program; return any other as it was written.

    A researcher who leaves the first consent text as it is has it in every language.
    """
    return gettext(text) if text in _texts else text


def is_shipped(text: str) -> bool:
    """Whether a text comes with the program."""
    return text in _texts
