"""Alembic's environment.

On SQLite, batch mode copies, drops and renames tables: with foreign keys on, that would delete the
rows of child tables without an error. So they are off while it runs, and checked at its end.
"""

from typing import Any

from alembic import context
from sqlalchemy import Connection

from study_app.models import Base


def _run(connection: Connection) -> None:
    sqlite = connection.dialect.name == "sqlite"
    raw: Any = connection.connection.driver_connection
    if sqlite:
        # Within a transaction the pragma has no effect.
        connection.rollback()
        raw.execute("PRAGMA foreign_keys=OFF")
    try:
        context.configure(
            connection=connection,
            target_metadata=Base.metadata,
            render_as_batch=True,
            compare_type=True,
            transaction_per_migration=False,
        )
        with context.begin_transaction():
            context.run_migrations()
            if sqlite:
                broken = raw.execute("PRAGMA foreign_key_check").fetchall()
                if broken:
                    raise RuntimeError(f"the migration would break references: {broken[:5]}")
        connection.commit()
    finally:
        connection.rollback()
        if sqlite:
            raw.execute("PRAGMA foreign_keys=ON")


_run(context.config.attributes["connection"])
