"""An installation has one server on SQLite; on PostgreSQL, servers share the lock."""

import time

import psycopg
import pytest
from sqlalchemy import create_engine, text

from study_app import create_app
from study_app.core import migrations
from study_app.core.config import Settings
from study_app.core.database import close, db, instance_lock
from study_app.core.database.instance_lock import InstallationHeld, installation
from tests.waiting import until


def test_the_lock_of_an_installation_is_exclusive(tmp_path):
    engine = create_engine("sqlite://")
    for together in (False, True):
        another = installation(engine, tmp_path, together=together)
        with installation(engine, tmp_path), pytest.raises(InstallationHeld):
            another.__enter__()
    with installation(engine, tmp_path):
        pass


def test_a_shared_database_cannot_be_replaced(postgres_url, tmp_path):
    one, other = (create_engine(Settings.of(database=postgres_url).database_url) for _ in range(2))
    refused, shared = installation(one, tmp_path), installation(other, tmp_path, together=True)
    with installation(one, tmp_path, together=True), shared, pytest.raises(InstallationHeld):
        refused.__enter__()
    refused = installation(other, tmp_path / "elsewhere", together=True)
    with installation(one, tmp_path), pytest.raises(InstallationHeld):
        refused.__enter__()
    with installation(other, tmp_path):
        pass
    one.dispose()
    other.dispose()


HOLDERS = text(
    "select pid from pg_locks join pg_database on pg_database.oid = database "
    "where locktype = 'advisory' and datname = current_database()"
)


def test_a_lock_lost_with_its_connection_is_acquired_again(postgres_url, tmp_path, monkeypatch):
    monkeypatch.setattr(instance_lock, "_WATCH_SECONDS", 0.05)
    one, other = (create_engine(Settings.of(database=postgres_url).database_url) for _ in range(2))
    with installation(one, tmp_path, together=True):
        with other.connect().execution_options(isolation_level="AUTOCOMMIT") as looking:
            (lost,) = looking.scalars(HOLDERS)
            looking.execute(text("select pg_terminate_backend(:pid)"), {"pid": lost})
            until(lambda: set(looking.scalars(HOLDERS)) - {lost})
        with pytest.raises(InstallationHeld):
            installation(other, tmp_path).__enter__()
    with installation(other, tmp_path):
        pass
    one.dispose()
    other.dispose()


@pytest.mark.parametrize("in_time", [True, False])
def test_a_lock_that_is_lost_while_no_connection_is_free(
    postgres_url, tmp_path, monkeypatch, in_time
):
    """It is acquired again later, or released without an error."""
    monkeypatch.setattr(instance_lock, "_WATCH_SECONDS", 0.05)
    address = Settings.of(database=postgres_url).database_url
    one = create_engine(address, pool_size=1, max_overflow=0, pool_timeout=0.1)
    with (
        psycopg.connect(postgres_url, autocommit=True) as looking,
        installation(one, tmp_path, together=True),
    ):
        (lost,) = looking.execute(HOLDERS.text).fetchone()
        used = one.connect()
        looking.execute("select pg_terminate_backend(%s, 5000)", [lost])
        # Some tries without success.
        time.sleep(0.5)
        if in_time:
            used.close()
            until(lambda: looking.execute(HOLDERS.text).fetchone())
    used.close()
    one.dispose()


def test_a_server_that_waited_for_an_upgrade_starts_beside_the_one_that_upgraded(
    postgres_url, tmp_path, monkeypatch
):
    """One host upgrades and serves; the other one waits for the lock and has nothing to upgrade."""
    settings = Settings.of(tmp_path / "a", postgres_url)
    first = create_app(settings)
    with first.app_context():
        engine = db.engine
    looks = iter([False])
    monkeypatch.setattr(migrations, "is_current", lambda _engine: next(looks, True))
    with installation(engine, tmp_path, together=True):
        close(create_app(Settings.of(tmp_path / "b", postgres_url)))
    close(first)
