"""Rows that refer to chosen rows, derived from the foreign keys of all tables."""

from collections.abc import Mapping

from sqlalchemy import ColumnElement, FromClause, false, or_, select

from study_app.models import Base

# A condition that selects rows of a table.
Rows = Mapping[FromClause, ColumnElement[bool]]


def with_references(chosen: Rows) -> dict[FromClause, ColumnElement[bool]]:
    """The chosen rows of some tables, and in every other table the rows that refer to them.

    References are followed from table to table. New tables are included automatically.
    Keys into the same table are ignored: such a row also refers to the chosen ones in another way.
    """
    owned = dict(chosen)
    for table in Base.metadata.sorted_tables:
        ways = [
            key.parent.in_(select(key.column).where(owned[key.column.table]))
            for key in table.foreign_keys
            if key.column.table is not table and key.column.table in owned
        ]
        if ways and table not in chosen:
            owned[table] = or_(false(), *ways)
    return owned
