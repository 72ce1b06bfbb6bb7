"""A backup contains every row and file, and can be restored into either kind of database."""

import zipfile

import pytest
from sqlalchemy import create_engine

from study_app import create_app
from study_app.core.database import db, opened, writing
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
    for name in ("uploads/0f0f/1.part", "prints/3/cards.pdf", "photos/ab/abcdef"):
        (instance / name).parent.mkdir(parents=True)
        (instance / name).write_bytes(b"x")
    path = tmp_path / "all.zip"
    write_backup(filled, path)
    with zipfile.ZipFile(path) as archive:
        kept = {name for name in archive.namelist() if name.startswith("files/")}
    assert {"files/photos/ab/abcdef", "files/originals/ab/abcdef"} <= kept
    assert not [name for name in kept if name.startswith(("files/uploads/", "files/prints/"))]
