"""Existing names, notes and settled photos become events in revision 0005, without loss."""

import json

import pytest
from alembic import command
from sqlalchemy import create_engine, text

from study_app.core.config import Settings
from study_app.core.migrations import configuration

BEFORE = [
    "insert into study values (1, 'Chairs', '', false, '2026-01-01 00:00:00')",
    "insert into stimulus_set values (1, 1, 1, 'chair', 0, '2026-01-01 00:00:00')",
    "insert into picture values ('s', 'image/png', 'bitmap', 1, 1, 1, 's')",
    "insert into stimulus (id, set_id, card, name, sha256, created_at) "
    "values (1, 1, 1, 'one', 's', '2026-01-01 00:00:00')",
    "insert into sitting (id, study_id, number, set_id, state, revision, notes, missing_reason, "
    "created_at) values (1, 1, 1, 1, 'recording', 4, '', '', '2026-01-01 00:00:00')",
    "insert into sitting_group values (1, 1, 'x', 1, 'round', 'took long', '2026-01-02 00:00:00')",
    "insert into sitting_group values (2, 1, 'y', 2, '', '', '2026-01-02 00:00:00')",
    "insert into act (sitting_id, client_id, kind, reason, at) "
    "values (1, 'a', 'confirm', '', '2026-01-03 00:00:00')",
]
PHOTOS = [(1, "2026-01-03 00:00:00", [7]), (2, "2026-01-04 00:00:00", []), (3, None, [1, 2])]


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request, tmp_path):
    address = f"sqlite:///{tmp_path / 'study.sqlite3'}"
    if request.param == "postgres":
        address = Settings.of(database=request.getfixturevalue("postgres_url")).database_url
    engine = create_engine(address)
    yield engine
    engine.dispose()


def to(engine, revision):
    with engine.connect() as connection:
        step = command.downgrade if revision == "0004" else command.upgrade
        step(configuration(connection), revision)


def photos(connection, column):
    rows = connection.execute(text(f"select id, {column}, reading from photo order by id"))
    return [
        (n, settled, json.loads(r) if isinstance(r, str) else r) for n, settled, r in rows.all()
    ]


def test_migration_0005_with_rows(engine):
    with engine.connect() as connection:
        command.upgrade(configuration(connection), "0004")
    with engine.begin() as connection:
        for row in BEFORE:
            connection.execute(text(row))
        for number, settled, headers in PHOTOS:
            connection.execute(
                text("insert into photo values (:n, 1, :sha, 1, 1, 1, false, :r, :at, :settled)"),
                {
                    "n": number,
                    "sha": str(number),
                    "r": json.dumps({"cards": [], "headers": headers}),
                    "at": "2026-01-02 00:00:00",
                    "settled": settled,
                },
            )
        connection.execute(
            text("insert into scan values (1, 1, 1, 1, 'decoded', null, 1, '[[0, 0]]')")
        )
    to(engine, "0005")
    with engine.connect() as connection:
        described = connection.execute(
            text(
                "select kind, client_id, group_id, name, note from group_description d "
                "join act on act.id = d.act_id"
            )
        ).all()
        assert [tuple(row) for row in described] == [
            ("describe", "described-1", 1, "round", "took long")
        ]
        kinds = dict(map(tuple, connection.execute(text("select id, kind from act"))))
        found = photos(connection, "settled_by_id")
        assert [kinds.get(event) for _n, event, _r in found] == ["confirm", "set_aside", None]
        assert [[h["number"] for h in r["headers"]] for _n, _a, r in found] == [[7], [], [1, 2]]
        assert connection.execute(text("select count(*) from scan")).scalar() == 1
    to(engine, "0004")
    with engine.connect() as connection:
        groups = connection.execute(text("select name, note from sitting_group order by id")).all()
        assert [tuple(row) for row in groups] == [("round", "took long"), ("", "")]
        found = photos(connection, "settled_at")
        assert [r["headers"] for _n, _s, r in found] == [[7], [], [1, 2]]
        assert [str(s)[:10] for _n, s, _r in found] == ["2026-01-03", "2026-01-04", "None"]
    to(engine, "0005")
