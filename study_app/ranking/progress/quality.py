"""Quality of each participant's scores, measured while a task runs, with outliers flagged.

No measure includes practice. `definitions` defines each measure in one sentence, and `flags` when
it is flagged.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from math import nan

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import and_, case, select
from sqlalchemy.orm import Session

from analysis.ratings.ground_truth import leave_one_out_tau_b
from analysis.ratings.response_quality import OUTLIER_THRESHOLD, chance_bound, modified_z
from study_app.core.caching.cache import cached
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.core.text.spreadsheets import Cell, measure_rows
from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingQuery, RankingTask
from study_app.participation.people import included
from study_app.ranking.progress.answered import FAST_MS, Answered, answered_in
from study_app.ranking.progress.overview import Person, people_of
from study_app.ranking.scores.arrays import Scores, scores_of
from study_app.ranking.scores.per_sitting import stamps_of

# Flagged from this share of fast scores; and below this share of passed checks.
FAST_SHARE, PASSED_SHARE = 0.1, 0.5
SHORTEST_RUN = 10
# Agreement is compared with chance only if its bound by chance is below this.
MOST_CHANCE = 0.3

# A row per submitted query: its number, query and sitting, and whether it counts (1).
Assigned = NDArray[np.int64]


def definitions() -> dict[str, str]:
    """What each measure is, by its name here and in the CSV, in the reader's language."""
    return {
        "active_minutes": rgettext(
            "Time spent scoring and reviewing, without breaks and hidden tabs."
        ),
        "median_ms": rgettext("Median time from one score to the next, in milliseconds."),
        "fast_share": rgettext(
            "Share of the scores that were given within %(limit)s ms.", limit=FAST_MS
        ),
        "longest_run": rgettext("The largest number of images in a row with the same score."),
        "checks_passed": rgettext(
            "Attention checks passed: the sketch itself, shown among its images, got one of the "
            "two most similar scores, or the most similar tenth of the slider."
        ),
        "repeat_difference": rgettext(
            "Mean difference between the two scores of an image in repeated queries."
        ),
        "agreement": rgettext(
            "Kendall's tau-b between the person's scores and the mean of the others, averaged "
            "over queries. Excluded people are not among the others."
        ),
    }


def flags() -> dict[str, str]:
    """When somebody is flagged, by flag, in the reader's language."""
    return {
        rtranslatable("fast"): rgettext(
            "%(share)s or more of the scores were given within %(limit)s ms.",
            share=f"{FAST_SHARE:.0%}",
            limit=FAST_MS,
        ),
        rtranslatable("one score"): rgettext(
            "The same score was given to as many images in a row as a query has, and to at least "
            "%(least)s.",
            least=SHORTEST_RUN,
        ),
        rtranslatable("checks"): rgettext("Fewer than half of the attention checks were passed."),
        rtranslatable("repeats"): rgettext(
            "The repeats differ more than those of others (modified z above %(limit)s).",
            limit=OUTLIER_THRESHOLD,
        ),
        rtranslatable("chance"): rgettext(
            "The agreement with the others is no better than chance (one-sided, p > .05)."
        ),
        rtranslatable("disagrees"): rgettext(
            "The agreement is below that of others (modified z below −%(limit)s).",
            limit=OUTLIER_THRESHOLD,
        ),
        rtranslatable("pace"): rgettext(
            "The median time is far from that of others (modified z beyond ±%(limit)s).",
            limit=OUTLIER_THRESHOLD,
        ),
    }


@dataclass(frozen=True)
class Quality:
    """The quality of one participant's scores; NaN if unknown.

    Attributes
    ----------
    code, state : str
    excluded : bool
    sitting_id : int
    scores : int
        Number of scored images.
    active_minutes, median_ms, fast_share : float
    longest_run : int
    checks_passed, checks : int
    repeat_difference, agreement, chance : float
        `chance` is the upper bound of the agreement by chance.
    flags : tuple of str
        Names in `flags`.
    """

    code: str
    state: str
    excluded: bool
    sitting_id: int
    scores: int
    active_minutes: float
    median_ms: float
    fast_share: float
    longest_run: int
    checks_passed: int
    checks: int
    repeat_difference: float
    agreement: float
    chance: float
    flags: tuple[str, ...] = ()

    @property
    def fast_percent(self) -> float:
        """The share of fast scores, in percent."""
        return 100 * self.fast_share


COLUMNS = tuple(one.name for one in fields(Quality) if one.name != "sitting_id")


def quality_of(session: Session, task: RankingTask) -> list[Quality]:
    """The quality of all participants of a task with scores, without try-outs.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    task : study_app.models.ranking.RankingTask

    Returns
    -------
    list of Quality
        In order of arrival.
    """
    people = [p for p in people_of(session, task) if p.purpose != "tryout" and p.assigned][::-1]
    answered, agreements = answered_in(session, task), agreements_of(session, task)
    images = _longest_query(session, task)
    measured = [
        _measured(person, answered[person.sitting_id], agreements.get(person.sitting_id))
        for person in people
        if person.sitting_id in answered and answered[person.sitting_id].given
    ]
    return flagged(measured, images)


def flagged(people: Sequence[Quality], images: int) -> list[Quality]:
    """Flag the outliers.

    Parameters
    ----------
    people : sequence of Quality
    images : int
        Number of images of the largest query.
    """
    z = {
        name: modified_z([getattr(one, name) for one in people])
        for name in ("repeat_difference", "agreement")
    }
    # Times are compared as ratios: twice as fast is as extreme as twice as slow.
    z["median_ms"] = modified_z(np.log([max(one.median_ms, 1.0) for one in people]))
    found = []
    for at, one in enumerate(people):
        stands_out = {
            "fast": one.fast_share >= FAST_SHARE,
            "one score": one.longest_run >= max(images, SHORTEST_RUN),
            "checks": one.checks_passed < PASSED_SHARE * one.checks,
            "repeats": z["repeat_difference"][at] > OUTLIER_THRESHOLD,
            "chance": one.chance <= MOST_CHANCE and one.agreement <= one.chance,
            "disagrees": z["agreement"][at] < -OUTLIER_THRESHOLD,
            "pace": abs(z["median_ms"][at]) > OUTLIER_THRESHOLD,
        }
        names = tuple(name for name, is_so in stands_out.items() if is_so)
        found.append(Quality(**{**vars(one), "flags": names}))
    return found


def rows_of(people: Sequence[Quality]) -> list[tuple[Cell, ...]]:
    """The same as the rows of a table with `COLUMNS`."""
    return measure_rows(people, COLUMNS)


def _longest_query(session: Session, task: RankingTask) -> int:
    shown = (
        select(AssignedQuery.shown_order)
        .join(RankingQuery)
        .where(RankingQuery.task_id == task.id, AssignedQuery.kind == "main")
    )
    return max((len(order) for order in session.scalars(shown.limit(200))), default=0)


def agreements_key(task_id: int) -> tuple[str, int]:
    """The cache key of the agreement of each person by query."""
    return "agreement by query", task_id


def agreements_of(session: Session, task: RankingTask) -> dict[int, tuple[float, float]]:
    """Mean tau-b with the mean of the other included participants, and its bound by chance, by
    sitting."""
    counts = and_(*included.web_sittings(), *included.trials(AssignedQuery.position))
    asked = (
        select(
            AssignedQuery.id,
            AssignedQuery.query_id,
            AssignedQuery.sitting_id,
            case((counts, 1), else_=0),
        )
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .where(
            WebSitting.task_id == task.id,
            WebSitting.purpose != "tryout",
            AssignedQuery.kind == "main",
            AssignedQuery.submitted_at.is_not(None),
        )
        .order_by(AssignedQuery.id)
    )
    assigned = np.array([tuple(row) for row in session.execute(asked)], dtype=int).reshape(-1, 4)
    # Measured again only where a query was submitted, or a sitting was excluded or included.
    stamps = {int(query): rows.tobytes() for query, rows in _by_query(assigned)}
    by_query = cached().each(
        agreements_key(task.id), stamps, lambda some: _of_queries(session, task, assigned, some)
    )
    taus: defaultdict[int, list[float]] = defaultdict(list)
    sizes: defaultdict[int, list[int]] = defaultdict(list)
    for people in by_query.values():
        for sitting, tau, size in people:
            taus[sitting].append(tau)
            sizes[sitting].append(size)
    return {one: (float(np.mean(taus[one])), chance_bound(sizes[one])) for one in taus}


def _by_query(assigned: Assigned) -> Iterator[tuple[int, Assigned]]:
    ordered = assigned[np.argsort(assigned[:, 1], kind="stable")]
    queries, starts = np.unique(ordered[:, 1], return_index=True)
    ends = [*starts[1:], len(ordered)][: len(starts)]
    return ((q, ordered[s:e]) for q, s, e in zip(queries.tolist(), starts, ends, strict=True))


def _of_queries(
    session: Session, task: RankingTask, assigned: Assigned, queries: Sequence[int]
) -> dict[int, list[tuple[int, float, int]]]:
    """By query: the sittings, their tau-b with the others, and the numbers of images."""
    found = {}
    for query, sittings, table, counts in _tables(session, task, assigned, queries):
        measured = zip(sittings, _with_others(table, counts), strict=True)
        # The same score throughout defines no order, so its agreement is 0.
        found[query] = [
            (sitting, 0.0 if np.isnan(tau) else float(tau), size)
            for sitting, (tau, size) in measured
            if size >= 2
        ]
    return found


def _with_others(table: NDArray[np.float64], counts: NDArray[np.bool_]) -> list[tuple[float, int]]:
    """The tau-b of each row with the mean of the other included rows, and the number of images.

    Excluded rows are compared with the mean of the included ones.
    """
    found = dict.fromkeys(range(len(table)), (nan, 0))
    included_rows = np.flatnonzero(counts)
    if included_rows.size:
        found.update(zip(included_rows.tolist(), _leave_one_out(table[included_rows]), strict=True))
        for at in np.flatnonzero(~counts).tolist():
            found[at] = _leave_one_out(np.vstack([table[at], table[included_rows]]))[0]
    return [found[at] for at in range(len(table))]


def _leave_one_out(table: NDArray[np.float64]) -> list[tuple[float, int]]:
    lower, _ = leave_one_out_tau_b(table)
    compared = ~np.isnan(table) & ((~np.isnan(table)).sum(axis=0) > 1)
    return list(zip(lower.tolist(), compared.sum(axis=1).tolist(), strict=True))


def _tables(
    session: Session, task: RankingTask, assigned: Assigned, queries: Sequence[int]
) -> Iterator[tuple[int, list[int], NDArray[np.float64], NDArray[np.bool_]]]:
    """For each query: the sittings that submitted it, their scores, and which of them are included.

    The scores have the shape (sittings, images).
    """
    chosen = set(assigned[:, 2].tolist())
    stamps = {one: stamp for one, stamp in stamps_of(session, task).items() if one in chosen}
    about = {trial: (query, sitting, counts) for trial, query, sitting, counts in assigned.tolist()}
    given: dict[int, dict[int, tuple[bool, Scores]]] = {query: {} for query in queries}
    for scores in scores_of(session, task.id, stamps).values():
        trials, starts = np.unique(scores["assigned"], return_index=True)
        for trial, own in zip(trials.tolist(), np.split(scores, starts[1:]), strict=True):
            # Scores submitted since then are not among the assigned ones.
            query, sitting, counts = about.get(trial, (None, 0, 0))
            if query in given:
                given[query][sitting] = counts == 1, own
    for query, by_sitting in given.items():
        sittings = sorted(by_sitting)
        rows = [by_sitting[one][1] for one in sittings]
        images = np.unique(np.concatenate([np.empty(0, np.int32), *(r["stimulus"] for r in rows)]))
        table = np.full((len(sittings), len(images)), np.nan)
        for at, own in enumerate(rows):
            table[at, np.searchsorted(images, own["stimulus"])] = own["value"]
        yield query, sittings, table, np.array([by_sitting[s][0] for s in sittings], dtype=bool)


def _measured(person: Person, answered: Answered, agreement: tuple[float, float] | None) -> Quality:
    agreed, chance = agreement or (nan, nan)
    repeats = person.repeat_difference
    return Quality(
        code=person.code,
        state=person.state,
        excluded=person.excluded,
        sitting_id=person.sitting_id,
        scores=answered.scores,
        active_minutes=answered.active_ms / 60_000,
        median_ms=answered.median_ms,
        fast_share=answered.fast_share,
        longest_run=answered.longest_run,
        checks_passed=person.checks_passed,
        checks=person.checks_given,
        repeat_difference=nan if repeats is None else repeats,
        agreement=agreed,
        chance=chance,
    )
