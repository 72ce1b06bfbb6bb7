"""Queries are fixed once somebody has started; try-outs are deleted."""

import pytest

from study_app.core.database import writing
from study_app.models.ranking import RankingTask
from study_app.participation.people import withdrawal
from study_app.participation.refusals import (
    TaskBegun,
)
from study_app.ranking.tasks import tasks


def test_queries_are_fixed_once_participants_start_and_try_outs_can_be_deleted(
    app, task_id, arrive
):
    arrive("tryout").rank()
    with app.app_context(), writing() as session:
        task = session.get(RankingTask, task_id)
        with pytest.raises(TaskBegun):
            tasks.remove_query(session, task, task.queries[0].id)
        assert withdrawal.clear_tryouts(session, task) == 1
        tasks.remove_query(session, task, task.queries[0].id)
        assert len(task.queries) == 1
