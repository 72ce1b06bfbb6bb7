"""Rows that refer to chosen rows, derived from the foreign keys of all tables."""

from collections.abc import Mapping

from sqlalchemy import ColumnElement, FromClause, false, or_, select

from study_app.models import Base

# A condition that selects rows of a table.
Rows = Mapping[FromClause, ColumnElement[bool]]


def with_references(
    chosen: Rows, *, one_way: bool = False
) -> dict[FromClause, ColumnElement[bool]]:
    """The chosen rows of some tables, and in every other table the rows that refer to them.

    References are followed from table to table. New tables are included automatically.
    Keys into the same table are ignored: such a row also refers to the chosen ones in another way.
    With `one_way`, one key that is never empty is enough: much quicker to count, and the same rows
    if no row refers to the chosen rows by one key only.
    """
    owned = dict(chosen)
    for table in Base.metadata.sorted_tables:
        keys = [
            key
            for key in sorted(table.foreign_keys, key=lambda key: key.parent.name)
            if key.column.table is not table and key.column.table in owned
        ]
        if one_way:
            keys = [key for key in keys if not key.parent.nullable][:1] or keys
        ways = [key.parent.in_(select(key.column).where(owned[key.column.table])) for key in keys]
        if ways and table not in chosen:
            owned[table] = or_(false(), *ways)
    return owned
