"""An installation to back up, and an empty one to restore into."""

import pytest
from sqlalchemy import MetaData, select

from study_app.core.config import Settings
from study_app.core.database import db, writing
from study_app.core.storage.chosen_store import store_of
from study_app.models import InstallationNote, Participant
from study_app.operations import backup, restore


@pytest.fixture
def filled(app, study_id):
    """An installation with a row that has a time, and a file."""
    kept = app.config["SETTINGS"].instance / "originals" / "ab" / "abcdef"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"a sketch")
    with app.app_context(), writing() as session:
        session.add(Participant(study_id=study_id, code="P001", simulated=True))
    return app


@pytest.fixture(params=["sqlite", "postgresql"])
def fresh(request, tmp_path):
    """The settings of an empty installation."""
    url = f"sqlite:///{tmp_path / 'fresh.sqlite3'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres_url")
    return Settings.of(tmp_path / "fresh", url)


def write_backup(app, path):
    with app.app_context():
        return backup.write(db.engine, store_of(app.config["SETTINGS"]), path)


def all_rows(engine):
    """Every row by table, without the marks that a restore leaves."""
    metadata = MetaData()
    metadata.reflect(engine)
    with engine.connect() as connection:
        return {
            table.name: [
                tuple(row)
                for row in connection.execute(select(table))
                if getattr(row, "action", "") != restore.RESTORED
            ]
            for table in metadata.sorted_tables
            if table.name != InstallationNote.__tablename__
        }
