"""A backup contains every row and file, and can be restored into either kind of database."""

import zipfile

import pytest
from sqlalchemy import create_engine, select

from study_app import create_app
from study_app.core.database import db, opened, writing
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.photo_store import original_name, screen_name
from study_app.models import AuditEntry, Photo, Sitting, StimulusSet, Study
from study_app.operations import restore
from study_app.studies import studies
from tests.backup_fixtures import all_rows, write_backup


@pytest.mark.slow
def test_a_restored_backup_is_complete(filled, fresh, tmp_path):
    path = tmp_path / "all.zip"
    write_backup(filled, path)
    engine = create_engine(fresh.database_url)
    restore.restore(engine, fresh, path)
    with filled.app_context():
        assert all_rows(engine) == all_rows(db.engine)
    assert (fresh.instance / "originals/ab/abcdef").read_bytes() == b"a sketch"
    engine.dispose()
    app = create_app(fresh)
    with opened(app), writing() as session:
        assert studies.make(session, "A second one").id == 2


def test_secret_keys_are_not_in_a_backup(filled, tmp_path):
    path = tmp_path / "all.zip"
    write_backup(filled, path)
    with zipfile.ZipFile(path) as archive:
        assert not [name for name in archive.namelist() if "secret" in name or ".key" in name]


def test_derived_files_are_not_in_a_backup(filled, tmp_path):
    instance = filled.config["SETTINGS"].instance
    for name in ("uploads/0f0f/1.part", "prints/3/cards.pdf", "pictures/ab/abcdef"):
        (instance / name).parent.mkdir(parents=True)
        (instance / name).write_bytes(b"x")
    path = tmp_path / "all.zip"
    write_backup(filled, path)
    with zipfile.ZipFile(path) as archive:
        kept = {name for name in archive.namelist() if name.startswith("files/")}
    assert {"files/pictures/ab/abcdef", "files/originals/ab/abcdef"} <= kept
    assert not [name for name in kept if name.startswith(("files/uploads/", "files/prints/"))]


def test_a_photo_without_its_row_is_in_no_backup(filled, tmp_path):
    """Its row is just being written; without one, no withdrawal deletes it once it is restored."""
    store = store_of(filled.config["SETTINGS"])
    with filled.app_context(), writing() as session:
        study_id = session.query(Study).one().id
        session.add(birds := StimulusSet(study_id=study_id, number=1, name="birds"))
        session.flush()
        session.add(sitting := Sitting(study_id=study_id, number=1, set_id=birds.id))
        session.flush()
        sizes = {"original_bytes": 1, "width": 1, "height": 1, "one_group": False, "reading": {}}
        session.add(Photo(sitting_id=sitting.id, sha256="a" * 64, **sizes))
    for sha256 in ("a" * 64, "b" * 64):
        store.put(original_name(sha256), b"x")
        store.put(screen_name(sha256), b"x")
    path = tmp_path / "all.zip"
    write_backup(filled, path)
    with zipfile.ZipFile(path) as archive:
        kept = {name for name in archive.namelist() if name.startswith("files/photos/")}
    assert kept == {f"files/{named('a' * 64)}" for named in (original_name, screen_name)}


def test_the_audit_list_says_that_a_backup_was_restored(filled, fresh, tmp_path):
    path = tmp_path / "before lunch.zip"
    write_backup(filled, path)
    engine = create_engine(fresh.database_url)
    restore.restore(engine, fresh, path)
    with engine.connect() as connection:
        last = connection.execute(select(AuditEntry).order_by(AuditEntry.id.desc())).first()
    engine.dispose()
    assert (last.action, last.subject, last.actor) == ("restored", "study", "terminal")
    assert last.changes == {"backup": [None, "before lunch.zip"]} and last.study_id == 1
