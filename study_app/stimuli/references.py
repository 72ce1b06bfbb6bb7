"""Uses of sets, stimuli and decks: rows of other tables that refer to them."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Column, Select, func, select
from sqlalchemy.orm import Session

from basics.plurals import counted
from study_app.models import Base, Deck, DeckCard, Stimulus, StimulusSet


def records_of(session: Session, members: Mapping[str, Select[int]]) -> str:
    """The number of rows in other tables that refer to some sets, stimuli or decks, in words.

    Every table that refers to them is counted, so new kinds of records are protected too.

    Parameters
    ----------
    session : Session
    members : dict of str to select
        Name of a table to a query for the ids.
    """
    counts: dict[str, int] = {}
    for target, ids in members.items():
        for column in references_to(target):
            count = session.scalars(select(func.count()).where(column.in_(ids))).one()
            counts[column.table.name] = max(counts.get(column.table.name, 0), count)
    return ", ".join(_counted(count, name) for name, count in counts.items() if count)


def references_to(target: str) -> list[Column[Any]]:
    """The columns of other tables that refer to the ids of a table."""
    own = {table.__tablename__ for table in (Stimulus, StimulusSet, Deck, DeckCard)}
    return [
        key.parent
        for table in Base.metadata.sorted_tables
        if table.name not in own
        for key in table.foreign_keys
        if key.column.table.name == target and key.column.name == "id"
    ]


def _counted(count: int, table: str) -> str:
    noun = table.replace("_", " ")
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return counted(count, noun, plural)
