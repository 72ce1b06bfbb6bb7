"""Simulated participants go through the pages, are repeatable, and are marked in every row."""

import re
from collections import Counter

import pytest

from study_app.cli import cli
from study_app.core.database import db, writing
from study_app.models import Participant, Study
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask, ScoreEntry
from study_app.operations.http.server import serving
from study_app.participation.consent.questions import parse_comprehension
from study_app.participation.endings.endings import NAMES
from study_app.participation.flow import Flow, change_flow
from study_app.participation.people import payments, people
from study_app.participation.platforms.platforms import PLATFORMS
from study_app.ranking import ratings_of
from study_app.ranking.progress.quality import quality_of
from study_app.simulation.crowd import NotForSimulated
from study_app.simulation.visitor import ServerUnreachable
from tests.ranking_fixtures import Participant as Person
from tests.ranking_setup import make_link, make_task

pytestmark = pytest.mark.slow


def _simulate(runner, app, *options):
    settings = app.config["SETTINGS"]
    place = ["--instance", str(settings.instance), "--database", settings.database_url]
    return runner.invoke(cli, ["simulate", "ranking", *place, *options])


def test_a_crowd_ranks_a_task(app, runner, tmp_path):
    task_id = make_task(app, tmp_path / "p", checks=1, repeats=1, quota=3)
    done = _simulate(runner, app, "--participants", "3", "--seed", "5")
    assert done.exit_code == 0, done.output
    assert "3 simulated participants took part" in done.output
    with app.app_context():
        ratings = ratings_of(db.session, db.session.get(RankingTask, task_id))
        assert len(ratings) == 3 * 12
        assert all(row.simulated for row in ratings)
        assert {row.participant for row in ratings} == {"SIM001", "SIM002", "SIM003"}
        assert db.session.query(Study).one().simulated
        assert all(person.simulated for person in db.session.query(Participant))


def test_a_crowd_reaches_every_ending_and_careless_participants_are_flagged(app, runner, tmp_path):
    choice = {"checks": 2, "checks_needed": 2, "minutes": 30, "quota": 20}
    task_id = make_task(app, tmp_path / "p", images=12, **choice)
    with app.app_context(), writing() as session:
        task = session.get(RankingTask, task_id)
        task.comprehension = parse_comprehension("1 means? * similar | different")
        task.asks_comment = True
    done = _simulate(
        runner,
        app,
        *("--participants", "14", "--every-ending", "--seed", "3"),
        *("--random-clickers", "1", "--straight-liners", "1"),
    )
    assert done.exit_code == 0, done.output
    assert "timed out 1" in done.output and "None " not in done.output
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        ends = people.endings_of(db.session, task)
        assert set(ends) == set(NAMES) and sum(ends.values()) == 14
        assert {ends[one] for one in ("no_consent", "screened_out", "time_up", "withdrew")} == {1}
        found = {one.code: one.flags for one in quality_of(db.session, task)}
    flags = Counter(flag for flags in found.values() for flag in flags)
    assert flags["one score"] == 1 and flags["fast"] >= 1


def test_a_crowd_moves_a_slider_within_a_time_limit(app, runner, tmp_path):
    task_id = make_task(app, tmp_path / "p", points=None, minutes=30, most_similar_end="high")
    done = _simulate(runner, app, "--participants", "2")
    assert done.exit_code == 0, done.output
    with app.app_context():
        ratings = ratings_of(db.session, db.session.get(RankingTask, task_id))
        scores = {row.score for row in ratings}
        assert len(ratings) == 2 * 12 and all(row.simulated for row in ratings)
        assert all(0 <= score <= 100 for score in scores) and max(scores) > 11


def test_a_study_with_real_participants_is_refused(app, runner, tmp_path):
    task_id = make_task(app, tmp_path / "p")
    Person(app, make_link(app, task_id))
    refused = _simulate(runner, app)
    assert "must not be mixed" in str(refused.exception)


@pytest.mark.parametrize("purpose", ["real", "tryout"])
def test_a_link_for_real_participants_refuses_programs(app, runner, tmp_path, purpose):
    token = make_link(app, make_task(app, tmp_path / "p"), "open", purpose)
    with serving(app) as address:
        refused = _simulate(runner, app, "--link", f"{address}/take-part/{token}/")
    assert isinstance(refused.exception, NotForSimulated)
    with app.app_context():
        assert db.session.query(WebSitting).count() == 0
        assert db.session.query(Participant).count() == 0


def test_a_started_sitting_refuses_programs(app, runner, tmp_path):
    token = make_link(app, make_task(app, tmp_path / "p"))
    Person(app, token)
    with serving(app) as address:
        refused = _simulate(runner, app, "--link", f"{address}/take-part/{token}/")
    assert isinstance(refused.exception, NotForSimulated)
    with app.app_context():
        assert db.session.query(ScoreEntry).count() == 0


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("http://127.0.0.1:9/take-part/x/", r"127\.0\.0\.1:9 cannot be reached \(.*refused"),
        ("http://here:port/take-part/x/", "Port could not be cast"),
        ("take-part/x/", "take-part/x/ cannot be reached .it is not a URL"),
    ],
)
def test_an_unknown_link_is_reported(app, runner, link, reason):
    refused = _simulate(runner, app, "--link", link)
    assert isinstance(refused.exception, ServerUnreachable)
    assert re.search(reason, str(refused.exception))


def test_a_refusal_is_reported_without_its_html(app, runner, tmp_path):
    make_task(app, tmp_path / "p", quota=2)
    assert _simulate(runner, app, "--participants", "2").exit_code == 0
    refused = _simulate(runner, app, "--participants", "1")
    assert "This study has enough participants" in str(refused.exception)
    assert "<" not in str(refused.exception) and "\n" not in str(refused.exception)


def test_simulated_participants_use_a_link(app, runner, tmp_path):
    task_id = make_task(app, tmp_path / "p")
    token = make_link(app, task_id, "open", "simulated")
    with serving(app) as address:
        link = f"{address}/take-part/{token}/"
        done = _simulate(runner, app, "--participants", "1", "--link", link)
    assert done.exit_code == 0, done.output
    with app.app_context():
        rows = list(ratings_of(db.session, db.session.get(RankingTask, task_id)))
        assert rows and all(row.simulated for row in rows)


def test_simulated_platform_participants_have_ids_and_do_every_part(app, runner, tmp_path):
    task_id = make_task(app, tmp_path / "p", completion_code="DONE")
    with app.app_context(), writing() as session:
        change_flow(session.get(RankingTask, task_id), Flow(parts=2, part_codes=["HALF"]))
    token = make_link(app, task_id, "prolific", "simulated")
    with serving(app) as address:
        link = f"{address}/take-part/{token}/{PLATFORMS['prolific'].query()}"
        done = _simulate(runner, app, "--participants", "6", "--every-ending", "--link", link)
    assert done.exit_code == 0, done.output
    # This task has neither checks nor a time limit, so those participants complete it.
    assert "None timed out: the task has no time limit." in done.output
    assert "did not consent 1" in done.output and "complete 4" in done.output
    with app.app_context():
        paid = payments.payments_of(db.session, db.session.get(RankingTask, task_id))
        assert Counter(one.decision for one in paid) == {"approve": 4, "return": 1}
        assert {one.completion_code for one in paid} == {"DONE", ""}
        assert len({one.person for one in paid}) == 5
