"""Stamps: they change when a sitting sends entries or its id is reused."""

from study_app.core.database import db, writing
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask
from study_app.ranking.scores.entries import Entry
from study_app.ranking.scores.per_sitting import queries_in, stamps_of


def test_the_stamp_of_a_sitting_changes_with_every_entry(app, task_id, arrive):
    somebody, other = arrive(), arrive()

    def found():
        with app.app_context():
            stamps = stamps_of(db.session, db.session.get(RankingTask, task_id))
            return stamps, queries_in(db.session, [somebody.sitting_id, other.sitting_id])

    before, _ = found()
    (position, _, images), second = somebody.queries
    somebody.send(Entry("one", "score", position, images[0], 3))
    scored, _ = found()
    somebody.rank(queries=[(position, "main", images)])
    submitted, queries = found()
    somebody.rank(queries=[second])
    ended, both = found()
    mine = [stamps[somebody.sitting_id] for stamps in (before, scored, submitted, ended)]
    assert len(set(mine)) == 4
    assert {stamps[other.sitting_id] for stamps in (before, scored, ended)} == {
        before[other.sitting_id]
    }
    assert (queries, both) == (1, 2)
    assert found()[0] == ended
    # SQLite reuses the id of a deleted try-out for the next sitting.
    with app.app_context(), writing() as session:
        session.get(WebSitting, somebody.sitting_id).agreed_at = other_moment(session, other)
    assert found()[0][somebody.sitting_id] != ended[somebody.sitting_id]


def other_moment(session, other):
    return session.get(WebSitting, other.sitting_id).agreed_at
