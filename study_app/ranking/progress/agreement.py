"""Agreement of participants so far, and whether there are enough of them.

There are enough if the lower bound of the reliability of the mean order reaches the target
(`analysis.ratings.order_reliability`). For a task with very many queries, only a fixed sample is
used, because the page polls every few seconds; the gold standard uses all.
"""

import time
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from basics.numerals import statistic
from study_app.core.caching.cache import cached
from study_app.core.clock import is_within
from study_app.core.text.languages import rgettext
from study_app.models.exclusion import Exclusion
from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingTask
from study_app.participation.people import included
from study_app.ranking.scores.ratings import Tables, laid_out, ratings_of

TARGET = 0.9
MOST_QUERIES = 300
# A slow computation is repeated only after this multiple of its duration.
SLOW_SECONDS, WAITS = 0.2, 20
# Submitted queries up to which a page waits for the result.
AT_ONCE = 2_000
Stamp = tuple[Any, ...]
# Index in a stamp of the part that changes if somebody withdraws or is excluded.
GONE = -1


@dataclass(frozen=True)
class Agreement:
    """Agreement over the queries submitted by at least two participants; None if undefined.

    Attributes
    ----------
    participants, scores : int
        Numbers of participants and scores in the measured queries.
    measured, comparable : int
        Numbers of measured queries, and of queries submitted by at least two participants.
    w, tau_low, tau_high : float or None
        Kendall's W, and bounds of tau_b; means over queries.
    alpha : float or None
        Krippendorff's alpha, ordinal, mean over queries.
    w_queries : int
        Number of queries with a W.
    reliability, low : float or None
        Reliability of the mean order, and the lower bound of its 95 % interval over participants,
        which needs four of them.
    more : int or None
        Further participants per query until the lower bound reaches the target.
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
        """A sentence on whether there are enough participants."""
        if self.reliability is None:
            return rgettext("Available once a query has two participants.")
        now = {"reliability": statistic(self.reliability), "target": statistic(TARGET)}
        if self.low is None:
            return rgettext(
                "Not enough: the reliability of the mean order is %(reliability)s; an interval "
                "needs four participants.",
                **now,
            )
        now["low"] = statistic(self.low)
        if self.enough:
            return rgettext(
                "Enough: the reliability of the mean order is %(reliability)s, lower bound "
                "%(low)s (target %(target)s).",
                **now,
            )
        if self.more is None:
            return rgettext(
                "Not enough: the reliability of the mean order is %(reliability)s, lower bound "
                "%(low)s; agreement is not significantly above chance.",
                **now,
            )
        return rgettext(
            "Not enough: the reliability of the mean order is %(reliability)s, lower bound "
            "%(low)s; about %(more)s more participants per query for a lower bound of %(target)s.",
            more=self.more,
            **now,
        )


def key_of(task: RankingTask) -> tuple[str, int]:
    """The cache key of the agreement so far."""
    return "agreement so far", task.id


def agreement_so_far(
    session: Session, task: RankingTask, stamp: Stamp | None = None
) -> Agreement | None:
    """Agreement on the submitted queries, without excluded data; None before the first.

    Returns
    -------
    Agreement or None
    """
    cache = cached()
    stamp, clears = stamp or stamp_of(session, task), cache.clears
    last: _Kept | None = cache.get(key_of(task))
    if last is None or last.stamp != stamp:
        began = time.thread_time()
        found = _measure(*_gathered(session, task))
        last = _Kept(found, stamp, time.thread_time() - began, time.time())
        cache.put(key_of(task), last, clears)
    return last.agreement


def last_agreement(task: RankingTask, stamp: Stamp) -> Agreement | None:
    """The last agreement, unless somebody in it has withdrawn or been excluded since."""
    last = _last(task)
    return last.agreement if last and _has_only_grown(last, stamp) else None


def is_due(task: RankingTask, stamp: Stamp) -> bool:
    """Whether the agreement is outdated and computing it is slow."""
    last = _last(task)
    if last is None:
        return stamp[0] > AT_ONCE
    if last.stamp == stamp or last.seconds <= SLOW_SECONDS:
        return False
    return not _has_only_grown(last, stamp) or not is_within(WAITS * last.seconds, last.at)


def may_wait(task: RankingTask, stamp: Stamp) -> bool:
    """Whether pages may still show an outdated agreement, because computing it is slow."""
    last = _last(task)
    return last is not None and last.seconds > SLOW_SECONDS and not is_due(task, stamp)


@dataclass(frozen=True)
class _Kept:
    """An agreement, the stamp of its judgments, how long it took, and when."""

    agreement: Agreement | None
    stamp: Stamp
    seconds: float
    at: float


def _last(task: RankingTask) -> _Kept | None:
    last: _Kept | None = cached().get(key_of(task))
    return last


def _has_only_grown(last: _Kept, stamp: Stamp) -> bool:
    """Whether queries were submitted since, but nobody withdrew, was excluded or included again."""
    return stamp[0] >= last.stamp[0] and stamp[GONE] == last.stamp[GONE]


def _gathered(session: Session, task: RankingTask) -> tuple[Tables, int]:
    """The scores to measure, and the number of comparable queries."""
    people = _submitted(session, task)
    comparable = [query for query, count in people.items() if count > 1]
    chosen = None
    if len(people) > MOST_QUERIES:
        # A fixed random sample, so that the numbers do not jump.
        chosen = sorted(
            comparable or people, key=lambda query: crc32(b"%d:%d" % (task.seed, query))
        )
        chosen = chosen[:MOST_QUERIES]
    ratings = ratings_of(session, task, unfinished=True, queries=chosen)
    return laid_out(ratings), len(comparable)


def _submitted(session: Session, task: RankingTask) -> dict[int, int]:
    """The number of participants who submitted each query."""
    counted = (
        select(AssignedQuery.query_id, func.count())
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .where(
            WebSitting.task_id == task.id,
            *included.web_sittings(),
            *included.trials(AssignedQuery.position),
            AssignedQuery.kind == "main",
            AssignedQuery.submitted_at.is_not(None),
        )
        .group_by(AssignedQuery.query_id)
    )
    return dict(session.execute(counted).all())


def stamp_of(session: Session, task: RankingTask) -> Stamp:
    """Changes if a query is submitted, or somebody withdraws, is excluded or included again."""
    exclusions = select(func.count(), func.count(Exclusion.undone_at)).where(
        Exclusion.study_id == task.study_id
    )
    withdrawn = select(func.count(WebSitting.withdrawn_at)).where(WebSitting.task_id == task.id)
    removals = *session.execute(exclusions).one(), session.scalar(withdrawn)
    counts = func.count(AssignedQuery.submitted_at), func.sum(AssignedQuery.id)
    counted = (
        select(*counts, func.max(AssignedQuery.submitted_at))
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .where(
            WebSitting.task_id == task.id,
            *included.web_sittings(),
            *included.trials(AssignedQuery.position),
        )
    )
    return (*session.execute(counted).one(), removals)


def _measure(by_query: Tables, comparable: int) -> Agreement | None:
    if not by_query.participants:
        return None
    from analysis.ratings.ground_truth import leave_one_out
    from analysis.ratings.kendall import kendall_w
    from analysis.ratings.krippendorff import krippendorff_alpha
    from analysis.ratings.order_reliability import order_reliability

    tables = by_query.scores
    concordances = [kendall_w(table).w for table in tables]
    ceilings = [leave_one_out(table) for table in tables]
    found = order_reliability(tables)
    return Agreement(
        participants=len(by_query.participants),
        scores=sum(int((~np.isnan(table)).sum()) for table in tables),
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
