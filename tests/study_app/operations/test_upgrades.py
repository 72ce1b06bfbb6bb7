"""Before an upgrade the rows are backed up, on PostgreSQL too, and can be restored."""

from alembic import command
from sqlalchemy import create_engine, text

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close, db, opened
from study_app.core.migrations import configuration
from study_app.models import Study
from study_app.operations import restore


def test_the_rows_before_an_upgrade_can_be_restored(postgres_url, tmp_path):
    settings = Settings.of(tmp_path / "instance", postgres_url)
    engine = create_engine(settings.database_url)
    with engine.connect() as connection:
        command.upgrade(configuration(connection), "0011")
    with engine.begin() as connection:
        connection.execute(
            text("insert into study values (1, 'Chairs', '', false, '2026-01-01 00:00:00')")
        )
    engine.dispose()
    close(create_app(settings))
    kept = settings.instance / "study.before-0011.zip"
    assert kept.is_file()
    fresh = Settings.of(tmp_path / "fresh", f"sqlite:///{tmp_path / 'fresh.sqlite3'}")
    engine = create_engine(fresh.database_url)
    assert restore.restore(engine, fresh, kept) == (1, 0)
    engine.dispose()
    with opened(create_app(fresh)):
        assert db.session.query(Study).one().name == "Chairs"
