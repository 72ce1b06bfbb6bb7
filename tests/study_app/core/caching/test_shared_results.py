"""Results are shared between processes, and deleted everywhere after a withdrawal."""

import threading

import pytest
from sqlalchemy.orm import Session

from study_app import create_app
from study_app.core.caching import cache, shared_results
from study_app.core.caching.cache import cached
from study_app.core.config import Settings
from study_app.core.database import db, opened, writing
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.work_folder import work_folder
from study_app.models import InstallationNote, StimulusSet
from study_app.results.gold import sets
from study_app.studies import studies
from tests.study_app.judged import make_set, sort_set

pytestmark = pytest.mark.postgres

ABOUT, RESULT = ("set", 7), {"matrix": [1, 2]}


@pytest.fixture
def hosts(upgraded_url, tmp_path, monkeypatch):
    """Two processes on one database and one folder."""
    monkeypatch.setenv("SKETCH_STUDY_SECRET_KEY", "k" * 64)
    monkeypatch.setattr(cache, "POLL_SECONDS", -1)
    apps = [create_app(Settings.of(tmp_path / "instance", upgraded_url)) for _ in range(2)]
    with opened(apps[0]), opened(apps[1]):
        yield apps


def test_a_result_is_stored_by_fingerprint_and_replaces_older_ones(hosts):
    for mark in ("one", "two"):
        shared_results.put(ABOUT, mark, RESULT, lambda: True)
    assert shared_results.fetch(ABOUT, "two") == RESULT
    assert [shared_results.fetch(*asked) for asked in ((ABOUT, "one"), (("set", 8), "two"))] == [
        None,
        None,
    ]
    shared_results.put(ABOUT, "three", RESULT, lambda: False)
    assert shared_results.fetch(ABOUT, "three") is None


def test_files_are_stored_by_fingerprint_and_replace_older_ones(hosts):
    settings = hosts[0].config["SETTINGS"]
    for mark, is_current in (("one", True), ("two", True), ("three", False)):
        with work_folder(settings) as folder:
            (folder / "a.csv").write_text(mark)
            shared_results.put_files(ABOUT, mark, folder, lambda is_current=is_current: is_current)
        if mark == "two":
            assert not shared_results.has_files(ABOUT, "one", ["a.csv"])
            assert shared_results.has_files(ABOUT, "two", ["a.csv"])
            assert not shared_results.has_files(ABOUT, "two", ["a.csv", "b.csv"])
    assert list(store_of(settings).names("results")) == []


def test_results_signed_with_another_key_are_not_read(hosts):
    shared_results.put(ABOUT, "one", RESULT, lambda: True)
    store = store_of(hosts[0].config["SETTINGS"])
    (name,) = store.names("results")
    signed = store.get(name)
    store.put(name, signed[:-1] + bytes([signed[-1] ^ 1]))
    assert shared_results.fetch(ABOUT, "one") is None
    # Nor is a signed one under another name.
    store.put(name.replace("set-7", "set-9"), signed)
    assert shared_results.fetch(("set", 9), "one") is None


def test_two_concurrent_first_withdrawals_empty_the_caches(hosts):
    with Session(db.engine) as other:
        other.add(InstallationNote(name=cache.CLEARS, value="1"))
        other.flush()
        clearing = threading.Thread(target=in_context, args=(hosts[1], cache.clear_everywhere))
        clearing.start()
        clearing.join(1)
        other.commit()
    clearing.join()
    assert db.session.get(InstallationNote, cache.CLEARS).value != "1"


def in_context(app, action):
    with app.app_context():
        action(app.config["SETTINGS"])


def test_a_gold_standard_is_shared_between_processes_until_a_withdrawal(hosts, monkeypatch):
    first, second = hosts
    with first.app_context():
        with writing() as session:
            chairs = make_set(session, studies.make(session, "Chairs").id, "chairs", "abcd")
            sort_set(session, chairs, [[0, 0, 1, 1], [0, 0, 1, 2]])
            set_id = chairs.id
        sets.share(set_id)
    with second.app_context():
        shown = sets.ready(db.session, db.session.get(StimulusSet, set_id))
        assert shown.found.mean.f > 0
        key = ("set", set_id, shown.fingerprint)
        assert cached().get(key) is shown
    delete_all = shared_results.delete_all

    def delete_while_the_other_reads(settings):
        with second.app_context():
            cached().get(key) or sets.ready(db.session, db.session.get(StimulusSet, set_id))
        delete_all(settings)

    monkeypatch.setattr(shared_results, "delete_all", delete_while_the_other_reads)
    with first.app_context():
        cache.clear_everywhere(first.config["SETTINGS"])
    with second.app_context():
        assert cached().get(key) is None
        assert sets.ready(db.session, db.session.get(StimulusSet, set_id)) is None


def test_results_of_a_job_are_shared_between_hosts_until_a_withdrawal(hosts):
    first, second = hosts
    about, key = ("measures", 7), ("scores", 7)

    def used():
        with second.app_context():
            cache.adopt(about)
            return cached().each(key, {1: "a", 2: "b"}, lambda some: dict.fromkeys(some, "anew"))

    with first.app_context():
        clears = cached().clears
        cached().each(key, {1: "a", 2: "a"}, lambda some: dict.fromkeys(some, "by the job"))
        cache.share(about, [key, ("never computed", 7)], clears)
    # The second one has changed since.
    assert used() == {1: "by the job", 2: "anew"}
    with first.app_context():
        cache.clear_everywhere(first.config["SETTINGS"])
    assert used() == {1: "anew", 2: "anew"}
    with first.app_context():
        # Somebody withdrew on another host during the job.
        clears = cached().clears
        cached().each(key, {1: "a"}, lambda some: dict.fromkeys(some, "by the job"))
        with second.app_context():
            cache.clear_everywhere(second.config["SETTINGS"])
        cache.share(about, [key], clears)
    assert list(store_of(first.config["SETTINGS"]).names("results")) == []
