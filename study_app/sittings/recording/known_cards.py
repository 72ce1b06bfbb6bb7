"""The cards that belong on a table, and the error for any other card."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from sqlalchemy import bindparam, or_, select
from sqlalchemy.orm import Session

from printables.cards import codes
from printables.cards.card import CardLayout
from printables.errors import PaperError
from printables.reading.deck.known_deck import KnownDeck
from study_app.models import Deck, DeckCard, Sitting, Stimulus, StimulusSet
from study_app.sittings.recording.cards import Card, cards_where
from study_app.sittings.recording.wrong_cards import WrongCard

HEADER_CARDS = 200
# A code may be typed in its printed parts, of which one begins with a zero.
_NUMBERS = re.compile(r"\d{1,5}(?P<more>([\s,;]+[1-9]\d{0,4})+)?")

_OF_DECK = (
    select(DeckCard.stimulus_id)
    .join(Deck, Deck.id == DeckCard.deck_id)
    .where(Deck.set_id == bindparam("set_id"), Deck.number == bindparam("deck_number"))
)
# The cards of the printed deck, or of the whole set if it is not printed.
ON_TABLE = (
    Stimulus.set_id == bindparam("set_id"),
    or_(~_OF_DECK.exists(), _OF_DECK.where(DeckCard.stimulus_id == Stimulus.id).exists()),
)


@dataclass(frozen=True)
class TableDeck:
    """The deck that a sitting sorts.

    Attributes
    ----------
    set : StimulusSet
    number : int or None
        1 is deck A; None for an imported grouping.
    edition : int
        The edition whose cards belong on the table.
    stimuli : dict of int to Card
        By card number: every card that must end in one group.
    layout : CardLayout
        Size of its cards, and position of their codes.
    """

    set: StimulusSet
    number: int | None
    edition: int
    stimuli: Mapping[int, Card]
    layout: CardLayout = field(default_factory=CardLayout)

    @property
    def letter(self) -> str:
        """The deck's letter, as printed on its cards."""
        return codes.deck_letter(self.number) if self.number else ""

    def code(self, card: int) -> str:
        """The 14 digits of a card."""
        deck = self.number or 0
        return codes.encode(codes.CardCode(self.set.number, card, deck, self.edition))

    def known(self) -> KnownDeck:
        """Cards and header cards allowed on the table, in the form that the reader takes."""
        cards = [self.code(card) for card in self.stimuli]
        return KnownDeck((*cards, *header_codes()), self.layout)


@lru_cache(maxsize=1)
def header_codes() -> dict[str, int]:
    """Codes of all header cards, with the numbers of the groups that they start."""
    return {codes.encode(codes.header_code(n)): n for n in range(1, HEADER_CARDS + 1)}


def deck_of(session: Session, sitting: Sitting) -> TableDeck:
    """The cards of a sitting's table: its deck's, or the whole set's if no deck is printed."""
    deck = session.scalar(
        select(Deck).where(Deck.set_id == sitting.set_id, Deck.number == sitting.deck_number)
    )
    stimuli = {s.card: s for s in cards_where(session, *ON_TABLE, values=_of(sitting))}
    edition, card = (deck.edition, deck.card) if deck else (1, {})
    return TableDeck(sitting.set, sitting.deck_number, edition, stimuli, CardLayout(**card))


def lasting_deck_of(session: Session, sitting: Sitting) -> TableDeck:
    """As `deck_of`, but usable after the transaction: nothing of it is asked for again."""
    deck = deck_of(session, sitting)
    session.expunge(deck.set)
    return deck


def renewed(session: Session, sitting: Sitting, deck: TableDeck) -> TableDeck:
    """A deck that was asked for earlier, or the present one if it was reprinted since."""
    query = select(Deck.edition).where(
        Deck.set_id == deck.set.id, Deck.number == sitting.deck_number
    )
    now = (sitting.deck_number, session.scalar(query) or 1)
    return deck if now == (deck.number, deck.edition) else deck_of(session, sitting)


def _of(sitting: Sitting) -> dict[str, int | None]:
    return {"set_id": sitting.set_id, "deck_number": sitting.deck_number}


def identify(session: Session, deck: TableDeck, typed: str) -> tuple[Card | None, int | None]:
    """Find the card of this table for a code from a hand scanner, a person or a photo.

    Parameters
    ----------
    session : database session
    deck : TableDeck
    typed : str
        A code as received, through any keyboard layout, or a card number of this deck.

    Returns
    -------
    stimulus : Card or None
    header : int or None
        The group that a header card starts.

    Raises
    ------
    WrongCard
        If the card does not belong here; the message says why and what to do.
    """
    typed = typed.strip()
    numbers = _NUMBERS.fullmatch(typed)
    if numbers and numbers["more"]:
        raise WrongCard("several_numbers", {"text": repr(typed[:40])})
    if numbers:
        return _by_number(deck, int(typed)), None
    try:
        code = codes.decode(codes.restore_digits(typed))
    except PaperError as error:
        raise WrongCard("unreadable", {"reason": str(error)}) from error
    header = codes.header_group(code)
    if header is None:
        return _by_code(session, deck, code), None
    if header > HEADER_CARDS:
        raise WrongCard("no_header", {"header": header, "most": HEADER_CARDS})
    return None, header


def _by_number(deck: TableDeck, card: int) -> Card:
    if card not in deck.stimuli:
        raise WrongCard("not_in_deck", {"deck": deck.letter, "set": deck.set.name, "card": card})
    return deck.stimuli[card]


def _by_code(session: Session, deck: TableDeck, code: codes.CardCode) -> Card:
    """The stimulus of a code, if it is of this set, deck and edition."""
    if code.set_number != deck.set.number:
        raise _of_another_set(session, deck, code)
    stimulus = _card_of(session, deck.set, code)
    if stimulus is None:
        raise WrongCard("no_longer", {"set": deck.set.name, "card": code.card})
    if code.deck != deck.number:
        its_deck = codes.deck_letter(code.deck)
        facts = {"card": code.card, "its_deck": its_deck, "deck": deck.letter}
        raise WrongCard("other_deck", facts, stimulus)
    if code.edition != deck.edition:
        raise _of_another_edition(deck, code, stimulus)
    if code.card not in deck.stimuli:
        raise WrongCard("not_in_part", {"card": code.card, "deck": deck.letter}, stimulus)
    return stimulus


def _card_of(session: Session, of_set: StimulusSet, code: codes.CardCode) -> Card | None:
    """The card of a set with the number in a code."""
    is_it = Stimulus.set_id == of_set.id, Stimulus.card == code.card
    return next(iter(cards_where(session, *is_it)), None)


def _of_another_edition(deck: TableDeck, code: codes.CardCode, stimulus: Card) -> WrongCard:
    older = code.edition < deck.edition
    facts = {
        "card": code.card,
        "its_edition": code.edition,
        "deck": deck.letter,
        "edition": deck.edition,
    }
    return WrongCard("older_edition" if older else "unknown_edition", facts, stimulus)


def _of_another_set(session: Session, deck: TableDeck, code: codes.CardCode) -> WrongCard:
    other = session.scalar(select(StimulusSet).where(StimulusSet.number == code.set_number))
    if other is None or other.study_id != deck.set.study_id:
        facts = {"card": code.card, "set_number": code.set_number}
        return WrongCard("other_study", facts)
    stimulus = _card_of(session, other, code)
    its_deck = codes.deck_letter(code.deck)
    names = {"its_set": other.name, "set": deck.set.name, "its_deck": its_deck}
    return WrongCard("other_set", {"card": code.card, **names}, stimulus)


def verdict(session: Session, deck: TableDeck, typed: str) -> dict[str, Any]:
    """The result of `identify`, as plain values for a page.

    Returns
    -------
    dict
        {"stimulus": id}, {"header": group}, or {"refused": sentence, "stimulus": id or None,
        "wrong": the reason, as photos store it}.
    """
    try:
        stimulus, header = identify(session, deck, typed)
    except WrongCard as wrong:
        shown = wrong.stimulus and wrong.stimulus.id
        reason = {"code": wrong.code, "facts": wrong.facts, "stimulus": shown}
        return {"refused": str(wrong), "stimulus": shown, "wrong": reason}
    return {"header": header} if stimulus is None else {"stimulus": stimulus.id}
