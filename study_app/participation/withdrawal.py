"""Taking a participant's scores out again, and clearing try-outs."""

from sqlalchemy import delete, select

from study_app.core.errors import NotFound
from study_app.models import Participant, now
from study_app.models.ranking import (
    AssignedQuery,
    PlatformIdentity,
    RankingSitting,
    Score,
    ScoreEntry,
)
from study_app.models.systems import GoldFigure


def get_sitting(session, task, sitting_id):
    """The sitting of a number, if it belongs to the task."""
    found = session.get(RankingSitting, sitting_id)
    if found is None or found.task_id != task.id:
        raise NotFound("participant", str(sitting_id))
    return found


def withdraw(session, sitting, by):
    """Remove everything that a participant said and did, and what was computed from it.

    What stays is the bare fact: that a pseudonym agreed to which texts and when, that they
    withdrew, when, and by whom. Exports made before hold their scores: `archive.forget` them.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    sitting : RankingSitting
    by : str
        "participant" or "researcher".
    """
    if sitting.withdrawn_at:
        return
    _remove_answers(session, [sitting.id])
    moment = now()
    sitting.withdrawn_at, sitting.withdrawn_by = moment, by
    sitting.seen_at, sitting.finished_at, sitting.time_up = moment, None, False
    sitting.answers = {}
    sitting.participant.age_band = sitting.participant.gender = None
    figure = delete(GoldFigure).where(GoldFigure.study_id == sitting.task.study_id)
    session.execute(figure.where(GoldFigure.target == f"task-{sitting.task_id}"))


def clear_tryouts(session, task):
    """Remove every try-out of a task, so that its queries can change; how many there were."""
    chosen = select(RankingSitting).where(
        RankingSitting.task_id == task.id, RankingSitting.purpose == "tryout"
    )
    sittings = session.scalars(chosen).all()
    ids = [sitting.id for sitting in sittings]
    people = [sitting.participant_id for sitting in sittings]
    _remove_answers(session, ids)
    session.execute(delete(RankingSitting).where(RankingSitting.id.in_(ids)))
    session.execute(delete(Participant).where(Participant.id.in_(people)))
    return len(ids)


def _remove_answers(session, sitting_ids):
    queries = select(AssignedQuery.id).where(AssignedQuery.sitting_id.in_(sitting_ids))
    session.execute(delete(Score).where(Score.assigned_query_id.in_(queries)))
    session.execute(delete(ScoreEntry).where(ScoreEntry.sitting_id.in_(sitting_ids)))
    session.execute(delete(PlatformIdentity).where(PlatformIdentity.sitting_id.in_(sitting_ids)))
    session.execute(delete(AssignedQuery).where(AssignedQuery.sitting_id.in_(sitting_ids)))
