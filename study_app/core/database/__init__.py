"""The database: its connections and sessions, locks, and counters that all servers share."""

from study_app.core.database.connections import (
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
