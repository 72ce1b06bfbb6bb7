"""The server's clock set back by an hour or a day: answers, places and sign-ins stay valid."""

import time
from datetime import datetime, timedelta

import itsdangerous
import pytest

from study_app.accounts import researchers
from study_app.core import clock
from study_app.core.database import db, writing
from study_app.models import Job, Sitting, base, now
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask, Score
from study_app.ranking import plan
from study_app.ranking.allocation import quota
from study_app.ranking.progress import overview
from study_app.ranking.scores.entries import Entry
from study_app.sittings import sittings
from study_app.sittings.recording.gallery import gallery
from tests.app_fixtures import PASSWORD
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task
from tests.study_app.card_fixtures import make_set

BACK = [timedelta(hours=1), timedelta(days=1)]


@pytest.fixture
def wait(monkeypatch):
    """Moves the clock of the server on by a time, or back."""
    moved = [timedelta()]
    timestamp = itsdangerous.TimestampSigner.get_timestamp

    class Moved(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + sum(moved, timedelta())

    def signed_at(signer):
        return timestamp(signer) + int(sum(moved, timedelta()).total_seconds())

    monkeypatch.setattr(base, "datetime", Moved)
    monkeypatch.setattr(itsdangerous.TimestampSigner, "get_timestamp", signed_at)
    return moved.append


@pytest.fixture(params=BACK, ids=["an hour", "a day"])
def set_back(request, wait):
    """Sets the clock of the server back when it is called."""
    return lambda: wait(-request.param)


@pytest.fixture
def somebody(app, tmp_path):
    """A participant of a task with a time limit of half an hour."""
    task_id = make_task(app, tmp_path / "pictures")
    with app.app_context(), writing() as session:
        session.get(RankingTask, task_id).minutes = 30
    return Participant(app, make_link(app, task_id))


def plan_for(somebody):
    """The plan that a page gets when it is opened."""
    with somebody.app.app_context():
        return plan.plan_of(db.session, db.session.get(WebSitting, somebody.sitting_id))


def score(somebody, key, value, at_ms):
    """Send a score of the first image, as the participant's page does."""
    position, _, order = somebody.queries[0]
    entry = Entry(key, "score", position, order[0], value, answered_ms=at_ms)
    assert somebody.send(entry).saved == [key]


def current_scores(somebody):
    """The current scores."""
    with somebody.app.app_context():
        return db.session.scalars(db.select(Score.value)).all()


def test_the_last_answer_of_an_open_page_is_current(somebody, set_back, wait):
    opened = plan_for(somebody)["now_ms"]
    wait(timedelta(minutes=1))
    score(somebody, "before-it", 2, opened + 60_000)
    set_back()
    score(somebody, "after-it", 6, opened + 90_000)
    score(somebody, "late-but-older", 3, opened + 70_000)
    assert current_scores(somebody) == [6]


def test_the_last_answer_of_a_later_page_is_current(somebody, set_back, wait):
    opened = plan_for(somebody)["now_ms"]
    wait(timedelta(minutes=1))
    score(somebody, "before-it", 2, opened + 60_000)
    set_back()
    score(somebody, "after-it", 6, plan_for(somebody)["now_ms"] + 5000)
    assert current_scores(somebody) == [6]


def test_a_clock_change_neither_extends_nor_blocks_a_sitting(somebody, set_back, wait):
    opened = plan_for(somebody)
    wait(timedelta(minutes=20))
    score(somebody, "before-it", 2, opened["now_ms"] + 20 * 60_000)
    set_back()
    assert abs(plan_for(somebody)["seconds_left"] - 10 * 60) < 60
    early = Entry("too-early", "time_up", 0, answered_ms=opened["now_ms"] + 25 * 60_000)
    assert somebody.send(early).refused
    over = Entry("it-is-over", "time_up", 0, answered_ms=opened["now_ms"] + 30 * 60_000 + 1000)
    assert somebody.send(over).state == "finished"


def test_a_device_clock_ahead_ends_and_loses_nothing(somebody):
    """Only the server's own clock, seen to go back, makes it believe a page from its future."""
    ahead = plan_for(somebody)["now_ms"] + 40 * 60_000
    score(somebody, "from-the-future", 2, ahead)
    assert somebody.send(Entry("it-is-over", "time_up", 0, answered_ms=ahead)).refused
    score(somebody, "and-corrected", 6, plan_for(somebody)["now_ms"] + 1000)
    assert current_scores(somebody) == [6]


def test_a_place_is_held_for_active_participants_only(app, somebody, set_back):
    def seen():
        with app.app_context():
            sitting = db.session.get(WebSitting, somebody.sitting_id)
            (person,) = overview.people_of(db.session, sitting.task)
            return person.state, sum(quota.taken(db.session, sitting.task).values())

    opened = plan_for(somebody)["now_ms"]
    assert seen() == ("taking part", 2)
    with app.app_context(), writing() as session:
        task = session.get(WebSitting, somebody.sitting_id).task
        task.hold_minutes = 50
    set_back()
    assert seen() == ("away", 0)
    score(somebody, "is-still-here", 2, opened + 1000)
    assert seen() == ("taking part", 2)


def test_sign_in_form_and_link_stay_valid(app, client, set_back):
    with app.app_context(), writing() as session:
        token = researchers.make_link(session)
    set_back()
    assert client.get("/").status_code == 200
    assert client.post("/studies", {"name": "Chairs"}).status_code == 302
    form = {"name": "Grace", "password": PASSWORD}
    assert client.post(f"/welcome/{token}", form).status_code == 302
    assert client.post(f"/welcome/{token}", form).status_code == 410


def test_expired_and_forged_cookies_are_still_refused(app, client, wait):
    wait(timedelta(days=32))
    assert client.get("/").status_code == 302
    wait(-timedelta(days=32))
    assert client.get("/").status_code == 200
    name = app.config["SESSION_COOKIE_NAME"]
    value = client._client.get_cookie(name).value
    client._client.set_cookie(name, value[:-3] + "abc")
    assert client.get("/").status_code == 302


def test_a_sitting_with_a_clock_set_back_has_no_duration(app, study_id, set_back):
    with app.app_context():
        set_id = make_set(study_id, "chairs", 3)
        with writing() as session:
            sitting = Sitting(study_id=study_id, number=1, set_id=set_id, deck_number=1)
            session.add(sitting)
            session.flush()
            sittings.start(session, sitting)
        set_back()
        with writing() as session:
            sitting = sittings.find(session, study_id, 1)
            sittings.begin_recording(session, sitting)
        assert gallery(db.session, sittings.find(db.session, study_id, 1)).minutes is None


def test_the_newest_job_is_the_last_started(app, study_id, set_back):
    from study_app.core.background import jobs

    with app.app_context():
        with writing() as session:
            session.add(Job(study_id=study_id, kind="import", started_at=now(), message="first"))
        set_back()
        with writing() as session:
            session.add(Job(study_id=study_id, kind="import", started_at=now(), message="second"))
        assert jobs.newest(study_id, "import").message == "second"


@pytest.mark.parametrize(
    ("ago", "within"), [(0, True), (50, True), (70, False), (-50, True), (-70, False)]
)
def test_times_of_a_host_that_is_a_little_ahead_are_recent(ago, within):
    assert clock.is_within(60, time.time() - ago) == within
