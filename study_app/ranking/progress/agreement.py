"""Agreement of participants so far, and whether there are enough of them.

There are enough if the lower bound of the reliability of the mean order reaches the target
(`analysis.ratings.order_reliability`). For a task with very many queries a fixed sample is
measured, since the page polls every few seconds; the gold standard uses all.
"""

import time
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from basics.numerals import statistic
from study_app.core.cache import cached
from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingTask
from study_app.participation.people import included
from study_app.ranking.scores.ratings import Ratings, laid_out, ratings_of

TARGET = 0.9
MOST_QUERIES = 300
# A measurement that takes longer is repeated only after so many times its length.
SLOW_SECONDS, WAITS = 0.5, 20


@dataclass(frozen=True)
class Agreement:
    """Agreement over the queries that at least two people handed in; None if undefined.

    Attributes
    ----------
    participants, scores : int
        Behind the queries that are measured.
    measured, comparable : int
        Queries that are measured; queries that two or more people handed in.
    w, tau_low, tau_high : float or None
        Means over queries.
    alpha : float or None
        Krippendorff's, ordinal, mean over queries.
    w_queries : int
        Queries that have a W.
    reliability, low : float or None
        Of the mean order, and the lower bound of its 95 % interval over participants, which needs
        four of them.
    more : int or None
        People for each query until the lower bound reaches the target.
    """

    participants: int
    scores: int
    measured: int
    comparable: int
    w: float | None
    w_queries: int
    alpha: float | None
    tau_low: float | None
    tau_high: float | None
    reliability: float | None
    low: float | None
    more: int | None

    @property
    def enough(self) -> bool:
        """Whether the lower bound of the reliability reaches the target."""
        return self.low is not None and self.low >= TARGET

    @property
    def verdict(self) -> str:
        """Whether there are enough participants, in one sentence."""
        if self.reliability is None:
            return "Available once a query has two participants."
        now = f"the reliability of the mean order is {statistic(self.reliability)}"
        if self.low is None:
            return f"Not enough: {now}; an interval needs four participants."
        now += f", lower bound {statistic(self.low)}"
        if self.enough:
            return f"Enough: {now} (target {statistic(TARGET)})."
        if self.more is None:
            return f"Not enough: {now}; agreement is not significantly above chance."
        return (
            f"Not enough: {now}; about {self.more} more participants per query for a lower bound "
            f"of {statistic(TARGET)}."
        )


def agreement_so_far(session: Session, task: RankingTask) -> Agreement | None:
    """Agreement on every query handed in, by whoever counts; None before the first.

    Returns
    -------
    Agreement or None
    """
    cache, key = cached(), ("agreement so far", task.id)
    stamp, clears = _stamp(session, task), cache.clears
    last: _Kept | None = cache.get(key)
    if last is None or (last.stamp != stamp and not _may_wait(last, stamp)):
        began = time.thread_time()
        found = _measure(*_gathered(session, task))
        last = _Kept(found, stamp, time.thread_time() - began, time.monotonic())
        cache.put(key, last, clears)
    return last.agreement


@dataclass(frozen=True)
class _Kept:
    """An agreement, the judgments behind it, what it took, and when."""

    agreement: Agreement | None
    stamp: tuple[Any, ...]
    seconds: float
    at: float


def _may_wait(last: _Kept, stamp: tuple[Any, ...]) -> bool:
    """Whether a page shows the last agreement a while: it took long, and more was handed in."""
    is_slow, has_grown = last.seconds > SLOW_SECONDS, stamp[0] > last.stamp[0]
    return is_slow and has_grown and time.monotonic() - last.at < WAITS * last.seconds


def _gathered(session: Session, task: RankingTask) -> tuple[Ratings, int]:
    """The ratings to measure, and how many queries could be."""
    people = _handed_in(session, task)
    comparable = [query for query, count in people.items() if count > 1]
    chosen = None
    if len(people) > MOST_QUERIES:
        # Sampled at random, but the same ones each time, so that the numbers do not jump.
        chosen = sorted(
            comparable or people, key=lambda query: crc32(b"%d:%d" % (task.seed, query))
        )
        chosen = chosen[:MOST_QUERIES]
    return ratings_of(session, task, unfinished=True, queries=chosen), len(comparable)


def _handed_in(session: Session, task: RankingTask) -> dict[int, int]:
    """How many people handed in each query."""
    counted = (
        select(AssignedQuery.query_id, func.count())
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .where(
            WebSitting.task_id == task.id,
            *included.web_sittings(),
            *included.trials(AssignedQuery.position),
            AssignedQuery.kind == "main",
            AssignedQuery.handed_in_at.is_not(None),
        )
        .group_by(AssignedQuery.query_id)
    )
    return dict(session.execute(counted).all())


def _stamp(session: Session, task: RankingTask) -> tuple[Any, ...]:
    """Changes whenever a query is handed in, or somebody withdraws or is excluded."""
    counts = func.count(AssignedQuery.handed_in_at), func.sum(AssignedQuery.id)
    counted = (
        select(*counts, func.max(AssignedQuery.handed_in_at))
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .where(
            WebSitting.task_id == task.id,
            *included.web_sittings(),
            *included.trials(AssignedQuery.position),
        )
    )
    return tuple(session.execute(counted).one())


def _measure(ratings: Ratings, comparable: int) -> Agreement | None:
    if not len(ratings):
        return None
    from analysis.ratings.ground_truth import leave_one_out
    from analysis.ratings.kendall import kendall_w
    from analysis.ratings.krippendorff import krippendorff_alpha
    from analysis.ratings.order_reliability import order_reliability

    by_query = laid_out(ratings)
    tables = by_query.scores
    concordances = [kendall_w(table).w for table in tables]
    ceilings = [leave_one_out(table) for table in tables]
    found = order_reliability(tables)
    return Agreement(
        participants=len(by_query.participants),
        scores=len(ratings),
        measured=min(comparable, MOST_QUERIES),
        comparable=comparable,
        w=_mean(concordances),
        w_queries=int((~np.isnan(concordances)).sum()),
        alpha=_mean([krippendorff_alpha(table, "ordinal") for table in tables]),
        tau_low=_mean([ceiling.lower for ceiling in ceilings]),
        tau_high=_mean([ceiling.upper for ceiling in ceilings]),
        reliability=_mean([found.reliability]),
        low=_mean([found.low]),
        more=found.more(TARGET),
    )


def _mean(values: list[float]) -> float | None:
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else None
