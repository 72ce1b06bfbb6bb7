"""Excluded data are in no result, are counted beside it, and are included again when undone."""

import pytest

from study_app.core.database import writing
from study_app.core.errors import NotFound
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask
from study_app.participation.people import exclusion
from study_app.participation.people.exclusion import Excluded
from study_app.sittings import sittings
from tests.ranking_setup import make_link


def test_refusals(session, study_id, sorted_chairs):
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


def test_withdrawing_deletes_exclusions_of_trials(app, task_id, arrive):
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
