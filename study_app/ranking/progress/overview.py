"""Data on participants for the live page: progress, endings, attention."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, select
from sqlalchemy.orm import Session, aliased

from study_app.core.caching.cache import cached
from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingQuery, RankingTask, Score
from study_app.participation.people import included, people
from study_app.ranking.scores import attention
from study_app.ranking.scores.per_sitting import stamps_of


@dataclass(frozen=True)
class Person:
    """The progress of one participant."""

    sitting_id: int
    code: str
    purpose: str
    state: str
    submitted: int
    assigned: int
    seen_at: datetime
    consent_version: int
    agreed_at: datetime
    not_loaded: int
    checks_passed: int
    checks_given: int
    repeat_difference: float | None
    excluded: bool


@dataclass(frozen=True)
class Summary:
    """The progress of a task, in three numbers."""

    finished: int
    under_way: int
    wanted: int


def people_of(
    session: Session,
    task: RankingTask,
    *,
    find: str = "",
    offset: int = 0,
    limit: int | None = None,
) -> list[Person]:
    """Participants of a task, newest first, with the quality of their scores."""
    sittings = people.sittings_of(session, task, find=find, offset=offset, limit=limit)
    shown = WebSitting.id.in_([sitting.id for sitting in sittings])
    progress = progress_in(session, shown)
    chosen = select(WebSitting.id).where(shown, included.is_excluded_web_sitting())
    excluded = set(session.scalars(chosen))
    stamps = stamps_of(session, task)
    quality = cached().each(
        key_of(task),
        {sitting.id: stamps[sitting.id] for sitting in sittings},
        lambda ids: _quality(session, task, ids),
    )
    return [
        _person(task, one, progress[one.id], quality[one.id], one.id in excluded)
        for one in sittings
    ]


def key_of(task: RankingTask) -> tuple[object, ...]:
    """The cache key of these measures; attention checks depend on the scale."""
    return "quality", task.id, task.most_similar_end, task.points


def summary_of(session: Session, task: RankingTask) -> Summary:
    """The numbers of participants who finished, who are in progress, and who are needed in all."""
    counted = select(func.count()).where(
        RankingQuery.task_id == task.id, RankingQuery.practice.is_(False)
    )
    queries = session.scalar(counted) or 0
    each = min(task.part_size or queries, queries) or 1
    finished, under_way = people.finished_and_under_way(session, task)
    if task.people is not None:
        return Summary(finished, under_way, task.people)
    return Summary(finished, under_way, -(-task.quota * queries // each))


def progress_in(session: Session, shown: ColumnElement[bool]) -> defaultdict[int, tuple[int, int]]:
    """The numbers of submitted and assigned queries, by sitting."""
    counted = (
        select(AssignedQuery.sitting_id, func.count(AssignedQuery.submitted_at), func.count())
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .where(shown)
        .group_by(AssignedQuery.sitting_id)
    )
    return defaultdict(
        lambda: (0, 0), {row[0]: (row[1], row[2]) for row in session.execute(counted)}
    )


@dataclass(frozen=True)
class _Quality:
    """Images that did not load, attention checks passed and given, mean difference of repeats."""

    not_loaded: int
    checks: tuple[int, int]
    repeats: float | None


def _quality(session: Session, task: RankingTask, ids: Sequence[int]) -> dict[int, _Quality]:
    """Computed in the database: a task can have many thousands of scores, and the page polls."""
    shown = WebSitting.id.in_(ids)
    scored = (
        select(AssignedQuery.sitting_id)
        .select_from(Score)
        .join(AssignedQuery, AssignedQuery.id == Score.assigned_query_id)
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .where(shown, AssignedQuery.kind != "practice")
    )
    missing = scored.add_columns(func.count()).where(Score.value.is_(None))
    not_loaded = _counted(session, missing.group_by(AssignedQuery.sitting_id))
    checks = attention.checks_of(session, task, shown)
    repeats = _counted(session, _repeat_differences(scored))
    return {
        one: _Quality(not_loaded.get(one, 0), checks.get(one, (0, 0)), repeats.get(one))
        for one in ids
    }


def _counted(session: Session, chosen: Select[*tuple[Any, ...]]) -> dict[int, Any]:
    return dict(session.execute(chosen).all())


def _repeat_differences(scored: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """Mean absolute difference between the two scores of repeated images, by sitting."""
    first, given = aliased(AssignedQuery), aliased(Score)
    again = scored.where(AssignedQuery.kind == "repeat")
    return (
        again.add_columns(func.avg(func.abs(Score.value - given.value)))
        .join(
            first,
            and_(
                first.sitting_id == AssignedQuery.sitting_id,
                first.query_id == AssignedQuery.query_id,
                first.kind == "main",
            ),
        )
        .join(
            given,
            and_(given.assigned_query_id == first.id, given.stimulus_id == Score.stimulus_id),
        )
        .where(Score.value.is_not(None), given.value.is_not(None))
        .group_by(AssignedQuery.sitting_id)
    )


def _person(
    task: RankingTask,
    sitting: WebSitting,
    progress: tuple[int, int],
    quality: _Quality,
    excluded: bool,
) -> Person:
    passed, given = quality.checks
    return Person(
        sitting_id=sitting.id,
        code=sitting.participant.code,
        purpose=sitting.purpose,
        state=people.progress_of(task, sitting),
        submitted=progress[0],
        assigned=progress[1],
        seen_at=sitting.seen_at,
        consent_version=sitting.consent_text.version,
        agreed_at=sitting.agreed_at,
        not_loaded=quality.not_loaded,
        checks_passed=passed,
        checks_given=given,
        repeat_difference=quality.repeats,
        excluded=excluded,
    )
