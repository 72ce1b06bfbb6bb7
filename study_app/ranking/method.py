"""Ranking as a method of participation: it allocates queries and stores scores."""

from collections.abc import Mapping, Sequence
from typing import cast

from sqlalchemy import delete, exists, select
from sqlalchemy.orm import Session

from study_app.core.text.languages import rgettext
from study_app.models import Stimulus
from study_app.models.participation import WebSitting, WebTask
from study_app.models.ranking import AssignedQuery, RankingQuery, RankingTask, Score, ScoreEntry
from study_app.participation.facts import BySitting
from study_app.participation.methods import Done
from study_app.ranking.allocation import allocation, quota
from study_app.ranking.allocation.block_design import Allocated
from study_app.ranking.progress import measuring, overview
from study_app.ranking.progress.duration import duration_of
from study_app.ranking.progress.facts import facts_of
from study_app.ranking.refusals import ListUnclear
from study_app.ranking.scores import attention


class Ranking:
    """The method "ranking": see `study_app.participation.methods.Method`."""

    name = "ranking"
    page = "participation.ranking.rank"
    task_page = "ranking.one_task"
    settings_page = "ranking.settings"

    def refuse_unready(self, session: Session, task: WebTask) -> None:
        """Refuse a task that has only practice queries, or none."""
        counting = exists().where(RankingQuery.task_id == task.id, RankingQuery.practice.is_(False))
        if not session.scalar(select(counting)):
            raise ListUnclear(
                rgettext("This task has no queries yet. Add them before inviting people.")
            )

    def must_count(self, task: WebTask, sittings: int) -> bool:
        """Whether the next participant's queries depend on the places taken by so many sittings."""
        return quota.must_count(cast(RankingTask, task), sittings)

    def taken(self, session: Session, task: WebTask, after: int, until: int) -> Mapping[int, int]:
        """The number of places taken in each query."""
        return quota.taken(session, cast(RankingTask, task), after, until)

    def allocate(
        self,
        session: Session,
        task: WebTask,
        purpose: str,
        seed: int,
        taken: Mapping[int, int] | None,
    ) -> Sequence[Allocated]:
        """The queries of one participant, each with its images in order."""
        return allocation.allocate(session, cast(RankingTask, task), purpose, seed, taken)

    def is_full(self, session: Session, task: WebTask, only_finished: bool = False) -> bool:
        """Whether every query has enough participants."""
        return allocation.is_full(session, cast(RankingTask, task), only_finished)

    def assign(self, session: Session, sitting: WebSitting, trials: Sequence[Allocated]) -> None:
        """Store the queries of a sitting."""
        allocation.assign(session, sitting, trials)

    def done_of(self, session: Session, sitting_ids: Sequence[int]) -> Mapping[int, Done]:
        """Queries submitted and attention checks passed."""
        chosen = WebSitting.id.in_(sitting_ids)
        task = session.scalar(select(RankingTask).join(WebSitting).where(chosen).limit(1))
        if task is None:
            return {}
        checks = attention.checks_of(session, task, chosen)
        progress = overview.progress_in(session, chosen)
        return {one: Done(*progress[one], *checks.get(one, (0, 0))) for one in sitting_ids}

    def minutes_of(self, session: Session, task: WebTask) -> int:
        """The estimated duration for one participant."""
        duration = duration_of(session, cast(RankingTask, task))
        return duration.minutes if duration else 0

    def trials(self, session: Session, sitting: WebSitting) -> Sequence[tuple[int, str]]:
        """The queries that a participant submitted, by the names of their sketches."""
        chosen = (
            select(AssignedQuery.position, Stimulus.name)
            .join(RankingQuery, RankingQuery.id == AssignedQuery.query_id)
            .join(Stimulus, Stimulus.id == RankingQuery.stimulus_id)
            .where(
                AssignedQuery.sitting_id == sitting.id,
                AssignedQuery.kind == "main",
                AssignedQuery.submitted_at.is_not(None),
            )
            .order_by(AssignedQuery.position)
        )
        return [(position, name) for position, name in session.execute(chosen)]

    def remove_observations(self, session: Session, sitting_ids: Sequence[int]) -> None:
        """Delete the queries and the scores of some sittings."""
        queries = select(AssignedQuery.id).where(AssignedQuery.sitting_id.in_(sitting_ids))
        session.execute(delete(Score).where(Score.assigned_query_id.in_(queries)))
        session.execute(delete(ScoreEntry).where(ScoreEntry.sitting_id.in_(sitting_ids)))
        session.execute(delete(AssignedQuery).where(AssignedQuery.sitting_id.in_(sitting_ids)))

    def facts(self, session: Session, task: WebTask) -> BySitting:
        """Facts about the scores of all participants who finished or gave up."""
        return facts_of(session, cast(RankingTask, task))

    def facts_job(self, session: Session, task: WebTask) -> int | None:
        """The job that measures how they scored."""
        return measuring.job_of(session, cast(RankingTask, task))
