"""Login throttling: limits password guessing without locking out the owner of an account.

Failures are counted per name and source: a browser that has signed in before, or an address. So an
attacker who guesses at a known name has to wait longer and longer, while its owner can sign in as
usual. Many addresses together are limited too, by the number of failures at one name from unknown
browsers within an hour; beyond it, only browsers known for this name can sign in, and
`sign-in-link` lets in another. Unknown names are throttled in the same way, so that the response
does not reveal which names exist. Failures are counted in the database, so that all servers of an
installation share them, and they survive a restart.
"""

import ipaddress
import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from sqlalchemy.orm import Session

from study_app.core.database import attempts, writing
from study_app.core.errors import StudyError
from study_app.core.text.languages import in_number, rcounted, rgettext
from study_app.models import Attempt

FREE_FAILURES = 5
LONGEST_WAIT_S = 15 * 60
_WITH_PORT = re.compile(r"(?P<v4>[\d.]+):\d+|\[(?P<v6>[^]]+)](:\d+)?")
SECONDS = rcounted("%(count)s second", "%(count)s seconds")
MINUTES = rcounted("%(count)s minute", "%(count)s minutes")
# One address can reach 19 failures in its first hour, so it cannot exhaust these limits.
MOST_FAILURES, WITHIN_S = 100, 3600


class Throttled(StudyError):
    """An attempt that was refused because too many others failed."""

    status = 429


class Locked(Throttled):
    """Too many failed attempts at a name from one source."""

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, round(seconds))
        super().__init__(
            rgettext(
                "Too many failed sign-in attempts from here. Try again in %(time)s.",
                time=_in_words(self.seconds),
            )
        )


class TooManyFailures(Throttled):
    """Too many failed attempts at a name, or from an address, by unknown browsers."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            rgettext(
                "Too many failed sign-in attempts in the last hour. Try again in %(time)s. "
                "To sign in now, use a browser you have signed in with before, or a link from "
                "the command “sketch-study sign-in-link --for NAME”.",
                time=_in_words(seconds),
            )
        )


@dataclass(frozen=True)
class Source:
    """The source of an attempt: a known browser or a network.

    Attributes
    ----------
    name : str
        A browser that has signed in before, or a network.
    known : bool
        Whether it is such a browser.
    """

    name: str
    known: bool = False

    @classmethod
    def of_address(cls, address: str | None) -> Self:
        """The source of an unknown browser: with IPv6, a network, since a household has many
        addresses."""
        # Some proxies forward the port, too: each connection has another one.
        alone = _WITH_PORT.fullmatch(address or "")
        try:
            found = ipaddress.ip_address(alone["v4"] or alone["v6"] if alone else address or "")
        except ValueError:
            return cls(address or "")
        found = getattr(found, "ipv4_mapped", None) or found
        if found.version == 6:
            return cls(str(ipaddress.ip_network((found, 64), strict=False)))
        return cls(str(found))


class LoginThrottle:
    """Login throttling of an installation, shared by all its servers.

    Parameters
    ----------
    clock : callable, optional
        Seconds since 1970.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock

    def begin(self, name: str, source: Source) -> None:
        """Count an attempt as failed before its password is checked, so that parallel attempts do
        not slip through.

        Raises
        ------
        Locked, TooManyFailures
            If it is refused; it is then not counted.
        """
        own, *shared = _keys(name, source)
        with writing() as session:
            for key in sorted((own, *shared)):
                attempts.lock(session, key)
            now = self._clock()
            number = _number_in_a_row(attempts.newest(session, own), now)
            wait = max((_wait_of_all(session, key, now) for key in shared), default=0)
            if wait > 0:
                raise TooManyFailures(wait)
            attempts.add(session, own, now, number)
            for key in shared:
                attempts.add(session, key, now)

    def succeeded(self, name: str, source: Source) -> None:
        """Reset the failures of a source after a correct password."""
        own, *shared = _keys(name, source)
        with writing() as session:
            last = attempts.newest(session, own)
            if last is None:
                return
            at = last.at
            attempts.remove(session, own)
            for key in shared:
                attempts.remove(session, key, at)


def _number_in_a_row(last: Attempt | None, now: float) -> int:
    """The number of the next failure in the current series.

    Raises
    ------
    Locked
        If it is too early.
    """
    if last is None:
        return 1
    wait = _wait(last.number)
    left = last.at + wait - now
    # If the clock was set back, the wait must not become longer.
    if 0 < left <= wait:
        raise Locked(left)
    return last.number + 1 if left + WITHIN_S >= 0 else 1


def _wait_of_all(session: Session, key: str, now: float) -> float:
    """Seconds until a shared counter has fewer failures than its limit."""
    last = attempts.nth_newest(session, key, now, WITHIN_S, MOST_FAILURES)
    return 0 if last is None else last + WITHIN_S - now


def _in_words(seconds: float) -> str:
    """A waiting time, rounded up to whole minutes if it is longer than two."""
    if seconds <= 120:
        return in_number(SECONDS, math.ceil(seconds))
    return in_number(MINUTES, math.ceil(seconds / 60))


def _keys(name: str, source: Source) -> tuple[str, ...]:
    """The counters of an attempt: its source, and for unknown browsers the name and the address."""
    name = name.strip()[:80]
    own = attempts.key_of("at", name, source.name)
    if source.known:
        return (own,)
    return own, attempts.key_of("name", name), attempts.key_of("from", source.name)


def _wait(failures: int) -> int:
    """After a few free failures, each further one doubles the wait."""
    beyond = failures - FREE_FAILURES
    return min(2 ** min(beyond, 12), LONGEST_WAIT_S) if beyond >= 0 else 0
