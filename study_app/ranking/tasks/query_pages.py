"""The queries of a task for pages, which show a part at a time."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from study_app.models import Stimulus, StimulusSet
from study_app.models.ranking import Candidate, RankingQuery, RankingTask
from study_app.ranking.allocation import quota
from study_app.ranking.tasks.query_lists import Named

Chosen = Select[*tuple[Any, ...]]
# Number of a query's images in a list of queries; its own page has all.
STRIP = 40


@dataclass(frozen=True)
class ListedQuery:
    """A query in a list.

    Attributes
    ----------
    query_id, number : int
    sketch : Named
    practice : bool
    images : list of Named
        The first images, in their order.
    image_count : int
    """

    query_id: int
    number: int
    sketch: Named
    practice: bool
    images: list[Named]
    image_count: int


@dataclass(frozen=True)
class QueryProgress:
    """The progress of one query."""

    query_id: int
    name: str
    images: int
    practice: bool
    filled: int
    taken: int

    @property
    def under_way(self) -> int:
        """Number of participants who have started but not finished it."""
        return max(0, self.taken - self.filled)


@dataclass(frozen=True)
class Progress:
    """The progress of the queries of a task.

    Attributes
    ----------
    total : int
        Number of queries, including practice.
    filled, under_way : int
        Numbers of queries with enough participants, and with participants in progress.
    counting : int
        Number of queries without practice.
    quota : int
        Number of participants that each query should have.
    shown : list of QueryProgress
        All queries in the task's order; of a long list, those with the fewest participants.
    """

    total: int
    filled: int
    under_way: int
    counting: int
    quota: int
    shown: list[QueryProgress]

    @property
    def whole(self) -> bool:
        """Whether all queries are shown."""
        return len(self.shown) == self.total


def count_queries(session: Session, task: RankingTask, find: str = "") -> int:
    """The number of queries of a task whose name contains `find`."""
    return session.scalar(_named(select(func.count()), task, find)) or 0


def queries_of(
    session: Session,
    task: RankingTask,
    *,
    find: str = "",
    offset: int = 0,
    limit: int | None = None,
) -> list[ListedQuery]:
    """Queries of a task in order, each with its first images."""
    columns = (RankingQuery.id, RankingQuery.number, Stimulus.id, Stimulus.name)
    chosen = _named(select(*columns, RankingQuery.practice), task, find)
    chosen = chosen.order_by(RankingQuery.number).offset(offset).limit(limit)
    return _with_images(session, session.execute(chosen).all(), STRIP)


def whole_query(session: Session, query: RankingQuery) -> ListedQuery:
    """A query with all its images."""
    sketch = query.stimulus
    row = (query.id, query.number, sketch.id, sketch.name, query.practice)
    return _with_images(session, [row], None)[0]


def not_queries(
    session: Session, task: RankingTask, stimulus_set: StimulusSet | None, find: str = ""
) -> list[Named]:
    """Stimuli of a set, or those whose name contains `find`, that are not queries of the task."""
    if stimulus_set is None:
        return []
    used = select(RankingQuery.stimulus_id).where(RankingQuery.task_id == task.id)
    chosen = select(Stimulus.id, Stimulus.name).where(
        Stimulus.set_id == stimulus_set.id, Stimulus.id.not_in(used)
    )
    if find:
        chosen = chosen.where(Stimulus.name.icontains(find, autoescape=True))
    return [Named(*row) for row in session.execute(chosen.order_by(Stimulus.card))]


def progress_of(session: Session, task: RankingTask, most: int) -> Progress:
    """The progress of the queries of a task, with at most a given number of them in detail."""
    taken, filled = quota.taken_and_filled(session, task)
    listed = select(RankingQuery.id, RankingQuery.practice).order_by(RankingQuery.number)
    rows = session.execute(listed.where(RankingQuery.task_id == task.id)).all()
    ids = [query_id for query_id, _ in rows]
    if len(ids) > most:
        ids = sorted(taken, key=lambda query_id: (filled[query_id], taken[query_id]))[:most]
    wanted = quota.of_each(task, len(taken))
    return Progress(
        total=len(rows),
        filled=sum(filled[query_id] >= wanted for query_id in taken),
        under_way=sum(count > filled[query_id] for query_id, count in taken.items()),
        counting=len(taken),
        quota=wanted,
        shown=[
            QueryProgress(
                query_id, name, images, practice, filled.get(query_id, 0), taken.get(query_id, 0)
            )
            for query_id, name, images, practice in _counted(session, ids)
        ],
    )


def _counted(session: Session, ids: list[int]) -> list[Any]:
    """Name, number of images and practice of the queries with these ids, in this order."""
    images = func.count(Candidate.stimulus_id)
    listed = (
        select(RankingQuery.id, Stimulus.name, images, RankingQuery.practice)
        .join(Stimulus, Stimulus.id == RankingQuery.stimulus_id)
        .outerjoin(Candidate, Candidate.query_id == RankingQuery.id)
        .where(RankingQuery.id.in_(ids))
        .group_by(RankingQuery.id, Stimulus.name)
    )
    place = {query_id: at for at, query_id in enumerate(ids)}
    return sorted(session.execute(listed), key=lambda query: place[query.id])


def _named(chosen: Chosen, task: RankingTask, find: str) -> Chosen:
    chosen = chosen.select_from(RankingQuery).join(
        Stimulus, Stimulus.id == RankingQuery.stimulus_id
    )
    chosen = chosen.where(RankingQuery.task_id == task.id)
    return chosen.where(Stimulus.name.icontains(find, autoescape=True)) if find else chosen


def _with_images(
    session: Session, rows: Sequence[Sequence[Any]], most: int | None
) -> list[ListedQuery]:
    ids = [row[0] for row in rows]
    listed = select(Candidate.query_id, Stimulus.id, Stimulus.name)
    listed = listed.join(Stimulus, Stimulus.id == Candidate.stimulus_id)
    listed = listed.where(Candidate.query_id.in_(ids)).order_by(Candidate.number)
    if most is not None:
        listed = listed.where(Candidate.number <= most)
    images: dict[int, list[Named]] = defaultdict(list)
    for query_id, stimulus_id, name in session.execute(listed):
        images[query_id].append(Named(stimulus_id, name))
    counted = select(Candidate.query_id, func.count()).where(Candidate.query_id.in_(ids))
    counts = dict(session.execute(counted.group_by(Candidate.query_id)).all())
    return [
        ListedQuery(
            query_id,
            number,
            Named(sketch_id, name),
            practice,
            images[query_id],
            counts.get(query_id, 0),
        )
        for query_id, number, sketch_id, name, practice in rows
    ]
