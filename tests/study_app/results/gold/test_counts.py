"""Numbers behind a gold standard, with and without excluded data."""

from study_app.core.database import writing
from study_app.models import StimulusSet
from study_app.participation.people import exclusion
from study_app.participation.people.exclusion import Excluded
from study_app.participation.people.people import person_named
from study_app.results.gold import counts, sets
from study_app.sittings import sittings


def test_excluded_assessors_and_sittings_are_in_no_result(session, study_id, sorted_chairs):
    chairs = session.get(StimulusSet, sorted_chairs)
    before = sets.compute(chairs.id)
    assert before.groupings.participants == ["P01", "P02", "P03"] and before.found.mean.f < 1
    person = Excluded(participant_id=person_named(session, study_id, "P03").id)
    sitting = Excluded(sitting_id=sittings.find(session, study_id, "T003").id)
    for what in (person, sitting):
        with writing():
            made = exclusion.exclude(session, study_id, what, "slept")
            exclusion_id = made.id
        chairs = session.get(StimulusSet, sorted_chairs)
        after = sets.compute(chairs.id)
        assert after.groupings.participants == ["P01", "P02"] and after.found.mean.f == 1
        assert after.counts == counts.Counts(2, 3, 2, 3) and after.counts.excluded
        with writing():
            exclusion.undo(session, study_id, exclusion_id)
        again = sets.compute(sorted_chairs)
        assert again.fingerprint == before.fingerprint and not again.counts.excluded
    assert len(exclusion.undone(session, study_id)) == 2
