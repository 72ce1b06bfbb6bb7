"""What one process computed, another shows; what somebody withdrew from is shown by none."""

import pytest

from study_app import create_app
from study_app.core import cache, shared_results
from study_app.core.cache import cached
from study_app.core.config import Settings
from study_app.core.database import db, opened, writing
from study_app.core.storage.chosen_store import store_of
from study_app.models import StimulusSet
from study_app.results.gold import sets
from study_app.studies import studies
from tests.study_app.judged import make_set, sort_set

pytestmark = pytest.mark.postgres

ABOUT, RESULT = ("set", 7), {"matrix": [1, 2]}


@pytest.fixture
def hosts(postgres_url, tmp_path, monkeypatch):
    """Two processes on one database and one folder."""
    monkeypatch.setenv("SKETCH_STUDY_SECRET_KEY", "k" * 64)
    monkeypatch.setattr(cache, "LOOK_SECONDS", -1)
    apps = [create_app(Settings.of(tmp_path / "instance", postgres_url)) for _ in range(2)]
    with opened(apps[0]), opened(apps[1]):
        yield apps


def test_a_result_is_for_its_judgments_and_replaces_older_ones(hosts):
    for mark in ("one", "two"):
        shared_results.keep(ABOUT, mark, RESULT, lambda: True)
    assert shared_results.fetch(ABOUT, "two") == RESULT
    assert [shared_results.fetch(*asked) for asked in ((ABOUT, "one"), (("set", 8), "two"))] == [
        None,
        None,
    ]
    shared_results.keep(ABOUT, "three", RESULT, lambda: False)
    assert shared_results.fetch(ABOUT, "three") is None


def test_what_another_key_signed_is_not_read(hosts):
    shared_results.keep(ABOUT, "one", RESULT, lambda: True)
    store = store_of(hosts[0].config["SETTINGS"])
    (name,) = store.names("results")
    signed = store.get(name)
    store.put(name, signed[:-1] + bytes([signed[-1] ^ 1]))
    assert shared_results.fetch(ABOUT, "one") is None
    # Nor is a signed one under another name.
    store.put(name.replace("set-7", "set-9"), signed)
    assert shared_results.fetch(("set", 9), "one") is None


def test_a_gold_standard_of_one_process_is_shown_by_the_other_until_somebody_withdraws(hosts):
    first, second = hosts
    with first.app_context():
        with writing() as session:
            chairs = make_set(session, studies.make(session, "Chairs").id, "chairs", "abcd")
            sort_set(session, chairs, [[0, 0, 1, 1], [0, 0, 1, 2]])
            set_id = chairs.id
        sets.share(db.session, db.session.get(StimulusSet, set_id))
    with second.app_context():
        shown = sets.ready(db.session, db.session.get(StimulusSet, set_id))
        assert shown.found.mean.f > 0
        key = ("set", set_id, shown.fingerprint)
        assert cached().get(key) is shown
    with first.app_context():
        cache.clear_everywhere(first.config["SETTINGS"])
    with second.app_context():
        assert cached().get(key) is None
        assert sets.ready(db.session, db.session.get(StimulusSet, set_id)) is None
