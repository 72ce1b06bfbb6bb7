"""An installation whose files are in an S3 store: everything works, and nothing stays behind."""

import zipfile
from dataclasses import asdict

import pytest
from sqlalchemy import create_engine, select

from study_app import create_app
from study_app.cards.print_jobs import print_job
from study_app.cards.printing import PrintChoice
from study_app.core.background.jobs import Progress
from study_app.core.config import Settings
from study_app.core.database import close, db, writing
from study_app.core.storage import missing_files, photo_store, pictures
from study_app.core.storage.chosen_store import store_of
from study_app.models import Job, Stimulus
from study_app.operations import backup, restore, startup_cleanup
from study_app.results.exports import archive
from study_app.stimuli.importing.run import ImportChoice, import_paths
from study_app.studies import removal, studies
from tests.study_app.stimuli.importing.pictures_made import line, png
from tests.table_fixtures import make_photo, make_sitting

KINDS = (*backup.KEPT_KINDS, "damaged", "exports", "prints")


def kinds_in(store):
    """Which kinds of files there are."""
    return {kind for kind in KINDS if any(store.names(kind))}


@pytest.fixture
def app(app, s3_environment, monkeypatch, tmp_path):
    """The installation, with its files in the store."""
    for name, value in s3_environment.items():
        monkeypatch.setenv(name, value)
    settings = app.config["SETTINGS"]
    url = f"s3://study/{tmp_path.name.lower()}"
    app.config["SETTINGS"] = Settings(settings.instance, settings.database_url, files=url)
    return app


@pytest.fixture
def filled(app, study_id, tmp_path):
    """Two sketches and a photo of a table."""
    (tmp_path / "a.png").write_bytes(png(1))
    (tmp_path / "b.ndjson").write_bytes(line("b", [[0, 99], [0, 99]]))
    settings = app.config["SETTINGS"]
    with app.app_context():
        files = [tmp_path / "a.png", tmp_path / "b.ndjson"]
        import_paths(settings, ImportChoice(study_id, "chairs"), files)
        sha256 = photo_store.save(settings, png(7))
        with writing() as session:
            study = studies.get(session, study_id)
            sitting = make_sitting(session, study, study.sets[0], "P01")
            make_photo(session, sitting, sha256)
    return settings


@pytest.mark.slow
def test_only_the_database_is_in_the_folder(app, client, filled, study_id, tmp_path):
    store = store_of(filled)
    assert not [p for p in filled.instance.rglob("*") if p.suffix in (".png", ".webp")]
    with app.app_context():
        first = db.session.scalar(select(Stimulus).order_by(Stimulus.id)).id
    page = f"/studies/{study_id}/sketches"
    shown = client.get(f"{page}/pictures/{first}")
    assert shown.status_code == 200 and shown.data.startswith(b"\x89PNG")
    again = client.get(f"{page}/pictures/{first}", headers={"If-None-Match": shown.headers["ETag"]})
    assert again.status_code == 304 and again.data == b""
    with app.app_context():
        archive.make(filled, study_id, False, lambda *_: None)
        job = Job(study_id=study_id, kind="print", arguments={}, owner="a worker")
        db.session.add(job)
        db.session.commit()
        print_job(Progress(job, filled), asdict(PrintChoice((1,))), {})
        pdf = client.get(f"/studies/{study_id}/cards/prints/{job.id}/cards.pdf")
        part = client.get(
            f"/studies/{study_id}/cards/prints/{job.id}/cards.pdf", headers={"Range": "bytes=1-3"}
        )
    assert pdf.data.startswith(b"%PDF") and pdf.content_length == len(pdf.data)
    assert (part.status_code, part.data) == (206, b"PDF")
    exported = client.get(f"/studies/{study_id}/export/zip")
    (tmp_path / "export.zip").write_bytes(exported.data)
    with zipfile.ZipFile(tmp_path / "export.zip") as packed:
        assert packed.testzip() is None
        assert [name for name in packed.namelist() if name.endswith(".jpg")]
    assert kinds_in(store) == {*KINDS} - {"damaged"}
    assert list(filled.instance.glob("work/*")) == []


@pytest.mark.slow
def test_a_backup_moves_the_files_to_a_folder(app, filled, tmp_path):
    lost = pictures.thumbnail_name(next(store_of(filled).names("originals")).split("/")[2])
    store_of(filled).delete(lost)
    path = tmp_path / "all.zip"
    with app.app_context():
        assert missing_files.files(db.session(), filled) == [lost]
        backup.write(db.engine, store_of(filled), path)
    fresh = Settings.of(tmp_path / "fresh", f"sqlite:///{tmp_path / 'fresh.sqlite3'}", files="")
    engine = create_engine(fresh.database_url)
    assert restore.restore(engine, fresh, path)[1] == 9
    engine.dispose()
    for kind in backup.KEPT_KINDS:
        names = sorted(store_of(filled).names(kind))
        assert sorted(store_of(fresh).names(kind)) == names
        assert [store_of(fresh).get(n) for n in names] == [store_of(filled).get(n) for n in names]
    again = create_app(fresh)
    with again.app_context():
        startup_cleanup.clear(fresh, alone=True)
        assert missing_files.files(db.session(), fresh) == [lost]
    close(again)


def test_a_deleted_study_leaves_nothing_in_the_store(app, filled, study_id):
    with app.app_context():
        archive.make(filled, study_id, False, lambda *_: None)
        with writing() as session:
            leftovers = removal.remove(session, studies.get(session, study_id), "Chairs and cars")
        removal.forget_files(filled, leftovers)
    assert kinds_in(store_of(filled)) == set()
