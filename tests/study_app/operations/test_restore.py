"""Restoring backups, and refusing invalid ones before anything is replaced."""

import hashlib
import json
import zipfile

import pytest
from sqlalchemy import create_engine, func, select, text

from study_app.core.config import Settings
from study_app.core.database import db, writing
from study_app.core.migrations import upgrade
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.folder_store import FolderStore
from study_app.models import Participant, Study
from study_app.operations import backup, backup_check, restore
from study_app.studies import studies
from tests.backup_fixtures import all_rows, write_backup


@pytest.mark.slow
def test_an_installation_in_use_is_not_overwritten(filled, runner, tmp_path):
    path = tmp_path / "all.zip"
    write_backup(filled, path)
    with filled.app_context(), pytest.raises(restore.InstallationInUse, match="--force"):
        restore.restore(db.engine, filled.config["SETTINGS"], path)
    with filled.app_context():
        rows, _ = restore.restore(db.engine, filled.config["SETTINGS"], path, force=True)
    # The study, the person, and two lines of the audit list.
    assert rows == 4
    assert zipfile.is_zipfile(filled.config["SETTINGS"].instance / "replaced.zip")


@pytest.mark.slow
def test_paths_outside_the_folder_are_refused(filled, fresh, tmp_path):
    path = tmp_path / "all.zip"
    write_backup(filled, path)
    with zipfile.ZipFile(path) as whole:
        members = {name: whole.read(name) for name in whole.namelist()}
    added = dict.fromkeys(("files/../../outside", "files/secret_key"), b"x")
    sums = {name: hashlib.sha256(member).hexdigest() for name, member in added.items()}
    members[backup.SUMS] = json.dumps(json.loads(members[backup.SUMS]) | sums).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, member in (members | added).items():
            archive.writestr(name, member)
    engine = create_engine(fresh.database_url)
    upgrade(engine)
    assert restore.restore(engine, fresh, path)[1] == 1
    engine.dispose()
    assert not (tmp_path.parent / "outside").exists()
    assert not (fresh.instance / "secret_key").exists()


@pytest.mark.parametrize("content", [b"", b"not a zip"])
def test_another_file_is_refused(fresh, tmp_path, content):
    path = tmp_path / "other.zip"
    path.write_bytes(content)
    engine = create_engine(fresh.database_url)
    with pytest.raises(backup_check.NotABackup, match=r"other\.zip"):
        restore.restore(engine, fresh, path)
    engine.dispose()


def test_a_missing_backup_is_reported(fresh, tmp_path):
    engine = create_engine(fresh.database_url)
    with pytest.raises(backup_check.NotOpened, match=r"none\.zip: cannot be opened \(no such file"):
        restore.restore(engine, fresh, tmp_path / "none.zip")
    engine.dispose()


@pytest.mark.slow
@pytest.mark.parametrize("at", ["move_in of a file", "a row", "the upgrade"])
def test_after_a_fault_a_new_folder_is_empty_and_the_next_try_works(
    filled, fresh, tmp_path, monkeypatch, at
):
    path = tmp_path / "all.zip"
    write_backup(filled, path)
    engine = create_engine(fresh.database_url)
    upgrade(engine)

    def fail(*_args, **_more):
        raise OSError("the disk is full")

    with monkeypatch.context() as broken, pytest.raises(restore.NotRestored, match="disk is full"):
        if at == "a row":
            broken.setattr(restore, "_restart_count", fail)
        elif at == "the upgrade":
            whole, steps = restore.command.upgrade, iter([False, True, False])
            broken.setattr(
                restore.command, "upgrade", lambda *a: fail() if next(steps) else whole(*a)
            )
        else:
            broken.setattr(FolderStore, "move_in", fail)
        restore.restore(engine, fresh, path)
    assert not any(store_of(fresh).names("originals"))
    assert restore.restore(engine, fresh, path)[1] == 1
    engine.dispose()


@pytest.mark.slow
def test_the_replaced_state_can_be_restored(filled, tmp_path):
    path, settings = tmp_path / "all.zip", filled.config["SETTINGS"]
    instance = settings.instance
    write_backup(filled, path)
    with filled.app_context():
        with writing() as session:
            studies.make(session, "Made after the backup")
        before = all_rows(db.engine)
        restore.restore(db.engine, settings, path, force=True)
        assert all_rows(db.engine) != before
        restore.restore(db.engine, settings, instance / "replaced.zip", force=True)
        assert all_rows(db.engine) == before
    assert zipfile.is_zipfile(instance / "replaced.zip")
    assert zipfile.is_zipfile(instance / "replaced-2.zip")


def test_a_table_of_another_program_stays(filled, fresh, tmp_path):
    path = tmp_path / "all.zip"
    write_backup(filled, path)
    engine = create_engine(fresh.database_url)
    upgrade(engine)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE of_another (number INTEGER)"))
        connection.execute(text("INSERT INTO of_another VALUES (7)"))
    assert restore.restore(engine, fresh, path, force=True)[1] == 1
    with engine.connect() as connection:
        assert connection.scalars(text("SELECT number FROM of_another")).all() == [7]
        assert connection.scalar(select(func.count()).select_from(Participant)) == 1
    engine.dispose()


def test_a_damaged_backup_replaces_nothing(filled, tmp_path):
    path, damaged = tmp_path / "all.zip", tmp_path / "damaged.zip"
    write_backup(filled, path)
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(damaged, "w") as archive:
        for name in whole.namelist():
            content = whole.read(name)
            archive.writestr(name, content[:20] if "participant" in name else content)
    with filled.app_context():
        before = all_rows(db.engine)
        with pytest.raises(backup_check.NotABackup, match=r"participant.* in it is damaged"):
            restore.restore(db.engine, filled.config["SETTINGS"], damaged, force=True)
        assert all_rows(db.engine) == before


@pytest.mark.slow
def test_a_changed_byte_is_found_before_anything_is_replaced(filled, tmp_path):
    path, changed = tmp_path / "all.zip", tmp_path / "changed.zip"
    write_backup(filled, path)
    with zipfile.ZipFile(path) as whole:
        names = whole.namelist()
        for wrong in ("files/originals/ab/abcdef", "tables/study.jsonl", None):
            with zipfile.ZipFile(changed, "w") as archive:
                for name in names:
                    content = whole.read(name)
                    if name == wrong:
                        content = content.replace(b"sketch", b"sketsh").replace(b"Ch", b"ch")
                    # The third time a file is missing.
                    if wrong is not None or not name.startswith("files/"):
                        archive.writestr(name, content)
            with filled.app_context():
                before = all_rows(db.engine)
                with pytest.raises(backup_check.NotABackup, match="is damaged"):
                    restore.restore(db.engine, filled.config["SETTINGS"], changed, force=True)
                assert all_rows(db.engine) == before


def test_backups_move_between_sqlite_and_postgresql(filled, postgres_url, tmp_path):
    there, back = tmp_path / "there.zip", tmp_path / "back.zip"
    write_backup(filled, there)
    first = create_engine(Settings.of(database=postgres_url).database_url)
    restore.restore(first, Settings.of(tmp_path / "there"), there)
    backup.write(first, store_of(Settings.of(tmp_path / "there")), back)
    second = create_engine(f"sqlite:///{tmp_path / 'back.sqlite3'}")
    restore.restore(second, Settings.of(tmp_path / "back"), back)
    with filled.app_context():
        assert all_rows(second) == all_rows(first) == all_rows(db.engine)
    assert (tmp_path / "back/originals/ab/abcdef").read_bytes() == b"a sketch"
    first.dispose()
    second.dispose()


def test_a_nul_that_sqlite_has_stored_is_no_hindrance(filled, fresh, tmp_path):
    """Anybody who took part could once store one, and PostgreSQL refuses it."""
    path = tmp_path / "all.zip"
    with filled.app_context(), writing() as session:
        session.query(Study).one().lab = "A\0da"
    write_backup(filled, path)
    engine = create_engine(fresh.database_url)
    restore.restore(engine, fresh, path)
    with engine.connect() as connection:
        assert connection.scalar(select(Study.lab)) == "Ada"
    engine.dispose()
