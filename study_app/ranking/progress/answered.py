"""How participants answered, in numbers: computed once of a sitting that has ended."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import nan
from operator import itemgetter
from statistics import median
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from analysis.ratings.response_quality import longest_run
from study_app.models.ranking import AssignedQuery, RankingTask, Score, ScoreEntry
from study_app.ranking.scores.per_sitting import by_sitting, ended_in

FAST_MS = 300
ROWS_AT_ONCE = 20_000


@dataclass(frozen=True)
class Answered:
    """What the entries of one sitting say, practice left out.

    Attributes
    ----------
    given : int
        Scores given, those of the review included.
    scores : int
        First answers, those of the review left out; the next measures are of these.
    median_ms, fast_share : float
        NaN without any.
    longest_run : int
    active_ms : int
        Of the review too.
    response_ms : float or None
        Median time to an answer where a time is known, images that did not load included.
    """

    given: int
    scores: int
    median_ms: float
    fast_share: float
    longest_run: int
    active_ms: int
    response_ms: float | None


def answered_in(session: Session, task: RankingTask) -> dict[int, Answered]:
    """How each sitting of a task answered that sent any entry."""
    ended = ended_in(session, task)
    return by_sitting(("answered", task.id), ended, lambda sittings: _answered(session, sittings))


def same_shares_in(session: Session, task: RankingTask) -> dict[int, float]:
    """The share of the commonest score of each sitting; practice left out."""
    ended = ended_in(session, task)
    return by_sitting(("same", task.id), ended, lambda sittings: _same_shares(session, sittings))


def _answered(session: Session, sittings: Sequence[int]) -> dict[int, Answered]:
    asked = (
        select(
            ScoreEntry.sitting_id, ScoreEntry.value, ScoreEntry.response_ms, ScoreEntry.looking_over
        )
        .join(AssignedQuery, AssignedQuery.id == ScoreEntry.assigned_query_id)
        .where(ScoreEntry.sitting_id.in_(sittings), AssignedQuery.kind != "practice")
        .order_by(ScoreEntry.sitting_id, ScoreEntry.answered_at, ScoreEntry.id)
        .execution_options(yield_per=ROWS_AT_ONCE)
    )
    grouped = groupby(session.execute(asked), key=itemgetter(0))
    return {sitting_id: _measured(list(entries)) for sitting_id, entries in grouped}


def _measured(entries: Sequence[Any]) -> Answered:
    scored = [entry for entry in entries if entry.value is not None]
    first = [entry for entry in scored if not entry.looking_over]
    times = [entry.response_ms or 0 for entry in first]
    known = [e.response_ms for e in entries if not e.looking_over and e.response_ms is not None]
    return Answered(
        given=len(scored),
        scores=len(first),
        median_ms=float(median(times)) if times else nan,
        fast_share=sum(time < FAST_MS for time in times) / len(times) if times else nan,
        longest_run=longest_run([float(entry.value) for entry in first]),
        active_ms=sum(entry.response_ms or 0 for entry in scored),
        response_ms=float(median(known)) if known else None,
    )


def _same_shares(session: Session, sittings: Sequence[int]) -> dict[int, float]:
    chosen = (
        select(AssignedQuery.sitting_id, func.count())
        .join(Score, Score.assigned_query_id == AssignedQuery.id)
        .where(
            AssignedQuery.sitting_id.in_(sittings),
            AssignedQuery.kind != "practice",
            Score.value.is_not(None),
        )
        .group_by(AssignedQuery.sitting_id, Score.value)
    )
    counts = defaultdict(list)
    for sitting_id, count in session.execute(chosen):
        counts[sitting_id].append(count)
    return {sitting_id: max(found) / sum(found) for sitting_id, found in counts.items()}
