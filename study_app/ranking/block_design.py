"""Who gets which queries, and everything in which order: drawn from recorded seeds."""

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Listed:
    """A query of a task as the draw sees it: numbers only.

    Attributes
    ----------
    query_id : int
    sketch_id : int
        Its stimulus.
    image_ids : tuple of int
        Its candidates.
    practice : bool
    """

    query_id: int
    sketch_id: int
    image_ids: tuple[int, ...]
    practice: bool = False


@dataclass(frozen=True)
class Drawn:
    """A query as one participant gets it."""

    query_id: int
    kind: str
    shown_order: list[int]
    checked: bool


def sitting_seed(task_seed, number):
    """The seed of the sitting that came as `number`th to a task."""
    return random.Random(f"{task_seed}:{number}").randrange(2**31)


def choose_queries(taken, places, part_size, seed):
    """Choose the queries of one participant: those that fewest people have, ties drawn.

    Parameters
    ----------
    taken : dict of int to int
        How many people have or had each query of the task.
    places : int
        How many people each query needs.
    part_size : int or None
        How many queries each participant gets; None is all of them.
    seed : int

    Returns
    -------
    list of int
        Empty where no query has an open place.
    """
    draw = random.Random(seed)
    shuffled = draw.sample(sorted(taken), len(taken))
    still_open = [query for query in shuffled if taken[query] < places]
    if part_size is None:
        return shuffled if still_open else []
    return sorted(still_open, key=taken.__getitem__)[:part_size]


def draw_sitting(listed, chosen, repeats, checks, seed):
    """Draw the whole list of one participant: practice, then queries, then the repeated ones.

    Repeated queries come from the first half and stand at the end, far from their first time. An
    attention check puts the sketch itself among its images.

    Parameters
    ----------
    listed : list of Listed
        Every query of the task.
    chosen : list of int
        The participant's, without practice.
    repeats, checks : int
    seed : int

    Returns
    -------
    list of Drawn
    """
    draw = random.Random(f"{seed}:orders")
    by_id = {query.query_id: query for query in listed}
    main = [by_id[query] for query in draw.sample(chosen, len(chosen))]
    first_half = main[: max(1, (len(main) + 1) // 2)]
    again = draw.sample(first_half, min(repeats, len(first_half)))
    checkable = [query for query in main if query.sketch_id not in query.image_ids]
    checked = set(draw.sample(checkable, min(checks, len(checkable))))
    practice = [query for query in listed if query.practice]
    return [
        *(_drawn(query, "practice", False, draw) for query in practice),
        *(_drawn(query, "main", query in checked, draw) for query in main),
        *(_drawn(query, "repeat", False, draw) for query in again),
    ]


def _drawn(query, kind, checked, draw):
    images = [*query.image_ids, query.sketch_id] if checked else list(query.image_ids)
    return Drawn(query.query_id, kind, draw.sample(images, len(images)), checked)
