"""Scores as arrays; those of a sitting are read again only when it has sent more."""

from collections.abc import Hashable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select
from sqlalchemy.orm import Session

from basics import memory
from study_app.core.caching.cache import adopt, cached, share
from study_app.models.ranking import AssignedQuery, RankingQuery, Score

# Half as wide as usual, since a task may have millions of scores.
COLUMNS = np.dtype([("assigned", np.int32), ("stimulus", np.int32), ("value", np.float64)])
# Largest number of sittings in one statement, and of rows in memory at once.
SITTINGS_AT_ONCE, ROWS_AT_ONCE = 10_000, 2_000
Scores = NDArray[Any]


def key_of(task_id: int) -> tuple[str, int]:
    """The cache key of the scores of a task."""
    return "scores", task_id


def share_scores(task_id: int, clears: int) -> None:
    """Store the scores in the cache for all web processes; for jobs.

    They are stored apart from what is computed from them, since pages rarely need them.
    """
    share(_about(task_id), [key_of(task_id)], clears)


def forget(task_id: int) -> None:
    """Drop the scores from this process's cache, in a job that needs its memory for more."""
    cached().drop(key_of(task_id))
    memory.give_back()


def changed(task_id: int, stamps: Mapping[int, Hashable]) -> list[int]:
    """The sittings whose scores `scores_of` would read from the database."""
    _adopt(task_id)
    return cached().changed(key_of(task_id), stamps)


def scores_of(session: Session, task_id: int, stamps: Mapping[int, Hashable]) -> dict[int, Scores]:
    """By sitting, its scores of submitted queries, without practice, repeats and checks.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    task_id : int
    stamps : dict of int to hashable
        Of sittings of the task, as `per_sitting.stamps_of` gives them.

    Returns
    -------
    dict of int to array of `COLUMNS`, shape (scores,)
        Ids of the assigned query and of the image, and the score, by assigned query. They are not
        joined, because there may be millions.
    """
    _adopt(task_id)
    return cached().each(key_of(task_id), stamps, lambda sittings: _read(session, sittings))


def _adopt(task_id: int) -> None:
    """Read what a job has stored, if this process has no scores of the task."""
    if cached().get(key_of(task_id)) is None:
        adopt(_about(task_id))


def _about(task_id: int) -> tuple[str, int]:
    return "scores", task_id


def _read(session: Session, sittings: Sequence[int]) -> dict[int, Scores]:
    found = {}
    for start in range(0, len(sittings), SITTINGS_AT_ONCE):
        chosen = (
            select(
                AssignedQuery.sitting_id, Score.assigned_query_id, Score.stimulus_id, Score.value
            )
            .join(Score, Score.assigned_query_id == AssignedQuery.id)
            .join(RankingQuery, RankingQuery.id == AssignedQuery.query_id)
            .where(
                AssignedQuery.sitting_id.in_(sittings[start : start + SITTINGS_AT_ONCE]),
                AssignedQuery.kind == "main",
                AssignedQuery.submitted_at.is_not(None),
                Score.value.is_not(None),
                # The sketch's own copy among the images is an attention check.
                ~(AssignedQuery.checked & (Score.stimulus_id == RankingQuery.stimulus_id)),
            )
            .order_by(AssignedQuery.sitting_id)
            .execution_options(yield_per=ROWS_AT_ONCE)
        )
        for sitting_id, rows in groupby(session.execute(chosen), key=itemgetter(0)):
            scores = np.fromiter((tuple(row[1:]) for row in rows), COLUMNS)
            scores.sort(order="assigned", kind="stable")
            found[sitting_id] = scores
    return found
