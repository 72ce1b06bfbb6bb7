"""The plan for a participant's page: the assigned queries, and the saved scores."""

from collections import defaultdict
from typing import Any, cast

from sqlalchemy import Engine, bindparam, exists, func, or_, select
from sqlalchemy.orm import Session

from study_app.core.clock import not_before
from study_app.core.database import restores
from study_app.core.database.prepared import Prepared
from study_app.core.text.languages import shipped
from study_app.core.tokens import token_hash
from study_app.models import Stimulus
from study_app.models.participation import WebSitting
from study_app.models.ranking import (
    AssignedQuery,
    Candidate,
    RankingQuery,
    RankingTask,
    Score,
    ScoreEntry,
)
from study_app.participation.sittings import own_address
from study_app.participation.sittings.sitting import deadline
from study_app.ranking.progress.duration import COMPLETE, pace_of
from study_app.ranking.scores.recording import state_of

_OWN_QUERIES = (
    select(AssignedQuery.id)
    .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
    .where(own_address.HAS_TOKEN)
)
_OWN_PICTURE = Prepared(
    select(Stimulus.sha256).where(
        Stimulus.id == bindparam("stimulus_id"),
        or_(
            exists(
                _OWN_QUERIES.join(RankingQuery, RankingQuery.id == AssignedQuery.query_id).where(
                    RankingQuery.stimulus_id == Stimulus.id
                )
            ),
            exists(
                _OWN_QUERIES.join(Candidate, Candidate.query_id == AssignedQuery.query_id).where(
                    Candidate.stimulus_id == Stimulus.id
                )
            ),
        ),
    )
)
_QUERIES = (
    select(
        AssignedQuery.id,
        AssignedQuery.position,
        AssignedQuery.kind,
        AssignedQuery.shown_order,
        AssignedQuery.submitted_at,
        RankingQuery.stimulus_id,
    )
    .join(RankingQuery, RankingQuery.id == AssignedQuery.query_id)
    .where(AssignedQuery.sitting_id == bindparam("sitting_id"))
    .where(AssignedQuery.part == bindparam("part"))
    .order_by(AssignedQuery.position)
)
_SCORES = (
    select(Score.assigned_query_id, Score.stimulus_id, Score.value)
    .join(AssignedQuery, AssignedQuery.id == Score.assigned_query_id)
    .where(AssignedQuery.sitting_id == bindparam("sitting_id"))
)
_LATEST_AND_COMPLETE = select(
    select(func.max(ScoreEntry.answered_at))
    .where(ScoreEntry.sitting_id == bindparam("sitting_id"))
    .scalar_subquery(),
    COMPLETE,
)
_LAST = (
    select(AssignedQuery.position, ScoreEntry.stimulus_id)
    .join(AssignedQuery, AssignedQuery.id == ScoreEntry.assigned_query_id)
    .where(ScoreEntry.sitting_id == bindparam("sitting_id"), ScoreEntry.in_review.is_(False))
    .order_by(ScoreEntry.answered_at.desc(), ScoreEntry.id.desc())
    .limit(1)
)


def plan_of(session: Session, sitting: WebSitting) -> dict[str, Any]:
    """All data for the page, as JSON values.

    Returns
    -------
    dict
        "task" (the scale and the question), "queries" of this part in the participant's order, each
        with "position", "kind", "sketch", "images" (stimulus ids in order of display), "scores"
        (by stimulus id, None if the image did not load), "submitted"; "here" (the query and
        the image of the last answer); "state"; "restored" (changes when a backup is restored);
        "now_ms" on the server's clock, but
        never before the last answer; "pace" ("image" and "review" in ms, of the participants so
        far); "seconds_left" under a time limit.
    """
    task = cast(RankingTask, sitting.task)
    ends = deadline(sitting.ready_at, task.minutes)
    # The scores last: whatever is stored meanwhile, an image that was answered, or whose query was
    # submitted, has one.
    here = _last_answer(session, sitting)
    queries = session.execute(_QUERIES, {"sitting_id": sitting.id, "part": sitting.part}).all()
    scores = _scores(session, sitting)
    of_both = {"sitting_id": sitting.id, "task_id": task.id}
    latest, complete = session.execute(_LATEST_AND_COMPLETE, of_both).one()
    # The current time, but not before the last answer.
    moment = not_before(sitting.agreed_at, latest or sitting.agreed_at)
    return {
        "task": about(task),
        "queries": [
            {
                "position": query.position,
                "kind": query.kind,
                "sketch": query.stimulus_id,
                "images": query.shown_order,
                "scores": scores[query.id],
                "submitted": query.submitted_at is not None,
            }
            for query in queries
        ],
        "here": here,
        "state": state_of(sitting),
        "restored": restores.mark(session),
        "now_ms": round(moment.timestamp() * 1000),
        "pace": pace_of(session, task, complete).in_ms,
        "seconds_left": max(0, round((ends - moment).total_seconds())) if ends else None,
    }


def about(task: RankingTask) -> dict[str, Any]:
    """The scale and the question, for the page."""
    return {
        "wording": shipped(task.wording),
        "points": task.points,
        "low_label": shipped(task.low_label),
        "high_label": shipped(task.high_label),
        "best": task.most_similar_end,
    }


def picture_of(engine: Engine, token: str, stimulus_id: int) -> str | None:
    """The SHA-256 of a picture in the queries of an own token's sitting; None if it has no such.

    Pages load dozens of them at once, so that this is one statement.
    """
    asked = {"token_hash": token_hash(token), "stimulus_id": stimulus_id}
    return next((found.sha256 for found in _OWN_PICTURE.send_alone(engine, asked)), None)


def _scores(session: Session, sitting: WebSitting) -> dict[int, dict[int, float | None]]:
    scores: dict[int, dict[int, float | None]] = defaultdict(dict)
    for query_id, stimulus_id, value in session.execute(_SCORES, {"sitting_id": sitting.id}):
        scores[query_id][stimulus_id] = value
    return scores


def _last_answer(session: Session, sitting: WebSitting) -> dict[str, int] | None:
    last = session.execute(_LAST, {"sitting_id": sitting.id}).first()
    return {"position": last[0], "image": last[1]} if last else None
