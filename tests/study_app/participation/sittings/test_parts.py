"""A task in parts on several days: when participants can continue, and which data count."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from study_app.core.database import db, writing
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask
from study_app.participation import flow
from study_app.participation.people import payments, people, withdrawal
from study_app.participation.refusals import TaskUnclear
from study_app.participation.sittings import parts
from study_app.ranking import (
    plan,
    ratings_of,
)
from study_app.ranking.allocation import quota
from study_app.ranking.progress import overview
from study_app.ranking.scores.entries import Entry
from study_app.results.gold import counts
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task


@pytest.fixture
def task_id(app, tmp_path):
    """A task of four queries in two parts, the second a day later."""
    task_id = make_task(app, tmp_path / "pictures", queries=4, images=3)
    with app.app_context(), writing() as session:
        wanted = flow.Flow(parts=2, part_hours=24, part_days=3, part_codes=["HALF"])
        flow.change_flow(session.get(RankingTask, task_id), wanted)
    return task_id


def _sitting(session, somebody):
    return session.get(WebSitting, somebody.sitting_id)


def _hours_pass(app, somebody, hours):
    with app.app_context(), writing() as session:
        sitting = _sitting(session, somebody)
        sitting.next_part_at -= timedelta(hours=hours)
        sitting.seen_at -= timedelta(hours=hours)
        sitting.agreed_at -= timedelta(hours=hours)


def test_trials_are_divided_in_their_order():
    assert parts.part_of_trials(0, 5, 2) == [1, 1, 1, 2, 2]
    assert parts.part_of_trials(2, 4, 2) == [1, 1, 1, 1, 2, 2]
    assert parts.part_of_trials(1, 2, 5) == [1, 1, 2]


@given(st.integers(0, 3), st.integers(1, 60), st.integers(1, 30))
def test_parts_are_ordered_complete_and_of_similar_size(practice, trials, wanted):
    found = parts.part_of_trials(practice, trials, wanted)
    assert found[:practice] == [1] * practice and found == sorted(found)
    main = found[practice:]
    sizes = [main.count(part) for part in range(1, max(main) + 1)]
    assert len(sizes) == min(wanted, trials) and max(sizes) - min(sizes) <= 1


def test_one_part_per_day_until_the_task_is_complete(app, task_id, arrive, read):
    somebody = arrive()
    first, second = somebody.queries[:2], somebody.queries[2:]
    assert [q["position"] for q in read(_plan, somebody)["queries"]] == [1, 2]
    early = somebody.send(Entry("too-early-key", "entered", second[0][0]))
    assert "later part" in early.refused[0]["reason"]
    assert somebody.rank(queries=first).state == "finished"
    assert read(_progress, task_id, somebody) == "between parts"
    with app.app_context(), writing() as session:
        parts.begin_next(session, _sitting(session, somebody))
    assert read(_sitting, somebody).part == 1
    _hours_pass(app, somebody, 24)
    with app.app_context(), writing() as session:
        parts.begin_next(session, _sitting(session, somebody))
        parts.begin_next(session, _sitting(session, somebody))
    assert [q["position"] for q in read(_plan, somebody)["queries"]] == [3, 4]
    assert somebody.rank(queries=second).state == "finished"
    assert read(_progress, task_id, somebody) == "complete"
    assert read(_sitting, somebody).part == 2


def _plan(session, somebody):
    return plan.plan_of(session, _sitting(session, somebody))


def _progress(session, task_id, somebody):
    return people.progress_of(session.get(RankingTask, task_id), _sitting(session, somebody))


def test_a_finished_part_counts_and_its_place_is_held_for_days(app, task_id, arrive, read):
    somebody = arrive()
    somebody.rank(queries=somebody.queries[:2])

    def counted(session):
        task = session.get(RankingTask, task_id)
        rows, taken = len(ratings_of(session, task)), sum(quota.taken(session, task).values())
        summary = overview.summary_of(session, task)
        return rows, taken, counts.of_task(session, task).trials, summary.under_way

    assert read(counted) == (6, 4, 2, 1)
    _hours_pass(app, somebody, 24 + 3 * 24)
    assert read(_progress, task_id, somebody) == "away"
    assert read(counted) == (6, 2, 2, 0)
    with app.app_context(), writing() as session:
        withdrawal.withdraw(session, _sitting(session, somebody), "participant")
    assert read(counted) == (0, 0, 0, 0)


def test_the_page_between_parts_says_when_to_return_and_starts_the_next_part(
    app, stranger, task_id
):
    link = make_link(app, task_id, kind="prolific")
    person = {"PROLIFIC_PID": "p", "STUDY_ID": "s", "SESSION_ID": "x"}
    somebody = Participant(app, link, **person)
    somebody.rank(queries=somebody.queries[:2])
    own = f"/take-part/{somebody.token}"
    page = stranger.get(f"{own}/thanks", follow_redirects=True).text
    words = " ".join(page.split())
    assert "Part 1 of 2 is done" in words and ">HALF<" in words and "Start part" not in words
    assert "Part 2 opens on" in words and "the same link again on this device" in words
    early = stranger.post(f"{own}/part", follow_redirects=True)
    assert "Part 2 opens on" in " ".join(early.text.split())
    # Later parts contain attention checks.
    assert stranger.get(f"{own}/data").status_code == 302
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        (paid,) = payments.payments_of(db.session, task)
        assert (paid.state, paid.decision, paid.completion_code) == (
            "between parts",
            "approve",
            "HALF",
        )
    _hours_pass(app, somebody, 24)
    assert "Start part 2" in stranger.get(f"{own}/", follow_redirects=True).text
    begun = stranger.post(f"{own}/part", follow_redirects=True)
    assert begun.request.path.endswith("/rank")


def test_a_try_out_can_start_the_next_part_at_once(app, task_id, arrive, read):
    tryout = arrive("tryout")
    tryout.rank(queries=tryout.queries[:2])
    with app.app_context(), writing() as session:
        parts.begin_next(session, _sitting(session, tryout))
    assert tryout.rank(queries=tryout.queries[2:]).state == "finished"
    assert read(_progress, task_id, tryout) == "complete"


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"parts": 0}, "number of parts must be 1–30"),
        ({"parts": 2, "part_codes": ["A", "B"]}, "more codes than parts before the last"),
        ({"parts": 3, "part_codes": ["A", "A"]}, "used for two endings"),
        ({"part_hours": 1000}, "hours until the next part must be 0–720"),
    ],
)
def test_invalid_values_are_refused(app, task_id, chosen, message):
    with app.app_context(), writing() as session, pytest.raises(TaskUnclear, match=message):
        flow.change_flow(session.get(RankingTask, task_id), flow.Flow(**chosen))
