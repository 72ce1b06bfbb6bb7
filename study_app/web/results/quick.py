"""Results that a page computes itself because that takes a moment; jobs compute others."""

from collections.abc import Sequence
from typing import Any

from study_app.core.background import jobs
from study_app.core.database import db
from study_app.results.gold.view import Target, named, noun_of


def quick_gold(target: Target, together: int = 1) -> Any | None:
    """The gold standard of a set or a task if it is ready or quick to compute, else None.

    A page that computes several gives their number.
    """
    noun = noun_of(target)
    gold = noun.ready(db.session(), target)
    if gold is None and noun.is_quick(db.session(), target, together):
        _kind, target_id = named(target)
        db.session.rollback()
        gold = noun.compute(target_id)
    return gold


def compute_light(targets: Sequence[Target]) -> list[Target]:
    """Compute the sets and tasks without a result that are quick; returns what is left."""
    missing = [t for t in targets if noun_of(t).ready(db.session(), t) is None]
    return [t for t in missing if quick_gold(t, len(missing)) is None]


def gold_job(missing: Sequence[Target]) -> int:
    """The job that computes the gold standards of several sets and tasks of a study."""
    study_id = missing[0].study_id
    return jobs.start_once(study_id, "gold", targets=[named(one) for one in missing])
