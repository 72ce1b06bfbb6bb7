"""The numbers of each participant on the live page, counted by the database."""

import pytest
from sqlalchemy import event

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close, db, opened
from study_app.models.ranking import RankingQuery, RankingTask
from study_app.ranking.progress import overview
from study_app.ranking.scores.entries import Entry
from study_app.ranking.tasks import query_pages
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task


@pytest.fixture(params=["sqlite", "postgres"])
def app(request, tmp_path):
    url = None if request.param == "sqlite" else request.getfixturevalue("upgraded_url")
    app = create_app(Settings.of(tmp_path / "instance", url))
    yield app
    close(app)


def test_quality_of_checks_repeats_and_missing_pictures(app, tmp_path):
    task_id = make_task(app, tmp_path / "p", repeats=1, checks=1, practice=("q2",), queries=3)
    somebody = Participant(app, make_link(app, task_id))
    Participant(app, make_link(app, task_id))
    values = {"practice": 7, "main": 2, "repeat": 5}
    for position, kind, order in somebody.queries:
        somebody.send(
            *(
                Entry(f"{position}-{image:08d}", "score", position, image, values[kind])
                for image in order
            )
        )
    position, _, order = somebody.queries[-1]
    somebody.send(Entry("changed-to-six", "score", position, order[0], 6))
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        newest, ranked = overview.people_of(db.session, task)
        assert (ranked.checks_passed, ranked.checks_given) == (1, 1)
        assert (newest.checks_given, newest.repeat_difference, newest.not_loaded) == (0, None, 0)
        # Five images differ by 5 - 2, one by 6 - 2.
        assert ranked.repeat_difference == pytest.approx((5 * 3 + 4) / 6)
        assert ranked.not_loaded == 0
        names = {q.id: (q.number, q.stimulus.name) for q in db.session.query(RankingQuery)}
        shown = query_pages.progress_of(db.session, task, 9).shown
        assert [(q.name, q.images, q.practice) for q in shown] == [
            (name, 6, name == "q2") for _, name in sorted(names.values())
        ]


def test_a_picture_that_did_not_load_has_no_difference(app, tmp_path):
    task_id = make_task(app, tmp_path / "p", repeats=1, queries=1)
    somebody = Participant(app, make_link(app, task_id))
    (first, _, order), (again, _, _) = somebody.queries
    somebody.send(*(Entry(f"a-{image:08d}", "score", first, image, 1) for image in order))
    somebody.send(*(Entry(f"b-{image:08d}", "score", again, image, 3) for image in order[1:]))
    somebody.send(Entry("not-there", "not_loaded", again, order[0]))
    with app.app_context():
        (ranked,) = overview.people_of(db.session, db.session.get(RankingTask, task_id))
        assert (ranked.repeat_difference, ranked.not_loaded) == (2, 1)


def test_pictures_that_did_not_load_are_counted_without_reading_every_score(tmp_path):
    app = create_app(Settings.of(tmp_path / "instance"))
    task_id = make_task(app, tmp_path / "p", queries=1)
    Participant(app, make_link(app, task_id))
    sent = []
    with opened(app):
        event.listen(
            db.engine, "before_cursor_execute", lambda *arguments: sent.append(arguments[2:4])
        )
        overview.people_of(db.session, db.session.get(RankingTask, task_id))
        ((text, values),) = [one for one in sent if "score.value IS NULL" in one[0]]
        plan = db.session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", values)
        assert any("score USING INDEX ix_score_not_loaded" in step.detail for step in plan)
