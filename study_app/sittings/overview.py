"""The sittings of a study at a glance."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from printables.cards import codes
from study_app.models import Deck, DeckCard, Event, Scan, Sitting, Stimulus, StimulusSet
from study_app.sittings import sittings


@dataclass(frozen=True)
class Line:
    """One sitting in the list.

    Attributes
    ----------
    sitting : Sitting
    deck : str
        Its letter; empty where it was sorted elsewhere.
    placed, cards : int
        Cards in a group, and cards of the deck.
    groups : int
    again : Sitting or None
        Its double entry, once that is finished.
    """

    sitting: Sitting
    deck: str
    placed: int
    cards: int
    groups: int
    again: Sitting | None


def lines(session: Session, study_id: int) -> list[Line]:
    """Every sitting with how far it is; a double entry stands with its first."""
    every = sittings.all_of(session, study_id)
    placed, sizes = _placed(session, study_id), _sizes(session, study_id)
    again = {s.first_entry_id: s for s in every if s.first_entry_id and s.state == "finished"}
    return [
        Line(
            sitting=s,
            deck=codes.deck_letter(s.deck_number) if s.deck_number else "",
            placed=placed.get(s.id, (0, 0))[0],
            cards=sizes.get((s.set_id, s.deck_number)) or sizes.get((s.set_id, None), 0),
            groups=placed.get(s.id, (0, 0))[1],
            again=again.get(s.id),
        )
        for s in every
        if s.first_entry_id is None
    ]


def _placed(session: Session, study_id: int) -> dict[int, tuple[int, int]]:
    """Cards and groups of each sitting: the newest row of a card says where it lies."""
    newest = (
        select(func.max(Scan.id).label("id"))
        .join(Event, Scan.event_id == Event.id)
        .join(Sitting, Event.sitting_id == Sitting.id)
        .where(Sitting.study_id == study_id)
        .group_by(Event.sitting_id, Scan.stimulus_id)
        .subquery()
    )
    query = (
        select(Event.sitting_id, func.count(), func.count(Scan.group_id.distinct()))
        .join(Event, Scan.event_id == Event.id)
        .join(newest, Scan.id == newest.c.id)
        .where(Scan.group_id.is_not(None))
        .group_by(Event.sitting_id)
    )
    return {sitting: (cards, groups) for sitting, cards, groups in session.execute(query)}


def _sizes(session: Session, study_id: int) -> dict[tuple[int, int | None], int]:
    """Cards of each deck, and under None of each whole set."""
    whole = (
        select(Stimulus.set_id, func.count())
        .join(StimulusSet)
        .where(StimulusSet.study_id == study_id)
        .group_by(Stimulus.set_id)
    )
    decks = (
        select(Deck.set_id, Deck.number, func.count())
        .join(DeckCard, DeckCard.deck_id == Deck.id)
        .join(StimulusSet, Deck.set_id == StimulusSet.id)
        .where(StimulusSet.study_id == study_id)
        .group_by(Deck.set_id, Deck.number)
    )
    sizes = {(set_id, None): count for set_id, count in session.execute(whole)}
    return sizes | {(set_id, deck): count for set_id, deck, count in session.execute(decks)}
