"""Values by sitting: of one that has ended they are computed once, since it takes no more scores.

A finished sitting so only adds to what is there. A withdrawal empties the cache.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from study_app.core.cache import cached
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask

Value = TypeVar("Value")


def ended_in(session: Session, task: RankingTask) -> dict[int, bool]:
    """The sittings of a task, and whether each has ended."""
    chosen = select(WebSitting.id, WebSitting.ending).where(WebSitting.task_id == task.id)
    return {one: ending is not None for one, ending in session.execute(chosen)}


def by_sitting(
    key: Hashable,
    ended: Mapping[int, bool],
    compute: Callable[[Sequence[int]], Mapping[int, Value]],
) -> dict[int, Value]:
    """A value for each sitting; those without one are left out.

    Parameters
    ----------
    key : hashable
        Of the values in the cache.
    ended : dict of int to bool
        The sittings, and whether each has ended.
    compute : callable
        Computes the values of the sittings that it is given.
    """
    cache = cached()
    clears = cache.clears
    known: dict[int, Value | None] = cache.get(key) or {}
    missing = [one for one in ended if one not in known]
    computed = compute(missing) if missing else {}
    new = {one: computed.get(one) for one in missing if ended[one]}
    if new:
        cache.put(key, known | new, clears)
    values = {one: known[one] if one in known else computed.get(one) for one in ended}
    return {one: value for one, value in values.items() if value is not None}
