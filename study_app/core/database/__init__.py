"""The database: its connections and sessions, locks, and counters that all servers share."""

from study_app.core.database.connections import (
    KEEPALIVES,
    ON_POSTGRESQL,
    close,
    db,
    engine_options,
    is_sqlite,
    only_read,
    opened,
    own_session,
    refuse_damaged,
    scrub,
    session_in_use,
    writing,
)

__all__ = [
    "KEEPALIVES",
    "ON_POSTGRESQL",
    "close",
    "db",
    "engine_options",
    "is_sqlite",
    "only_read",
    "opened",
    "own_session",
    "refuse_damaged",
    "scrub",
    "session_in_use",
    "writing",
]
