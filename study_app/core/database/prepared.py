"""Statements that every save sends, with their text written once for each kind of database."""

from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, Dialect, Engine
from sqlalchemy.exc import DBAPIError, StatementError
from sqlalchemy.pool import PoolProxiedConnection
from sqlalchemy.sql.selectable import ReturnsRows

# A named tuple, by the columns of its statement.
Row: TypeAlias = Any


class _Written(NamedTuple):
    text: str
    # The names of its values in the order of their places; None if the text names them.
    order: Sequence[str] | None
    constants: Mapping[str, Any]
    conversions: Sequence[tuple[str, Callable[[Any], Any]]]
    named: Callable[[Iterable[Any]], Row]
    readings: Sequence[tuple[int, Callable[[Any], Any]]]

    def values(self, named: Mapping[str, Any]) -> Any:
        values = {**self.constants, **named}
        for name, convert in self.conversions:
            values[name] = convert(values[name])
        return values if self.order is None else tuple([values[name] for name in self.order])

    def row(self, found: Sequence[Any]) -> Row:
        if self.readings:
            found = list(found)
            for at, read in self.readings:
                found[at] = read(found[at])
        return self.named(found)


class Prepared:
    """A statement whose text is written once, for what runs hundreds of times per second.

    SQLAlchemy looks up the text of a statement each time it is sent, and prepares its values and
    rows, which takes longer than a small statement itself. Here the driver runs it, and values and
    rows are converted as SQLAlchemy converts them. Listeners of the engine do not see it; errors
    are those of SQLAlchemy. Rows are named tuples.

    Parameters
    ----------
    statement : sqlalchemy statement
    columns : sequence of str
        The columns that an INSERT fills, if it does not name them. Each row must have them all:
        defaults are not filled in.
    """

    def __init__(self, statement: ReturnsRows, columns: Sequence[str] = ()) -> None:
        self._statement, self._columns = statement, list(columns) or None
        self._written_for: dict[str, _Written] = {}

    def send(self, connection: Connection, values: Mapping[str, Any]) -> list[Row]:
        """Run it once; returns its rows."""
        written = self._for(connection.dialect)
        with _cursor(connection, connection.dialect, written.text) as cursor:
            cursor.execute(written.text, written.values(values))
            return [written.row(row) for row in cursor.fetchall()]

    def send_alone(self, engine: Engine, values: Mapping[str, Any]) -> list[Row]:
        """Run it once outside a transaction, to read; returns its rows."""
        written = self._for(engine.dialect)
        try:
            driver = engine.raw_connection()
        except engine.dialect.loaded_dbapi.Error as fault:
            raise _of_sqlalchemy(fault, engine.dialect, written.text) from fault
        with (
            closing(driver),
            _without_transaction(driver, engine.dialect),
            _cursor(driver, engine.dialect, written.text) as cursor,
        ):
            cursor.execute(written.text, written.values(values))
            return [written.row(row) for row in cursor.fetchall()]

    def send_rows(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run it for each row; nothing is returned."""
        written = self._for(connection.dialect)
        sent = [written.values(row) for row in rows]
        with _cursor(connection, connection.dialect, written.text) as cursor:
            # `executemany` waits several times, also for a single row, and two times more for each
            # further one: each time, another thread takes its turn to compute.
            if len(sent) == 1:
                cursor.execute(written.text, sent[0])
            else:
                cursor.executemany(written.text, sent)

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
        columns: Any = self._statement.exported_columns
        # The type checker knows only names that stand in the code.
        row: Any = namedtuple("row", columns.keys(), rename=True)  # type: ignore[misc]
        readers = [
            column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns
        ]
        readings = [(at, read) for at, read in enumerate(readers) if read is not None]
        text, order = str(compiled), compiled.positiontup
        return _Written(text, order, constants, conversions, row._make, readings)


@contextmanager
def _cursor(
    connection: Connection | PoolProxiedConnection, dialect: Dialect, text: str
) -> Iterator[Any]:
    """A cursor of the driver, whose errors become those of SQLAlchemy."""
    driver = connection.connection if isinstance(connection, Connection) else connection
    try:
        with closing(driver.cursor()) as cursor:
            yield cursor
    except dialect.loaded_dbapi.Error as fault:
        is_lost = dialect.is_disconnect(fault, driver, None)
        if is_lost:
            connection.invalidate(fault)
        raise _of_sqlalchemy(fault, dialect, text, is_lost) from fault


@contextmanager
def _without_transaction(driver: PoolProxiedConnection, dialect: Dialect) -> Iterator[None]:
    """Send statements without BEGIN and ROLLBACK around them, for whose answers one would wait.

    Connections to SQLite send none by themselves.
    """
    if dialect.name != "postgresql":
        yield
        return
    connection: Any = driver.driver_connection
    connection.autocommit = True
    try:
        yield
    finally:
        if not connection.closed:
            connection.autocommit = False


def _of_sqlalchemy(
    fault: Exception, dialect: Dialect, text: str, is_lost: bool = False
) -> StatementError:
    """The error that SQLAlchemy raises for one of the driver, without values."""
    return DBAPIError.instance(
        text,
        None,
        fault,
        dialect.loaded_dbapi.Error,
        hide_parameters=True,
        connection_invalidated=is_lost,
        dialect=dialect,
    )
