"""Preview of a participant's page: nothing is stored."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from study_app.core.errors import NotFound
from study_app.core.text.languages import translatable
from study_app.models import Stimulus, now
from study_app.models.ranking import Candidate, RankingQuery, RankingTask
from study_app.participation.links.joining import sitting_seed
from study_app.ranking.allocation import allocation
from study_app.ranking.plan import about
from study_app.ranking.progress.duration import COMPLETE, pace_of


def plan_of(session: Session, task: RankingTask) -> dict[str, Any]:
    """The plan of a first participant, as from `study_app.ranking.plan.plan_of`."""
    seed = sitting_seed(task.seed, 1)
    allocated = allocation.allocate(session, task, "tryout", seed, None)
    sketches = dict(
        session.execute(
            select(RankingQuery.id, RankingQuery.stimulus_id).where(RankingQuery.task_id == task.id)
        ).all()
    )
    complete = session.scalar(select(COMPLETE), {"task_id": task.id})
    return {
        "task": about(task),
        "queries": [
            {
                "position": position,
                "kind": query.kind,
                "sketch": sketches[query.query_id],
                "images": query.shown_order,
                "scores": {},
                "submitted": False,
            }
            for position, query in enumerate(allocated, start=1)
        ],
        "here": None,
        "state": "ranking",
        "now_ms": round(now().timestamp() * 1000),
        "pace": pace_of(session, task, complete or 0).in_ms,
        "seconds_left": task.minutes * 60 if task.minutes else None,
    }


def picture_of(session: Session, task: RankingTask, stimulus_id: int) -> str:
    """The SHA-256 of a picture in the task."""
    queries = select(RankingQuery.id).where(RankingQuery.task_id == task.id)
    shown = (
        Stimulus.id.in_(select(Candidate.stimulus_id).where(Candidate.query_id.in_(queries))),
        Stimulus.id.in_(select(RankingQuery.stimulus_id).where(RankingQuery.task_id == task.id)),
    )
    chosen = select(Stimulus.sha256).where(Stimulus.id == stimulus_id, shown[0] | shown[1])
    sha256 = session.scalar(chosen)
    if sha256 is None:
        raise NotFound(translatable("picture"), str(stimulus_id))
    return sha256
