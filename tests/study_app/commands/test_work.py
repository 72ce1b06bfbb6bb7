"""A worker is for PostgreSQL: on SQLite the server runs the jobs."""

import pytest

from study_app.cli import main


def test_a_worker_on_sqlite_is_told_what_to_do(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["work", "--instance", str(tmp_path / "instance")])
    assert "On SQLite the server runs the jobs itself" in capsys.readouterr().err
