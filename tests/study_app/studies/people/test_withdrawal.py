"""What is left of a withdrawn person: no file and no earlier export."""

import io
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from study_app.core.cache import cached
from study_app.core.database import db, writing
from study_app.core.storage import photo_store
from study_app.core.storage.chosen_store import store_of
from study_app.models import Participant, StimulusSet
from study_app.models.systems import GoldFigure
from study_app.operations import backup
from study_app.participation.people.people import person_named
from study_app.results.exports import archive
from study_app.results.exports.archive import ExportGone, WithdrewMeanwhile
from study_app.results.gold import sets
from study_app.sittings import sittings
from study_app.sittings import withdrawal as tables
from study_app.sittings.recording import closure, events
from study_app.studies import studies
from study_app.studies.people import withdrawal
from tests.table_fixtures import ids, make_photo, make_set, make_sitting

NAME, NOTE = "Rumpelstilzchen's houses", "spoke of Rosenrot, the sister"


@pytest.fixture
def sorted_set(app, session, study_id):
    """Three assessors, one of them alone and with another; photos, names and notes."""
    with writing():
        study = studies.get(session, study_id)
        chairs = make_set(session, study)
        for assessor, split in (("K71", 2), ("P02", 3), ("P03", 3), ("K71+P03", 4)):
            sitting = make_sitting(session, study, chairs, assessor)
            cards = ids(sitting)[1:]
            groups = [("one", cards[:split]), ("two", cards[split:])]
            events.record(session, sitting, events.Wanted("a", "place", groups))
            if "K71" in assessor:
                _describe(app, session, sitting)
            closure.finish(session, sitting)
        first = sittings.find(session, study_id, "T001")
        sittings.enter_again(session, study, first)
        return chairs.id


def _describe(app, session, sitting):
    events.describe(session, sitting, events.Description("b", "one", NAME, NOTE))
    sitting.notes = NOTE
    content = io.BytesIO()
    Image.new("RGB", (64, 48), (sitting.number, 0, 0)).save(content, "JPEG")
    make_photo(session, sitting, photo_store.keep(app.config["SETTINGS"], content.getvalue()))
    for person in sitting.assessors:
        person.age_band = "20-29" if person.code == "K71" else None


def _files(app):
    return [p for p in app.config["SETTINGS"].instance.glob("photos/**/*") if p.is_file()]


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
def test_nothing_of_a_withdrawn_assessor_is_left(app, session, study_id, sorted_set):
    settings = app.config["SETTINGS"]
    before = sets.compute(session, session.get(StimulusSet, sorted_set))
    assert before.groupings.participants == ["K71", "P02", "P03", "K71+P03"]
    archive.make(settings, study_id, True, lambda *_: None)
    assert len(_files(app)) == 2 and NAME.encode() in _bytes_of_database(app)
    # A backup names it in JSON, where the apostrophe needs no escape.
    assert NAME in _backup(app)
    with writing():
        person = person_named(session, study_id, "K71")
        photos = withdrawal.withdraw_person(session, person)
    withdrawal.forget(settings, study_id, photos)
    assert len(photos) == 2 and _files(app) == []
    held = _bytes_of_database(app)
    assert NAME.encode() not in held and NOTE.encode() not in held
    assert NAME not in _backup(app)
    assert cached().get(("set", sorted_set, before.fingerprint)) is None
    with pytest.raises(ExportGone):
        archive.find(settings, study_id)
    assert session.get(GoldFigure, (study_id, f"set-{sorted_set}")) is None
    assert session.query(Participant).filter_by(code="K71").one().age_band is None
    assert [s.state for s in sittings.all_of(session, study_id)] == [
        "withdrawn",
        "finished",
        "finished",
        "withdrawn",
    ]
    after = sets.compute(session, session.get(StimulusSet, sorted_set))
    assert after.groupings.participants == ["P02", "P03"]
    assert after.found.mean.f == 1
    archive.make(settings, study_id, True, lambda *_: None)
    with zipfile.ZipFile(settings.instance / archive.find(settings, study_id)) as exported:
        told = {
            name: exported.read(name).decode("utf-8", "replace") for name in exported.namelist()
        }
    everything = "".join(f"{name}{content}" for name, content in told.items())
    for gone in ("K71", "Rumpelstilzchen", "Rosenrot", "T001"):
        assert gone not in everything
    assert told["data/description-withdrawals_data.csv"].count("\n") == 3
    assert "2 sittings were withdrawn" in told["README.md"]


def test_an_export_of_the_time_before_is_discarded(app, session, study_id, sorted_set):
    def progress(done, total, message=""):
        if message == "Computing gold standards":
            with writing() as inner:
                tables.withdraw_sitting(inner, sittings.find(inner, study_id, "T002"))

    with pytest.raises(WithdrewMeanwhile):
        archive.make(app.config["SETTINGS"], study_id, True, progress)
