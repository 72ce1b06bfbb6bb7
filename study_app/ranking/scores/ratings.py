"""The scores that count: what the ground truth of a task is computed from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session, aliased

from study_app.models import Participant, Stimulus
from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingQuery, RankingTask
from study_app.participation.people import included
from study_app.participation.people.withdrawal import Withdrawal, withdrawals_of
from study_app.participation.sittings import parts
from study_app.ranking.scores.arrays import scores_of

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Rating:
    """One participant's score of one image against one query."""

    participant: str
    query: str
    stimulus: str
    score: float
    simulated: bool


@dataclass(frozen=True)
class Ratings:
    """The scores that a task has, as arrays; iterating gives a `Rating` each.

    Attributes
    ----------
    people, queries, stimuli : list of str
        Participant codes, and names of sketches and of images.
    person, query, stimulus : int arrays, shape (scores,)
        Places in these lists; ordered by participant, query and image.
    score : float array, shape (scores,)
    simulated_people : bool array, shape (people,)
    best : str
        Which end of the scale is most similar: "low" or "high".
    withdrawals : list of Withdrawal
        Whose scores are not there any more.
    """

    people: Sequence[str]
    queries: Sequence[str]
    stimuli: Sequence[str]
    person: Numbers
    query: Numbers
    stimulus: Numbers
    score: NDArray[np.float64]
    simulated_people: NDArray[np.bool_]
    best: str
    withdrawals: list[Withdrawal]

    def __len__(self) -> int:
        return len(self.score)

    def __iter__(self) -> Iterator[Rating]:
        columns = (self.person, self.query, self.stimulus, self.score)
        for person, query, stimulus, score in zip(*map(np.ndarray.tolist, columns), strict=True):
            simulated = bool(self.simulated_people[person])
            names = self.people[person], self.queries[query], self.stimuli[stimulus]
            yield Rating(*names, score, simulated)

    @property
    def simulated(self) -> bool:
        """Whether a program gave any of the scores."""
        return bool(self.simulated_people[self.person].any())


@dataclass(frozen=True)
class Tables:
    """Ratings laid out query by query.

    Attributes
    ----------
    participants, queries : list of str
        Queries in the order in which the ratings have them.
    candidates : list of list of str
        Of each query, in the order of their names.
    scores : list of float arrays, shape (participants, candidates) each
        NaN where somebody gave no score.
    """

    participants: list[str]
    queries: list[str]
    candidates: list[list[str]]
    scores: list[NDArray[np.float64]]


def laid_out(ratings: Ratings) -> Tables:
    """Lay ratings out query by query; of two scores for one place the later one counts."""
    there, row = np.unique(ratings.person, return_inverse=True)
    numbers, first = np.unique(ratings.query, return_index=True)
    candidates, scores = [], []
    ordered = numbers[np.argsort(first)]
    by_query = np.split(
        np.argsort(ratings.query, kind="stable"),
        np.cumsum(np.bincount(ratings.query, minlength=len(ratings.queries)))[:-1],
    )
    for number in ordered:
        own = by_query[number]
        images, column = np.unique(ratings.stimulus[own], return_inverse=True)
        table = np.full((len(there), len(images)), np.nan)
        table[row[own], column] = ratings.score[own]
        candidates.append([ratings.stimuli[image] for image in images])
        scores.append(table)
    return Tables(
        [ratings.people[at] for at in there],
        [ratings.queries[number] for number in ordered],
        candidates,
        scores,
    )


def ratings_of(
    session: Session,
    task: RankingTask,
    *,
    unfinished: bool = False,
    queries: Sequence[int] | None = None,
) -> Ratings:
    """The scores of a task from everybody who finished, or did a part, and counts (`included`).

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    task : study_app.models.ranking.RankingTask
    unfinished : bool
        Also the queries handed in by people who are still at it or gave up: for looking on, not
        for a ground truth.
    queries : sequence of int or None
        Only these; None is all of them.

    Returns
    -------
    Ratings
        Practice, repeated queries, attention checks and images that did not load are left out.
    """
    found = _assigned(session, task, unfinished, queries)
    ended = {one.sitting_id: one.ending is not None for one in found}
    scores = scores_of(session, task.id, ended)
    ids = np.array([one.id for one in found], dtype=np.int64)
    # In the order of participants and queries; what a trial's exclusion left out is not among them.
    by_id = np.argsort(ids)
    place = np.searchsorted(ids, scores["assigned"], sorter=by_id)
    place = by_id[np.minimum(place, len(ids) - 1)] if len(ids) else place
    counts = ids[place] == scores["assigned"] if len(ids) else np.zeros(0, dtype=bool)
    scores, place = scores[counts], place[counts]
    stimuli, stimulus = _named(session, scores["stimulus"])
    order = np.lexsort((stimulus, place))
    people = sorted({(one.code, one.simulated) for one in found})
    names = sorted({one.name for one in found})
    person = _places([one.code for one in found], [code for code, _ in people])
    query = _places([one.name for one in found], names)
    return Ratings(
        people=[code for code, _ in people],
        queries=names,
        stimuli=stimuli,
        person=person[place[order]],
        query=query[place[order]],
        stimulus=stimulus[order],
        score=scores["value"][order],
        simulated_people=np.array([simulated for _, simulated in people], dtype=bool),
        best=task.most_similar_end,
        withdrawals=withdrawals_of(session, task),
    )


def _assigned(
    session: Session, task: RankingTask, unfinished: bool, queries: Sequence[int] | None
) -> list[Any]:
    """The queries handed in that count, by participant and query."""
    sketch = aliased(Stimulus)
    chosen = (
        select(
            AssignedQuery.id,
            AssignedQuery.sitting_id,
            WebSitting.ending,
            Participant.code,
            Participant.simulated,
            RankingQuery.number,
            sketch.name,
        )
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .join(Participant, Participant.id == WebSitting.participant_id)
        .join(RankingQuery, RankingQuery.id == AssignedQuery.query_id)
        .join(sketch, sketch.id == RankingQuery.stimulus_id)
        .where(*_counting(task, unfinished), *_among(queries))
    )
    return sorted(session.execute(chosen), key=lambda one: (one.code, one.number, one.id))


def _places(values: Sequence[str], among: Sequence[str]) -> Numbers:
    place = {value: at for at, value in enumerate(among)}
    return np.array([place[value] for value in values], dtype=np.int64)


def _named(session: Session, ids: NDArray[np.int64]) -> tuple[list[str], Numbers]:
    """The names of stimuli, sorted, and the place of each id in them."""
    numbers, at = np.unique(ids, return_inverse=True)
    chosen = select(Stimulus.id, Stimulus.name).where(Stimulus.id.in_(numbers.tolist()))
    name = dict(session.execute(chosen).all())
    names = sorted(set(name.values()))
    return names, _places([name[number] for number in numbers.tolist()], names)[at]


def _among(queries: Sequence[int] | None) -> list[ColumnElement[bool]]:
    return [] if queries is None else [AssignedQuery.query_id.in_(queries)]


def _counting(task: RankingTask, unfinished: bool) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [
        WebSitting.task_id == task.id,
        *included.web_sittings(),
        *included.trials(AssignedQuery.position),
        AssignedQuery.kind == "main",
        AssignedQuery.handed_in_at.is_not(None),
    ]
    return conditions if unfinished else [*conditions, parts.is_counted(AssignedQuery.part)]
