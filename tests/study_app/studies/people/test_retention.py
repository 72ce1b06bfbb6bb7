"""Retention dates: reminders of existing data, and deletion without loss of results."""

from datetime import date, timedelta

from study_app.core.database import db, writing
from study_app.models import Photo, Sitting
from study_app.models.participation import PlatformIdentity
from study_app.models.ranking import RankingTask
from study_app.sittings import withdrawal
from study_app.studies.people import retention
from tests.ranking_fixtures import Participant as Person
from tests.ranking_setup import make_link
from tests.study_app.judged import make_set, sort_set
from tests.table_fixtures import make_photo

PLATFORM = {"PROLIFIC_PID": "pid-7", "STUDY_ID": "s", "SESSION_ID": "e"}
TODAY = date(2027, 3, 1)


def test_reminders_for_due_data_that_still_exist(app, task_id):
    Person(app, make_link(app, task_id, "prolific"), **PLATFORM).rank()
    with app.app_context():
        with writing() as session:
            study_id = session.get(RankingTask, task_id).study_id
            assert retention.dates_of(session, study_id) == retention.Dates()
            dates = retention.Dates(
                photos=TODAY, platform_ids=TODAY - timedelta(days=1), study=date(2037, 1, 1)
            )
            retention.set_dates(session, study_id, dates)
            assert retention.dates_of(session, study_id) == dates

        def due(today=TODAY):
            return [(r.what, r.overdue) for r in retention.reminders(db.session, today, study_id)]

        # There is no photo yet.
        assert due() == [("platform IDs", True)]
        assert due(TODAY - timedelta(days=32)) == []
        with writing() as session:
            sort_set(session, make_set(session, study_id, "tables", ["a", "b"]), [[0, 1]], 51)
            sitting = session.query(Sitting).one()
            make_photo(session, sitting)
        assert due() == [("platform IDs", True), ("photos of tables", False)]
        with writing() as session:
            assert retention.delete_platform_ids(session, study_id) == 1
            assert retention.delete_photos(session, study_id) == ["0" * 64]
            assert len(withdrawal.deleted_photos(session, session.query(Sitting).one())) == 1
        assert db.session.query(PlatformIdentity).count() == db.session.query(Photo).count() == 0
        # A mistyped year: the reminders are on the first page of every researcher.
        with writing() as session:
            retention.set_dates(session, study_id, retention.Dates(study=date(1, 1, 1)))
        assert due() == [("the whole study", True)]
        with writing() as session:
            retention.set_dates(session, study_id, dates)
        assert due() == [] and due(date(2036, 12, 24)) == [("the whole study", False)]
