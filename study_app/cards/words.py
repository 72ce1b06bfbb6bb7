"""The words on cards, in the language of a study."""

from dataclasses import astuple

from babel import Locale
from flask_babel import force_locale, get_locale

from printables.artwork.fonts import typeface
from printables.sheets.face import ENGLISH, CardWords
from study_app.core.text.languages import gettext, rgettext


def words_in(language: str) -> CardWords:
    """The words on cards; in English where no font of this computer can show the language.

    Parameters
    ----------
    language : str
        As HTML names it.
    """
    words = _translated(language)
    return words if _is_shown(words) else ENGLISH


def note(language: str) -> str:
    """A sentence if the words stay English for want of a font; else empty."""
    if _is_shown(_translated(language)):
        return ""
    name = Locale.parse(language, sep="-").get_language_name(str(get_locale() or "en"))
    return rgettext(
        "The words on these cards are English: no font of this computer has all characters of "
        "%(language)s. Install one, such as Noto Sans CJK, and print again.",
        language=name,
    )


def _translated(language: str) -> CardWords:
    with force_locale(language.replace("-", "_")):
        return CardWords(
            # NOTE: on a printed card; a deck is one of several copies of all cards
            card=gettext("Card %(number)s · Deck %(letter)s"),
            # NOTE: the same on a small card, without the word for "card"
            short=gettext("%(number)s · Deck %(letter)s"),
            # NOTE: on a card that stands for a group of cards on the table; group 1, group 2, …
            group=gettext("Group %(number)s"),
            # NOTE: on a group's card, under "Group 1": scanning its code starts the group
            start=gettext("scan to start this group"),
            # NOTE: on a group's card, where other cards name their deck
            header=gettext("header card"),
        )


def _is_shown(words: CardWords) -> bool:
    return all(typeface(bold).can_show("".join(astuple(words))) for bold in (False, True))
