"""Duration of a task: a participant's images, at the pace of participants who completed it.

Until then, an estimate: an image takes `GUESS_IMAGE_S`, the review of a query `GUESS_REVIEW_S`.
"""

from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from statistics import median

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from study_app.core.caching.cache import cached
from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, Candidate, RankingQuery, RankingTask, ScoreEntry
from study_app.participation.people import included

GUESS_IMAGE_S, GUESS_REVIEW_S = 4.0, 15.0
# Number of latest participants that are used; limited because the welcome page needs it.
MEASURED_PEOPLE = 10
LONGEST_REVIEW = timedelta(minutes=5)

_IS_COMPLETE = (
    WebSitting.task_id == bindparam("task_id"),
    WebSitting.ending == "complete",
    *included.web_sittings(),
)
# Number of participants who completed a task: the pace is measured again if it changes.
COMPLETE = select(func.count(WebSitting.id)).where(*_IS_COMPLETE).scalar_subquery()

# Statements of every arrival: building one takes longer than running it.
_QUERIES = (
    select(RankingQuery.practice, func.count(RankingQuery.id.distinct()), func.count(), COMPLETE)
    .join(Candidate, Candidate.query_id == RankingQuery.id)
    .where(RankingQuery.task_id == bindparam("task_id"))
    .group_by(RankingQuery.practice)
)


@dataclass(frozen=True)
class Pace:
    """The pace of participants.

    Attributes
    ----------
    people : int
        Number of participants measured; 0 for an estimate.
    image_s : float
        Seconds from one first score to the next, the median over participants of their means.
    review_s : float
        Seconds for everything else on a query.
    """

    people: int = 0
    image_s: float = GUESS_IMAGE_S
    review_s: float = GUESS_REVIEW_S

    @property
    def in_ms(self) -> dict[str, float]:
        """The same for the ranking page; its estimate then continues that of the welcome page."""
        return {"image": 1000 * self.image_s, "review": 1000 * self.review_s}


@dataclass(frozen=True)
class Duration:
    """The workload of one participant, and its duration.

    Attributes
    ----------
    queries, images : int
        Numbers for one participant, with practice, repeats and attention checks; images are a mean.
    all_queries, all_images : int
        Numbers of the task, without practice.
    seconds : float
    pace : Pace
    """

    queries: int
    images: int
    all_queries: int
    all_images: int
    seconds: float
    pace: Pace

    @property
    def minutes(self) -> int:
        """Whole minutes of one participant."""
        return self.minutes_of(1)

    def minutes_of(self, participants: int) -> int:
        """Whole minutes of so many participants together."""
        return max(1, round(participants * self.seconds / 60))

    def hours_of(self, participants: int) -> int:
        """Whole hours of so many participants together."""
        return round(participants * self.seconds / 3600)


def duration_of(session: Session, task: RankingTask) -> Duration | None:
    """The duration of a task for one participant; None if it has no queries.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    task : study_app.models.ranking.RankingTask

    Returns
    -------
    Duration or None
    """
    counted = session.execute(_QUERIES, {"task_id": task.id}).all()
    found = {practice: (queries, images) for practice, queries, images, _ in counted}
    if False not in found:
        return None
    total, images = found[False]
    practice_queries, practice_images = found.get(True, (0, 0))
    each = min(task.part_size or total, total)
    repeats = min(task.repeats, (each + 1) // 2)
    queries = each + repeats + practice_queries
    shown = round((each + repeats) * images / total) + practice_images + min(task.checks, each)
    pace = pace_of(session, task, counted[0][-1])
    seconds = shown * pace.image_s + queries * pace.review_s
    return Duration(queries, shown, total, images, seconds, pace)


def pace_of(session: Session, task: RankingTask, complete: int) -> Pace:
    """The pace of the latest participants who completed the task; an estimate before the first.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    task : study_app.models.ranking.RankingTask
    complete : int
        The current value of `COMPLETE`.
    """
    return cached().get_or_compute(("pace", task.id), complete, lambda: _measured(session, task.id))


def _measured(session: Session, task_id: int) -> Pace:
    newest = select(WebSitting.id).where(*_IS_COMPLETE)
    newest = newest.order_by(WebSitting.finished_at.desc()).limit(MEASURED_PEOPLE)
    people = session.scalars(newest, {"task_id": task_id}).all()
    first = ScoreEntry.in_review.is_(False) & ScoreEntry.value.is_not(None)
    answered = (
        select(
            AssignedQuery.sitting_id,
            AssignedQuery.submitted_at,
            func.max(ScoreEntry.answered_at).filter(first),
            func.sum(ScoreEntry.response_ms).filter(first),
            func.count(ScoreEntry.stimulus_id.distinct()).filter(first),
        )
        .join(ScoreEntry, ScoreEntry.assigned_query_id == AssignedQuery.id)
        .where(
            AssignedQuery.sitting_id.in_(people),
            AssignedQuery.kind == "main",
            AssignedQuery.submitted_at.is_not(None),
        )
        .group_by(AssignedQuery.id, AssignedQuery.sitting_id, AssignedQuery.submitted_at)
    )
    image_ms: dict[int, float] = defaultdict(float)
    images: dict[int, int] = defaultdict(int)
    reviews: list[float] = []
    for sitting, submitted, last, spent, scored in session.execute(answered):
        if not scored or not spent or not submitted:
            continue
        image_ms[sitting] += float(spent)
        images[sitting] += scored
        review = min(max(submitted - last, timedelta()), LONGEST_REVIEW)
        reviews.append(review.total_seconds())
    if not image_ms:
        return Pace()
    paces = [image_ms[sitting] / images[sitting] / 1000 for sitting in image_ms]
    return Pace(len(paces), median(paces), median(reviews))
