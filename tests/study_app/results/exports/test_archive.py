"""The zip of an export."""

import zipfile

import pytest
from sqlalchemy import update

from study_app.core.background.jobs import Progress, TakenOver
from study_app.core.database import writing
from study_app.core.storage.chosen_store import store_of
from study_app.models import Job
from study_app.results.exports import archive
from study_app.results.exports.archive import write_zip


def _contents(folder):
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_the_zip_holds_the_export_and_is_the_same_twice(exported, tmp_path):
    for name in ("a.zip", "b.zip"):
        write_zip(exported.folder, tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    assert held == _contents(exported.folder)


def test_a_suspended_worker_does_not_replace_a_newer_export(
    app, session, study_id, tmp_path, monkeypatch
):
    with writing():
        session.add(job := Job(study_id=study_id, kind="export", arguments={}, owner="this one"))
        session.flush()
        progress = Progress(job, app.config["SETTINGS"])
    store, name = store_of(progress.settings), archive.archive_name(study_id)
    store.put(name, b"the newer one")

    def suspended(folder, path):
        write_zip(folder, path)
        with writing() as transaction:
            transaction.execute(update(Job).values(owner="another"))

    monkeypatch.setattr(archive, "export_study", lambda *_: [])
    monkeypatch.setattr(archive, "write_zip", suspended)
    with pytest.raises(TakenOver):
        archive.make(progress.settings, study_id, False, progress)
    assert store.get(name) == b"the newer one"
