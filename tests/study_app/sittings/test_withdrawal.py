"""An assessor who withdraws leaves the bare fact: no row, no file, no byte, no result."""

import io

import pytest
from PIL import Image
from sqlalchemy import select

from study_app.core.database import writing
from study_app.core.storage import photo_store
from study_app.models import Base, Photo, Sitting, StimulusSet
from study_app.participation.people.people import person_named
from study_app.sittings import sittings
from study_app.sittings import withdrawal as tables
from study_app.sittings.assessors import AssessorWithdrew, find_or_make
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


def test_only_bare_rows_name_a_withdrawn_sitting(session, study_id, sorted_set):
    with writing():
        sitting = sittings.find(session, study_id, "T001")
        sitting_id = sitting.id
        tables.withdraw_sitting(session, sitting)
    naming = {
        table.name
        for table in Base.metadata.sorted_tables
        for key in table.foreign_keys
        if key.column.table.name == "sitting"
        and session.execute(select(table).where(key.parent == sitting_id)).first()
    }
    assert naming == {"sitting_assessor"}
    left = session.get(Sitting, sitting_id)
    assert (left.notes, left.finished_at, left.withdrawn_at is None) == ("", None, False)
    # The assessor's other sittings stay, and the sitting can be planned again.
    with writing():
        study, chairs = studies.get(session, study_id), session.get(StimulusSet, sorted_set)
        assert make_sitting(session, study, chairs, "K71").code == "T005"
        tables.withdraw_assessor(session, person_named(session, study_id, "K71"))
        with pytest.raises(AssessorWithdrew):
            find_or_make(session, study, "K71")


def test_a_stray_photo_goes_and_leaves_its_trace(app, session, study_id, sorted_set):
    settings = app.config["SETTINGS"]
    with writing():
        first, other = (sittings.find(session, study_id, code) for code in ("T001", "T002"))
        photo = session.query(Photo).filter_by(sitting_id=first.id).one()
        # The same file in another sitting is deleted with the last row that names it.
        twin = make_photo(session, other, photo.sha256)
        assert tables.delete_photo(session, photo) == []
        (sha256,) = tables.delete_photo(session, twin)
        (trace,) = tables.deleted_photos(session, first)
        assert trace.deleted_at
    withdrawal.forget(settings, study_id, [sha256])
    assert len(_files(app)) == 1
    assert closure.check(session, sittings.find(session, study_id, "T001")).placed == 6


def test_an_empty_second_entry_is_removed_and_counts_for_nothing(session, study_id, sorted_set):
    from study_app.sittings import overview

    (line,) = [one for one in overview.lines(session, study_id) if one.sitting.code == "T001"]
    assert line.again is None
    with writing():
        sittings.remove(session, sittings.find(session, study_id, "T005"))
        first = sittings.find(session, study_id, "T001")
        again = sittings.enter_again(session, studies.get(session, study_id), first)
        events.record(session, again, events.Wanted("a", "place", [("one", ids(again)[1:])]))
        with pytest.raises(sittings.NotInState):
            sittings.remove(session, again)
        closure.finish(session, again)
    (line,) = [one for one in overview.lines(session, study_id) if one.sitting.code == "T001"]
    assert line.again is not None
