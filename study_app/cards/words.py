"""The words on cards, in the language of a study."""

from dataclasses import astuple

from flask_babel import force_locale

from printables.artwork.fonts import typeface
from printables.sheets.face import ENGLISH, CardWords
from study_app.core.languages import gettext


def words_in(language: str) -> CardWords:
    """The words on cards; in English where the typeface cannot show the language.

    Parameters
    ----------
    language : str
        As HTML names it.
    """
    with force_locale(language.replace("-", "_")):
        words = CardWords(
            # NOTE: on a printed card; a deck is one of several copies of all cards
            card=gettext("Card %(number)s · Deck %(letter)s"),
            # NOTE: the same on a small card, without the word for "card"
            short=gettext("%(number)s · Deck %(letter)s"),
            # NOTE: on a card that stands for a group of cards on the table; group 1, group 2, …
            group=gettext("Group %(number)s"),
            # NOTE: on a group's card, under "Group 1": whoever scans its code starts the group
            start=gettext("scan to start this group"),
            # NOTE: on a group's card, where other cards name their deck
            header=gettext("header card"),
        )
    is_shown = all(typeface(bold).can_show("".join(astuple(words))) for bold in (False, True))
    return words if is_shown else ENGLISH
