"""The included scores, from which the ground truth of a task is computed."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
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
from study_app.ranking.scores.arrays import COLUMNS, ROWS_AT_ONCE, Scores, scores_of
from study_app.ranking.scores.per_sitting import stamps_of

Numbers = NDArray[np.integer[Any]]


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
    """The scores of a task as arrays; iterating yields `Rating`s.

    Attributes
    ----------
    people, queries, stimuli : list of str
        Participant codes, and names of sketches and of images.
    person, query, stimulus : int arrays, shape (scores,)
        Indices into these lists, in the smallest type; ordered by participant, query and image.
    score : float array, shape (scores,)
    simulated_people : bool array, shape (people,)
    best : str
        Which end of the scale is most similar: "low" or "high".
    withdrawals : list of Withdrawal
        Participants whose scores were deleted.
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
        return self._between(0, len(self))

    def of(self, participant: str) -> Iterator[Rating]:
        """The scores of one participant, none if there is no such one."""
        at = bisect_left(self.people, participant)
        if self.people[at : at + 1] == [participant]:
            own = self.person.dtype.type(at)
            first, after = (int(self.person.searchsorted(own, side)) for side in ("left", "right"))
            yield from self._between(first, after)

    def _between(self, first: int, after: int) -> Iterator[Rating]:
        columns = self.person, self.query, self.stimulus, self.score
        # A few at a time: as Python's numbers, a million scores need 100 MB.
        for start in range(first, after, ROWS_AT_ONCE):
            some = [column[start : min(start + ROWS_AT_ONCE, after)].tolist() for column in columns]
            for person, query, stimulus, score in zip(*some, strict=True):
                simulated = bool(self.simulated_people[person])
                names = self.people[person], self.queries[query], self.stimuli[stimulus]
                yield Rating(*names, score, simulated)

    @property
    def simulated(self) -> bool:
        """Whether a program gave any of the scores."""
        return bool(self.simulated_people[self.person].any())


@dataclass(frozen=True)
class Tables:
    """Ratings as one table per query.

    Attributes
    ----------
    participants, queries : list of str
        Queries in the order of the ratings.
    candidates : list of list of str
        Candidates of each query, by name.
    scores : list of float arrays, shape (participants, candidates) each
        NaN for missing scores.
    """

    participants: list[str]
    queries: list[str]
    candidates: list[list[str]]
    scores: list[NDArray[np.float64]]


def laid_out(ratings: Ratings) -> Tables:
    """Arrange ratings as one table per query; of two scores for a cell, the later one counts."""
    # Without `numpy.unique`, which would copy and sort millions of numbers.
    there = np.flatnonzero(np.bincount(ratings.person, minlength=len(ratings.people)))
    row = np.zeros(len(ratings.people), dtype=np.int32)
    row[there] = np.arange(len(there))
    candidates, scores = [], []
    by_query = np.split(
        np.argsort(ratings.query, kind="stable").astype(np.int32),
        np.cumsum(np.bincount(ratings.query, minlength=len(ratings.queries)))[:-1],
    )
    ordered = sorted((own[0], number) for number, own in enumerate(by_query) if own.size)
    for _, number in ordered:
        own = by_query[number]
        images, column = np.unique(ratings.stimulus[own], return_inverse=True)
        table = np.full((len(there), len(images)), np.nan)
        table[row[ratings.person[own]], column] = ratings.score[own]
        candidates.append([ratings.stimuli[image] for image in images])
        scores.append(table)
    return Tables(
        [ratings.people[at] for at in there.tolist()],
        [ratings.queries[number] for _, number in ordered],
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
    """The scores of all included participants (`included`) who finished the task or a part.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    task : study_app.models.ranking.RankingTask
    unfinished : bool
        Whether to add the queries submitted by participants in progress or who gave up: for
        monitoring, not for a ground truth.
    queries : sequence of int or None
        Only these; None for all.

    Returns
    -------
    Ratings
        Without practice, repeated queries, attention checks and images that did not load.
    """
    found = _assigned(session, task, unfinished, queries)
    sittings = {one.sitting_id for one in found}
    stamps = {one: stamp for one, stamp in stamps_of(session, task).items() if one in sittings}
    scores = scores_of(session, task.id, stamps)
    ids, stimuli, image_of = _named(session, scores)
    people = sorted({(one.code, one.simulated) for one in found})
    names = sorted({one.name for one in found})
    query_of = {name: at for at, name in enumerate(names)}
    count, filled = sum(map(len, scores.values())), 0
    person = np.empty(count, np.min_scalar_type(len(people)))
    query = np.empty(count, np.min_scalar_type(len(names)))
    stimulus = np.empty(count, np.min_scalar_type(len(stimuli)))
    score = np.empty(count)
    # One person at a time: all of them at once would need several copies of millions of scores.
    for at, (_, trials) in enumerate(groupby(found, key=attrgetter("code"))):
        own = list(trials)
        given = [scores[one] for one in dict.fromkeys(t.sitting_id for t in own) if one in scores]
        theirs, place = _placed(
            np.concatenate([np.empty(0, COLUMNS), *given]),
            np.array([one.id for one in own], dtype=np.int32),
        )
        images = image_of[np.searchsorted(ids, theirs["stimulus"])]
        order = np.lexsort((images, place))
        part = slice(filled, filled + len(order))
        queries_of_own = np.array([query_of[one.name] for one in own], dtype=np.int32)
        person[part], query[part] = at, queries_of_own[place[order]]
        stimulus[part], score[part] = images[order], theirs["value"][order]
        filled += len(order)
    return Ratings(
        people=[code for code, _ in people],
        queries=names,
        stimuli=stimuli,
        person=person[:filled],
        query=query[:filled],
        stimulus=stimulus[:filled],
        score=score[:filled],
        simulated_people=np.array([simulated for _, simulated in people], dtype=bool),
        best=task.most_similar_end,
        withdrawals=withdrawals_of(session, task),
    )


def _placed(scores: Scores, ids: Numbers) -> tuple[Scores, Numbers]:
    """The scores of assigned queries that count, and the place of each among these queries."""
    if not len(ids):
        return scores[:0], np.zeros(0, dtype=np.int32)
    by_id = np.argsort(ids).astype(np.int32)
    place = np.searchsorted(ids, scores["assigned"], sorter=by_id).astype(np.int32)
    place = by_id[np.minimum(place, len(ids) - 1)]
    # Excluded trials are not among them.
    counts = ids[place] == scores["assigned"]
    return (scores, place) if counts.all() else (scores[counts], place[counts])


def _assigned(
    session: Session, task: RankingTask, unfinished: bool, queries: Sequence[int] | None
) -> list[Any]:
    """The submitted queries that are included, by participant and query."""
    sketch = aliased(Stimulus)
    chosen = (
        select(
            AssignedQuery.id,
            AssignedQuery.sitting_id,
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


def _named(session: Session, scores: Mapping[int, Scores]) -> tuple[Numbers, list[str], Numbers]:
    """The ids of all images, their names, and the place of each id in the names; both sorted."""
    own = [np.unique(rows["stimulus"]) for rows in scores.values()]
    numbers = np.unique(np.concatenate([np.empty(0, np.int32), *own]))
    chosen = select(Stimulus.id, Stimulus.name).where(Stimulus.id.in_(numbers.tolist()))
    name = dict(session.execute(chosen).all())
    names = sorted(set(name.values()))
    place = {one: at for at, one in enumerate(names)}
    places = np.array([place[name[number]] for number in numbers.tolist()], dtype=np.int32)
    return numbers, names, places


def _among(queries: Sequence[int] | None) -> list[ColumnElement[bool]]:
    return [] if queries is None else [AssignedQuery.query_id.in_(queries)]


def _counting(task: RankingTask, unfinished: bool) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [
        WebSitting.task_id == task.id,
        *included.web_sittings(),
        *included.trials(AssignedQuery.position),
        AssignedQuery.kind == "main",
        AssignedQuery.submitted_at.is_not(None),
    ]
    return conditions if unfinished else [*conditions, parts.is_counted(AssignedQuery.part)]
