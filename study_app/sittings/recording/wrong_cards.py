"""Why a card does not belong on a table: a code with its facts, and the sentence they make."""

from collections.abc import Mapping
from typing import Any

from study_app.core.errors import StudyError
from study_app.models import Stimulus

SENTENCES = {
    "unreadable": "{reason}.",
    "no_header": "There is no header card {header}; they go from 1 to {most}.",
    "not_in_deck": "Deck {deck} of {set!r} has no card {card}; check the number.",
    "no_longer": "The set {set!r} has no card {card} any more; lay it aside.",
    "other_deck": "Card {card} is of deck {its_deck}; this table sorts deck {deck}. "
    "Take it back, and look for card {card} of deck {deck}.",
    "not_in_part": "Card {card} is not in deck {deck}, which holds a part of the set; "
    "lay it aside.",
    "older_edition": "Card {card} is of the older edition {its_edition}; deck {deck} is in edition "
    "{edition}: lay it aside and look for the newer card {card}.",
    "unknown_edition": "Card {card} is of the unknown edition {its_edition}; deck {deck} is in "
    "edition {edition}: this table may have been planned with another print; print the deck again.",
    "other_study": "Card {card} of set number {set_number} is not of this study; lay it aside.",
    "other_set": "Card {card} is of the set {its_set!r}; this table sorts {set!r}. "
    "Take it back to the {its_set!r} deck {its_deck}.",
    "twice": "Card {card} appears twice; one is a reprint: remove it.",
}


class WrongCard(StudyError):
    """A card that does not belong on this table.

    Attributes
    ----------
    code : str
        Of `SENTENCES`.
    facts : dict
        What the sentence names, as plain values.
    stimulus : Stimulus or None
        What it shows, where that is known.
    """

    status = 409

    def __init__(self, code: str, facts: Mapping[str, Any], stimulus: Stimulus | None = None):
        super().__init__(SENTENCES[code].format_map(facts))
        self.code, self.facts, self.stimulus = code, dict(facts), stimulus


def in_words(wrong: Mapping[str, Any]) -> str:
    """The sentence of a stored finding; older rows hold the sentence itself."""
    if "refused" in wrong:
        return str(wrong["refused"])
    return SENTENCES[wrong["code"]].format_map(wrong["facts"])
