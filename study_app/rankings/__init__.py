"""Ranking tasks: queries, candidates, invitations and scores."""

from sqlalchemy import func, select

from study_app.models.ranking import RankingSitting, RankingTask
from study_app.rankings.ratings import Rating, Ratings, Withdrawal, ratings_of
from study_app.rankings.tasks import get_task, tasks_of
from study_app.studies import Station

__all__ = [
    "Rating",
    "Ratings",
    "Withdrawal",
    "get_task",
    "ratings_of",
    "station",
    "tasks_of",
]


def station(session, study):
    """Where ranking stands on the road: participants who finished, of those asked for."""
    tasks = tasks_of(session, study.id)
    if not tasks:
        return Station("Ranking", "rankings.page", "", done=False)
    finished = session.scalar(
        select(func.count())
        .select_from(RankingSitting)
        .join(RankingTask)
        .where(
            RankingTask.study_id == study.id,
            RankingSitting.purpose != "tryout",
            RankingSitting.finished_at.is_not(None),
            RankingSitting.withdrawn_at.is_(None),
        )
    )
    wanted = sum(task.places for task in tasks)
    return Station("Ranking", "rankings.page", f"{finished} of {wanted}", done=finished >= wanted)
