"""Statements that every save sends, with their text written once for each kind of database."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, CursorResult, Dialect
from sqlalchemy.sql.elements import ClauseElement


class _Written(NamedTuple):
    text: str
    # The names of its values in the order of their places; None if the text names them.
    order: Sequence[str] | None
    constants: Mapping[str, Any]
    conversions: Sequence[tuple[str, Callable[[Any], Any]]]

    def values(self, named: Mapping[str, Any]) -> Any:
        values = {**self.constants, **named}
        for name, convert in self.conversions:
            values[name] = convert(values[name])
        return values if self.order is None else tuple([values[name] for name in self.order])


class Prepared:
    """A statement whose text is written once, for what runs hundreds of times per second.

    SQLAlchemy looks up the text of a statement each time it is sent, and prepares its values and
    rows, which takes longer than a small statement itself. Here only values are converted: rows may
    have numbers and texts, but no times and no JSON.

    Parameters
    ----------
    statement : sqlalchemy statement
    columns : sequence of str
        The columns that an INSERT fills, if it does not name them. Each row must have them all:
        defaults are not filled in.
    """

    def __init__(self, statement: ClauseElement, columns: Sequence[str] = ()) -> None:
        self._statement, self._columns = statement, list(columns) or None
        self._written_for: dict[str, _Written] = {}

    def send(
        self, connection: Connection, values: Mapping[str, Any]
    ) -> "CursorResult[*tuple[Any, ...]]":
        """Run it once."""
        written = self._for(connection.dialect)
        return connection.exec_driver_sql(written.text, written.values(values))

    def send_rows(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run it for each row."""
        written = self._for(connection.dialect)
        connection.exec_driver_sql(written.text, [written.values(row) for row in rows])

    def _for(self, dialect: Dialect) -> _Written:
        if dialect.name not in self._written_for:
            self._written_for[dialect.name] = self._write(dialect)
        return self._written_for[dialect.name]

    def _write(self, dialect: Dialect) -> _Written:
        compiled: Any = self._statement.compile(dialect=dialect, column_keys=self._columns)
        constants, conversions = {}, []
        for name, bound in compiled.binds.items():
            if bound.value is not None and not bound.required:
                constants[name] = bound.value
            convert = bound.type.dialect_impl(dialect).bind_processor(dialect)
            if convert is not None:
                conversions.append((name, convert))
        return _Written(str(compiled), compiled.positiontup, constants, conversions)
