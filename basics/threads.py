"""Doing two things at the same time where a processor is idle.

Only what runs in compiled code on much data gains by it, such as OpenCV's functions, and what waits
for another process. No call waits for one that has not begun, so calls may be nested.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Ahead(Generic[Result]):
    """A call that begins before its result is needed.

    Parameters
    ----------
    function : function
        Without arguments.
    """

    def __init__(self, function: Callable[[], Result]) -> None:
        self._function = function
        self._begun = _begin(function)

    def result(self) -> Result:
        """Return its result or raise its error; to be called once."""
        return self._function() if self._begun.cancel() else self._begun.result()


def side_by_side(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """Call a function for each of several items, some of them at the same time.

    Parameters
    ----------
    function : function
    items : sequence

    Returns
    -------
    list
        The results, in the order of the items.
    """
    if not items:
        return []
    begun = [_begin(function, item) for item in items[1:]]
    first = function(items[0])
    mine = {place: function(items[place + 1]) for place, one in enumerate(begun) if one.cancel()}
    others = (mine[n] if n in mine else one.result() for n, one in enumerate(begun))
    return [first, *others]


def _begin(function: Callable[..., Result], *items: Item) -> "Future[Result]":
    """The call, which begins when a thread is free."""
    try:
        return _threads().submit(function, *items)
    except RuntimeError:
        # Python is ending and starts no more threads: the caller's thread does everything
        return Future()


@cache
def _threads() -> ThreadPoolExecutor:
    """One thread for each processor, since the caller's may be waiting for another process."""
    return ThreadPoolExecutor(os.cpu_count() or 1, "ahead")
