"""A worker is for PostgreSQL, where it signs results with the key of the servers."""

import pytest
from sqlalchemy import create_engine

from study_app.cli import main
from study_app.core.config import Settings
from study_app.core.database.instance_lock import installation
from study_app.core.migrations import upgrade
from study_app.operations import shared_key


def test_a_worker_on_sqlite_is_told_what_to_do(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["work", "--instance", str(tmp_path / "instance")])
    assert "On SQLite the server runs the jobs itself" in capsys.readouterr().err


@pytest.mark.postgres
def test_a_worker_that_signs_with_another_key_is_refused(postgres_url, tmp_path, capsys):
    engine = create_engine(Settings.of(database=postgres_url).database_url)
    upgrade(engine)
    shared_key.note_if_alone(engine, tmp_path, b"of the servers")
    with installation(engine, tmp_path, together=True), pytest.raises(SystemExit):
        main(["work", "--instance", str(tmp_path / "instance"), "--database", postgres_url])
    assert "signs cookies with another secret key" in capsys.readouterr().err
    engine.dispose()
