"""What lies on a table: a fold over the rows that were recorded, in the order of their numbers.

Rows are never changed. The last row of a card says where it lies, so a correction is one more row
and an undone event is answered by rows that put its cards back.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple, Protocol, TypeVar


class Row(NamedTuple):
    """A card that an event put into a group, or took off the table (group None).

    `undoes` is the event that the row's own event undoes, if that is what it does.
    """

    event: int
    stimulus: int
    group: int | None
    undoes: int | None = None


class Recorded(Protocol):
    """What an event left, and the event that this one undoes."""

    @property
    def event(self) -> int: ...

    @property
    def undoes(self) -> int | None: ...


Undoable = TypeVar("Undoable", bound=Recorded)


def fold(rows: Iterable[Row]) -> dict[int, int]:
    """Where each card lies now.

    Parameters
    ----------
    rows : iterable of Row, oldest first

    Returns
    -------
    dict of int to int
        Stimulus to group; the card placed last stands last. Cards taken away are absent.
    """
    placed: dict[int, int] = {}
    for row in rows:
        placed.pop(row.stimulus, None)
        if row.group is not None:
            placed[row.stimulus] = row.group
    return placed


def put_back(rows: Iterable[Row], event: int) -> dict[int, int | None]:
    """Where the cards of an event lay before it: what undoes it.

    Cards that a later event has touched are left as they are now: undoing an earlier event must not
    take back what was done since. What is undone already counts as never done.

    Returns
    -------
    dict of int to (int or None)
        Stimulus to the group it goes back to; None takes it off the table.
    """
    by_card = defaultdict(list)
    for row in rows:
        by_card[row.stimulus].append(row)
    back: dict[int, int | None] = {}
    for stimulus, its_rows in by_card.items():
        *before, last = [None, *standing(its_rows)]
        if last and last.event == event:
            back[stimulus] = before[-1].group if before[-1] else None
    return back


def groups_in_use(rows: Iterable[Row]) -> set[int]:
    """Groups that hold a card, or would hold one again if a later event were undone.

    The others were opened by events that are undone: their numbers are free again.
    """
    by_card = defaultdict(list)
    for row in rows:
        by_card[row.stimulus].append(row)
    return {row.group for its in by_card.values() for row in standing(its) if row.group is not None}


def standing(rows: Iterable[Undoable]) -> list[Undoable]:
    """The rows of one card, or of one group's words, that are not undone.

    Parameters
    ----------
    rows : iterable with `event` and `undoes`, oldest first

    Returns
    -------
    list
    """
    kept: list[Undoable] = []
    for row in rows:
        if kept and row.undoes == kept[-1].event:
            kept.pop()
        else:
            kept.append(row)
    return kept
