"""What rules of exclusion ask about participants of a ranking task."""

from collections import defaultdict
from statistics import median

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingTask, Score, ScoreEntry
from study_app.participation.facts import BySitting, Facts
from study_app.participation.people import included
from study_app.ranking.progress import overview

# Somebody who is at it now may still do everything; whoever failed the checks is left out anyway.
ENDED = ("complete", "timed out", "away")


def facts_of(session: Session, task: RankingTask) -> BySitting:
    """The facts of everybody who finished or gave up, excluded ones too, by sitting."""
    chosen = select(WebSitting).where(
        WebSitting.task_id == task.id, *included.web_sittings(excluded_too=True)
    )
    sittings = {sitting.id: sitting for sitting in session.scalars(chosen)}
    responses, shares = _responses(session, task), _shares(session, task)
    return {
        person.sitting_id: Facts(
            checks_failed=person.checks_given - person.checks_passed,
            median_response_ms=responses.get(person.sitting_id),
            minutes=_minutes(sittings[person.sitting_id]),
            same_share=shares.get(person.sitting_id),
            done_share=person.handed_in / person.assigned if person.assigned else 0.0,
        )
        for person in overview.people_of(session, task)
        if person.sitting_id in sittings and person.state in ENDED
    }


def _minutes(sitting: WebSitting) -> float | None:
    # Parts are days apart.
    if sitting.part > 1 or sitting.finished_at is None or sitting.finished_at < sitting.agreed_at:
        return None
    return (sitting.finished_at - sitting.agreed_at).total_seconds() / 60


def _responses(session: Session, task: RankingTask) -> dict[int, float]:
    """The median response time of each sitting, in milliseconds; practice and review left out."""
    chosen = (
        select(ScoreEntry.sitting_id, ScoreEntry.response_ms)
        .join(AssignedQuery, AssignedQuery.id == ScoreEntry.assigned_query_id)
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .where(
            WebSitting.task_id == task.id,
            AssignedQuery.kind != "practice",
            ScoreEntry.response_ms.is_not(None),
            ScoreEntry.looking_over.is_(False),
        )
    )
    times = defaultdict(list)
    for sitting_id, response_ms in session.execute(chosen):
        times[sitting_id].append(response_ms or 0)
    return {sitting_id: float(median(found)) for sitting_id, found in times.items()}


def _shares(session: Session, task: RankingTask) -> dict[int, float]:
    """The share of the commonest score of each sitting; practice left out."""
    chosen = (
        select(AssignedQuery.sitting_id, func.count())
        .join(Score, Score.assigned_query_id == AssignedQuery.id)
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .where(
            WebSitting.task_id == task.id,
            AssignedQuery.kind != "practice",
            Score.value.is_not(None),
        )
        .group_by(AssignedQuery.sitting_id, Score.value)
    )
    counts = defaultdict(list)
    for sitting_id, count in session.execute(chosen):
        counts[sitting_id].append(count)
    return {sitting_id: max(found) / sum(found) for sitting_id, found in counts.items()}
