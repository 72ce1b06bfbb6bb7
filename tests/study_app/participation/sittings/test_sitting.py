"""A sitting's lock, with two tabs on PostgreSQL, where two writers can begin at once; its place."""

import threading
from datetime import timedelta

import pytest
from sqlalchemy import select, text

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close, db, writing
from study_app.models import now
from study_app.models.participation import WebSitting, WebTask
from study_app.models.ranking import ScoreEntry
from study_app.participation.people import quota, withdrawal
from study_app.participation.sittings.sitting import SEEN_EVERY
from study_app.ranking.scores import recording
from study_app.ranking.scores.entries import Entry
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task

WAITING = text("select count(*) from pg_stat_activity where wait_event_type = 'Lock'")


@pytest.fixture
def app(upgraded_url, tmp_path):
    app = create_app(Settings.of(tmp_path / "instance", upgraded_url))
    yield app
    close(app)


def _wait_until_it_waits(thread):
    with db.engine.connect() as connection:
        while not connection.scalar(WAITING):
            assert thread.is_alive(), "nothing made the other tab wait"
            connection.rollback()


def test_a_delayed_score_of_a_submitted_query_is_refused(app, tmp_path):
    task_id = make_task(app, tmp_path / "p")
    somebody = Participant(app, make_link(app, task_id))
    position, _, order = somebody.queries[0]
    scores = [Entry(f"score-of-{image}", "score", position, image, 2) for image in order]
    somebody.send(*scores)
    receipts = []

    def correct():
        receipts.append(somebody.send(Entry("a-late-score", "score", position, order[0], 7)))

    other_tab = threading.Thread(target=correct)
    with app.app_context():
        with writing() as session:
            done = Entry("submitted-now", "submitted", position)
            assert recording.record(session, somebody.token, [done]).refused == []
            other_tab.start()
            _wait_until_it_waits(other_tab)
        other_tab.join()
        assert receipts[0].refused == [{"key": "a-late-score", "reason": "submitted"}]
        values = db.session.scalars(select(ScoreEntry.value)).all()
        assert values == [2] * len(order)
        db.session.remove()


def test_scores_saved_during_a_withdrawal_are_deleted(app, tmp_path):
    somebody = Participant(app, make_link(app, make_task(app, tmp_path / "p")))
    position, _, order = somebody.queries[0]

    def withdraw():
        with app.app_context(), writing() as session:
            sitting = session.get(WebSitting, somebody.sitting_id)
            withdrawal.withdraw(session, sitting, "participant")

    other_tab = threading.Thread(target=withdraw)
    with app.app_context():
        with writing() as session:
            score = Entry("score-in-time", "score", position, order[0], 2)
            assert recording.record(session, somebody.token, [score]).refused == []
            other_tab.start()
            _wait_until_it_waits(other_tab)
        other_tab.join()
        assert db.session.scalars(select(ScoreEntry)).all() == []
        assert db.session.get(WebSitting, somebody.sitting_id).withdrawn_at
        db.session.remove()


def test_the_last_activity_is_updated_after_some_minutes(app, tmp_path):
    somebody = Participant(app, make_link(app, make_task(app, tmp_path / "p")))
    entry = Entry("entered-first", "entered", 1)
    long_ago = now() - SEEN_EVERY - timedelta(seconds=1)
    with app.app_context(), writing() as session:
        session.get(WebSitting, somebody.sitting_id).seen_at = long_ago
    somebody.send(entry)
    with app.app_context():
        assert db.session.get(WebSitting, somebody.sitting_id).seen_at > long_ago
        db.session.remove()


def test_nothing_but_an_answer_holds_a_place(app, tmp_path):
    """A program could otherwise hold all places with a request now and then."""
    task_id = make_task(app, tmp_path / "p")
    somebody = Participant(app, make_link(app, task_id))
    position, _, order = somebody.queries[0]
    with app.app_context(), writing() as session:
        sitting = session.get(WebSitting, somebody.sitting_id)
        sitting.agreed_at = sitting.seen_at = now() - timedelta(minutes=11)

    def held():
        with app.app_context():
            count = quota.count(db.session, db.session.get(WebTask, task_id))
            db.session.remove()
        return count

    somebody.send()
    somebody.send(Entry("entered-first", "entered", position))
    assert held() == 0
    somebody.send(Entry("score-of-one", "score", position, order[0], 2))
    assert held() == 1
