"""Retests: the same assessor sorts a set again, to measure the stability of the groups.

Retests are not part of the gold standard. Its agreement with the first sitting is BCubed F and the
adjusted Rand index over the cards that both placed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from analysis.groupings.pair_agreement import bcubed_pairs
from study_app.core.text.languages import rgettext
from study_app.models import Sitting, Study
from study_app.participation.people import included
from study_app.sittings.recording.table_rows import rows_by_sitting
from study_app.sittings.recording.table_state import Row, fold
from study_app.sittings.sittings import NotInState, next_number


@dataclass(frozen=True)
class Retest:
    """A set sorted twice by the same assessor.

    Attributes
    ----------
    first, again : Sitting
    both : int
        Cards that were placed both times.
    f, ari : float
        BCubed F and adjusted Rand index; NaN below 2 cards.
    """

    first: Sitting
    again: Sitting
    both: int
    f: float
    ari: float


def plan_retest(session: Session, study: Study, first: Sitting) -> Sitting:
    """Plan a retest of a finished sitting; only one is possible.

    Raises
    ------
    NotInState
    """
    if first.state != "finished" or first.first_entry_id or first.retest_of_id:
        raise NotInState(first, rgettext("a retest needs a finished first sitting"))
    if first.imported_from:
        raise NotInState(first, rgettext("it was imported, so there are no cards to sort again"))
    present = session.scalar(select(Sitting).where(Sitting.retest_of_id == first.id))
    if present:
        return present
    again = Sitting(
        study_id=study.id,
        number=next_number(session, study),
        set_id=first.set_id,
        deck_number=first.deck_number,
        limit_minutes=first.limit_minutes,
        retest_of_id=first.id,
        assessors=list(first.assessors),
    )
    session.add(again)
    session.flush()
    return again


def retests_of(session: Session, study_id: int, set_id: int | None = None) -> Sequence[Retest]:
    """The finished retests of a study, or of one set, without those with an excluded sitting."""
    chosen = select(Sitting).where(
        Sitting.study_id == study_id,
        Sitting.retest_of_id.is_not(None),
        Sitting.state == "finished",
        ~included.is_excluded_sitting(),
    )
    if set_id is not None:
        chosen = chosen.where(Sitting.set_id == set_id)
    counted = set(
        session.scalars(
            select(Sitting.id).where(Sitting.study_id == study_id, *included.sittings())
        )
    )
    chosen = chosen.order_by(Sitting.number).options(
        joinedload(Sitting.set), joinedload(Sitting.retest_of).subqueryload(Sitting.assessors)
    )
    pairs = [
        (again.retest_of, again)
        for again in session.scalars(chosen)
        if again.retest_of and again.retest_of_id in counted
    ]
    rows = rows_by_sitting(session, [sitting.id for pair in pairs for sitting in pair])
    return [_compare(first, again, rows) for first, again in pairs]


def _compare(first: Sitting, again: Sitting, rows: Mapping[int, list[Row]]) -> Retest:
    before, after = (fold(rows[sitting.id]) for sitting in (first, again))
    both = sorted(before.keys() & after.keys())
    if len(both) < 2:
        return Retest(first, again, len(both), float("nan"), float("nan"))
    sides = [[placed[stimulus] for stimulus in both] for placed in (before, after)]
    numbered = np.stack([np.unique(side, return_inverse=True)[1] for side in sides])
    found = bcubed_pairs(numbered)
    return Retest(first, again, len(both), float(found.f[0, 1]), float(found.ari[0, 1]))
