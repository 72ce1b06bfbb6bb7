"""The included scores, from which the ground truth of a task is computed."""

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
from study_app.ranking.scores.arrays import Scores, scores_of
from study_app.ranking.scores.per_sitting import stamps_of

# Half as wide as usual, since a task may have millions of scores.
Numbers = NDArray[np.int32]


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
        Indices into these lists; ordered by participant, query and image.
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
        whole = (self.person.tolist(), self.query.tolist(), self.stimulus.tolist())
        for person, query, stimulus, score in zip(*whole, self.score.tolist(), strict=True):
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
    scores, place = _placed(scores, np.array([one.id for one in found], dtype=np.int32))
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


def _places(values: Sequence[str], among: Sequence[str]) -> Numbers:
    place = {value: at for at, value in enumerate(among)}
    return np.array([place[value] for value in values], dtype=np.int32)


def _named(session: Session, ids: Numbers) -> tuple[list[str], Numbers]:
    """The names of stimuli, sorted, and the place of each id in them."""
    numbers = np.unique(ids)
    chosen = select(Stimulus.id, Stimulus.name).where(Stimulus.id.in_(numbers.tolist()))
    name = dict(session.execute(chosen).all())
    names = sorted(set(name.values()))
    places = _places([name[number] for number in numbers.tolist()], names)
    return names, places[np.searchsorted(numbers, ids).astype(np.int32)]


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
