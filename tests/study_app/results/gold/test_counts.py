"""How many are behind a gold standard, with and without what was excluded."""

import pytest

from study_app.core.database import writing
from study_app.models import Participant, StimulusSet
from study_app.participation.people import exclusion
from study_app.participation.people.exclusion import Excluded
from study_app.results.gold import counts, sets
from study_app.sittings import sittings
from tests.study_app.judged import make_set, sort_set

GROUPS = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]]


@pytest.fixture
def set_id(session, study_id):
    with writing():
        made = make_set(session, study_id, "chairs", ["a", "b", "c", "d"])
        sort_set(session, made, GROUPS)
        return made.id


def _person(session, code):
    return session.query(Participant).filter_by(code=code).one()


def test_an_excluded_assessor_or_sitting_is_in_no_result(session, study_id, set_id):
    chairs = session.get(StimulusSet, set_id)
    before = sets.compute(session, chairs)
    assert before.groupings.participants == ["P01", "P02", "P03"] and before.found.mean.f < 1
    person = Excluded(participant_id=_person(session, "P03").id)
    sitting = Excluded(sitting_id=sittings.find(session, study_id, "T003").id)
    for what in (person, sitting):
        with writing():
            made = exclusion.exclude(session, study_id, what, "slept")
            exclusion_id = made.id
        chairs = session.get(StimulusSet, set_id)
        after = sets.compute(session, chairs)
        assert after.groupings.participants == ["P01", "P02"] and after.found.mean.f == 1
        assert after.counts == counts.Counts(2, 3, 2, 3) and after.counts.excluded
        with writing():
            exclusion.undo(session, study_id, exclusion_id)
        again = sets.compute(session, session.get(StimulusSet, set_id))
        assert again.fingerprint == before.fingerprint and not again.counts.excluded
    assert len(exclusion.undone(session, study_id)) == 2
