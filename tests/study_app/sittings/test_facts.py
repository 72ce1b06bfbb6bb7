"""Facts about a table for exclusion rules."""

from datetime import timedelta

from study_app.core.database import writing
from study_app.sittings import facts, sittings
from tests.study_app.judged import make_set, sort_set


def test_facts_of_a_table(session, study_id):
    with writing():
        made = make_set(session, study_id, "chairs", ["a", "b", "c", "d"])
        sort_set(session, made, [[0, 0, 0, 1], [0, 1, 2, 3], [0, 0, 1, -1]])
        first = sittings.find(session, study_id, "T001")
        first.started_at = first.finished_at - timedelta(minutes=9)
        first.stopped_at = first.finished_at - timedelta(minutes=2)
    found = [*facts.facts_of(session, study_id).values()]
    assert [f.same_share for f in found] == [3 / 4, 1.0, 2 / 3]
    assert [f.done_share for f in found] == [1.0, 1.0, 3 / 4]
    assert [f.minutes for f in found] == [7, None, None]
