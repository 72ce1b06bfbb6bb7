"""A withdrawn person has no files, and earlier exports are deleted."""

import zipfile
from pathlib import Path

import pytest

from study_app.core.caching.cache import cached
from study_app.core.database import db, writing
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.folder_store import FolderStore
from study_app.models import Participant
from study_app.models.systems import GoldFigure
from study_app.operations import backup
from study_app.participation.people.people import person_named
from study_app.results.exports import archive
from study_app.results.exports.archive import ExportGone, WithdrewMeanwhile
from study_app.results.gold import sets
from study_app.sittings import sittings
from study_app.sittings import withdrawal as tables
from study_app.studies.people import withdrawal
from tests.table_fixtures import GROUP_NAME, NOTE, photo_files


def _bytes_of_database(app):
    place = db.engine.url.database
    return b"".join(Path(place + end).read_bytes() for end in ("", "-wal"))


def _backup(app):
    """Every row of a backup that is made now."""
    path = app.config["SETTINGS"].instance / "now.zip"
    backup.write(db.engine, store_of(app.config["SETTINGS"]), path)
    with zipfile.ZipFile(path) as archive:
        return "".join(
            archive.read(name).decode() for name in archive.namelist() if name.startswith("tables/")
        )


@pytest.mark.slow
def test_nothing_of_a_withdrawn_assessor_is_left(app, session, study_id, described_set):
    settings = app.config["SETTINGS"]
    before = sets.compute(described_set)
    assert before.groupings.participants == ["K71", "P02", "P03", "K71+P03"]
    archive.make(settings, study_id, True, lambda *_: None)
    assert len(photo_files(app)) == 2 and GROUP_NAME.encode() in _bytes_of_database(app)
    # A backup names it in JSON, where the apostrophe needs no escape.
    assert GROUP_NAME in _backup(app)
    with writing():
        person = person_named(session, study_id, "K71")
        photos = withdrawal.withdraw_person(session, person)
    withdrawal.delete_traces(settings, study_id, photos)
    assert len(photos) == 2 and photo_files(app) == []
    held = _bytes_of_database(app)
    assert GROUP_NAME.encode() not in held and NOTE.encode() not in held
    assert GROUP_NAME not in _backup(app)
    assert cached().get(("set", described_set, before.fingerprint)) is None
    with pytest.raises(ExportGone):
        archive.find(settings, study_id)
    assert session.get(GoldFigure, (study_id, f"set-{described_set}")) is None
    assert session.query(Participant).filter_by(code="K71").one().age_band is None
    assert [s.state for s in sittings.all_of(session, study_id)] == [
        "withdrawn",
        "finished",
        "finished",
        "withdrawn",
    ]
    after = sets.compute(described_set)
    assert after.groupings.participants == ["P02", "P03"]
    assert after.found.mean.f == 1
    archive.make(settings, study_id, True, lambda *_: None)
    with zipfile.ZipFile(settings.instance / archive.find(settings, study_id)) as exported:
        files = {
            name: exported.read(name).decode("utf-8", "replace") for name in exported.namelist()
        }
    # In compressed pixels three characters can be there by chance.
    texts = {
        name: "" if name.endswith((".png", ".pdf", ".webp")) else content
        for name, content in files.items()
    }
    everything = "".join(f"{name}{content}" for name, content in texts.items())
    for gone in ("K71", "Rumpelstilzchen", "Rosenrot", "T001"):
        assert gone not in everything
    assert files["data/description-withdrawals_data.csv"].count("\n") == 3
    assert "2 sittings were withdrawn" in files["README.md"]


@pytest.mark.slow
def test_earlier_exports_are_deleted(app, session, study_id, described_set):
    def progress(done, total, message=""):
        if message == "Computing gold standards":
            with writing() as inner:
                tables.withdraw_sitting(inner, sittings.find(inner, study_id, "T002"))

    with pytest.raises(WithdrewMeanwhile):
        archive.make(app.config["SETTINGS"], study_id, True, progress)


@pytest.mark.slow
def test_who_withdraws_while_the_export_is_stored_is_in_none(
    app, session, study_id, described_set, monkeypatch
):
    """An object store receives a large export for minutes."""
    settings, move_in = app.config["SETTINGS"], FolderStore.move_in

    def slowly(store, name, path):
        with withdrawal.erasing(settings, study_id, "K71") as erasure:
            person = person_named(erasure.session, study_id, "K71")
            erasure.photos += withdrawal.withdraw_person(erasure.session, person)
        move_in(store, name, path)

    with monkeypatch.context() as slow, pytest.raises(WithdrewMeanwhile):
        slow.setattr(FolderStore, "move_in", slowly)
        archive.make(settings, study_id, True, lambda *_: None)
    assert not archive.is_there(settings, study_id)


@pytest.mark.slow
def test_a_person_without_a_sitting_who_withdraws_is_in_no_export(
    app, session, study_id, described_set
):
    with writing() as inner:
        inner.add(Participant(study_id=study_id, code="K99", age_band="18-29"))

    def progress(done, total, message=""):
        if message == "Computing gold standards":
            with writing() as inner:
                withdrawal.withdraw_person(inner, person_named(inner, study_id, "K99"))

    with pytest.raises(WithdrewMeanwhile):
        archive.make(app.config["SETTINGS"], study_id, True, progress)
