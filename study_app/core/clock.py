"""Time on a server whose clock may have been set back: what was noted can lie in the future."""

from datetime import datetime, timedelta

from study_app.models import now


def never_before(*noted: datetime) -> datetime:
    """Now, but not before anything that was noted already."""
    return max(now(), *noted)


def is_set_back(*noted: datetime) -> bool:
    """Whether the clock is behind what was noted already."""
    return now() < max(noted)


def lately(span: timedelta) -> tuple[datetime, datetime]:
    """The moments between which something was noted lately.

    What lies further ahead was noted before the clock was set back: it is as old as that.
    """
    return now() - span, now() + span
