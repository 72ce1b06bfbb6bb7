"""A retest is compared with its first sitting and counts for no gold standard."""

import pytest

from study_app.core.database import writing
from study_app.participation.people import exclusion
from study_app.participation.people.exclusion import Excluded
from study_app.sittings import retests, sittings
from study_app.sittings.groupings import groupings_of_set
from study_app.sittings.recording import closure, events
from study_app.studies import studies
from tests.table_fixtures import ids, make_set, make_sitting


def _sort(session, sitting, groups):
    numbers = ids(sitting)
    placed = [(f"g{at}", [numbers[card] for card in group]) for at, group in enumerate(groups)]
    events.record(session, sitting, events.Wanted("a", "place", placed))
    closure.finish(session, sitting, "lost")


def test_a_retest_is_compared_with_the_first_sitting(session, study_id):
    with writing():
        study = studies.get(session, study_id)
        chairs = make_set(session, study, count=4)
        first = make_sitting(session, study, chairs)
        with pytest.raises(sittings.NotInState):
            retests.plan_retest(session, study, first)
        _sort(session, first, [[1, 2], [3, 4]])
        again = retests.plan_retest(session, study, first)
        assert retests.plan_retest(session, study, first) is again
        with pytest.raises(sittings.NotInState):
            retests.plan_retest(session, study, again)
        assert retests.retests_of(session, study_id) == []
        sittings.begin_recording(session, again)
        _sort(session, again, [[1, 2], [3], [4]])
        (found,) = retests.retests_of(session, study_id)
        assert (found.first, found.again, found.both) == (first, again, 4)
        # By hand: precision 1, recall (1 + 1 + 1/2 + 1/2) / 4 = 3/4.
        assert found.f == pytest.approx(6 / 7)
        # One pair together in both, of 2 and 1; 6 pairs: (1 - 1/3) / (3/2 - 1/3).
        assert found.ari == pytest.approx(4 / 7)
        assert groupings_of_set(session, chairs).sittings == [first.code]
        exclusion.exclude(session, study_id, Excluded(sitting_id=again.id), "in a hurry")
        assert retests.retests_of(session, study_id) == []
        assert groupings_of_set(session, chairs).sittings == [first.code]
