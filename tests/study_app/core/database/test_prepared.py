"""Statements whose text is written once: the same rows as SQLAlchemy's, on both databases."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import bindparam, create_engine, event, insert, select

from study_app.core.config import Settings
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
    numbers = [adding.send(connection, ENTRY | {"name": name}).scalar_one() for name in "aba"]
    found = Prepared(NAMED).send(connection, {"name": "a"}).all()
    assert found == connection.execute(NAMED, {"name": "a"}).all()
    assert found == [(numbers[0], "a"), (numbers[2], "a")]


def test_the_text_is_written_once_and_event_listeners_see_it(connection):
    sent = []
    event.listen(connection, "before_cursor_execute", lambda *arguments: sent.append(arguments[2]))
    finding = Prepared(NAMED)
    for name in ("a", "b"):
        finding.send(connection, {"name": name})
    assert sent[0] is sent[1]


def test_a_row_with_a_missing_value_is_not_stored(connection):
    adding = Prepared(insert(AuditEntry), COLUMNS)
    with pytest.raises(KeyError, match="at"):
        adding.send(connection, {name: ENTRY[name] for name in COLUMNS if name != "at"})
