"""Excluded data are in no result, agreement or quota."""

from study_app.core.database import db, writing
from study_app.models.ranking import RankingTask
from study_app.participation.people import exclusion
from study_app.participation.people.exclusion import Excluded
from study_app.participation.people.people import person_named
from study_app.ranking import ratings_of
from study_app.ranking.progress import overview
from study_app.ranking.progress.agreement import agreement_so_far
from study_app.results.gold import counts, sets, tasks
from study_app.sittings import sittings


def test_excluding_either_assessor_excludes_a_joint_sitting(session, study_id, sorted_chairs):
    with writing():
        first = sittings.find(session, study_id, "T001")
        other = person_named(session, study_id, "P03")
        first.assessors = [*first.assessors, other]
        exclusion.exclude(session, study_id, Excluded(participant_id=other.id), "left early")
    gold = sets.compute(sorted_chairs)
    assert gold.groupings.participants == ["P02"]


def test_excluded_participants_and_trials_are_in_no_result_or_quota(app, task_id, arrive):
    people = [arrive() for _ in range(3)]
    for person in people:
        person.rank(lambda image: 1 + image % 7)
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        study_id = task.study_id
        assert tasks.compute(task.id).participants == ["P001", "P002", "P003"]
        assert agreement_so_far(db.session, db.session.get(RankingTask, task_id)).participants == 3
        with writing() as session:
            chosen = Excluded(web_sitting_id=people[0].sitting_id)
            trial = Excluded(web_sitting_id=people[1].sitting_id, trial=people[1].queries[0][0])
            exclusion.exclude(session, study_id, chosen, "bot")
            exclusion.exclude(session, study_id, trial, "phone rang")
        task = db.session.get(RankingTask, task_id)
        gold = tasks.compute(task.id)
        assert gold.participants == ["P002", "P003"]
        assert gold.counts == counts.Counts(2, 3, 3, 6)
        task = db.session.get(RankingTask, task_id)
        rows = list(ratings_of(db.session, task))
        assert len([row for row in rows if row.participant == "P002"]) == 6
        assert agreement_so_far(db.session, task).participants == 2
        # Another participant gets the place.
        assert overview.summary_of(db.session, task).finished == 2
