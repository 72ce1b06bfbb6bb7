"""The backup before an upgrade: a copy of a SQLite file, or the rows of a PostgreSQL database."""

from pathlib import Path

from sqlalchemy import Engine

from study_app.core.config import Settings
from study_app.core.storage.work_folder import work_folder
from study_app.operations import backup


def keep_rows(engine: Engine, settings: Settings) -> Path | None:
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
    saved = settings.instance / f"study.before-{revision}.zip"
    with work_folder(settings) as folder:
        backup.write(engine, None, folder / saved.name)
        return (folder / saved.name).replace(saved)
