"""Results of jobs are read again after a restart, unless the program or the rows were replaced."""

import pytest

from study_app import create_app
from study_app.core.caching import shared_results
from study_app.core.caching.cache import adopt, cached, share
from study_app.core.config import Settings
from study_app.core.database import db, opened, writing
from study_app.core.storage.chosen_store import store_of
from study_app.models import StimulusSet
from study_app.operations import backup, restore, startup_cleanup
from study_app.results.gold import sets
from study_app.studies import studies
from tests.study_app.judged import make_set, sort_set


@pytest.fixture
def set_id(tmp_path):
    """A set whose gold standard was computed by a server that has ended."""
    with opened(create_app(Settings.of(tmp_path))):
        with writing() as session:
            chairs = make_set(session, studies.make(session, "Chairs").id, "chairs", "abcd")
            sort_set(session, chairs, [[0, 0, 1, 1], [0, 0, 1, 2]])
            number = chairs.id
        sets.share(number)
    return number


@pytest.fixture
def restarted(tmp_path, set_id):
    """The next server of the same installation."""
    app = create_app(Settings.of(tmp_path))
    with opened(app):
        startup_cleanup.clear(app.config["SETTINGS"], alone=True)
        yield app


def is_ready(set_id):
    return sets.ready(db.session, db.session.get(StimulusSet, set_id)) is not None


def test_a_gold_standard_is_not_computed_again(restarted, set_id):
    assert is_ready(set_id)


def test_what_a_job_measured_is_not_measured_again(tmp_path):
    about, key = ("measures", 7), ("scores", 7)
    with opened(create_app(Settings.of(tmp_path))):
        cached().each(key, {1: "a"}, lambda some: dict.fromkeys(some, "by the job"))
        share(about, [key], cached().clears)
    with opened(create_app(Settings.of(tmp_path))):
        adopt(about)
        found = cached().each(key, {1: "a", 2: "a"}, lambda some: dict.fromkeys(some, "anew"))
    assert found == {1: "by the job", 2: "anew"}


def test_another_version_of_the_program_computes_it_again(restarted, set_id, monkeypatch):
    monkeypatch.setattr(shared_results, "program", lambda: "another version")
    assert not is_ready(set_id)


def test_it_is_computed_again_after_a_backup_was_restored(restarted, set_id, tmp_path):
    settings = restarted.config["SETTINGS"]
    backup.write(db.engine, store_of(settings), tmp_path / "all.zip")
    restore.restore(db.engine, settings, tmp_path / "all.zip", force=True)
    assert not is_ready(set_id)


def test_a_new_database_in_the_same_folder_has_no_results(tmp_path, set_id):
    for path in tmp_path.glob("study.sqlite3*"):
        path.unlink()
    assert list((tmp_path / "results").rglob("*")) != []
    with opened(create_app(Settings.of(tmp_path))):
        assert [path for path in (tmp_path / "results").rglob("*") if path.is_file()] == []


def test_a_withdrawal_deletes_it(restarted, set_id):
    shared_results.delete_all(restarted.config["SETTINGS"])
    assert not is_ready(set_id)
