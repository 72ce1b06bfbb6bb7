"""Facts about finished sittings at a table, for exclusion rules."""

from collections import Counter

from sqlalchemy import select
from sqlalchemy.orm import Session

from study_app.models import Sitting
from study_app.participation import included
from study_app.participation.facts import BySitting, Facts
from study_app.sittings import overview
from study_app.sittings.recording.events import rows_of
from study_app.sittings.recording.table_state import fold


def facts_of(session: Session, study_id: int) -> BySitting:
    """The facts of every finished sitting that counts, including excluded ones, by id."""
    cards = {line.sitting.id: line.cards for line in overview.lines(session, study_id)}
    chosen = select(Sitting).where(
        Sitting.study_id == study_id, *included.sittings(excluded_too=True)
    )
    return {s.id: _facts(session, s, cards[s.id]) for s in session.scalars(chosen)}


def _facts(session: Session, sitting: Sitting, cards: int) -> Facts:
    sizes = Counter(fold(rows_of(session, sitting)).values())
    placed = sum(sizes.values())
    alone = sum(size == 1 for size in sizes.values())
    return Facts(
        checks_failed=None,
        median_response_ms=None,
        minutes=sitting.minutes,
        same_share=max(alone, *sizes.values()) / placed if placed else None,
        done_share=min(1.0, placed / cards) if cards else 0.0,
    )
