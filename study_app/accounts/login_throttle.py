"""Guesses at passwords: how many are let through, and that nobody locks somebody else out.

Failures are counted for a name together with the place they come from: a browser in which somebody
has signed in before, or else an address. So a stranger who guesses at a known name waits longer and
longer, while its owner signs in as ever. Many addresses together are bounded too, by the failures
of all strangers at one name within an hour; past them, only a browser that knows the name is let
in, and `sign-in-link` opens another. Names that nobody bears are counted alike: the answer does not
tell them apart.

Counted in memory, by a clock that nobody sets: a guess writes nothing to the disk, and a server
that is started again forgets. One server serves an installation, so it sees every guess.
"""

import ipaddress
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from study_app.core.errors import StudyError

FREE_FAILURES = 5
LONGEST_WAIT_S = 15 * 60
# One address alone comes to 19 failures in its first hour, so it never fills these.
MOST_FAILURES, WITHIN_S = 100, 3600
MOST_COUNTS = 50_000

_Key = tuple[str, ...]


class Locked(StudyError):
    """Too many failed attempts at a name from one place."""

    status = 429

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, round(seconds))
        super().__init__(
            f"Too many failed sign-in attempts from here. Try again in {self.seconds} seconds."
        )


class Besieged(StudyError):
    """Too many failed attempts at a name, or from an address, by strangers."""

    status = 429

    def __init__(self) -> None:
        super().__init__(
            "Too many failed sign-in attempts in the last hour. Use a browser you have signed in "
            "with before, or a link from `sketch-study sign-in-link --for NAME`."
        )


@dataclass(frozen=True)
class Place:
    """Where an attempt comes from.

    Attributes
    ----------
    name : str
        Of a browser that was signed in before, or of a network.
    known : bool
        Whether it is such a browser.
    """

    name: str
    known: bool = False

    @classmethod
    def of_address(cls, address: str | None) -> Self:
        """The place of a stranger: one household of IPv6 has a network of addresses."""
        try:
            found = ipaddress.ip_address(address or "")
        except ValueError:
            return cls(address or "")
        found = getattr(found, "ipv4_mapped", None) or found
        if found.version == 6:
            return cls(str(ipaddress.ip_network((found, 64), strict=False)))
        return cls(str(found))


@dataclass
class _Count:
    failures: int
    last: float
    waits_until: float


class Attempts:
    """The failed attempts of one server.

    Parameters
    ----------
    clock : callable, optional
        Seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._counts: OrderedDict[_Key, _Count] = OrderedDict()
        self._strangers: OrderedDict[_Key, deque[float]] = OrderedDict()

    def begin(self, name: str, place: Place) -> None:
        """Count an attempt as failed before its password is looked at, so that none go in abreast.

        Raises
        ------
        Locked, Besieged
            If it is not let through; it is not counted then.
        """
        with self._lock:
            now, (own, *shared) = self._clock(), _keys(name, place)
            count = self._counts.get(own)
            if count and count.waits_until > now:
                raise Locked(count.waits_until - now)
            if any(self._recent(key, now) >= MOST_FAILURES for key in shared):
                raise Besieged()
            remembered = count is not None and count.waits_until + WITHIN_S >= now
            failures = count.failures + 1 if count and remembered else 1
            self._counts[own] = _Count(failures, now, now + _wait(failures))
            self._counts.move_to_end(own)
            for key in shared:
                self._strangers.setdefault(key, deque(maxlen=MOST_FAILURES)).append(now)
                self._strangers.move_to_end(key)
            _forget_oldest(self._counts)
            _forget_oldest(self._strangers)

    def succeeded(self, name: str, place: Place) -> None:
        """Forgive the earlier failures of a place, since the password was right."""
        with self._lock:
            own, *shared = _keys(name, place)
            count = self._counts.pop(own, None)
            for key in shared:
                times = self._strangers.get(key)
                if count and times and count.last in times:
                    times.remove(count.last)

    def _recent(self, key: _Key, now: float) -> int:
        return sum(at > now - WITHIN_S for at in self._strangers.get(key, ()))


def _forget_oldest(counted: OrderedDict[_Key, Any]) -> None:
    while len(counted) > MOST_COUNTS:
        counted.popitem(last=False)


def _keys(name: str, place: Place) -> tuple[_Key, ...]:
    """What an attempt counts towards: its own place, and for strangers the name and the address."""
    name = name.strip()[:80]
    own = ("at", name, place.name)
    return (own,) if place.known else (own, ("name", name), ("from", place.name))


def _wait(failures: int) -> int:
    """After a few free failures each further one doubles the wait."""
    beyond = failures - FREE_FAILURES
    return min(2 ** min(beyond, 12), LONGEST_WAIT_S) if beyond >= 0 else 0
