"""After a withdrawal, only its record remains: no row, file, byte or result."""

import pytest
from sqlalchemy import select

from study_app.core.database import writing
from study_app.models import Base, Photo, Sitting, StimulusSet
from study_app.participation.people.people import person_named
from study_app.sittings import sittings
from study_app.sittings import withdrawal as tables
from study_app.sittings.assessors import AssessorWithdrew, find_or_make
from study_app.sittings.recording import closure, events
from study_app.studies import studies
from study_app.studies.people import withdrawal
from tests.table_fixtures import ids, make_photo, make_sitting, photo_files


def test_only_the_code_of_a_withdrawn_sitting_remains(session, study_id, described_set):
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
        study, chairs = studies.get(session, study_id), session.get(StimulusSet, described_set)
        assert make_sitting(session, study, chairs, "K71").code == "T005"
        tables.withdraw_assessor(session, person_named(session, study_id, "K71"))
        with pytest.raises(AssessorWithdrew):
            find_or_make(session, study, "K71")


def test_deleting_a_photo_leaves_a_record(app, session, study_id, described_set):
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
    withdrawal.delete_traces(settings, study_id, [sha256])
    assert len(photo_files(app)) == 1
    assert closure.check(session, sittings.find(session, study_id, "T001")).placed == 6


def test_an_empty_second_entry_can_be_deleted_and_is_not_counted(session, study_id, described_set):
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
