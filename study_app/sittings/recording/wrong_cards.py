"""Reasons why a card does not belong on a table: a code with facts, and its sentence."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from basics.wordings import Wording
from study_app.core.errors import StudyError
from study_app.core.text.languages import translatable
from study_app.sittings.recording.cards import Card

SENTENCES = {
    "unreadable": "%(reason)s.",
    "several_numbers": translatable("%(text)s are several numbers; enter one card at a time."),
    "no_header": translatable(
        "There is no header card %(header)s; they are numbered 1 to %(most)s."
    ),
    "not_in_deck": translatable("Deck %(deck)s of %(set)s has no card %(card)s; check the number."),
    "no_longer": translatable("The set %(set)s has no card %(card)s any more; remove it."),
    "other_deck": translatable(
        "Card %(card)s is of deck %(its_deck)s; this sitting is for deck %(deck)s. Take it "
        "back, and look for card %(card)s of deck %(deck)s."
    ),
    "not_in_part": translatable(
        "Card %(card)s is not in deck %(deck)s, which has only a part of the set; remove it."
    ),
    "older_edition": translatable(
        "Card %(card)s is of the older edition %(its_edition)s; deck %(deck)s is in edition "
        "%(edition)s: remove it and look for the newer card %(card)s."
    ),
    "unknown_edition": translatable(
        "Card %(card)s is of the unknown edition %(its_edition)s; deck %(deck)s is in edition "
        "%(edition)s: this table may have been planned with another print; print the deck "
        "again."
    ),
    "other_study": translatable(
        "Card %(card)s of set number %(set_number)s does not belong to this study; remove it."
    ),
    "other_set": translatable(
        "Card %(card)s is of the set %(its_set)s; this sitting is for %(set)s. Take it back to "
        "the %(its_set)s deck %(its_deck)s."
    ),
    "twice": translatable("Card %(card)s appears twice; one is a reprint: remove it."),
    "twice_apart": translatable(
        "Card %(card)s appears twice, in groups %(first)s and %(second)s. Which is right?"
    ),
}
# For several cards with the same reason.
SENTENCES_OF_SEVERAL = {
    "other_deck": translatable(
        "%(count)s cards are of deck %(its_deck)s; this sitting is for deck %(deck)s. Take "
        "them back, and look for the same cards of deck %(deck)s."
    ),
    "not_in_part": translatable(
        "%(count)s cards are not in deck %(deck)s, which has only a part of the set; remove them."
    ),
    "older_edition": translatable(
        "%(count)s cards are of the older edition %(its_edition)s; deck %(deck)s is in edition "
        "%(edition)s: remove them and look for the newer cards."
    ),
    "other_study": translatable(
        "%(count)s cards of set number %(set_number)s do not belong to this study; remove them."
    ),
    "other_set": translatable(
        "%(count)s cards are of the set %(its_set)s; this sitting is for %(set)s. Take them "
        "back to the %(its_set)s deck %(its_deck)s."
    ),
}
# Facts that are quoted.
_NAMES = {"set", "its_set"}


class WrongCard(StudyError):
    """A card that does not belong on this table.

    Attributes
    ----------
    code : str
        A key of `SENTENCES`.
    facts : dict
        The values in the sentence.
    stimulus : Card or None
        The card, if known.
    """

    status = 409

    def __init__(self, code: str, facts: Mapping[str, Any], stimulus: Card | None = None):
        super().__init__(_worded(SENTENCES[code], facts))
        self.code, self.facts, self.stimulus = code, dict(facts), stimulus


def in_words(wrong: Mapping[str, Any]) -> str:
    """The sentence of a stored finding; older rows store the sentence itself."""
    if "refused" in wrong:
        return str(wrong["refused"])
    return _worded(SENTENCES[wrong["code"]], wrong["facts"])


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


def in_one_sentence(verdicts: Iterable[dict[str, Any]]) -> None:
    """Give the wrong cards in a frame that have the same reason one sentence and picture.

    Parameters
    ----------
    verdicts : iterable of dict
        As `known_cards.verdict` gives them; changed.
    """
    refused = [verdict for verdict in verdicts if "wrong" in verdict]
    for words, cards in by_reason(verdict["wrong"] for verdict in refused):
        for verdict in refused:
            if verdict["wrong"] in cards:
                verdict |= {"refused": words, "stimulus": cards[0]["stimulus"]}


def _of_all(cards: Sequence[Mapping[str, Any]]) -> str:
    if len(cards) == 1:
        return in_words(cards[0])
    facts = {**cards[0]["facts"], "count": len(cards)}
    return _worded(SENTENCES_OF_SEVERAL[cards[0]["code"]], facts)


def _worded(sentence: str, facts: Mapping[str, Any]) -> Wording:
    values = {name: repr(fact) if name in _NAMES else fact for name, fact in facts.items()}
    return Wording(sentence, **values)
