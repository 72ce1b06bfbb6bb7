"""Ranking tasks found."""

from sqlalchemy import select

from study_app.errors import NotFound
from study_app.models.ranking import RankingTask


def tasks_of(session, study_id):
    """The ranking tasks of a study, in the order in which they were made."""
    chosen = select(RankingTask).where(RankingTask.study_id == study_id)
    return session.scalars(chosen.order_by(RankingTask.id)).all()


def get_task(session, study_id, task_id):
    """The task of a number, if it belongs to the study."""
    task = session.get(RankingTask, task_id)
    if task is None or task.study_id != study_id:
        raise NotFound("ranking task", str(task_id))
    return task
