"""Statements whose text is written once: the same rows as SQLAlchemy's, on both databases."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import bindparam, create_engine, event, func, insert, literal, select
from sqlalchemy.exc import IntegrityError, OperationalError

from study_app.core.config import Settings
from study_app.core.database import engine_options
from study_app.core.database.prepared import Prepared
from study_app.models import AuditEntry

COLUMNS = ("at", "actor", "action", "subject", "name", "changes")
AT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
ENTRY = {"at": AT, "actor": "terminal", "action": "created", "subject": "study"}
ENTRY |= {"name": "50 % of „Stühle“", "changes": {"name": [None, "50 %"]}}
NAMED = select(AuditEntry.id, AuditEntry.name).where(
    AuditEntry.name == bindparam("name"), AuditEntry.actor == "terminal"
)


@pytest.fixture(params=["sqlite", "postgresql"])
def connection(request, tmp_path):
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else None
    engine = create_engine(Settings.of(tmp_path, url).database_url)
    tables = [AuditEntry.metadata.tables[name] for name in ("study", "researcher", "audit_entry")]
    with engine.begin() as connection:
        AuditEntry.metadata.create_all(connection, tables)
        yield connection
    engine.dispose()


def test_rows_are_stored_as_sqlalchemy_stores_them(connection):
    Prepared(insert(AuditEntry), COLUMNS).send_rows(connection, [ENTRY, ENTRY])
    connection.execute(insert(AuditEntry), [ENTRY])
    stored = connection.execute(select(*(getattr(AuditEntry, name) for name in COLUMNS))).all()
    assert stored == [tuple(ENTRY[name] for name in COLUMNS)] * 3


def test_it_sends_and_returns_the_same_as_sqlalchemy(connection):
    adding = Prepared(insert(AuditEntry).returning(AuditEntry.id), COLUMNS)
    numbers = [adding.send(connection, ENTRY | {"name": name})[0].id for name in "aba"]
    found = Prepared(NAMED).send(connection, {"name": "a"})
    assert found == connection.execute(NAMED, {"name": "a"}).all()
    assert [row.id for row in found] == [numbers[0], numbers[2]]
    assert {row.name for row in found} == {"a"}


def test_times_json_and_nothing_are_read_as_sqlalchemy_reads_them(connection):
    connection.execute(insert(AuditEntry), [ENTRY])
    every = select(AuditEntry)
    assert Prepared(every).send(connection, {}) == connection.execute(every).all()


def test_alone_it_begins_no_transaction(connection):
    Prepared(insert(AuditEntry), COLUMNS).send_rows(connection, [ENTRY])
    connection.commit()
    begun = []
    event.listen(connection.engine, "begin", begun.append)
    found = Prepared(NAMED).send_alone(connection.engine, {"name": ENTRY["name"]})
    assert (len(found), begun) == (1, [])


def test_errors_are_those_of_sqlalchemy_without_values(connection):
    adding = Prepared(insert(AuditEntry).returning(AuditEntry.id), COLUMNS)
    with pytest.raises(IntegrityError) as refused:
        adding.send(connection, ENTRY | {"actor": None})
    assert "INSERT INTO audit_entry" in str(refused.value)
    assert ENTRY["name"] not in str(refused.value.params)


def test_a_database_that_cannot_be_opened_is_an_error_of_sqlalchemy(tmp_path):
    engine = create_engine(f"sqlite:///{tmp_path / 'no folder' / 'a.sqlite3'}")
    with pytest.raises(OperationalError, match="unable to open database file"):
        Prepared(NAMED).send_alone(engine, {"name": "a"})


def test_a_lost_connection_is_not_used_again(postgres_url):
    engine = create_engine(Settings.of(".", postgres_url).database_url)
    asking = Prepared(select(literal(1).label("one")))
    with engine.connect() as connection:
        number = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        with engine.connect() as other:
            other.exec_driver_sql(f"SELECT pg_terminate_backend({number})")
        with pytest.raises(OperationalError) as lost:
            asking.send(connection, {})
        assert lost.value.connection_invalidated and connection.invalidated
    assert asking.send_alone(engine, {}) == [(1,)]
    engine.dispose()


def test_a_connection_that_ended_while_unused_is_replaced(postgres_url):
    engine = create_engine(Settings.of(".", postgres_url).database_url)
    asking = Prepared(select(literal(1).label("one")))
    with engine.connect() as connection:
        unused = connection.connection.driver_connection
    unused.close()
    assert asking.send_alone(engine, {}) == [(1,)]
    engine.dispose()


def test_after_a_rush_no_connection_is_closed_and_few_are_used(postgres_url):
    url = Settings.of(".", postgres_url).database_url
    engine = create_engine(url, **engine_options(url))
    rush = [engine.connect() for _ in range(16)]
    for connection in rush:
        connection.close()
    assert engine.pool.checkedin() == 16
    asking = Prepared(select(func.pg_backend_pid().label("number")))
    assert len({asking.send_alone(engine, {})[0].number for _ in range(5)}) == 1
    engine.dispose()


def test_a_message_does_not_end_a_connection(postgres_url):
    engine = create_engine(Settings.of(".", postgres_url).database_url)
    with engine.connect() as connection, engine.connect() as other:
        first = connection.connection.driver_connection
        first.autocommit = True
        first.execute("LISTEN news")
        first.autocommit = False
        connection.close()
        other.exec_driver_sql("NOTIFY news")
        other.commit()
        with engine.connect() as again:
            assert again.connection.driver_connection is first
            assert again.exec_driver_sql("SELECT 1").scalar() == 1
    engine.dispose()


def test_a_row_with_a_missing_value_is_not_stored(connection):
    adding = Prepared(insert(AuditEntry), COLUMNS)
    with pytest.raises(KeyError, match="at"):
        adding.send(connection, {name: ENTRY[name] for name in COLUMNS if name != "at"})
