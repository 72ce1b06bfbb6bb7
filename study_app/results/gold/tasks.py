"""The ground truth of a ranking task: the mean score of every sketch and image."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session, aliased

from study_app.core.caching.cache import fingerprint
from study_app.models import Participant, Stimulus
from study_app.models.exclusion import Exclusion
from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, Candidate, RankingQuery, RankingTask
from study_app.participation.people import included
from study_app.participation.people.withdrawal import withdrawals_of
from study_app.ranking import Ratings, ratings_of
from study_app.ranking.scores.ratings import laid_out
from study_app.results.gold import caching
from study_app.results.gold.counts import NO_COUNTS, Counts, of_task

if TYPE_CHECKING:
    from analysis.ratings.ground_truth import Best
    from analysis.ratings.task_agreement import RatingAgreement

# Submitted queries, and different queries, up to which a page waits a fifth of a second for the
# result instead of starting a job.
SUBMITTED_AT_ONCE, QUERIES_AT_ONCE = 400, 40
# Queries whose pictures are read with one statement.
SHOWN_AT_ONCE = 500


@dataclass(frozen=True)
class TaskGold:
    """The ground truth of a task.

    Attributes
    ----------
    fingerprint : str
        Fingerprint of the scores behind it.
    ratings : study_app.ranking.Ratings
    participants, queries : list of str
    candidates : list of list of str
        Candidates of each query, by name.
    found : analysis.ratings.task_agreement.RatingAgreement or None
        None if no participant has finished.
    simulated : bool
        Whether a program gave any of the scores.
    counts : study_app.results.gold.counts.Counts
        Numbers behind it, without and with excluded data.
    """

    fingerprint: str
    ratings: Ratings
    participants: Sequence[str]
    queries: list[str]
    candidates: list[list[str]]
    found: RatingAgreement | None
    simulated: bool = False
    counts: Counts = NO_COUNTS

    @property
    def result(self) -> RatingAgreement:
        """The result of a task with a finished participant."""
        if self.found is None:
            raise ValueError("nobody has finished this task")
        return self.found

    @property
    def best(self) -> Best:
        """Which end of the scale is most similar."""
        return best_of(self.ratings)

    @property
    def scores(self) -> NDArray[np.float64]:
        """All scores, shape (participants, queries, most candidates); computed on each access.

        NaN if there is no score, or no such candidate.
        """
        scores = np.full((len(self.participants), *self.where.shape), np.nan)
        for at, table in enumerate(laid_out(self.ratings).scores):
            scores[:, at, : table.shape[1]] = table
        return scores

    @property
    def where(self) -> NDArray[np.bool_]:
        """Mask of candidates, shape (queries, most candidates)."""
        widths = np.array([len(names) for names in self.candidates], dtype=int)
        return np.asarray(np.arange(widths.max(initial=0)) < widths[:, None])

    @property
    def sign(self) -> int:
        """1 if a greater score is more similar, else -1."""
        return 1 if self.best == "high" else -1


def best_of(ratings: Ratings) -> Best:
    """Which end of the scale of these ratings is most similar."""
    return "high" if ratings.best == "high" else "low"


def fingerprint_of(session: Session, task: RankingTask) -> str:
    """A value that changes with the included scores: those of finished parts and sittings."""
    columns = WebSitting.finished_at, WebSitting.part, WebSitting.next_part_at
    counting = select(WebSitting.id, *columns).where(
        WebSitting.task_id == task.id,
        or_(
            WebSitting.ending.is_not(None),
            WebSitting.part > 1,
            WebSitting.next_part_at.is_not(None),
        ),
        *included.web_sittings(),
    )
    sittings = session.execute(counting.order_by(WebSitting.id)).all()
    without = select(Exclusion.web_sitting_id, Exclusion.trial).where(
        Exclusion.study_id == task.study_id,
        Exclusion.trial.is_not(None),
        Exclusion.undone_at.is_(None),
    )
    trials = sorted(tuple(row) for row in session.execute(without))
    behind = len(withdrawals_of(session, task)), astuple(of_task(session, task)), trials
    return fingerprint(task.id, task.most_similar_end, behind, [list(row) for row in sittings])


def ready(session: Session, task: RankingTask) -> TaskGold | None:
    """The cached ground truth of a task, or None."""
    return caching.ready(session, _KIND, task)


def compute(task_id: int) -> TaskGold:
    """The ground truth of a task, computed or from the cache."""
    return caching.compute(_KIND, task_id)


def share(task_id: int) -> None:
    """Compute it, and store it for the web processes of every host; for jobs."""
    caching.share(_KIND, task_id)


def forget(task_id: int, mark: str) -> None:
    """Drop a ground truth from this process's cache, in a job that needs its memory for more."""
    caching.forget(_KIND, task_id, mark)


def ends_of(task: RankingTask) -> tuple[float, float]:
    """Lowest and highest score on the scale of a task."""
    return (1.0, float(task.points)) if task.points else (0.0, 100.0)


def is_quick(session: Session, task: RankingTask, together: int = 1) -> bool:
    """Whether computing so many of this size takes at most about a fifth of a second."""
    counted = (
        select(func.count(AssignedQuery.id), func.count(AssignedQuery.query_id.distinct()))
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .where(WebSitting.task_id == task.id, AssignedQuery.submitted_at.is_not(None))
    )
    submitted, queries = session.execute(counted).one()
    return submitted * together <= SUBMITTED_AT_ONCE and queries * together <= QUERIES_AT_ONCE


def has_simulated(session: Session, task: RankingTask) -> bool:
    """Whether the study is simulated, or a program gave any of the scores."""
    people = (
        select(Participant.id)
        .join(WebSitting, WebSitting.participant_id == Participant.id)
        .join(AssignedQuery, AssignedQuery.sitting_id == WebSitting.id)
        .where(
            WebSitting.task_id == task.id,
            Participant.simulated,
            AssignedQuery.submitted_at.is_not(None),
            *included.web_sittings(),
        )
    )
    return task.study.simulated or session.scalar(people.limit(1)) is not None


def stimuli_of(session: Session, task: RankingTask) -> dict[str, Stimulus]:
    """The sketches and images of a task by their names."""
    of_task = select(RankingQuery.id).where(RankingQuery.task_id == task.id)
    candidates = select(Candidate.stimulus_id).where(Candidate.query_id.in_(of_task))
    queries = select(RankingQuery.stimulus_id).where(RankingQuery.task_id == task.id)
    chosen = select(Stimulus).where(Stimulus.id.in_(candidates) | Stimulus.id.in_(queries))
    return {stimulus.name: stimulus for stimulus in session.scalars(chosen)}


def shown_of(
    session: Session, task: RankingTask, queries: Sequence[str]
) -> dict[str, tuple[Stimulus, dict[str, Stimulus]]]:
    """The sketch of each query, by its name, and its images by theirs.

    Two queries may have different pictures with the same name, from different sets.
    """
    sketch = aliased(Stimulus)
    chosen = (
        select(sketch.name, sketch, Stimulus)
        .select_from(RankingQuery)
        .join(sketch, sketch.id == RankingQuery.stimulus_id)
        .join(Candidate, Candidate.query_id == RankingQuery.id)
        .join(Stimulus, Stimulus.id == Candidate.stimulus_id)
        .where(RankingQuery.task_id == task.id, sketch.name.in_(queries))
    )
    shown: dict[str, tuple[Stimulus, dict[str, Stimulus]]] = {}
    for query, of_query, image in session.execute(chosen):
        shown.setdefault(query, (of_query, {}))[1][image.name] = image
    return shown


def pictures_of(
    session: Session, task: RankingTask, queries: Sequence[str]
) -> dict[str, tuple[str, dict[str, str]]]:
    """The SHA-256 of the sketch of each query, by name, and of its images, by name."""
    pictures = {}
    for start in range(0, len(queries), SHOWN_AT_ONCE):
        asked = queries[start : start + SHOWN_AT_ONCE]
        for query, (sketch, images) in shown_of(session, task, asked).items():
            pictures[query] = (sketch.sha256, {n: image.sha256 for n, image in images.items()})
    return pictures


def _collect(session: Session, task: RankingTask, mark: str) -> Callable[[], TaskGold]:
    ratings = ratings_of(session, task)
    simulated = task.study.simulated or ratings.simulated
    counts = of_task(session, task)
    return lambda: replace(_computed(mark, ratings), simulated=simulated, counts=counts)


def _computed(mark: str, ratings: Ratings) -> TaskGold:
    tables = laid_out(ratings)
    found = None
    if tables.participants:
        from analysis.ratings.task_agreement import study_ratings

        found = study_ratings(tables.scores, best_of(ratings))
    about = tables.participants, tables.queries, tables.candidates
    return TaskGold(mark, ratings, *about, found)


def _figure(gold: TaskGold) -> caching.Figure:
    w = gold.found.kendall.w if gold.found else None
    return caching.Figure("W", w, None, gold.counts.people)


_KIND = caching.Kind("task", RankingTask, fingerprint_of, _collect, _figure)
