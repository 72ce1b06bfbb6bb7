"""Two writers at once lose nothing, on either database."""

import os
import socket
import sqlite3
import subprocess
import sys
import threading

import psycopg
import pytest
from sqlalchemy import text

from study_app import create_app
from study_app.cli import main
from study_app.core.config import Settings
from study_app.core.database import connections, db, opened, scrub, writing
from study_app.models import Job
from study_app.studies import studies
from tests.waiting import until

INCREMENTS = 40

WRITER = f"""
import sys
from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import writing
from study_app.models import Job
app = create_app(Settings.of(sys.argv[1], sys.argv[2]))
for _ in range({INCREMENTS}):
    with app.app_context(), writing() as session:
        session.get(Job, 1, with_for_update=True).done += 1
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request, tmp_path):
    url = f"sqlite:///{tmp_path / 'study.sqlite3'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("upgraded_url")
    return Settings.of(tmp_path, url)


@pytest.fixture
def app(settings):
    app = create_app(settings)
    with opened(app):
        with writing() as session:
            session.add(Job(study_id=studies.make(session, "Chairs").id, kind="import"))
        yield app


def _done():
    db.session.rollback()
    return db.session.get(Job, 1).done


@pytest.mark.slow
def test_threads_that_read_then_write(app):
    def count():
        for _ in range(INCREMENTS):
            with app.app_context(), writing() as session:
                session.get(Job, 1, with_for_update=True).done += 1

    threads = [threading.Thread(target=count) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert _done() == 6 * INCREMENTS


@pytest.mark.slow
def test_processes_that_read_then_write(app, settings):
    command = [sys.executable, "-c", WRITER, str(settings.instance), settings.database_url]
    processes = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]
    assert _done() == 3 * INCREMENTS


def test_a_refused_write_leaves_nothing(app):
    with pytest.raises(RuntimeError), writing() as session:
        session.get(Job, 1).done = 7
        session.flush()
        raise RuntimeError
    assert _done() == 0


def test_sqlite_checks_foreign_keys_and_writes_synchronously(tmp_path):
    app = create_app(Settings.of(tmp_path, f"sqlite:///{tmp_path / 'study.sqlite3'}"))
    with opened(app):
        pragmas = {
            name: db.session.scalar(text(f"pragma {name}"))
            for name in ("foreign_keys", "journal_mode", "synchronous")
        }
    assert pragmas == {"foreign_keys": 1, "journal_mode": "wal", "synchronous": 2}


def test_connections_that_the_server_closed_are_replaced_before_they_are_used(
    upgraded_url, tmp_path
):
    with opened(create_app(Settings.of(tmp_path, upgraded_url))):
        waiting = [db.engine.connect() for _ in range(3)]
        numbers = [one.scalar(text("select pg_backend_pid()")) for one in waiting]
        for one in waiting:
            one.close()
        with psycopg.connect(upgraded_url, autocommit=True) as other:
            other.execute("select pg_terminate_backend(pid) from unnest(%s) as pid", [numbers])
            left = "select count(*) from pg_stat_activity where pid = any(%s)"
            until(lambda: other.execute(left, [numbers]).fetchone() == (0,))
        for _ in range(4):
            with db.engine.connect() as connection:
                assert connection.scalar(text("select pg_backend_pid()")) not in numbers


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="not on this system")
def test_a_database_server_that_disappears_is_noticed_within_a_minute(upgraded_url, tmp_path):
    """Whether the connection waits, or has sent what was not received."""
    app = create_app(Settings.of(tmp_path, upgraded_url))
    with opened(app), db.engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert driver.info.get_parameters()["connect_timeout"] == "10"
        with socket.socket(fileno=os.dup(driver.fileno())) as used:
            timeout = used.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
            idle = used.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE)
    assert (timeout, idle) == (60_000, 30)


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_without_unicode_is_refused_in_one_sentence(
    postgres_url, tmp_path, capsys, encoding
):
    name = f"{postgres_url.rpartition('/')[2]}_other"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(
            f"create database {name} encoding {encoding} locale 'C' template template0"
        )
        try:
            with pytest.raises(SystemExit):
                address = f"{postgres_url.rpartition('/')[0]}/{name}"
                main(["serve", "--instance", str(tmp_path), "--database", address])
        finally:
            connection.execute(f"drop database {name} with (force)")
    errors = capsys.readouterr().err
    assert f"encoding {encoding}" in errors and "UTF8" in errors and errors.count("\n") == 1


def test_deleted_rows_leave_the_log_as_soon_as_nothing_reads_it_any_more(tmp_path, monkeypatch):
    """A backup may run while somebody withdraws; saves do not wait for its end."""
    monkeypatch.setattr(connections, "SCRUB_SECONDS", 0.05)
    path = tmp_path / "study.sqlite3"

    def held():
        files = (path, path.with_name(path.name + "-wal"))
        return any(b"Rumpelstilzchen" in file.read_bytes() for file in files)

    with opened(create_app(Settings.of(tmp_path, f"sqlite:///{path}"))):
        with writing() as session:
            made = studies.make(session, "Rumpelstilzchen")
        reader = sqlite3.connect(path)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM study").fetchone()
        with writing() as session:
            session.merge(made).name = "Chairs"
            # The list of changes has the earlier name as well.
            session.execute(text("DELETE FROM audit_entry"))
        scrub()
        assert held()
        with writing() as session:
            studies.make(session, "Cars")
        reader.close()
        until(lambda: not held())
        until(lambda: all(thread.name != "scrub" for thread in threading.enumerate()))
