"""The backup before an upgrade: a copy of a SQLite file, or the rows of a PostgreSQL database."""

from pathlib import Path

from sqlalchemy import Engine

from study_app.operations import backup


def keep_rows(engine: Engine, instance: Path) -> Path | None:
    """Write the rows of a PostgreSQL database into a backup in the instance folder.

    A SQLite file is copied by the upgrade itself.

    Returns
    -------
    Path or None
        None if there was nothing to back up.
    """
    if engine.dialect.name != "postgresql":
        return None
    with engine.connect() as connection:
        revision = backup.revision_of(connection)
    if revision is None:
        return None
    saved = instance / f"study.before-{revision}.zip"
    partial = saved.with_name(saved.name + ".partial")
    backup.write(engine, None, partial)
    return partial.replace(saved)
