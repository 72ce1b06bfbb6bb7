"""A job that measures the sittings at tables; pages show what it has found.

A page measures at once what was recorded since, unless it is much.
"""

from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from study_app.core.background import jobs
from study_app.core.background.jobs import Progress
from study_app.core.caching.cache import adopt, cached, share
from study_app.core.database import db
from study_app.core.text.languages import rgettext
from study_app.models import Event, Scan, Sitting, Stimulus, StimulusSet
from study_app.sittings import overview, quality

KIND = "sorting measures"
# Cards placed, and these times the sittings of their set, that a page measures at once.
PLACED_AT_ONCE, COMPARED_AT_ONCE = 30_000, 20_000_000


@jobs.kind(KIND, repeatable=True)
def measure(progress: Progress) -> dict[str, Any]:
    """A job: measure every sitting of a study."""
    clears, study_id = cached().clears, progress.study_id
    overview.lines(db.session(), study_id)
    quality.quality_of(db.session(), study_id)
    keys = [quality.key_of(one) for one in quality.sets_of(db.session(), study_id)]
    share(_about(study_id), [overview.key_of(study_id), *keys], clears)
    return {"message": rgettext("Measured.")}


def quality_job(session: Session, study_id: int) -> int | None:
    """The job that measures the quality of sittings, or None if the page computes it itself."""
    return None if _has_quality(session, study_id) else _job(session, study_id)


def facts_job(session: Session, study_id: int) -> int | None:
    """The job that counts the cards in groups, or None if the page computes it itself."""
    return None if _has_sizes(session, study_id) else _job(session, study_id)


def _job(session: Session, study_id: int) -> int | None:
    running = jobs.running(study_id, KIND)
    if running:
        return running.id
    adopt(_about(study_id))
    if _has_sizes(session, study_id) and _has_quality(session, study_id):
        return None
    return jobs.start_once(study_id, KIND)


def _has_sizes(session: Session, study_id: int) -> bool:
    columns = Sitting.id, Sitting.revision, Sitting.started_at
    listed = select(*columns).where(Sitting.study_id == study_id, Sitting.first_entry_id.is_(None))
    stamps = overview.stamps_of(session.execute(listed).all())
    changed = cached().changed(overview.key_of(study_id), stamps)
    placed = select(func.count()).select_from(Scan).join(Event, Scan.event_id == Event.id)
    count = session.scalar(placed.where(Event.sitting_id.in_(changed))) if changed else 0
    return (count or 0) <= PLACED_AT_ONCE


def _has_quality(session: Session, study_id: int) -> bool:
    sizes = select(Stimulus.set_id, func.count()).join(StimulusSet)
    sizes = sizes.where(StimulusSet.study_id == study_id).group_by(Stimulus.set_id)
    stimuli = dict(session.execute(sizes).all())
    placed = compared = 0
    for one in quality.sets_of(session, study_id):
        stamp = quality.stamp_of(session, one)
        if not cached().has(quality.key_of(one), stamp):
            cards = len(stamp[1]) * stimuli.get(one.id, 0)
            placed, compared = placed + cards, compared + cards * len(stamp[1])
    return placed <= PLACED_AT_ONCE and compared <= COMPARED_AT_ONCE


def _about(study_id: int) -> tuple[str, int]:
    return "sortings", study_id
