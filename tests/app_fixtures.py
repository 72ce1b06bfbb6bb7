"""An application on a database of its own, and a researcher signed in to it."""

import io
import json
import os
import re
import shutil
import sqlite3
from contextlib import closing
from functools import lru_cache
from types import SimpleNamespace

import flask
import pytest
from argon2 import PasswordHasher
from filelock import FileLock
from jinja2 import FileSystemBytecodeCache
from sqlalchemy import create_engine, event, inspect
from werkzeug.routing.rules import Rule

from study_app import create_app
from study_app.accounts import passwords, researchers
from study_app.cli import main
from study_app.core import migrations
from study_app.core.config import Settings
from study_app.core.database import close, db, writing
from study_app.operations import restore
from study_app.stimuli.importing import run
from study_app.studies import studies
from study_app.web.security import security
from tests.compiled_addresses import compile_once
from tests.waiting import until

PASSWORD = "a long enough one"
# The cost that makes guessing slow is paid by the tests of sign-in, not by every other one.
quick_hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture(scope="session", autouse=True)
def compiled_addresses():
    """Compile each address once: nine tenths of the time that an application takes to be made."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "compile", compile_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def unflushed_files():
    """Wait for no disk: no test can show that files survive a power cut."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "sync", lambda: None, raising=False)
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def prepared_pictures():
    """Prepare equal files once: each takes a round trip to another process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "prepare", lru_cache(maxsize=4096)(run.prepare))
        yield


@pytest.fixture(scope="session", autouse=True)
def up_to_date(tmp_path_factory):
    """An empty database, which every new one of a test becomes a copy of.

    The revisions, run one by one, take longer than most tests; their own tests run them, and so do
    restores at a terminal.
    """
    folder = shared_folder(tmp_path_factory) / "up-to-date"
    path = folder / "study.sqlite3"
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            made = folder.with_name("up-to-date-in-the-making")
            close(create_app(Settings.of(made / "instance", f"sqlite:///{made / path.name}")))
            made.rename(folder)
    run_revisions, run_until = migrations.upgrade, restore.command.upgrade

    def copy_empty(engine):
        with engine.connect() as connection:
            if _copied(path, connection):
                return None
        return run_revisions(engine)

    def copy_until(configuration, revision):
        connection = configuration.attributes["connection"]
        if revision != migrations.revisions()[-1] or not _copied(path, connection):
            run_until(configuration, revision)

    in_restores = SimpleNamespace(upgrade=copy_until, downgrade=restore.command.downgrade)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrations, "upgrade", copy_empty)
        patch.setattr(restore, "command", in_restores)
        yield path


def _copied(path, connection):
    """Copy a SQLite file into an empty database; whether it was one."""
    if connection.dialect.name != "sqlite":
        return False
    if {*inspect(connection).get_table_names()} - {"alembic_version"}:
        return False
    connection.rollback()
    with closing(sqlite3.connect(path)) as empty:
        empty.backup(connection.connection.driver_connection)
    return True


def shared_folder(tmp_path_factory):
    """A folder in which the workers of a run share files."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if base.name.startswith("popen-") else base


@pytest.fixture(scope="session")
def compiled_templates(tmp_path_factory):
    """Where the applications of a run share the templates that one of them has compiled."""
    folder = shared_folder(tmp_path_factory) / "templates"
    folder.mkdir(exist_ok=True)
    return FileSystemBytecodeCache(str(folder))


@pytest.fixture(scope="session")
def compiled_statements(up_to_date):
    """A dialect and its cache, in which the applications of a run share compiled statements."""
    engine = create_engine(f"sqlite:///{up_to_date}")
    engine.connect().close()
    engine.dispose()
    return engine.dialect, engine._compiled_cache


@pytest.fixture
def app(tmp_path, up_to_date, compiled_templates, compiled_statements):
    """A fresh installation on SQLite."""
    path = tmp_path / "study.sqlite3"
    shutil.copyfile(up_to_date, path)
    app = create_app(Settings.of(tmp_path / "instance", f"sqlite:///{path}"))
    app.config["TESTING"] = True
    app.jinja_env.bytecode_cache = compiled_templates
    with app.app_context():
        db.engine.dialect, db.engine._compiled_cache = compiled_statements
        # Survival of a killed server is tested on served programs; here no commit waits.
        event.listen(db.engine, "connect", lambda made, _: made.execute("PRAGMA synchronous=OFF"))
        db.engine.dispose()
    yield app
    close(app)


@pytest.fixture
def session(app):
    """A database session inside an application context."""
    with app.app_context():
        yield db.session


@pytest.fixture
def runner(app):
    """Runs the verbs of the command line."""
    return app.test_cli_runner()


@pytest.fixture
def typed(tmp_path, up_to_date, monkeypatch, capsys):
    """Runs `sketch-study` in a fresh instance; gives exit status, output and errors."""
    (tmp_path / "instance").mkdir()
    shutil.copyfile(up_to_date, tmp_path / "instance" / up_to_date.name)
    monkeypatch.setenv("SKETCH_STUDY_INSTANCE", str(tmp_path / "instance"))
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        output = capsys.readouterr()
        return ended.value.code, output.out, output.err

    return run


@pytest.fixture
def stranger(app):
    """A browser without a sign-in."""
    return Browser(app)


@pytest.fixture
def client(app, monkeypatch):
    """A browser in which a researcher has signed in."""
    monkeypatch.setattr(passwords, "hasher", quick_hasher)
    with app.test_request_context(), writing() as session:
        link = researchers.make_link(session)
        ada = researchers.use_link(session, link, "Ada", passwords.hashed(PASSWORD))
        session.flush()
        security.start_session(session, ada)
        signed_in = {**flask.session}
    browser = Browser(app)
    browser.sign_in(signed_in)
    return browser


@pytest.fixture
def study_id(app):
    """The number of an empty study."""
    with app.app_context(), writing() as session:
        return studies.make(session, "Chairs and cars").id


@pytest.fixture
def upload(client, study_id):
    """Uploads files by name, imports them, and gives the finished job."""

    def upload(named, **choice):
        room = client.post(f"/studies/{study_id}/sketches/uploads").get_json()
        about = [{"number": n, "name": name, "offset": 0} for n, name in enumerate(named)]
        pieces = [(io.BytesIO(content), "piece") for content in named.values()]
        sent = client.post(room["pieces"], {"about": json.dumps(about), "pieces": pieces})
        assert sent.get_json() == {"taken": len(named)}
        page = client.post(room["finish"], json=choice).get_json()["page"]
        job = page.replace("sketches/imports", "jobs")
        until(lambda: client.get(job).get_json()["state"] != "running")
        return page, client.get(job).get_json()

    return upload


class Browser:
    """A client that sends the CSRF token which the last page gave it, as a browser does."""

    def __init__(self, app):
        self._client = app.test_client()
        self._token = None

    def sign_in(self, cookie):
        """Have the cookie of a signed-in researcher."""
        with self._client.session_transaction() as session:
            session.update(cookie)

    def get(self, path, **kwargs):
        """Open a page."""
        answer = self._client.get(path, buffered=True, **kwargs)
        found = answer.mimetype == "text/html" and re.search(
            r'name="csrf-token" content="([^"]+)"', answer.get_data(as_text=True)
        )
        if found:
            self._token = found[1]
        return answer

    def stream(self, path):
        """Ask for a file that need not be in memory."""
        return self._client.get(path)

    def post(self, path, form=None, **kwargs):
        """Send a form, or JSON with `json=`."""
        if self._token is None:
            self.get("/sign-in")
        headers = {"X-CSRFToken": self._token, **kwargs.pop("headers", {})}
        answer = self._client.post(path, data=form, headers=headers, **kwargs)
        if answer.status_code in (302, 303):
            # The page after it would show the notices; a sign-in has another token.
            self._token = None
            with self._client.session_transaction() as session:
                session.pop("_flashes", None)
        return answer
