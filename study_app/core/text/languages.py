"""Translation of texts, and texts that are shipped in every language.

`gettext` and `ngettext` translate into the language of the request; without a request they return
the English text. `rgettext`, `rngettext` and `rtranslatable` are the same for texts that only
researchers read: their catalogue is another one, and without a request, as in a job, the texts can
be translated later, by `worded`.
"""

import unicodedata
from typing import Any

from flask import has_request_context
from flask_babel import force_locale, gettext, ngettext

from basics.wordings import Wording
from study_app.core.text.wordings import worded

__all__ = [
    "gettext",
    "in_number",
    "ngettext",
    "rcounted",
    "rgettext",
    "rngettext",
    "rtranslatable",
    "share_in_words",
    "shipped",
    "translatable",
]

ENGLISH = "en"
LONGEST_CODE = 12

_texts: set[str] = set()


def rgettext(text: str, /, **values: Any) -> str:
    """A text for researchers."""
    wording = Wording(text, **values)
    return worded(wording) if has_request_context() else wording


def rngettext(one: str, many: str, number: int, /, **values: Any) -> str:
    """A text for researchers with a number."""
    wording = Wording(one, many, number, **values)
    return worded(wording) if has_request_context() else wording


def rtranslatable(text: str) -> str:
    """Mark a text of researchers' pages that a template translates when it shows it."""
    return text


def translatable(text: str) -> str:
    """Mark a text for translation that is stored or shown in English first.

    Parameters
    ----------
    text : str
        A literal, so that the extraction finds it.

    Returns
    -------
    str
        The same text; `shipped` translates it.
    """
    _texts.add(text)
    return text


def rcounted(one: str, many: str) -> tuple[str, str]:
    """Mark the singular and the plural of a text with `%(count)s`, for `in_number`."""
    return one, many


def in_number(texts: tuple[str, str], number: int, /, **values: Any) -> str:
    """A text of `rcounted` with its number, which has a comma as thousands separator."""
    return rngettext(*texts, number, count=f"{number:,}", **values)


def share_in_words(part: int, whole: int) -> str:
    """ "3 of 12", for researchers."""
    return rgettext("%(part)s of %(whole)s", part=part, whole=whole)


def shipped(text: str) -> str:
    """Translate a text that is shipped with the program; return any other unchanged.

    So the default consent text is in every language until a researcher edits it.
    """
    return gettext(text) if text in _texts else text


def is_shipped(text: str) -> bool:
    """Whether a text is shipped with the program."""
    return text in _texts


def shipped_in(text: str, language: str) -> str:
    """A text as people read it in a language, as a field shows it to whoever may change it.

    Parameters
    ----------
    text : str
        As it is stored.
    language : str
        As HTML names it; empty for that of each browser, then the text stays as it is stored.
    """
    if not language:
        return text
    with force_locale(language.replace("-", "_")):
        return shipped(text)


def as_stored(text: str, language: str) -> str:
    """The other way round: a text that was left as `shipped_in` showed it, as it is stored.

    It then still comes with the program, and follows a change of the language.
    """
    left = unicodedata.normalize("NFC", text).strip()
    for one in _texts:
        if unicodedata.normalize("NFC", shipped_in(one, language)).strip() == left:
            return one
    return text
