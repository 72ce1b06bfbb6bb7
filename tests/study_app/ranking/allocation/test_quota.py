"""Every query gets enough participants, even if some drop out, return or withdraw."""

from collections import Counter
from datetime import timedelta
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.event import listen

from study_app.core.database import db, writing
from study_app.models import now
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask
from study_app.participation.people import withdrawal
from study_app.participation.people.quota import COUNTS, limits
from study_app.participation.refusals import NoPlaceLeft
from study_app.ranking.allocation import quota
from study_app.ranking.tasks import query_lists, tasks
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_stimuli

QUERIES = 4
EVENTS = ("come", "come", "finish", "submit one", "leave", "withdraw", "time up")


@pytest.fixture
def make(app, study_id, tmp_path):
    """Makes tasks of the same queries."""
    with app.app_context():
        table = make_stimuli(app, study_id, tmp_path / "p", queries=QUERIES, images=2)
    numbers = count()

    def making(**choice):
        ends = {"most_similar_end": "low", "low_label": "a", "high_label": "b"}
        with app.app_context(), writing() as session:
            named = tasks.TaskChoice(f"Task {next(numbers)}", **ends, **choice)
            task = tasks.make_task(session, study_id, named)
            tasks.add_queries(session, task, query_lists.from_table(session, study_id, table))
            return task.id

    return making


class Study:
    """A task whose participants follow a list of events."""

    def __init__(self, app, task_id):
        self.app, self.task_id = app, task_id
        self.link = make_link(app, task_id, "open")
        self.ranking, self.finished = [], []

    def come(self, _):
        self.ranking.append(Participant(self.app, self.link))

    def finish(self, who):
        person = self.ranking.pop(who % len(self.ranking))
        person.rank()
        self.finished.append(person)

    def submit_one(self, who):
        person = self.ranking[who % len(self.ranking)]
        person.rank(queries=person.queries[:1])
        if len(person.queries) == 1:
            self.ranking.remove(person)
            self.finished.append(person)

    def leave(self, who):
        """A participant is inactive for longer than the place is held."""
        self._change(self.ranking.pop(who % len(self.ranking)), seen_at=now() - timedelta(hours=2))

    def time_up(self, who):
        """The time limit ends a sitting, whatever is submitted by then."""
        self._change(self.ranking.pop(who % len(self.ranking)), finished_at=now(), ending="time_up")

    def withdraw(self, who):
        everybody = [*self.ranking, *self.finished]
        person = everybody[who % len(everybody)]
        (self.ranking if person in self.ranking else self.finished).remove(person)
        with self.app.app_context(), writing() as session:
            sitting = session.get(WebSitting, person.sitting_id)
            withdrawal.withdraw(session, sitting, "participant")

    def _change(self, person, **values):
        with self.app.app_context(), writing() as session:
            for name, value in values.items():
                setattr(session.get(WebSitting, person.sitting_id), name, value)

    def filled_and_taken(self):
        """The number of filled places of each query, and of filled or held ones."""
        with self.app.app_context():
            db.session.rollback()
            task = db.session.get(RankingTask, self.task_id)
            taken, filled = quota.taken_and_filled(db.session, task)
            return filled, taken


def _happens(study, event, who):
    there = study.ranking or (event == "withdraw" and study.finished)
    if event == "come":
        try:
            study.come(who)
        except NoPlaceLeft:
            assert min(study.filled_and_taken()[1].values()) >= study.wanted
    elif there:
        getattr(study, event.replace(" ", "_"))(who)


@pytest.mark.slow
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    part=st.sampled_from([None, 1, 2, 3]),
    wanted=st.integers(1, 3),
    events=st.lists(st.tuples(st.sampled_from(EVENTS), st.integers(0, 9)), max_size=10),
)
def test_every_query_reaches_exactly_its_quota(app, make, part, wanted, events):
    study = Study(app, make(quota=wanted, part_size=part, minutes=60))
    study.wanted = wanted
    for event, who in events:
        _happens(study, event, who)
        filled, taken = study.filled_and_taken()
        held = Counter(taken)
        held.subtract(filled)
        assert min(held.values(), default=0) >= 0
        # A query with a full quota is in no part, but in the list of participants who rank all.
        if part:
            assert max(taken.values()) <= wanted
    while study.ranking:
        study.leave(0)
    while True:
        try:
            study.come(0)
        except NoPlaceLeft:
            break
        study.finish(0)
    filled, taken = study.filled_and_taken()
    assert min(filled.get(query, 0) for query in taken) >= wanted
    if part:
        assert set(filled.values()) == {wanted}


def test_a_participant_who_returns_late_keeps_their_scores(app, make):
    study = Study(app, make(quota=1, part_size=2))
    study.come(0)
    (late,) = study.ranking
    late.rank(queries=late.queries[:1])
    study.leave(0)
    # All four queries are free again, so two others take them.
    for _ in range(2):
        study.come(0)
        study.finish(0)
    with pytest.raises(NoPlaceLeft):
        study.come(0)
    late.rank()
    filled, _ = study.filled_and_taken()
    assert sorted(filled.values()) == [1, 1, 2, 2]


def test_a_place_without_any_request_is_held_for_minutes_only(app, make):
    study = Study(app, make())
    study.come(0)
    eleven, nine = now() - timedelta(minutes=11), now() - timedelta(minutes=9)
    held = {}
    with app.app_context():
        task = db.session.get(RankingTask, study.task_id)
        for what, agreed_at, seen_at in (
            ("never spoke, 9 minutes ago", nine, nine),
            ("never spoke, 11 minutes ago", eleven, eleven),
            ("spoke 9 minutes ago", eleven, nine),
        ):
            sitting = db.session.query(WebSitting).one()
            sitting.agreed_at, sitting.seen_at = agreed_at, seen_at
            db.session.flush()
            held[what] = db.session.query(WebSitting).filter(COUNTS).params(limits(task)).count()
        db.session.rollback()
    assert list(held.values()) == [1, 0, 1], held


def test_places_and_finished_participants_are_counted_in_one_statement(app, make):
    task_id = make(quota=2)
    study = Study(app, task_id)
    study.come(0)
    study.come(0)
    study.finish(0)
    sent = []
    with app.app_context():
        listen(db.engine, "before_cursor_execute", lambda *arguments: sent.append(arguments[2]))
        taken, filled = quota.taken_and_filled(db.session, db.session.get(RankingTask, task_id))
        assert sum("GROUP BY assigned_query.query_id" in text for text in sent) == 1
        assert set(taken.values()) == {2} and dict.fromkeys(taken, 1) == filled


def test_a_total_number_of_people_is_shared_by_the_queries(app, make, client):
    task_id = make(quota=20, part_size=2)
    with app.app_context(), writing() as session:
        task = session.get(RankingTask, task_id)
        study_id, task.people = task.study_id, 7
    page = " ".join(client.get(f"/studies/{study_id}/ranking/{task_id}/").text.split())
    # Seven people with two of four queries each: three people for every query, four for some.
    assert page.count("<span>0 of 3</span>") == QUERIES and "0 of 20" not in page
