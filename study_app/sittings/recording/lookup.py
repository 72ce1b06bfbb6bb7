"""The current state of an event's cards and groups, and whether it is stored, in one statement."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Integer,
    String,
    bindparam,
    cast,
    literal_column,
    null,
    select,
    union_all,
)
from sqlalchemy.orm import Session

from study_app.core.database.prepared import Prepared
from study_app.models import Event, Group, Scan, Sitting, Stimulus
from study_app.sittings.recording.known_cards import ON_TABLE
from study_app.sittings.recording.sitting_lock import LockedSitting

Value = TypeVar("Value", int, str)
_GROUP_NOW = (
    select(Scan.group_id)
    .join(Event, Event.id == Scan.event_id)
    .where(Event.sitting_id == bindparam("sitting_id"), Scan.stimulus_id == Stimulus.id)
    .order_by(Scan.id.desc())
    .limit(1)
)
_NO_KEY = cast(null(), String(40))
_SENT = select(literal_column("3", Integer), Event.id, _NO_KEY, cast(null(), Integer)).where(
    Event.sitting_id == bindparam("sitting_id"), Event.client_id == bindparam("client_id")
)


def _found(of_cards: ColumnElement[bool], of_groups: ColumnElement[bool]) -> CompoundSelect[Any]:
    cards = select(literal_column("1", Integer), Stimulus.id, _NO_KEY, _GROUP_NOW.scalar_subquery())
    groups = select(literal_column("2", Integer), Group.id, Group.key, Group.number)
    of_sitting = Group.sitting_id == bindparam("sitting_id")
    return union_all(cards.where(*ON_TABLE, of_cards), groups.where(of_sitting, of_groups), _SENT)


# More cards and groups than these are rare in a save.
MOST_PREPARED = 64


@cache
def _prepared(cards: int, keys: int) -> Prepared:
    """The statement for so many cards and groups, built once, because every save runs one."""
    named = [bindparam(f"card{at}", type_=Integer) for at in range(cards)]
    of_groups = [bindparam(f"key{at}", type_=String) for at in range(keys)]
    return Prepared(_found(Stimulus.id.in_(named), Group.key.in_(of_groups)))


_OF_MANY = _found(
    Stimulus.id.in_(bindparam("cards", expanding=True)),
    Group.key.in_(bindparam("keys", expanding=True)),
)


class OpenGroup(NamedTuple):
    """A group that is on the table."""

    id: int
    number: int


class Found(NamedTuple):
    """The current state of an event's cards and groups.

    Attributes
    ----------
    cards : dict of int to (int or None)
        Its stimuli that belong on the table, each with its group. It is that of
        `table_state.fold`, without reading the rows of other cards.
    groups : dict of str to OpenGroup
        By key, those of its groups that are on the table.
    is_sent : bool
        Whether an event with its id is already stored.
    """

    cards: Mapping[int, int | None]
    groups: dict[str, OpenGroup]
    is_sent: bool


def found_by(
    session: Session,
    sitting: Sitting | LockedSitting,
    client_id: str,
    cards: Collection[int],
    keys: Collection[str],
) -> Found:
    """The current state for an event with these stimuli and these keys of groups."""
    asked: dict[str, Any] = {
        "sitting_id": sitting.id,
        "set_id": sitting.set_id,
        "deck_number": sitting.deck_number,
        "client_id": client_id,
    }
    connection = session.connection()
    rows: Sequence[Any]
    if max(len(cards), len(keys)) <= MOST_PREPARED:
        ids, names = _filled(cards, 0), _filled(keys, "")
        asked.update((f"card{at}", one) for at, one in enumerate(ids))
        asked.update((f"key{at}", one) for at, one in enumerate(names))
        rows = _prepared(len(ids), len(names)).send(connection, asked)
    else:
        asked["cards"], asked["keys"] = list(cards), list(keys)
        rows = connection.execute(_OF_MANY, asked).all()
    on_table: dict[int, int | None] = {}
    groups: dict[str, OpenGroup] = {}
    is_sent = False
    for kind, number, key, other in rows:
        if kind == 1:
            on_table[number] = other
        elif kind == 2:
            groups[key] = OpenGroup(number, other)
        else:
            is_sent = True
    return Found(on_table, groups, is_sent)


def _filled(values: Collection[Value], unused: Value) -> list[Value]:
    """The values, the last one repeated up to a power of two, so that there are few statements."""
    known = list(values) or [unused]
    return known + known[-1:] * ((1 << (len(known) - 1).bit_length()) - len(known))
