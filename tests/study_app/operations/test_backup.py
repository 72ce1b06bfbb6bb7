"""A backup holds every row and file, and comes back into either kind of database."""

import zipfile

import pytest
from sqlalchemy import MetaData, create_engine, select

from study_app import create_app
from study_app.commands.backup import backup as backup_verb
from study_app.commands.instance import NoInstallation
from study_app.core.config import Settings
from study_app.core.database import db, opened, writing
from study_app.core.migrations import upgrade
from study_app.core.storage.chosen_store import store_of
from study_app.models import Participant
from study_app.operations import backup, restore
from study_app.studies import studies


@pytest.fixture
def filled(app, study_id):
    """An installation with a row that has a time, and a file."""
    kept = app.config["SETTINGS"].instance / "originals" / "ab" / "abcdef"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"a sketch")
    with app.app_context(), writing() as session:
        session.add(Participant(study_id=study_id, code="P001", simulated=True))
    return app


@pytest.fixture(params=["sqlite", "postgresql"])
def fresh(request, tmp_path):
    """The settings of an installation that holds nothing yet."""
    url = f"sqlite:///{tmp_path / 'fresh.sqlite3'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres_url")
    return Settings.of(tmp_path / "fresh", url)


def _write(app, path):
    with app.app_context():
        return backup.write(db.engine, store_of(app.config["SETTINGS"]), path)


def _rows(engine):
    metadata = MetaData()
    metadata.reflect(engine)
    with engine.connect() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(select(table))]
            for table in metadata.sorted_tables
        }


def test_everything_comes_back(filled, fresh, tmp_path):
    path = tmp_path / "all.zip"
    _write(filled, path)
    engine = create_engine(fresh.database_url)
    restore.restore(engine, fresh, path)
    with filled.app_context():
        assert _rows(engine) == _rows(db.engine)
    assert (fresh.instance / "originals/ab/abcdef").read_bytes() == b"a sketch"
    engine.dispose()
    app = create_app(fresh)
    with opened(app), writing() as session:
        assert studies.make(session, "A second one").id == 2


def test_what_signs_stays_out(filled, tmp_path):
    path = tmp_path / "all.zip"
    _write(filled, path)
    with zipfile.ZipFile(path) as archive:
        assert not [name for name in archive.namelist() if "secret" in name or ".key" in name]


def test_an_installation_in_use_is_not_overwritten(filled, runner, tmp_path):
    path = tmp_path / "all.zip"
    _write(filled, path)
    with filled.app_context(), pytest.raises(restore.InstallationInUse, match="--force"):
        restore.restore(db.engine, filled.config["SETTINGS"], path)
    with filled.app_context():
        rows, _ = restore.restore(db.engine, filled.config["SETTINGS"], path, force=True)
    # The study, the person, and two lines of the audit list.
    assert rows == 4
    assert zipfile.is_zipfile(filled.config["SETTINGS"].instance / "replaced.zip")


def test_a_name_that_leaves_the_folder_is_not_followed(filled, fresh, tmp_path):
    path = tmp_path / "all.zip"
    _write(filled, path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("files/../../outside", "x")
        archive.writestr("files/secret_key", "x")
    engine = create_engine(fresh.database_url)
    upgrade(engine)
    assert restore.restore(engine, fresh, path)[1] == 1
    engine.dispose()
    assert not (tmp_path.parent / "outside").exists()
    assert not (fresh.instance / "secret_key").exists()


def test_what_can_be_made_again_stays_out(filled, tmp_path):
    instance = filled.config["SETTINGS"].instance
    for name in ("uploads/0f0f/1.part", "prints/3/cards.pdf", "photos/ab/abcdef"):
        (instance / name).parent.mkdir(parents=True)
        (instance / name).write_bytes(b"x")
    path = tmp_path / "all.zip"
    _write(filled, path)
    with zipfile.ZipFile(path) as archive:
        kept = {name for name in archive.namelist() if name.startswith("files/")}
    assert {"files/photos/ab/abcdef", "files/originals/ab/abcdef"} <= kept
    assert not [name for name in kept if name.startswith(("files/uploads/", "files/prints/"))]


@pytest.mark.parametrize("content", [b"", b"not a zip"])
def test_another_file_is_refused(fresh, tmp_path, content):
    path = tmp_path / "other.zip"
    path.write_bytes(content)
    engine = create_engine(fresh.database_url)
    with pytest.raises(restore.NotABackup, match=r"other\.zip"):
        restore.restore(engine, fresh, path)
    engine.dispose()


def test_a_backup_that_is_not_there_is_named(fresh, tmp_path):
    engine = create_engine(fresh.database_url)
    with pytest.raises(restore.NotOpened, match=r"none\.zip: cannot be opened \(No such file"):
        restore.restore(engine, fresh, tmp_path / "none.zip")
    engine.dispose()


def test_what_was_replaced_comes_back(filled, tmp_path):
    path, settings = tmp_path / "all.zip", filled.config["SETTINGS"]
    instance = settings.instance
    _write(filled, path)
    with filled.app_context():
        with writing() as session:
            studies.make(session, "Made after the backup")
        before = _rows(db.engine)
        restore.restore(db.engine, settings, path, force=True)
        assert _rows(db.engine) != before
        restore.restore(db.engine, settings, instance / "replaced.zip", force=True)
        assert _rows(db.engine) == before
    assert zipfile.is_zipfile(instance / "replaced.zip")
    assert zipfile.is_zipfile(instance / "replaced-2.zip")


def test_a_damaged_backup_replaces_nothing(filled, tmp_path):
    path, damaged = tmp_path / "all.zip", tmp_path / "damaged.zip"
    _write(filled, path)
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(damaged, "w") as archive:
        for name in whole.namelist():
            content = whole.read(name)
            archive.writestr(name, content[:20] if "participant" in name else content)
    with filled.app_context():
        before = _rows(db.engine)
        with pytest.raises(restore.NotABackup, match=r"participant.* in it is damaged"):
            restore.restore(db.engine, filled.config["SETTINGS"], damaged, force=True)
        assert _rows(db.engine) == before


def test_one_changed_byte_is_found_before_anything_is_replaced(filled, tmp_path):
    path, changed = tmp_path / "all.zip", tmp_path / "changed.zip"
    _write(filled, path)
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
                before = _rows(db.engine)
                with pytest.raises(restore.NotABackup, match="is damaged"):
                    restore.restore(db.engine, filled.config["SETTINGS"], changed, force=True)
                assert _rows(db.engine) == before


def test_there_and_back_between_sqlite_and_postgresql(filled, postgres_url, tmp_path):
    there, back = tmp_path / "there.zip", tmp_path / "back.zip"
    _write(filled, there)
    first = create_engine(Settings.of(database=postgres_url).database_url)
    restore.restore(first, Settings.of(tmp_path / "there"), there)
    backup.write(first, store_of(Settings.of(tmp_path / "there")), back)
    second = create_engine(f"sqlite:///{tmp_path / 'back.sqlite3'}")
    restore.restore(second, Settings.of(tmp_path / "back"), back)
    with filled.app_context():
        assert _rows(second) == _rows(first) == _rows(db.engine)
    assert (tmp_path / "back/originals/ab/abcdef").read_bytes() == b"a sketch"
    first.dispose()
    second.dispose()


def test_a_backup_into_the_installation_itself_ends(filled, runner):
    path = filled.config["SETTINGS"].instance / "backups" / "today.zip"
    arguments = ["--instance", str(path.parents[1])]
    database = ["--database", filled.config["SETTINGS"].database_url]
    answer = runner.invoke(backup_verb, [str(path), *arguments, *database])
    assert answer.exit_code == 0, answer.output
    with zipfile.ZipFile(path) as archive:
        files = [name for name in archive.namelist() if name.startswith("files/")]
    assert files == ["files/originals/ab/abcdef"]


def test_a_mistyped_folder_is_refused_and_not_created(tmp_path, runner):
    refused = runner.invoke(
        backup_verb, [str(tmp_path / "b.zip"), "--instance", str(tmp_path / "mistyped")]
    )
    assert isinstance(refused.exception, NoInstallation) and "mistyped" in str(refused.exception)
    assert not (tmp_path / "b.zip").exists() and not (tmp_path / "mistyped").exists()
