"""The blueprint of the researcher's pages, and lookup of the task."""

from flask import Blueprint

from study_app.core.database import db
from study_app.models.ranking import RankingTask
from study_app.ranking import get_task

blueprint = Blueprint("ranking", __name__, url_prefix="/studies/<int:study_id>/ranking")


def task_of(study_id: int, task_id: int) -> RankingTask:
    """The task in the URL; it must belong to the study."""
    return get_task(db.session(), study_id, task_id)
