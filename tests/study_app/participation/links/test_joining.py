"""People who join at once never get the same place, and do not make others wait for long."""

import threading
from collections import Counter

import pytest
from sqlalchemy import text

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close, db, writing
from study_app.models.participation import EarlyEnding, WebTask
from study_app.models.ranking import RankingTask
from study_app.participation.consent import consent
from study_app.participation.endings import early_endings
from study_app.participation.links import invitations, joining, places
from study_app.participation.refusals import LinkEnded, NoPlaceLeft
from study_app.participation.sittings.own_address import OwnTokens
from study_app.participation.tasks import lock_task
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task

WAITING = text("select count(*) from pg_stat_activity where wait_event_type = 'Lock'")


@pytest.fixture(params=["sqlite", "postgres"])
def either_app(request, tmp_path):
    """An application on each database."""
    url = None if request.param == "sqlite" else request.getfixturevalue("upgraded_url")
    app = create_app(Settings.of(tmp_path / "instance", url))
    yield app
    close(app)


@pytest.fixture
def on_postgres(upgraded_url, tmp_path):
    app = create_app(Settings.of(tmp_path / "instance", upgraded_url))
    yield app
    close(app)


def _count_before(app, token):
    with app.app_context():
        return places.count_before(db.session(), invitations.invitation_of(db.session(), token))


def _join_at_once(app, tokens):
    """Count for each what was taken, and only then let all join; who came, and who did not."""
    came, turned_away, failed = [], [], []
    all_counted = threading.Barrier(len(tokens))

    def join(token):
        try:
            before = _count_before(app, token)
            all_counted.wait(60)
            came.append(Participant(app, token, before=before))
        except (NoPlaceLeft, LinkEnded):
            turned_away.append(token)
        except Exception as failure:
            failed.append(failure)

    threads = [threading.Thread(target=join, args=(token,)) for token in tokens]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    return came, turned_away


@pytest.mark.slow
def test_concurrent_participants_never_get_the_same_place(either_app, tmp_path):
    task_id = make_task(either_app, tmp_path / "p", quota=3, part_size=1)
    tokens = [make_link(either_app, task_id) for _ in range(12)]
    came, turned_away = _join_at_once(either_app, tokens)
    # Two queries with three places each.
    assert (len(came), len(turned_away)) == (6, 6)
    assert sorted(person.code for person in came) == [f"P{n:03d}" for n in range(1, 7)]
    given = Counter(min(images) for person in came for _, _, images in person.queries)
    assert sorted(given.values()) == [3, 3]


@pytest.mark.slow
@pytest.mark.parametrize("limit", ["task", "link"])
def test_there_are_never_more_participants_than_allowed(either_app, tmp_path, limit):
    task_id = make_task(either_app, tmp_path / "p", quota=99)
    with either_app.app_context(), writing() as session:
        session.get_one(WebTask, task_id).people = 5 if limit == "task" else None
    token = make_link(either_app, task_id, "open", people=5 if limit == "link" else None)
    came, turned_away = _join_at_once(either_app, [token] * 12)
    assert (len(came), len(turned_away)) == (5, 7)


def test_a_code_that_was_given_in_the_meantime_is_not_given_again(either_app, tmp_path):
    task_id = make_task(either_app, tmp_path / "p", quota=9)
    token = make_link(either_app, task_id, "open")
    before = _count_before(either_app, token)
    codes = [Participant(either_app, token, before=before).code for _ in range(3)]
    assert codes == ["P001", "P002", "P003"]


def test_many_codes_that_were_given_in_the_meantime_are_passed_over(
    either_app, tmp_path, monkeypatch
):
    monkeypatch.setattr(places, "CODES_AT_ONCE", 2)
    test_a_code_that_was_given_in_the_meantime_is_not_given_again(either_app, tmp_path)


def test_places_that_were_not_counted_before_are_counted_when_it_matters(either_app, tmp_path):
    task_id = make_task(either_app, tmp_path / "p", quota=2)
    token = make_link(either_app, task_id, "open")
    Participant(either_app, token)
    before = _count_before(either_app, token)
    assert before.taken is None
    Participant(either_app, token, before=before)
    with pytest.raises(NoPlaceLeft):
        Participant(either_app, token, before=before)


def test_a_quota_that_was_lowered_in_the_meantime_is_respected(either_app, tmp_path):
    task_id = make_task(either_app, tmp_path / "p", quota=9)
    token = make_link(either_app, task_id, "open")
    Participant(either_app, token)
    before = _count_before(either_app, token)
    with either_app.app_context(), writing() as session:
        session.get_one(RankingTask, task_id).quota = 1
    with pytest.raises(NoPlaceLeft):
        Participant(either_app, token, before=before)


def _begin_to_join(app, session, token):
    """Join in a transaction that has not ended."""
    invitation = invitations.invitation_of(session, token)
    text_id = consent.newest(session, invitation.task_id).id
    own = OwnTokens(app.config["SECRET_KEY"], invitation).fresh()
    joining.join(session, invitation, joining.Joining(own, text_id, True))
    session.flush()


def test_a_person_who_leaves_does_not_wait_for_one_who_joins(on_postgres, tmp_path):
    task_id = make_task(on_postgres, tmp_path / "p", quota=9)
    token = make_link(on_postgres, task_id, "open")

    def leave():
        with on_postgres.app_context(), writing() as session:
            early_endings.count_early(
                session, invitations.invitation_of(session, token), "no_consent"
            )

    leaving = threading.Thread(target=leave)
    with on_postgres.app_context(), writing() as session:
        _begin_to_join(on_postgres, session, token)
        leaving.start()
        leaving.join(20)
        assert not leaving.is_alive()
    with on_postgres.app_context():
        assert db.session.query(EarlyEnding.people).all() == [(1,)]


def test_a_task_is_not_changed_while_somebody_joins(on_postgres, tmp_path):
    task_id = make_task(on_postgres, tmp_path / "p", quota=9)
    token = make_link(on_postgres, task_id, "open")
    changed = threading.Event()

    def change():
        with on_postgres.app_context(), writing() as session:
            lock_task(session, task_id)
            changed.set()

    changing = threading.Thread(target=change)
    with on_postgres.app_context(), db.engine.connect() as watching:
        with writing() as session:
            _begin_to_join(on_postgres, session, token)
            changing.start()
            while not watching.scalar(WAITING):
                assert changing.is_alive()
                watching.rollback()
            assert not changed.is_set()
        changing.join()
    assert changed.is_set()
