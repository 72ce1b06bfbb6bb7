"""Recording scores: once each, the last answer is valid, none unseen, none late."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from study_app.core.database import writing
from study_app.models import now
from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingTask, Score, ScoreEntry
from study_app.participation.refusals import Withdrawn
from study_app.ranking.refusals import EntriesUnclear
from study_app.ranking.scores import recording
from study_app.ranking.scores.entries import Entry


def ago(milliseconds):
    """A past time as a page sends it."""
    return round(now().timestamp() * 1000) - milliseconds


@pytest.fixture
def arrive(app, task_id, arrive):
    """A participant who agreed a day ago."""

    def arriving(*arguments):
        somebody = arrive(*arguments)
        with app.app_context(), writing() as session:
            sitting = session.get(WebSitting, somebody.sitting_id)
            sitting.agreed_at = sitting.ready_at = now() - timedelta(days=1)
        return somebody

    return arriving


def _current_scores(session, somebody):
    query = (
        select(Score)
        .join(AssignedQuery, AssignedQuery.id == Score.assigned_query_id)
        .where(AssignedQuery.sitting_id == somebody.sitting_id)
    )
    return {row.stimulus_id: row.value for row in session.scalars(query)}


def _entries(session):
    return session.scalars(select(ScoreEntry).order_by(ScoreEntry.id)).all()


def test_a_repeated_request_adds_nothing(arrive, read):
    somebody = arrive()
    position, _, order = somebody.queries[0]
    score = Entry("a-key-of-the-page", "score", position, order[0], 3)
    for _ in range(3):
        assert somebody.send(score, score).saved == [score.key, score.key]
    assert read(_current_scores, somebody) == {order[0]: 3}
    assert len(read(_entries)) == 1


def test_the_last_answer_is_current_and_earlier_ones_are_kept(arrive, read):
    somebody = arrive()
    position, _, order = somebody.queries[0]
    somebody.send(Entry("first-answer", "score", position, order[0], 2))
    somebody.send(Entry("second-answer", "score", position, order[0], 6))
    assert read(_current_scores, somebody) == {order[0]: 6}
    assert [entry.value for entry in read(_entries)] == [2, 6]


def test_a_delayed_older_answer_does_not_replace_a_newer_one(arrive, read):
    somebody = arrive()
    position, _, order = somebody.queries[0]
    somebody.send(Entry("from-the-phone", "score", position, order[0], 6))
    late = Entry("from-the-laptop", "score", position, order[0], 2, answered_ms=ago(60_000))
    assert somebody.send(late).saved == ["from-the-laptop"]
    assert read(_current_scores, somebody) == {order[0]: 6}
    assert len(read(_entries)) == 2


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(arrivals=st.permutations(range(5)))
def test_the_latest_answer_is_current_in_any_order_of_arrival(arrive, read, arrivals):
    somebody = arrive()
    position, _, order = somebody.queries[0]
    for at in arrivals:
        waited, value = 100_000 * (5 - at), at + 1
        somebody.send(
            Entry(
                f"{somebody.sitting_id}-{at:06d}",
                "score",
                position,
                order[0],
                value,
                answered_ms=ago(waited),
            )
        )
    assert read(_current_scores, somebody) == {order[0]: 5}


def test_a_picture_that_did_not_load_is_recorded_without_a_score(arrive, read):
    somebody = arrive()
    position, _, order = somebody.queries[0]
    somebody.send(Entry("did-not-load", "not_loaded", position, order[0], shown_position=1))
    assert read(_current_scores, somebody) == {order[0]: None}
    somebody.send(Entry("came-after-all", "score", position, order[0], 4))
    somebody.send(Entry("failed-on-reload", "not_loaded", position, order[0]))
    assert read(_current_scores, somebody) == {order[0]: 4}


def test_times_do_not_depend_on_the_devices_clock(arrive, read):
    somebody = arrive()
    position, _, order = somebody.queries[0]
    somebody.send(
        Entry("a-late-one", "score", position, order[0], 4, 5, False, ago(90_000), 2_000, 1_500)
    )
    (entry,) = read(_entries)
    assert abs((now() - entry.answered_at) - timedelta(seconds=90)) < timedelta(seconds=5)
    assert entry.answered_at - entry.shown_at == timedelta(seconds=2)
    assert (entry.response_ms, entry.shown_position) == (1_500, 5)


@pytest.mark.parametrize("value", [0, 8, 3.5, None, -1])
def test_scores_off_the_scale_are_refused(arrive, read, value):
    somebody = arrive()
    position, _, order = somebody.queries[0]
    receipt = somebody.send(Entry("off-the-scale", "score", position, order[0], value))
    assert "is not on the scale from 1 to 7" in receipt.refused[0]["reason"]
    assert read(_current_scores, somebody) == {}


def test_an_image_of_another_query_is_refused(arrive):
    somebody = arrive()
    (first, _, _), (_, _, other) = somebody.queries
    receipt = somebody.send(Entry("foreign-image", "score", first, other[0], 3))
    assert "is not in query 1" in receipt.refused[0]["reason"]
    assert (
        "no query 9" in somebody.send(Entry("no-such-query", "score", 9, 1, 3)).refused[0]["reason"]
    )


def test_a_query_with_unscored_images_cannot_be_submitted(arrive):
    somebody = arrive()
    position, _, order = somebody.queries[0]
    somebody.send(Entry("only-one-score", "score", position, order[0], 3))
    receipt = somebody.send(Entry("submitting-it", "submitted", position))
    assert receipt.refused == [{"key": "submitting-it", "reason": "5 images are not scored yet"}]
    rest = [Entry(f"score-of-{image}", "score", position, image, 3) for image in order[1:-1]]
    receipt = somebody.send(*rest, Entry("nearly-all-there", "submitted", position))
    assert receipt.refused[0]["reason"] == "1 image is not scored yet"


def test_entries_after_finishing_are_refused_and_the_state_is_repeated(arrive, read):
    somebody = arrive()
    assert somebody.rank().state == "finished"
    position, _, order = somebody.queries[-1]
    again = somebody.send(
        Entry(f"{somebody.sitting_id}-{position}-{order[0]}", "score", position, order[0], 1),
        Entry("submitted-again", "submitted", position),
        Entry("a-later-score", "score", position, order[0], 1),
    )
    assert (len(again.saved), again.state) == (2, "finished")
    assert again.refused == [{"key": "a-later-score", "reason": "submitted"}]


def test_only_the_time_limit_ends_a_sitting(app, task_id, arrive, read):
    with app.app_context(), writing() as session:
        session.get(RankingTask, task_id).minutes = 24 * 60 + 5
    somebody = arrive()
    position, _, order = somebody.queries[0]
    assert somebody.send(Entry("too-soon-yet", "time_up", 0)).refused
    with app.app_context(), writing() as session:
        sitting = session.get(WebSitting, somebody.sitting_id)
        sitting.agreed_at = sitting.ready_at = now() - timedelta(minutes=24 * 60 + 6)
    waited = Entry("on-its-way-then", "score", position, order[0], 3, answered_ms=ago(65_000))
    late = Entry("after-the-end", "score", position, order[1], 3)
    receipt = somebody.send(waited, late, Entry("time-is-up-now", "time_up", 0))
    assert receipt.saved == ["on-its-way-then", "time-is-up-now"]
    assert receipt.refused == [{"key": "after-the-end", "reason": "time_up"}]
    assert receipt.state == "finished"


def test_entries_after_a_withdrawal_are_refused(app, arrive):
    from study_app.participation.people import withdrawal

    somebody = arrive()
    with app.app_context(), writing() as session:
        withdrawal.withdraw(session, session.get(WebSitting, somebody.sitting_id), "participant")
    with pytest.raises(Withdrawn):
        somebody.rank()


def test_the_entries_of_a_sitting_are_limited(arrive, monkeypatch):
    somebody = arrive()
    position, _, (image, *_) = somebody.queries[0]
    monkeypatch.setattr(recording, "COUNT_EVERY", 1)
    monkeypatch.setattr(recording, "MOST_STORED", 3)
    for number in range(3):
        somebody.send(Entry(f"again-{number}", "score", position, image, 1 + number))
    with pytest.raises(EntriesUnclear, match="too many changes"):
        somebody.send(Entry("again-3", "score", position, image, 5))
