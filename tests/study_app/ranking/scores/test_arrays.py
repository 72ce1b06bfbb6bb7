"""Scores as arrays equal those of a plain loop over the rows, in any order of arrival."""

import tracemalloc

import numpy as np
import pytest
from sqlalchemy import event, select

from study_app.core.caching.cache import cached
from study_app.core.database import db, writing
from study_app.models import Participant, Stimulus
from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingQuery, RankingTask, Score
from study_app.participation.people import exclusion, withdrawal
from study_app.participation.people.exclusion import Excluded
from study_app.ranking import ratings_of
from study_app.ranking.scores import ratings
from study_app.ranking.scores.arrays import scores_of
from study_app.ranking.scores.ratings import laid_out
from tests.ranking_fixtures import Participant as Visitor
from tests.ranking_setup import make_link, make_task


def _rows(session, task_id):
    """Every main score of people who finished and were neither excluded nor withdrawn: a loop."""
    found = []
    for sitting in session.scalars(select(WebSitting).where(WebSitting.task_id == task_id)):
        person = session.get(Participant, sitting.participant_id)
        if sitting.ending != "complete" or _without(session, sitting, None):
            continue
        for query in session.query(AssignedQuery).filter_by(sitting_id=sitting.id, kind="main"):
            if _without(session, sitting, query.position):
                continue
            asked = session.get(RankingQuery, query.query_id)
            for score in session.query(Score).filter_by(assigned_query_id=query.id):
                is_check = query.checked and score.stimulus_id == asked.stimulus_id
                if score.value is not None and not is_check:
                    image = session.get(Stimulus, score.stimulus_id).name
                    key = (person.code, asked.number, image)
                    found.append((key, person.code, asked.stimulus.name, image, score.value))
    return [row[1:] for row in sorted(found)]


def _without(session, sitting, trial):
    study_id = sitting.task.study_id
    what = Excluded(web_sitting_id=sitting.id, trial=trial)
    return any(one.trial == trial for one in exclusion.current(session, study_id, what))


def _found(task_id):
    ratings = ratings_of(db.session, db.session.get(RankingTask, task_id))
    return [(row.participant, row.query, row.stimulus, row.score) for row in ratings]


@pytest.fixture
def busy_task(app, tmp_path):
    return make_task(app, tmp_path / "p", queries=4, part_size=3, repeats=1, checks=1, quota=9)


def test_cached_arrays_equal_a_plain_loop_while_sittings_change(app, busy_task):
    people = [Visitor(app, make_link(app, busy_task)) for _ in range(4)]
    for at, somebody in enumerate(people[:2]):
        somebody.rank(lambda image, at=at: 1 + (image * 3 + at) % 7)
    with app.app_context():
        assert _found(busy_task) == _rows(db.session, busy_task) != []
    people[2].rank(lambda image: 1 + image % 5)
    with app.app_context():
        three = _found(busy_task)
        assert three == _rows(db.session, busy_task)
        study_id = db.session.get(RankingTask, busy_task).study_id
        with writing() as session:
            what = Excluded(web_sitting_id=people[1].sitting_id, trial=people[1].queries[0][0])
            exclusion.exclude(session, study_id, what, "interrupted")
        assert _found(busy_task) == _rows(db.session, busy_task) != three
        with writing() as session:
            sitting = session.get(WebSitting, people[0].sitting_id)
            withdrawal.withdraw(session, sitting, "participant")
        assert _found(busy_task) == _rows(db.session, busy_task)
        assert people[0].code not in {row[0] for row in _found(busy_task)}


def test_a_finished_sitting_is_read_once_and_dropped_after_a_withdrawal(app, busy_task):
    Visitor(app, make_link(app, busy_task)).rank()
    sent = []
    with app.app_context():
        event.listen(db.engine, "before_cursor_execute", lambda *event: sent.append(event[2]))
        _found(busy_task)
        read = [statement for statement in sent if "FROM assigned_query JOIN score" in statement]
        assert len(read) == 1
        sent.clear()
        before = _found(busy_task)
        assert not [statement for statement in sent if "JOIN score" in statement]
        clears = cached().clears
        cached().clear()
        # A result that was being computed during a withdrawal is not stored.
        cached().put("old", 1, clears)
        assert cached().get("old") is None and cached().get(("scores", busy_task)) is None
        assert _found(busy_task) == before


def test_tables_have_the_order_of_the_rows(app, busy_task):
    for at in range(3):
        somebody = Visitor(app, make_link(app, busy_task))
        somebody.rank(lambda image, at=at: 1 + (image + at) % 7)
    with app.app_context():
        found = ratings_of(db.session, db.session.get(RankingTask, busy_task))
        rows = _rows(db.session, busy_task)
        tables = laid_out(found)
    assert tables.participants == sorted({row[0] for row in rows})
    assert tables.queries == list(dict.fromkeys(row[1] for row in rows))
    for query, names, table in zip(tables.queries, tables.candidates, tables.scores, strict=True):
        own = [row for row in rows if row[1] == query]
        assert names == sorted({row[2] for row in own})
        expected = np.full(table.shape, np.nan)
        for person, _, image, value in own:
            expected[tables.participants.index(person), names.index(image)] = value
        np.testing.assert_array_equal(table, expected)


def test_many_scores_are_in_memory_once_beside_the_cached_ones(app, busy_task, monkeypatch):
    for _ in range(4):
        Visitor(app, make_link(app, busy_task)).rank()
    many = 10_000
    with app.app_context():

        def repeated(*arguments):
            found = scores_of(*arguments)
            return {sitting: np.repeat(scores, many) for sitting, scores in found.items()}

        task = db.session.get(RankingTask, busy_task)
        repeated_scores = repeated(db.session, task.id, ratings.stamps_of(db.session, task))
        monkeypatch.setattr(ratings, "scores_of", lambda *_: repeated_scores)
        tracemalloc.start()
        try:
            rows = len(ratings_of(db.session, task))
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    # Three numbers and a score a row, and the rows of one participant several times.
    assert rows == sum(map(len, repeated_scores.values())) >= 400_000
    assert peak < 45 * rows
