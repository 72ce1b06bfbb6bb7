"""The migrated database equals the models, and an upgrade harms no row."""

import re
import sqlite3
from datetime import UTC, datetime, timedelta

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, create_engine, select, text
from sqlalchemy.exc import IntegrityError

from study_app.core.config import Settings
from study_app.core.migrations import NewerDatabase, configuration, revisions, upgrade
from study_app.models import Base
from study_app.models.participation import WebTask

pytestmark = pytest.mark.slow

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def engine(tmp_path):
    engine = create_engine(f"sqlite:///{tmp_path / 'study.sqlite3'}")
    yield engine
    engine.dispose()


@pytest.fixture(params=["engine", "postgres_engine"])
def either_engine(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def postgres_engine(postgres_url):
    engine = create_engine(Settings.of(database=postgres_url).database_url)
    yield engine
    engine.dispose()


def _revisions():
    walk = ScriptDirectory.from_config(configuration()).walk_revisions()
    return [script.revision for script in walk][::-1]


def test_scripts_are_named_after_their_revisions():
    assert revisions() == _revisions()


def test_head_equals_the_models(either_engine):
    upgrade(either_engine)
    with either_engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_every_migration_runs_down_and_up_with_rows(either_engine):
    engine = either_engine
    first, *later = _revisions()
    with engine.connect() as connection:
        command.upgrade(configuration(connection), first)
    with engine.begin() as connection:
        connection.execute(
            text("insert into study values (1, 'Chairs', '', false, '2026-01-01 00:00:00')")
        )
        connection.execute(
            text("insert into stimulus_set values (1, 1, 1, 'chair', 0, '2026-01-01 00:00:00')")
        )
    for revision in [*later, *reversed([first, *later[:-1]]), *later]:
        with engine.connect() as connection:
            present = MigrationContext.configure(connection).get_current_revision()
            step = command.upgrade if revision > present else command.downgrade
            step(configuration(connection), revision)
            assert connection.execute(text("select count(*) from stimulus_set")).scalar() == 1
    studies = _rows(engine, "study")
    assert [(row["methods"], row["language"]) for row in studies] == [("both", "en")]


def test_earlier_withdrawals_are_reduced_to_the_bare_fact(either_engine):
    engine = either_engine
    people = [
        {"finished_at": NOW, "withdrawn_at": None},
        {"finished_at": NOW, "withdrawn_at": NOW + timedelta(hours=1)},
    ]
    tables = _with_sittings(engine, "0005", people)
    upgrade(engine)
    sitting, assigned = _reflected(engine)["web_sitting"], tables["assigned_query"]
    with engine.connect() as connection:
        assert connection.scalars(select(assigned.c.sitting_id)).all() == [1]
        named = select(sitting.c["finished_at", "withdrawn_at", "seen_at"])
        stays, gone = connection.execute(named.order_by(sitting.c.id)).all()
    assert stays.finished_at is not None and stays.withdrawn_at is None
    assert (gone.finished_at, gone.seen_at) == (None, gone.withdrawn_at)


def test_after_the_upgrade_the_token_of_a_link_opens_no_sitting(either_engine):
    hashes = ["of a personal link", "of an own address", "of an open link taken over"]
    tables = _with_sittings(either_engine, "0008", [{"token_hash": one} for one in hashes])
    link = tables["invitation"]
    more = [_filled(link, {"id": n, "token_hash": hashes[n - 2]}, NOW) for n in (2, 4)]
    with either_engine.begin() as connection:
        connection.execute(link.insert(), more)
    upgrade(either_engine)
    by_id = text("select token_hash from web_sitting order by id")
    with either_engine.connect() as connection:
        personal, own, taken_over = connection.scalars(by_id).all()
        links = connection.scalars(select(link.c.token_hash)).all()
    assert own == hashes[1] and len(links) == 3
    assert len({personal, own, taken_over} - set(links)) == 3
    assert all(re.fullmatch("[0-9a-f]{64}", one) for one in (personal, taken_over))
    with either_engine.connect() as connection:
        command.downgrade(configuration(connection), "0008")
        by_id = text("select token_hash from ranking_sitting order by id")
        assert connection.scalars(by_id).all() == [personal, own, taken_over]


def test_shared_columns_of_a_task_move_to_a_table_of_their_own_and_back(either_engine):
    own = {"id": 7, "name": "Alike?", "minutes": 20, "places": 28, "best": "high", "seed": 5}
    tables = _with_sittings(either_engine, "0009", [{}], task=own)
    before = _rows(either_engine, "ranking_task")
    upgrade(either_engine)
    (shared,), (rest,) = (_rows(either_engine, name) for name in ("web_task", "ranking_task"))
    assert (shared["method"], shared["name"], shared["minutes"]) == ("ranking", "Alike?", 20)
    assert rest.keys() & shared.keys() == {"id"}
    moved = {name: (rest | shared)[name] for name in (*before[0], "method")}
    assert moved == {**before[0], "method": "ranking"}
    assert [row["task_id"] for row in _rows(either_engine, "web_sitting")] == [7]
    assert [row["methods"] for row in _rows(either_engine, "study")] == ["ranking"]
    with either_engine.begin() as connection:
        more = _filled(tables["ranking_task"], {"study_id": 1, "name": "Next"}, NOW)
        more = {name: value for name, value in more.items() if name in shared and name != "id"}
        connection.execute(WebTask.__table__.insert(), {**more, "method": "other"})
        assert connection.scalar(text("select max(id) from web_task")) == 8
        connection.execute(text("delete from web_task where id = 8"))
    with either_engine.connect() as connection:
        command.downgrade(configuration(connection), "0009")
    assert _rows(either_engine, "ranking_task") == before


def test_values_of_exclusions_are_parsed_from_their_sentences_and_restored(either_engine):
    with either_engine.connect() as connection:
        command.upgrade(configuration(connection), "0023")
    tables = _reflected(either_engine)
    reasons = {
        "failed_checks": "failed 2 or more attention checks (3)",
        "fast_answers": "median response time below 1e+06 ms (1.23457e+06)",
        "fast_sitting": "took less than 5.5 minutes (4.88)",
        "same_answer": "90 % or more of the answers are the same (100)",
        "unfinished": "less than 50 % finished (12.5)",
    }
    thresholds = (2, 1_000_000, 5.5, 90, 50)
    rules = [
        {"id": n, "kind": kind, "threshold": most}
        for n, (kind, most) in enumerate(zip(reasons, thresholds, strict=True), 1)
    ]
    excluded = [{"id": n, "rule_id": n, "reason": one} for n, one in enumerate(reasons.values(), 1)]
    excluded += [{"id": 6, "reason": "late (5)"}, {"id": 7, "rule_id": 1, "reason": "by hand"}]
    with either_engine.begin() as connection:
        connection.execute(tables["study"].insert(), _filled(tables["study"], {"id": 1}, NOW))
        for name, rows in (("exclusion_rule", rules), ("exclusion", excluded)):
            for row in rows:
                connection.execute(tables[name].insert(), _filled(tables[name], row, NOW))
    before = sorted(_rows(either_engine, "exclusion"), key=lambda row: row["id"])
    upgrade(either_engine)
    stored = sorted(_rows(either_engine, "exclusion"), key=lambda row: row["id"])
    assert [row["value"] for row in stored] == [3, 1_234_570, 4.88, 100, 12.5, None, None]
    assert [row["reason"] for row in stored] == [""] * 5 + ["late (5)", "by hand"]
    with either_engine.connect() as connection:
        command.downgrade(configuration(connection), "0023")
    back = sorted(_rows(either_engine, "exclusion"), key=lambda row: row["id"])
    assert back == before


def test_endings_are_derived_from_earlier_columns(either_engine):
    people = [
        {"finished_at": None, "withdrawn_at": None},
        {"finished_at": NOW, "withdrawn_at": None},
        {"finished_at": NOW, "withdrawn_at": None, "time_up": True},
        {"finished_at": None, "withdrawn_at": NOW},
    ]
    tables = _with_sittings(either_engine, "0009", people)
    link = tables["invitation"]
    with either_engine.begin() as connection:
        connection.execute(link.update().values(kind="platform"))
    upgrade(either_engine)
    sittings = _rows(either_engine, "web_sitting")
    ended = [row["ending"] for row in sorted(sittings, key=lambda row: row["id"])]
    assert ended == [None, "complete", "time_up", "withdrew"]
    assert all(row["ready_at"] == row["agreed_at"] for row in sittings)
    assert [row["platform"] for row in _rows(either_engine, "invitation")] == ["prolific"]
    with either_engine.connect() as connection:
        command.downgrade(configuration(connection), "0012")
    back = sorted(_rows(either_engine, "ranking_sitting"), key=lambda row: row["id"])
    assert [bool(row["time_up"]) for row in back] == [False, False, True, False]


def test_sittings_of_earlier_versions_keep_their_rows_in_the_renamed_table(either_engine):
    _with_sittings(either_engine, "0009", [{}, {"token_hash": "second"}])
    with either_engine.connect() as connection:
        command.upgrade(configuration(connection), "0015")
    before, queries = (_rows(either_engine, name) for name in ("ranking_sitting", "assigned_query"))
    with either_engine.connect() as connection:
        command.upgrade(configuration(connection), "0016")
    assert _rows(either_engine, "web_sitting") == before
    assert _rows(either_engine, "assigned_query") == queries
    assert not [name for name in _names(either_engine) if "ranking_sitting" in name]
    third = _filled(_reflected(either_engine)["web_sitting"], {"number": 3}, NOW)
    del third["id"]
    with either_engine.begin() as connection:
        assert _insert(connection, "web_sitting", third) == 3
        with pytest.raises(IntegrityError), connection.begin_nested():
            connection.execute(text("update assigned_query set sitting_id = 99"))
        connection.execute(text("delete from web_sitting where id = 3"))
    with either_engine.connect() as connection:
        command.downgrade(configuration(connection), "0015")
    assert _rows(either_engine, "ranking_sitting") == before
    assert not [name for name in _names(either_engine) if "web_sitting" in name]


def _names(engine):
    """The names of tables, indexes, sequences and constraints in the database."""
    catalogue = {
        "sqlite": "select coalesce(sql, name) from sqlite_master",
        "postgresql": "select relname from pg_class union select conname from pg_constraint",
    }
    with engine.connect() as connection:
        names = connection.scalars(text(catalogue[engine.dialect.name])).all()
    # A column of the table "exclusion" has this name.
    return [str(name).replace("web_sitting_id", "") for name in names]


def _insert(connection, table, row):
    """The id of a row that the database numbers."""
    made = connection.execute(_reflected(connection)[table].insert(), row)
    return made.inserted_primary_key[0]


def _reflected(engine):
    """The tables as the database has them now."""
    tables = MetaData()
    tables.reflect(engine)
    return tables.tables


def _rows(engine, table):
    with engine.connect() as connection:
        return [dict(row._mapping) for row in connection.execute(text(f"select * from {table}"))]


def _with_sittings(engine, revision, sittings, task=None):
    """The tables of a revision, in which these people rank a query each."""
    with engine.connect() as connection:
        command.upgrade(configuration(connection), revision)
    tables = _reflected(engine)
    numbers = range(1, len(sittings) + 1)
    task = {"id": 1, **(task or {})}
    of_task = {"task_id": task["id"]}
    own = {**of_task, "invitation_id": 1, "consent_text_id": 1}
    rows = {
        "study": [{"id": 1}],
        "ranking_task": [{**task, "study_id": 1}],
        "picture": [{"sha256": "a"}],
        "stimulus_set": [{"id": 1, "study_id": 1}],
        "stimulus": [{"id": 1, "set_id": 1, "sha256": "a"}],
        "ranking_query": [{"id": 1, **of_task, "stimulus_id": 1}],
        "consent_text": [{"id": 1, **of_task}],
        "invitation": [{"id": 1, **of_task}],
        "participant": [{"id": n, "study_id": 1, "code": f"P{n}"} for n in numbers],
        "ranking_sitting": [
            {"id": n, "participant_id": n, "number": n, "token_hash": str(n), **own, **sitting}
            for n, sitting in zip(numbers, sittings, strict=True)
        ],
        "assigned_query": [{"id": n, "sitting_id": n, "query_id": 1} for n in numbers],
    }
    with engine.begin() as connection:
        for name, given in rows.items():
            filled = [_filled(tables[name], row, NOW) for row in given]
            connection.execute(tables[name].insert(), filled)
    return tables


def _filled(table, row, moment):
    """A row with something in every column that needs it."""
    blank = {"INTEGER": 1, "BIGINT": 1, "BOOLEAN": False, "JSON": "[]"}
    filled = {}
    for column in table.columns:
        kind = str(column.type).split("(")[0]
        if not column.nullable:
            filled[column.name] = moment if "TIME" in kind else blank.get(kind, "x")
    return {**filled, **row}


def test_the_database_is_copied_before_an_upgrade(engine, tmp_path):
    first, *later = _revisions()
    if not later:
        pytest.skip("there is one revision only")
    with engine.connect() as connection:
        command.upgrade(configuration(connection), first)
    upgrade(engine)
    copy = sqlite3.connect(tmp_path / f"study.before-{first}.sqlite3")
    assert copy.execute("select version_num from alembic_version").fetchone() == (first,)
    copy.close()


def test_a_database_of_a_newer_version_is_refused(engine):
    upgrade(engine)
    with engine.begin() as connection:
        connection.execute(text("update alembic_version set version_num = '9999'"))
    with pytest.raises(NewerDatabase, match="9999"):
        upgrade(engine)


def test_dropping_login_failures_keeps_the_researchers(either_engine):
    def column(name):
        with either_engine.connect() as connection:
            return connection.execute(text(f"select {name} from researcher")).scalar()

    with either_engine.connect() as connection:
        command.upgrade(configuration(connection), "0006")
    with either_engine.begin() as connection:
        kept = "'Ada', 'hash', 'key', 7, null, '2026-01-01 00:00:00'"
        connection.execute(
            text(
                "insert into researcher (name, password_hash, cookie_key, failures, locked_until,"
                f" created_at) values ({kept})"
            )
        )
    upgrade(either_engine)
    assert column("name") == "Ada"
    with either_engine.connect() as connection:
        command.downgrade(configuration(connection), "0006")
    assert column("name") == "Ada" and column("failures") == 0
