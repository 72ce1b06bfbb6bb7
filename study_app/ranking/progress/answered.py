"""Measures of how participants answered, recomputed only for sittings with new entries."""

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
from study_app.core.caching.cache import cached
from study_app.models.ranking import AssignedQuery, RankingTask, Score, ScoreEntry
from study_app.ranking.scores.per_sitting import stamps_of

FAST_MS = 300
ROWS_AT_ONCE = 20_000


@dataclass(frozen=True)
class Answered:
    """Measures of the entries of one sitting, without practice.

    Attributes
    ----------
    given : int
        Number of scores, including those of the review.
    scores : int
        Number of first answers, without the review; the next measures are of these.
    median_ms, fast_share : float
        NaN without scores.
    longest_run : int
    active_ms : int
        Active time in ms, including the review.
    response_ms : float or None
        Median of the known response times, including images that did not load.
    """

    given: int
    scores: int
    median_ms: float
    fast_share: float
    longest_run: int
    active_ms: int
    response_ms: float | None


def keys_of(task: RankingTask) -> tuple[tuple[str, int], tuple[str, int]]:
    """The cache keys of the results of `answered_in` and `same_shares_in`."""
    return ("answered", task.id), ("same", task.id)


def answered_in(session: Session, task: RankingTask) -> dict[int, Answered]:
    """These measures for each sitting of a task with an entry."""
    stamps = stamps_of(session, task)
    return cached().each(keys_of(task)[0], stamps, lambda some: _answered(session, some))


def same_shares_in(session: Session, task: RankingTask) -> dict[int, float]:
    """The share of the most frequent score in each sitting, without practice."""
    stamps = stamps_of(session, task)
    return cached().each(keys_of(task)[1], stamps, lambda some: _same_shares(session, some))


def _answered(session: Session, sittings: Sequence[int]) -> dict[int, Answered]:
    asked = (
        select(
            ScoreEntry.sitting_id, ScoreEntry.value, ScoreEntry.response_ms, ScoreEntry.in_review
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
    first = [entry for entry in scored if not entry.in_review]
    times = [entry.response_ms or 0 for entry in first]
    known = [e.response_ms for e in entries if not e.in_review and e.response_ms is not None]
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
