"""How carefully each participant scores: measured while a task runs, outliers pointed out.

Practice is left out of every measure. `DEFINITIONS` says in one sentence what each one is, and
`FLAGS` from where on somebody stands out.
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
from analysis.ratings.response_quality import OUTLYING, chance_bound, modified_z
from study_app.core.cache import cached
from study_app.core.spreadsheets import Cell, measure_rows
from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingQuery, RankingTask
from study_app.participation.people import included
from study_app.ranking.progress.answered import FAST_MS, Answered, answered_in
from study_app.ranking.progress.overview import Person, people_of
from study_app.ranking.scores.arrays import scores_of
from study_app.ranking.scores.per_sitting import ended_in

# From which share of fast scores on, and how many checks at least have to be passed.
FAST_SHARE, PASSED_SHARE = 0.1, 0.5
SHORTEST_RUN = 10
# Agreement is held against chance only where chance stays below this.
MOST_CHANCE = 0.3

DEFINITIONS = {
    "active_minutes": "Time spent scoring and reviewing, without breaks and hidden tabs.",
    "median_ms": "Median time from one score to the next, in milliseconds.",
    "fast_share": f"Share of the scores that were given within {FAST_MS} ms.",
    "longest_run": "The most images in a row that got one score.",
    "checks_passed": "Attention checks passed: the sketch itself, shown among its images, got one "
    "of the two most similar scores, or the most similar tenth of the slider.",
    "repeat_difference": "Mean difference between the two scores of an image in repeated queries.",
    "agreement": "Kendall's tau-b between the person's scores and the mean of the others, averaged "
    "over queries. Excluded people are not among the others.",
}
"""What each measure is, by its name in `Quality` and in the CSV."""

FLAGS = {
    "fast": f"{FAST_SHARE:.0%} or more of the scores were given within {FAST_MS} ms.",
    "one score": "One score was given to as many images in a row as a query has, and to at least "
    f"{SHORTEST_RUN}.",
    "checks": "Fewer than half of the attention checks were passed.",
    "repeats": f"The repeats differ more than those of others (modified z above {OUTLYING}).",
    "chance": "The agreement with the others is no better than chance (one-sided, p > .05).",
    "disagrees": f"The agreement is below that of others (modified z below −{OUTLYING}).",
    "pace": f"The median time is far from that of others (modified z beyond ±{OUTLYING}).",
}
"""What makes somebody stand out, by the flag."""


@dataclass(frozen=True)
class Quality:
    """How one participant scores; NaN where nothing is known.

    Attributes
    ----------
    code, state : str
    sitting_id : int
    scores : int
        Images that were scored.
    active_minutes, median_ms, fast_share : float
    longest_run : int
    checks_passed, checks : int
    repeat_difference, agreement, chance : float
        `chance` is what the agreement stays below by chance.
    flags : tuple of str
        Names in `FLAGS`.
    """

    code: str
    state: str
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
    """The quality of every participant of a task who scored something, try-outs left out.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    task : study_app.models.ranking.RankingTask

    Returns
    -------
    list of Quality
        In the order in which they came.
    """
    people = [p for p in people_of(session, task) if p.purpose != "tryout" and p.assigned][::-1]
    answered, agreements = answered_in(session, task), _agreements(session, task)
    images = _longest_query(session, task)
    measured = [
        _measured(person, answered[person.sitting_id], agreements.get(person.sitting_id))
        for person in people
        if person.sitting_id in answered and answered[person.sitting_id].given
    ]
    return flagged(measured, images)


def flagged(people: Sequence[Quality], images: int) -> list[Quality]:
    """Point out who stands out.

    Parameters
    ----------
    people : sequence of Quality
    images : int
        Of the largest query.
    """
    z = {
        name: modified_z([getattr(one, name) for one in people])
        for name in ("repeat_difference", "agreement")
    }
    # Times are compared as ratios: twice as fast is as far as twice as slow.
    z["median_ms"] = modified_z(np.log([max(one.median_ms, 1.0) for one in people]))
    found = []
    for at, one in enumerate(people):
        stands_out = {
            "fast": one.fast_share >= FAST_SHARE,
            "one score": one.longest_run >= max(images, SHORTEST_RUN),
            "checks": one.checks_passed < PASSED_SHARE * one.checks,
            "repeats": z["repeat_difference"][at] > OUTLYING,
            "chance": one.chance <= MOST_CHANCE and one.agreement <= one.chance,
            "disagrees": z["agreement"][at] < -OUTLYING,
            "pace": abs(z["median_ms"][at]) > OUTLYING,
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


def _agreements(session: Session, task: RankingTask) -> dict[int, tuple[float, float]]:
    """By sitting: mean tau-b with the mean of the others who count, and its bound by chance."""
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
            AssignedQuery.handed_in_at.is_not(None),
        )
        .order_by(AssignedQuery.id)
    )
    assigned = np.array([tuple(row) for row in session.execute(asked)], dtype=int).reshape(-1, 4)
    stamp = assigned.tobytes()
    return cached().kept(
        ("agreement by person", task.id),
        stamp,
        lambda: _measured_agreements(session, task, assigned),
    )


def _measured_agreements(
    session: Session, task: RankingTask, assigned: NDArray[np.int64]
) -> dict[int, tuple[float, float]]:
    taus: defaultdict[int, list[float]] = defaultdict(list)
    sizes: defaultdict[int, list[int]] = defaultdict(list)
    for sittings, table, counts in _tables(session, task, assigned):
        for sitting, (tau, size) in zip(sittings, _with_others(table, counts), strict=True):
            # One score throughout orders nothing: it agrees with nobody.
            is_known = size >= 2
            if is_known:
                taus[sitting].append(0.0 if np.isnan(tau) else float(tau))
                sizes[sitting].append(size)
    return {one: (float(np.mean(taus[one])), chance_bound(sizes[one])) for one in taus}


def _with_others(table: NDArray[np.float64], counts: NDArray[np.bool_]) -> list[tuple[float, int]]:
    """Of each row its tau-b with the mean of the others that count, and of how many images.

    Rows that do not count are compared with those that do, and with none of the others.
    """
    found = dict.fromkeys(range(len(table)), (nan, 0))
    among = np.flatnonzero(counts)
    if among.size:
        found.update(zip(among.tolist(), _leave_one_out(table[among]), strict=True))
        for at in np.flatnonzero(~counts).tolist():
            found[at] = _leave_one_out(np.vstack([table[at], table[among]]))[0]
    return [found[at] for at in range(len(table))]


def _leave_one_out(table: NDArray[np.float64]) -> list[tuple[float, int]]:
    lower, _ = leave_one_out_tau_b(table)
    compared = ~np.isnan(table) & ((~np.isnan(table)).sum(axis=0) > 1)
    return list(zip(lower.tolist(), compared.sum(axis=1).tolist(), strict=True))


def _tables(
    session: Session, task: RankingTask, assigned: NDArray[np.int64]
) -> Iterator[tuple[list[int], NDArray[np.float64], NDArray[np.bool_]]]:
    """For each query the sittings that handed it in, their scores, and which of them count.

    The scores have the shape (sittings, images).
    """
    chosen = set(assigned[:, 2].tolist())
    ended = {one: has for one, has in ended_in(session, task).items() if one in chosen}
    scores = scores_of(session, task.id, ended)
    place = np.searchsorted(assigned[:, 0], scores["assigned"])
    query, sitting = assigned[place, 1], assigned[place, 2]
    for number in np.unique(query):
        own = query == number
        sittings, row = np.unique(sitting[own], return_inverse=True)
        images, column = np.unique(scores["stimulus"][own], return_inverse=True)
        table = np.full((len(sittings), len(images)), np.nan)
        table[row, column] = scores["value"][own]
        counts = np.zeros(len(sittings), dtype=bool)
        counts[row] = assigned[place[own], 3] == 1
        yield sittings.tolist(), table, counts


def _measured(person: Person, answered: Answered, agreement: tuple[float, float] | None) -> Quality:
    agreed, chance = agreement or (nan, nan)
    repeats = person.repeat_difference
    return Quality(
        code=person.code,
        state=person.state,
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
