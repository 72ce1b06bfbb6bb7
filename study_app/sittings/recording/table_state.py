"""The state of a table: a fold over the recorded rows, in the order of their numbers.

Rows are never changed. The last row of a card gives its group, so a correction is one more row,
and undoing an event adds rows that put its cards back.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple, Protocol, TypeVar


class Row(NamedTuple):
    """A card that an event put into a group, or removed from the table (group None).

    `undoes` is the event that the row's event undoes, if any; `how` the card was read, or "hand" if
    the conductor chose its group.
    """

    event: int
    stimulus: int
    group: int | None
    undoes: int | None = None
    how: str = ""


class Recorded(Protocol):
    """The result of an event, and the event that it undoes."""

    @property
    def event(self) -> int: ...

    @property
    def undoes(self) -> int | None: ...


Undoable = TypeVar("Undoable", bound=Recorded)


def fold(rows: Iterable[Row]) -> dict[int, int]:
    """Current group of each card.

    Parameters
    ----------
    rows : iterable of Row, oldest first

    Returns
    -------
    dict of int to int
        Stimulus to group, in the order of placement. Cards taken away are absent.
    """
    placed: dict[int, int] = {}
    for row in rows:
        placed.pop(row.stimulus, None)
        if row.group is not None:
            placed[row.stimulus] = row.group
    return placed


def put_back(rows: Iterable[Row], event: int) -> dict[int, int | None]:
    """Groups of an event's cards before it, to undo it.

    Cards changed by a later event are left as they are: undoing an earlier event must not revert
    later changes. Events already undone are ignored.

    Returns
    -------
    dict of int to (int or None)
        Stimulus to its previous group; None removes it from the table.
    """
    by_card = defaultdict(list)
    for row in rows:
        by_card[row.stimulus].append(row)
    back: dict[int, int | None] = {}
    for stimulus, its_rows in by_card.items():
        *before, last = [None, *not_undone(its_rows)]
        if last and last.event == event:
            back[stimulus] = before[-1].group if before[-1] else None
    return back


def groups_in_use(rows: Iterable[Row]) -> set[int]:
    """Groups that have a card, or would have one again if a later event were undone.

    The others were opened by events that have been undone; their numbers are free again.
    """
    by_card = defaultdict(list)
    for row in rows:
        by_card[row.stimulus].append(row)
    return {
        row.group for its in by_card.values() for row in not_undone(its) if row.group is not None
    }


def set_by_hand(rows: Iterable[Row]) -> dict[int, int | None]:
    """Cards whose group the conductor chose, each with the group that it was in before.

    Parameters
    ----------
    rows : iterable of Row, oldest first

    Returns
    -------
    dict of int to (int or None)
        Stimulus to its group before; None if it was in none. Cards taken away are absent.
    """
    by_card = defaultdict(list)
    for row in rows:
        by_card[row.stimulus].append(row)
    by_hand: dict[int, int | None] = {}
    for stimulus, its_rows in by_card.items():
        *before, last = [None, *not_undone(its_rows)]
        if last and last.how == "hand" and last.group is not None:
            by_hand[stimulus] = before[-1].group if before[-1] else None
    return by_hand


def not_undone(rows: Iterable[Undoable]) -> list[Undoable]:
    """The rows of one card, or of one group's name and note, that are not undone.

    Parameters
    ----------
    rows : iterable with `event` and `undoes`, oldest first

    Returns
    -------
    list
    """
    undoable: list[Undoable] = []
    for row in rows:
        if undoable and row.undoes == undoable[-1].event:
            undoable.pop()
        else:
            undoable.append(row)
    return undoable
