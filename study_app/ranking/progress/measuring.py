"""A job that measures all participants of a task; pages show its results.

A page measures at once those who sent something since, unless they are many.
"""

from collections.abc import Callable, Hashable
from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from study_app.core.background import jobs
from study_app.core.background.jobs import Progress
from study_app.core.caching.cache import adopt, cached, share
from study_app.core.database import db
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.models import Job, now
from study_app.models.ranking import RankingTask
from study_app.ranking.progress import agreement, answered, overview, quality
from study_app.ranking.progress.agreement import Agreement, Stamp
from study_app.ranking.scores import arrays
from study_app.ranking.scores.per_sitting import queries_in, stamps_of

KIND = "measures"
# Submitted queries of people who sent something since the last measuring; a job measures more.
QUERIES_AT_ONCE = 500
# For this long after a job, a page computes more missing results itself, since some participants
# always send something.
RECENT, MORE = timedelta(seconds=30), 10


@jobs.kind(KIND, repeatable=True)
def measure(progress: Progress, task: int) -> dict[str, Any]:
    """A job: measure all participants of a task, and their agreement."""
    found, clears = db.session().get_one(RankingTask, task), cached().clears
    steps: tuple[Callable[[Session, RankingTask], object], ...] = (
        overview.people_of,
        answered.answered_in,
        answered.same_shares_in,
        quality.agreements_of,
        agreement.agreement_so_far,
    )
    for done, step in enumerate(steps):
        progress(done, len(steps), rtranslatable("Reading the scores"))
        step(db.session(), found)
    arrays.share_scores(task, clears)
    share(_about(found), _keys(found), clears)
    return {"message": rgettext("Measured.")}


def job_of(session: Session, task: RankingTask) -> int | None:
    """The job that measures the participants of a task, or None if the page computes it itself."""
    return _job(session, task)


def live_agreement(session: Session, task: RankingTask) -> tuple[Agreement | None, bool]:
    """The agreement so far, and whether a job is measuring it; then it may be older, or None."""
    stamp = agreement.stamp_of(session, task)
    if _job(session, task, stamp) is not None:
        return agreement.last_agreement(task, stamp), True
    if agreement.may_wait(task, stamp):
        return agreement.last_agreement(task, stamp), False
    return agreement.agreement_so_far(session, task, stamp), False


def _job(session: Session, task: RankingTask, stamp: Stamp | None = None) -> int | None:
    """The job that measures a task, also its agreement if that has a stamp."""
    newest = jobs.newest(task.study_id, KIND)
    if newest and newest.arguments != {"task": task.id}:
        newest = None
    if _is_quick(session, task, newest, stamp):
        return None
    if newest and newest.state == "running":
        return newest.id
    adopt(_about(task))
    if _is_quick(session, task, newest, stamp):
        return None
    return jobs.start_once(task.study_id, KIND, task=task.id)


def _is_quick(session: Session, task: RankingTask, newest: Job | None, stamp: Stamp | None) -> bool:
    if stamp and agreement.is_due(task, stamp):
        return False
    stamps, cache = stamps_of(session, task), cached()
    ended = newest.ended_at if newest and newest.state == "done" else None
    most = QUERIES_AT_ONCE * (MORE if ended and now() - ended < RECENT else 1)
    changed = {one for key in answered.keys_of(task) for one in cache.changed(key, stamps)}
    if not changed or queries_in(session, sorted(changed)) > most:
        return not changed
    changed.update(arrays.changed(task.id, stamps))
    return queries_in(session, sorted(changed)) <= most


def _about(task: RankingTask) -> tuple[str, int]:
    return "measures", task.id


def _keys(task: RankingTask) -> list[Hashable]:
    own = overview.key_of(task), agreement.key_of(task), quality.agreements_key(task.id)
    return [*answered.keys_of(task), *own]
