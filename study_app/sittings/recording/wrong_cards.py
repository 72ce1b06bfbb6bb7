"""Reasons why a card does not belong on a table: a code with facts, and its sentence."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from study_app.core.errors import StudyError
from study_app.models import Stimulus

SENTENCES = {
    "unreadable": "{reason}.",
    "no_header": "There is no header card {header}; they are numbered 1 to {most}.",
    "not_in_deck": "Deck {deck} of {set!r} has no card {card}; check the number.",
    "no_longer": "The set {set!r} has no card {card} any more; remove it.",
    "other_deck": "Card {card} is of deck {its_deck}; this sitting is for deck {deck}. "
    "Take it back, and look for card {card} of deck {deck}.",
    "not_in_part": "Card {card} is not in deck {deck}, which has only a part of the set; "
    "remove it.",
    "older_edition": "Card {card} is of the older edition {its_edition}; deck {deck} is in edition "
    "{edition}: remove it and look for the newer card {card}.",
    "unknown_edition": "Card {card} is of the unknown edition {its_edition}; deck {deck} is in "
    "edition {edition}: this table may have been planned with another print; print the deck again.",
    "other_study": "Card {card} of set number {set_number} does not belong to this study; "
    "remove it.",
    "other_set": "Card {card} is of the set {its_set!r}; this sitting is for {set!r}. "
    "Take it back to the {its_set!r} deck {its_deck}.",
    "twice": "Card {card} appears twice; one is a reprint: remove it.",
    "twice_apart": "Card {card} appears twice, in groups {first} and {second}. Which is right?",
}
# For several cards with the same reason.
SENTENCES_OF_SEVERAL = {
    "other_deck": "{count} cards are of deck {its_deck}; this sitting is for deck {deck}. "
    "Take them back, and look for the same cards of deck {deck}.",
    "not_in_part": "{count} cards are not in deck {deck}, which has only a part of the set; "
    "remove them.",
    "older_edition": "{count} cards are of the older edition {its_edition}; deck {deck} is in "
    "edition {edition}: remove them and look for the newer cards.",
    "other_study": "{count} cards of set number {set_number} do not belong to this study; "
    "remove them.",
    "other_set": "{count} cards are of the set {its_set!r}; this sitting is for {set!r}. "
    "Take them back to the {its_set!r} deck {its_deck}.",
}


class WrongCard(StudyError):
    """A card that does not belong on this table.

    Attributes
    ----------
    code : str
        A key of `SENTENCES`.
    facts : dict
        The values in the sentence.
    stimulus : Stimulus or None
        The card's stimulus, if known.
    """

    status = 409

    def __init__(self, code: str, facts: Mapping[str, Any], stimulus: Stimulus | None = None):
        super().__init__(SENTENCES[code].format_map(facts))
        self.code, self.facts, self.stimulus = code, dict(facts), stimulus


def in_words(wrong: Mapping[str, Any]) -> str:
    """The sentence of a stored finding; older rows store the sentence itself."""
    if "refused" in wrong:
        return str(wrong["refused"])
    return SENTENCES[wrong["code"]].format_map(wrong["facts"])


def by_reason(wrong: Iterable[Mapping[str, Any]]) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """Stored findings grouped by reason, each group with its sentence.

    Parameters
    ----------
    wrong : iterable of dict
        As stored with photos; overlapping photos can have the same card several times.
    """
    together: dict[str, dict[str, Mapping[str, Any]]] = {}
    for found in wrong:
        facts = {name: fact for name, fact in found.get("facts", {}).items() if name != "card"}
        several = found.get("code") in SENTENCES_OF_SEVERAL
        reason = repr((found["code"], sorted(facts.items()))) if several else in_words(found)
        together.setdefault(reason, {}).setdefault(in_words(found), found)
    return [(_of_all(list(cards.values())), list(cards.values())) for cards in together.values()]


def _of_all(cards: Sequence[Mapping[str, Any]]) -> str:
    if len(cards) == 1:
        return in_words(cards[0])
    facts = {**cards[0]["facts"], "count": len(cards)}
    return SENTENCES_OF_SEVERAL[cards[0]["code"]].format_map(facts)
