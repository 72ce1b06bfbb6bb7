"""The block design: each participant's queries and all orders, from recorded random seeds."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class TaskQuery:
    """A query of a task for the block design: ids only.

    Attributes
    ----------
    query_id : int
    sketch_id : int
        Id of its sketch.
    image_ids : tuple of int
        Ids of its candidates.
    practice : bool
    """

    query_id: int
    sketch_id: int
    image_ids: tuple[int, ...]
    practice: bool = False


@dataclass(frozen=True)
class Allocated:
    """A query as one participant gets it."""

    query_id: int
    kind: str
    shown_order: list[int]
    checked: bool


def choose_queries(
    taken: Mapping[int, int], quota: int, part_size: int | None, seed: int
) -> list[int]:
    """Choose the queries of one participant: those with the fewest participants, ties at random.

    Parameters
    ----------
    taken : dict of int to int
        Number of places taken in each query of the task.
    quota : int
        Number of participants that each query needs.
    part_size : int or None
        Number of queries for each participant; None for all.
    seed : int

    Returns
    -------
    list of int
        Empty if no query needs another participant.
    """
    rng = random.Random(seed)
    shuffled = rng.sample(sorted(taken), len(taken))
    still_open = [query for query in shuffled if taken[query] < quota]
    if part_size is None:
        return shuffled if still_open else []
    return sorted(still_open, key=taken.__getitem__)[:part_size]


def allocate_queries(
    queries: Sequence[TaskQuery], chosen: Sequence[int], repeats: int, checks: int, seed: int
) -> list[Allocated]:
    """Put the queries of one participant in order: practice, then main, then repeated ones.

    Repeated queries come from the first half and follow at the end, far from their first time. An
    attention check puts the sketch itself among its images.

    Parameters
    ----------
    queries : sequence of TaskQuery
        The chosen ones and the practice queries, in the order of the task.
    chosen : sequence of int
        Ids of the participant's queries, without practice.
    repeats, checks : int
    seed : int

    Returns
    -------
    list of Allocated
    """
    rng = random.Random(f"{seed}:orders")
    by_id = {query.query_id: query for query in queries}
    main = [by_id[query] for query in rng.sample(chosen, len(chosen))]
    first_half = main[: max(1, (len(main) + 1) // 2)]
    again = rng.sample(first_half, min(repeats, len(first_half)))
    checkable = [query for query in main if query.sketch_id not in query.image_ids]
    checked = set(rng.sample(checkable, min(checks, len(checkable))))
    practice = [query for query in queries if query.practice]
    return [
        *(_allocated(query, "practice", False, rng) for query in practice),
        *(_allocated(query, "main", query in checked, rng) for query in main),
        *(_allocated(query, "repeat", False, rng) for query in again),
    ]


def _allocated(query: TaskQuery, kind: str, checked: bool, rng: random.Random) -> Allocated:
    images = [*query.image_ids, query.sketch_id] if checked else list(query.image_ids)
    return Allocated(query.query_id, kind, rng.sample(images, len(images)), checked)
