"""Two writers at once lose nothing, on either database."""

import subprocess
import sys
import threading

import pytest
from sqlalchemy import text

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import db, opened, writing
from study_app.models import Job
from study_app.studies import studies

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
        url = request.getfixturevalue("postgres_url")
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
