"""Facts about finished sittings at a table, for exclusion rules."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from study_app.models import Sitting
from study_app.participation.facts import BySitting, Facts
from study_app.participation.people import included
from study_app.sittings import overview
from study_app.sittings.overview import Line


def facts_of(session: Session, study_id: int) -> BySitting:
    """The facts of every finished sitting that counts, including excluded ones, by id."""
    chosen = select(Sitting.id).where(
        Sitting.study_id == study_id, *included.sittings(excluded_too=True)
    )
    counted = set(session.scalars(chosen))
    listed = overview.lines(session, study_id, lambda sitting: sitting.id in counted)
    return {line.sitting.id: _facts(line) for line in listed}


def _facts(line: Line) -> Facts:
    alone = sum(size == 1 for size in line.sizes)
    return Facts(
        checks_failed=None,
        median_response_ms=None,
        minutes=line.sitting.minutes,
        same_share=max(alone, *line.sizes) / line.placed if line.placed else None,
        done_share=min(1.0, line.placed / line.cards) if line.cards else 0.0,
    )
