"""Overview of the sittings of a study."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from printables.cards import codes
from study_app.core.caching.cache import cached
from study_app.core.text.languages import rtranslatable
from study_app.models import Deck, DeckCard, Event, Scan, Sitting, Stimulus, StimulusSet
from study_app.participation.people import included
from study_app.sittings import sittings

STATES = (
    rtranslatable("planned"),
    rtranslatable("sorting"),
    rtranslatable("recording"),
    rtranslatable("finished"),
    rtranslatable("withdrawn"),
)
"""The states of a sitting, in their order."""


@dataclass(frozen=True)
class Line:
    """One sitting in the list.

    Attributes
    ----------
    sitting : Sitting
    deck : str
        Its letter; empty if imported.
    sizes : list of int
        Number of cards in each of its groups.
    cards : int
        Number of cards in the deck.
    again : Sitting or None
        Its double entry, once that is finished.
    excluded : bool
        Whether it, or an assessor of it, is left out of every result.
    """

    sitting: Sitting
    deck: str
    sizes: Sequence[int]
    cards: int
    again: Sitting | None
    excluded: bool

    @property
    def placed(self) -> int:
        """Cards in a group."""
        return sum(self.sizes)

    @property
    def groups(self) -> int:
        """Groups with a card."""
        return len(self.sizes)


def lines(
    session: Session,
    study_id: int,
    shown: Callable[[Sitting], bool] | None = None,
    every: Sequence[Sitting] | None = None,
) -> list[Line]:
    """Sittings with their progress, all or those shown; a double entry is with its first entry.

    `every` are all sittings of the study, if they are already read.
    """
    every = sittings.all_of(session, study_id) if every is None else every
    listed = [s for s in every if s.first_entry_id is None and (shown is None or shown(s))]
    count = partial(_group_sizes, session)
    found = cached().each(key_of(study_id), stamps_of(listed), count)
    sizes = _sizes(session, study_id)
    chosen = select(Sitting.id).where(Sitting.study_id == study_id, included.is_excluded_sitting())
    excluded = set(session.scalars(chosen))
    again = {s.first_entry_id: s for s in every if s.first_entry_id and s.state == "finished"}
    return [
        Line(
            sitting=s,
            deck=codes.deck_letter(s.deck_number) if s.deck_number else "",
            sizes=found.get(s.id, []),
            cards=sizes.get((s.set_id, s.deck_number)) or sizes.get((s.set_id, None), 0),
            again=again.get(s.id),
            excluded=s.id in excluded,
        )
        for s in listed
    ]


def key_of(study_id: int) -> tuple[str, int]:
    """The cache key of the sizes of groups."""
    return "group sizes", study_id


def stamps_of(listed: Iterable[Any]) -> dict[int, Hashable]:
    """The stamp of each sitting, which changes with every event."""
    return {sitting.id: (sitting.revision, sitting.started_at) for sitting in listed}


@dataclass(frozen=True)
class Filters:
    """Which sittings are listed; an empty field lists all.

    Attributes
    ----------
    find : str
        A part of the assessor's code.
    set_id : int or None
    state : str
    day : date or None
    """

    find: str = ""
    set_id: int | None = None
    state: str = ""
    day: date | None = None

    def fits(self, sitting: Sitting) -> bool:
        """Whether a sitting is listed."""
        return (
            self.find.lower() in sitting.assessor.lower()
            and self.set_id in (None, sitting.set_id)
            and self.state in ("", sitting.state)
            and self.day in (None, sitting.day)
        )


@dataclass(frozen=True)
class Grid:
    """Sittings as a table, with assessors as rows and sets as columns.

    Attributes
    ----------
    sets : list of StimulusSet
    rows : list of (str, list of (StimulusSet, list of Line))
        The assessor, and each set with their sittings of it, usually one.
    """

    sets: Sequence[StimulusSet]
    rows: Sequence[tuple[str, Sequence[tuple[StimulusSet, Sequence[Line]]]]]


def grid(listed: Sequence[Line]) -> Grid:
    """Arrange sittings by assessor and set, in the order of their first sitting."""
    sets = {line.sitting.set_id: line.sitting.set for line in listed}
    ordered = sorted(sets.values(), key=lambda one: one.number)
    by_assessor: dict[str, dict[int, list[Line]]] = {}
    for line in listed:
        own = by_assessor.setdefault(line.sitting.assessor, {})
        own.setdefault(line.sitting.set_id, []).append(line)
    rows = [
        (assessor, [(one, own.get(one.id, [])) for one in ordered])
        for assessor, own in by_assessor.items()
    ]
    return Grid(ordered, rows)


def in_order(listed: Sequence[Line]) -> list[Line]:
    """The sittings of a day, in the order in which each assessor sorts."""
    last = max((line.sitting.place_in_order or 0 for line in listed), default=0)
    return sorted(
        listed, key=lambda one: (one.sitting.place_in_order or last + 1, one.sitting.number)
    )


def _group_sizes(session: Session, ids: Sequence[int]) -> defaultdict[int, list[int]]:
    """The number of cards in each group of a sitting; the newest row of a card gives its group."""
    newest = (
        select(func.max(Scan.id).label("id"))
        .join(Event, Scan.event_id == Event.id)
        .where(Event.sitting_id.in_(ids))
        .group_by(Event.sitting_id, Scan.stimulus_id)
        .subquery()
    )
    query = (
        select(Event.sitting_id, func.count())
        .select_from(Scan)
        .join(Event, Scan.event_id == Event.id)
        .join(newest, Scan.id == newest.c.id)
        .where(Scan.group_id.is_not(None))
        .group_by(Event.sitting_id, Scan.group_id)
    )
    sizes: defaultdict[int, list[int]] = defaultdict(list)
    for sitting_id, cards in session.execute(query):
        sizes[sitting_id].append(cards)
    return sizes


def _sizes(session: Session, study_id: int) -> dict[tuple[int, int | None], int]:
    """Number of cards of each deck, and under None of each whole set."""
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
