"""Attention checks: the sketch itself is among its images, and must be scored as most similar."""

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingQuery, RankingTask, Score
from study_app.participation.endings.endings import Ending
from study_app.ranking.scores.entries import scale_of


def passes_check(task: RankingTask, value: float | None) -> bool:
    """Whether the sketch itself got one of the best two points, or the best tenth of the slider."""
    if value is None:
        return False
    low, high = scale_of(task.points)
    margin = min(1, (high - low) / 2.5) if task.points else (high - low) / 10
    return value <= low + margin if task.most_similar_end == "low" else value >= high - margin


def checks_of(
    session: Session, task: RankingTask, chosen: ColumnElement[bool]
) -> dict[int, tuple[int, int]]:
    """Numbers of attention checks passed and given, by sitting, without images that did not load.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    task : study_app.models.ranking.RankingTask
    chosen : condition
        A condition on `WebSitting`.
    """
    asked = (
        select(AssignedQuery.sitting_id, Score.value)
        .join(Score, Score.assigned_query_id == AssignedQuery.id)
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .join(RankingQuery, RankingQuery.id == AssignedQuery.query_id)
        .where(
            chosen,
            AssignedQuery.checked,
            Score.stimulus_id == RankingQuery.stimulus_id,
            Score.value.is_not(None),
        )
    )
    found: dict[int, tuple[int, int]] = {}
    for sitting_id, value in session.execute(asked):
        passed, given = found.get(sitting_id, (0, 0))
        found[sitting_id] = (passed + passes_check(task, value), given + 1)
    return found


def ending_of(session: Session, task: RankingTask, sitting_id: int) -> Ending:
    """The ending of a sitting after the last query, depending on the attention checks."""
    if task.checks_needed is None:
        return "complete"
    passed, given = checks_of(session, task, WebSitting.id == sitting_id).get(sitting_id, (0, 0))
    return "complete" if passed >= min(task.checks_needed, given) else "failed_checks"
