"""What is excluded is in no result, is counted beside it, and comes back when undone."""

import pytest

from study_app.core.database import db, writing
from study_app.core.errors import NotFound
from study_app.models import Participant, StimulusSet
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask
from study_app.participation.people import exclusion
from study_app.participation.people.exclusion import Excluded
from study_app.ranking import ratings_of
from study_app.ranking.progress import overview
from study_app.ranking.progress.agreement import agreement_so_far
from study_app.results.gold import counts, sets, tasks
from study_app.sittings import sittings
from tests.ranking_setup import make_link
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


def test_a_joint_sitting_goes_with_either_assessor(session, study_id, set_id):
    with writing():
        first = sittings.find(session, study_id, "T001")
        first.assessors = [*first.assessors, _person(session, "P03")]
        exclusion.exclude(
            session, study_id, Excluded(participant_id=_person(session, "P03").id), "left early"
        )
    gold = sets.compute(session, session.get(StimulusSet, set_id))
    assert gold.groupings.participants == ["P02"]


def test_refusals(session, study_id, set_id):
    what = Excluded(sitting_id=sittings.find(session, study_id, "T001").id)
    with writing():
        with pytest.raises(exclusion.ReasonMissing):
            exclusion.exclude(session, study_id, what, "  ")
        with pytest.raises(NotFound):
            exclusion.exclude(session, study_id + 1, what, "of another study")
        made = exclusion.exclude(session, study_id, what, "drunk")
        with pytest.raises(exclusion.AlreadyExcluded):
            exclusion.exclude(session, study_id, what, "drunk")
        with pytest.raises(NotFound):
            exclusion.undo(session, study_id + 1, made.id)
        exclusion.undo(session, study_id, made.id)
        with pytest.raises(NotFound):
            exclusion.undo(session, study_id, made.id)


def test_an_excluded_participant_or_trial_leaves_truth_agreement_and_quota(app, task_id, arrive):
    people = [arrive() for _ in range(3)]
    for person in people:
        person.rank(lambda image: 1 + image % 7)
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        study_id = task.study_id
        assert tasks.compute(db.session, task).participants == ["P001", "P002", "P003"]
        assert agreement_so_far(db.session, db.session.get(RankingTask, task_id)).participants == 3
        with writing() as session:
            chosen = Excluded(web_sitting_id=people[0].sitting_id)
            trial = Excluded(web_sitting_id=people[1].sitting_id, trial=people[1].queries[0][0])
            exclusion.exclude(session, study_id, chosen, "bot")
            exclusion.exclude(session, study_id, trial, "phone rang")
        task = db.session.get(RankingTask, task_id)
        gold = tasks.compute(db.session, task)
        assert gold.participants == ["P002", "P003"]
        assert gold.counts == counts.Counts(2, 3, 3, 6)
        task = db.session.get(RankingTask, task_id)
        rows = list(ratings_of(db.session, task))
        assert len([row for row in rows if row.participant == "P002"]) == 6
        assert agreement_so_far(db.session, task).participants == 2
        # Somebody else takes the place.
        assert overview.summary_of(db.session, task).finished == 2


def test_a_withdrawn_participant_takes_trial_exclusions_along(app, task_id, arrive):
    from study_app.participation.people import withdrawal

    person = arrive()
    person.rank()
    tryout = arrive("tryout")
    with app.app_context(), writing() as session:
        task = session.get(RankingTask, task_id)
        trial = Excluded(web_sitting_id=person.sitting_id, trial=1)
        exclusion.exclude(session, task.study_id, trial, "noise")
        with pytest.raises(NotFound):
            exclusion.exclude(
                session, task.study_id, Excluded(web_sitting_id=tryout.sitting_id), "try-out"
            )
        withdrawal.withdraw(session, session.get(WebSitting, person.sitting_id), "participant")
        assert exclusion.current(session, task.study_id) == []
        assert withdrawal.clear_tryouts(session, task) == 1
    assert make_link(app, task_id)
