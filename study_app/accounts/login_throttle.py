"""Guesses at passwords: how many are let through, and that nobody locks somebody else out.

Failures are counted for a name together with the place they come from: a browser in which somebody
has signed in before, or else an address. So a stranger who guesses at a known name waits longer and
longer, while its owner signs in as ever. Many addresses together are bounded too, by the failures
of all strangers at one name within an hour; past them, only a browser that knows the name is let
in, and `sign-in-link` opens another. Names that nobody bears are counted alike: the answer does not
tell them apart.

Counted in the database, so that every server of an installation sees every guess, and one that is
started again forgets none.
"""

import ipaddress
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from study_app.core import attempts
from study_app.core.database import writing
from study_app.core.errors import StudyError
from study_app.models import Attempt

FREE_FAILURES = 5
LONGEST_WAIT_S = 15 * 60
# One address alone comes to 19 failures in its first hour, so it never fills these.
MOST_FAILURES, WITHIN_S = 100, 3600


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


class Attempts:
    """The failed attempts at an installation, whichever of its servers saw them.

    Parameters
    ----------
    clock : callable, optional
        Seconds since 1970.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock

    def begin(self, name: str, place: Place) -> None:
        """Count an attempt as failed before its password is looked at, so that none go in abreast.

        Raises
        ------
        Locked, Besieged
            If it is not let through; it is not counted then.
        """
        own, *shared = _keys(name, place)
        with writing() as session:
            for key in sorted((own, *shared)):
                attempts.lock(session, key)
            now = self._clock()
            number = _number_in_a_row(attempts.newest(session, own), now)
            if any(attempts.recent(session, key, now, WITHIN_S) >= MOST_FAILURES for key in shared):
                raise Besieged()
            attempts.add(session, own, now, number)
            for key in shared:
                attempts.add(session, key, now)

    def succeeded(self, name: str, place: Place) -> None:
        """Forgive the earlier failures of a place, since the password was right."""
        own, *shared = _keys(name, place)
        with writing() as session:
            last = attempts.newest(session, own)
            if last is None:
                return
            at = last.at
            attempts.forget(session, own)
            for key in shared:
                attempts.forget(session, key, at)


def _number_in_a_row(last: Attempt | None, now: float) -> int:
    """The how manieth failure in a row the next one is.

    Raises
    ------
    Locked
        If it comes too early.
    """
    if last is None:
        return 1
    wait = _wait(last.number)
    left = last.at + wait - now
    # After the clock was set back nobody waits longer than they would have.
    if 0 < left <= wait:
        raise Locked(left)
    return last.number + 1 if left + WITHIN_S >= 0 else 1


def _keys(name: str, place: Place) -> tuple[str, ...]:
    """What an attempt counts towards: its own place, and for strangers the name and the address."""
    name = name.strip()[:80]
    own = attempts.key_of("at", name, place.name)
    if place.known:
        return (own,)
    return own, attempts.key_of("name", name), attempts.key_of("from", place.name)


def _wait(failures: int) -> int:
    """After a few free failures each further one doubles the wait."""
    beyond = failures - FREE_FAILURES
    return min(2 ** min(beyond, 12), LONGEST_WAIT_S) if beyond >= 0 else 0
