"""How carefully each participant scores: measured while a task runs, outliers pointed out.

Practice is left out of every measure. `DEFINITIONS` says in one sentence what each one is, and
`FLAGS` from where on somebody stands out.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import nan
from statistics import median

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, and_, case, select
from sqlalchemy.orm import Session

from analysis.ratings.ground_truth import leave_one_out_tau_b
from analysis.ratings.response_quality import OUTLYING, chance_bound, longest_run, modified_z
from study_app.core.spreadsheets import Cell, measure_rows
from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingQuery, RankingTask, Score, ScoreEntry
from study_app.participation.people import included
from study_app.ranking.progress.overview import Person, people_of

FAST_MS = 300
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
    chosen = WebSitting.task_id == task.id
    answers = _answers(session, chosen)
    agreements = _agreements(session, chosen)
    images = _longest_query(session, task)
    measured = [
        _measured(person, answers[person.sitting_id], agreements.get(person.sitting_id))
        for person in people
        if person.sitting_id in answers
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


@dataclass
class _Answers:
    """The first answers of one participant, in their order, and the time of all."""

    values: list[float]
    times: list[int]
    active_ms: int = 0


def _answers(session: Session, chosen: ColumnElement[bool]) -> dict[int, _Answers]:
    asked = (
        select(
            ScoreEntry.sitting_id, ScoreEntry.value, ScoreEntry.response_ms, ScoreEntry.looking_over
        )
        .join(AssignedQuery, AssignedQuery.id == ScoreEntry.assigned_query_id)
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .where(chosen, AssignedQuery.kind != "practice", ScoreEntry.value.is_not(None))
        .order_by(ScoreEntry.answered_at, ScoreEntry.id)
    )
    found: defaultdict[int, _Answers] = defaultdict(lambda: _Answers([], []))
    for sitting_id, value, response_ms, reviewing in session.execute(asked):
        answers = found[sitting_id]
        answers.active_ms += response_ms or 0
        if not reviewing:
            answers.values.append(float(value or 0))
            answers.times.append(response_ms or 0)
    return found


def _longest_query(session: Session, task: RankingTask) -> int:
    shown = (
        select(AssignedQuery.shown_order)
        .join(RankingQuery)
        .where(RankingQuery.task_id == task.id, AssignedQuery.kind == "main")
    )
    return max((len(order) for order in session.scalars(shown.limit(200))), default=0)


def _agreements(session: Session, chosen: ColumnElement[bool]) -> dict[int, tuple[float, float]]:
    """By sitting: mean tau-b with the mean of the others who count, and its bound by chance."""
    taus: defaultdict[int, list[float]] = defaultdict(list)
    sizes: defaultdict[int, list[int]] = defaultdict(list)
    for sittings, table, counts in _tables(session, chosen):
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
    session: Session, chosen: ColumnElement[bool]
) -> list[tuple[list[int], NDArray[np.float64], NDArray[np.bool_]]]:
    """For each query the sittings that handed it in, their scores, and which of them count.

    The scores have the shape (sittings, images).
    """
    counts = and_(*included.web_sittings(), *included.trials(AssignedQuery.position))
    asked = (
        select(
            AssignedQuery.query_id,
            AssignedQuery.sitting_id,
            Score.stimulus_id,
            Score.value,
            case((counts, 1), else_=0),
        )
        .join(Score, Score.assigned_query_id == AssignedQuery.id)
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .join(RankingQuery, RankingQuery.id == AssignedQuery.query_id)
        .where(
            chosen,
            WebSitting.purpose != "tryout",
            AssignedQuery.kind == "main",
            AssignedQuery.handed_in_at.is_not(None),
            Score.value.is_not(None),
            ~(AssignedQuery.checked & (Score.stimulus_id == RankingQuery.stimulus_id)),
        )
        .order_by(AssignedQuery.query_id)
    )
    rows = np.array([tuple(row) for row in session.execute(asked)], dtype=float).reshape(-1, 5)
    tables = []
    for query in np.unique(rows[:, 0]):
        own = rows[rows[:, 0] == query]
        sittings, row = np.unique(own[:, 1], return_inverse=True)
        images, column = np.unique(own[:, 2], return_inverse=True)
        table = np.full((len(sittings), len(images)), np.nan)
        table[row, column] = own[:, 3]
        counted = np.zeros(len(sittings), dtype=bool)
        counted[row] = own[:, 4] == 1
        tables.append(([int(sitting) for sitting in sittings], table, counted))
    return tables


def _measured(person: Person, answers: _Answers, agreement: tuple[float, float] | None) -> Quality:
    times = answers.times
    agreed, chance = agreement or (nan, nan)
    repeats = person.repeat_difference
    return Quality(
        code=person.code,
        state=person.state,
        sitting_id=person.sitting_id,
        scores=len(answers.values),
        active_minutes=answers.active_ms / 60_000,
        median_ms=float(median(times)) if times else nan,
        fast_share=sum(time < FAST_MS for time in times) / len(times) if times else nan,
        longest_run=longest_run(answers.values),
        checks_passed=person.checks_passed,
        checks=person.checks_given,
        repeat_difference=nan if repeats is None else repeats,
        agreement=agreed,
        chance=chance,
    )
