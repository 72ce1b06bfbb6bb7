"""A warning if the clocks of this computer and of the database server differ."""

import logging

from sqlalchemy import Engine, func, select

from study_app.models import now

log = logging.getLogger(__name__)

# More than two computers that set their clocks over the network ever differ.
MOST_SECONDS = 5


def warn(engine: Engine) -> None:
    """Log by how much this computer's clock is wrong, seen from the database server.

    Hosts of one installation compare each other's times: of links, one-time codes, time limits.
    """
    with engine.connect() as connection:
        theirs = connection.scalar(select(func.clock_timestamp()))
    seconds = round((now() - theirs).total_seconds()) if theirs else 0
    if abs(seconds) > MOST_SECONDS:
        log.warning(
            "the clock of this computer is %s seconds %s that of the database server: links expire "
            "at wrong times and one-time codes are refused. Set the clocks of all hosts with NTP.",
            abs(seconds),
            "ahead of" if seconds > 0 else "behind",
        )
