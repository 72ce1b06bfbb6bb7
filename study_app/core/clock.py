"""Times on a server whose clock may have been set back, so that stored times can be in the
future."""

import time
from datetime import datetime, timedelta

from study_app.models import now


def not_before(*noted: datetime) -> datetime:
    """Now, but not before the latest stored time."""
    return max(now(), *noted)


def is_set_back(*noted: datetime) -> bool:
    """Whether the clock is behind the latest stored time."""
    return now() < max(noted)


def recent_range(span: timedelta) -> tuple[datetime, datetime]:
    """The range of times that count as recent.

    Times further in the future were stored before the clock was set back, so they are not recent.
    """
    return now() - span, now() + span


def is_within(seconds: float, stored: float) -> bool:
    """Whether a stored `time.time()` is at most so many seconds away.

    It can be in the future: it may be of another host, whose clock is a little ahead.
    """
    return abs(time.time() - stored) <= seconds
