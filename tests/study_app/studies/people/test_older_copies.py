"""After a withdrawal, no file of the installation has the data, whichever copy it had made."""

import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic import command

import study_app
from study_app import create_app
from study_app.accounts.audit.entries import Filter, lines
from study_app.core import migrations
from study_app.core.config import Settings
from study_app.core.database import close, db, instance_lock, opened, own_session
from study_app.core.database.instance_lock import InstallationHeld
from study_app.core.migrations import configuration
from study_app.core.storage.chosen_store import store_of
from study_app.models import InstallationNote
from study_app.operations import backup, older_copies, restore
from study_app.participation.people.people import person_named
from study_app.results.exports import archive
from study_app.studies import studies
from study_app.studies.people import withdrawal
from tests.table_fixtures import GROUP_NAME, NOTE, describe_set

pytestmark = pytest.mark.slow


ON_SQLITE = pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
ON_POSTGRESQL = pytest.mark.parametrize("settings", ["postgresql"], indirect=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request, tmp_path):
    """The settings of a new installation."""
    url = request.getfixturevalue("upgraded_url") if request.param == "postgresql" else None
    return Settings.of(tmp_path / "instance", url)


@pytest.fixture
def copied(settings, tmp_path):
    """A study of whose judgments an upgrade and a restore left copies."""
    app = create_app(settings)
    with opened(app):
        with withdrawal.writing() as session:
            number = studies.make(session, "Chairs").id
        describe_set(app, session, number)
        path = tmp_path / "elsewhere.zip"
        backup.write(db.engine, store_of(settings), path)
        restore.restore(db.engine, settings, path, force=True)
        go_back()
    close(create_app(settings))
    app = create_app(settings)
    with opened(app):
        store_of(settings).put(archive.archive_name(number), GROUP_NAME.encode())
        yield number


def test_no_file_has_what_a_withdrawn_assessor_left(copied, settings):
    texts, study_id = texts_of(settings), copied
    copies = {copy.name for copy in older_copies.older_copies(settings)}
    assert len(copies) == 2 and copies <= files_with(texts, settings.instance)
    withdraw(settings, study_id)
    assert files_with(texts, settings.instance) == set()
    with own_session() as session:
        found = lines(session, study_id, Filter(subject="older copy"))
    assert {line.entry.name for line in found} == copies
    for line in found:
        assert line.entry.action == "deleted"
        assert {c.label: c.is_now for c in line.changes} == {"withdrawal": "K71", "written": None}


@ON_SQLITE
def test_a_server_killed_after_the_commit_deletes_at_its_next_start(copied, settings, monkeypatch):
    texts, study_id = texts_of(settings), copied

    def die(*_):
        raise SystemExit

    with monkeypatch.context() as killed, pytest.raises(SystemExit):
        killed.setattr(withdrawal, "delete_traces", die)
        withdraw(settings, study_id)
    assert len(files_with(texts, settings.instance)) > 3
    again = create_app(settings)
    withdrawal.keep_up(again).set()
    close(again)
    assert files_with(texts, settings.instance) == set()
    left = InstallationNote.name.startswith(withdrawal.TO_DELETE)
    assert not db.session.query(InstallationNote).filter(left).all()


@ON_POSTGRESQL
def test_another_host_deletes_its_own_copies(copied, settings, tmp_path):
    study_id = copied
    other = Settings.of(tmp_path / "other", settings.database_url, files=settings.files)
    other.instance.mkdir()
    for copy in older_copies.older_copies(settings):
        (other.instance / copy.name).write_bytes(copy.path.read_bytes())
    withdrawal.catch_up(other)
    assert len(older_copies.older_copies(other)) == 2
    withdraw(settings, study_id)
    withdrawal.catch_up(other)
    assert older_copies.older_copies(other) == []
    # A host that was down then, or another WSGI server without a thread for it.
    (other.instance / "replaced.zip").write_bytes(b"from before")
    close(create_app(other))
    assert older_copies.older_copies(other) == []


@ON_SQLITE
def test_copies_made_after_a_withdrawal_stay(copied, settings, tmp_path):
    study_id = copied
    old = tmp_path / "before.zip"
    backup.write(db.engine, store_of(settings), old)
    withdraw(settings, study_id)
    # The backup has an earlier withdrawal mark than what it replaces.
    restore.restore(db.engine, settings, old, force=True)
    go_back()
    close(create_app(settings))
    withdrawal.catch_up(settings)
    assert len(older_copies.older_copies(settings)) == 2
    # The backup brought the data back: they are withdrawn again.
    withdraw(settings, study_id)
    assert older_copies.older_copies(settings) == []


@ON_SQLITE
def test_a_withdrawal_while_a_restore_saves_what_it_replaces(
    copied, settings, tmp_path, monkeypatch
):
    """A command at a terminal withdraws after the rows were read for the copy."""
    path, save = tmp_path / "later.zip", restore._back_up_replaced
    backup.write(db.engine, store_of(settings), path)

    def save_and_withdraw(*arguments):
        saved = save(*arguments)
        content = saved.read_bytes()
        withdraw(settings, copied)
        # It was not yet in its place when the withdrawal looked for copies.
        saved.write_bytes(content)
        return saved

    with monkeypatch.context() as during:
        during.setattr(restore, "_back_up_replaced", save_and_withdraw)
        restore.restore(db.engine, settings, path, force=True)
    withdrawal.catch_up(settings)
    assert older_copies.older_copies(settings) == []


def go_back():
    """Bring the database to the revision before the newest one."""
    with db.engine.connect() as connection:
        command.downgrade(configuration(connection), "-1")


def test_a_withdrawal_while_an_upgrade_saves_what_it_changes(copied, settings, monkeypatch):
    """No server can run, but a command at a terminal withdraws after the rows were copied."""
    texts, refused = texts_of(settings), []
    go_back()
    copies = ((migrations, "_copy"), (backup, "write"))
    of, name = copies[settings.database_url.startswith("postgresql")]
    copy = getattr(of, name)

    def copy_and_withdraw(*arguments):
        try:
            instance_lock.installation(db.engine, settings.instance, together=True).__enter__()
        except InstallationHeld as held:
            refused.append(held)
        found = copy(*arguments)
        kept = {one.path: one.path.read_bytes() for one in older_copies.older_copies(settings)}
        withdraw(settings, copied)
        # On SQLite: it was not yet in its place when the withdrawal looked for copies.
        for path, content in kept.items():
            path.write_bytes(content)
        return found

    with monkeypatch.context() as during:
        during.setattr(of, name, copy_and_withdraw)
        close(create_app(settings))
    assert len(refused) == 1
    assert older_copies.older_copies(settings) == []
    assert files_with(texts, settings.instance) == set()


def test_nothing_is_upgraded_or_copied_while_a_server_runs(copied, settings, monkeypatch):
    monkeypatch.setattr(study_app, "UPGRADE_SECONDS", 1)
    go_back()
    before = older_copies.older_copies(settings)
    served = instance_lock.installation(db.engine, settings.instance, together=True)
    with served, pytest.raises(InstallationHeld):
        create_app(settings)
    assert older_copies.older_copies(settings) == before
    with db.engine.connect() as connection:
        command.upgrade(configuration(connection), "head")


@ON_POSTGRESQL
def test_two_withdrawals_at_once(copied, settings):
    app, texts = create_app(settings), texts_of(settings)
    both = threading.Barrier(2)

    def withdraw_one(code):
        both.wait(60)
        with app.app_context(), withdrawal.erasing(settings, copied, code) as erasure:
            person = person_named(erasure.session, copied, code)
            erasure.photos += withdrawal.withdraw_person(erasure.session, person)

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(withdraw_one, ("K71", "P03")))
    close(app)
    assert files_with(texts, settings.instance) == set()
    left = InstallationNote.name.startswith(withdrawal.TO_DELETE)
    assert not db.session.query(InstallationNote).filter(left).all()


def withdraw(settings, study_id):
    """Withdraw the assessor whose texts and photos are looked for."""
    with withdrawal.erasing(settings, study_id, "K71") as erasure:
        person = person_named(erasure.session, study_id, "K71")
        erasure.photos += withdrawal.withdraw_person(erasure.session, person)


def texts_of(settings):
    """The texts and photos of the assessor, as archives and the files of databases have them."""
    photos = [p for p in settings.instance.glob("photos/**/*") if p.is_file()]
    return [GROUP_NAME.encode(), NOTE.encode(), *(path.read_bytes() for path in photos)]


def files_with(texts, folder):
    """The names of the files that have one of the texts, also within archives."""
    found = set()
    for path in sorted(p for p in Path(folder).rglob("*") if p.is_file()):
        contents = [path.read_bytes()]
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed:
                contents += map(packed.read, packed.namelist())
        if any(text in content for text in texts for content in contents):
            found.add(path.name)
    return found
