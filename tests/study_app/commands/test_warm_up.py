"""A server compiles its templates and freezes its memory once, beside the first requests."""

import gc
import subprocess
import sys
import threading

import pytest

from study_app.commands import warm_up
from study_app.results.gold import sets, tasks
from study_app.results.systems import uploads
from study_app.results.systems.reading import Upload
from tests.sorted_set import STIMULI


@pytest.fixture
def warm(app):
    """An application after its warm-up; other tests collect garbage as before."""
    warm_up.in_background(app)
    for thread in threading.enumerate():
        if thread.name == "warm-up":
            thread.join()
    yield app
    gc.unfreeze()


def test_no_page_waits_for_a_template(warm, monkeypatch):
    def compiled(*_, **__):
        raise AssertionError("a template was compiled during a request")

    monkeypatch.setattr(warm.jinja_env, "compile", compiled)
    assert warm.test_client().get("/sign-in").status_code == 200


def test_the_garbage_collector_leaves_modules_alone(warm):
    assert gc.get_freeze_count() > 100_000


FIRST_VIEWS = """
import sys
from study_app import create_app
from study_app.commands.warm_up import warm_up
from study_app.core.config import Settings
from study_app.results.systems import measured

app = create_app(Settings.of(*sys.argv[1:3]))
warm_up(app)
before = set(sys.modules)
with app.app_context():
    for kind, number in zip(("set", "task"), sys.argv[3:]):
        assert measured.measured((kind, int(number))).found
print(*{name.split(".")[0] for name in set(sys.modules) - before})
"""


@pytest.mark.slow
def test_small_results_load_no_library(app, arrive, sorted_set, task_id):
    for _ in range(4):
        arrive().rank(lambda image: 1 + image % 7)
    groups = "\n".join(["stimulus_id,group_id", *(f"{one},{one < 'c'}" for one in STIMULI)])
    pairs = [f"q{query},i{image},{image}" for query in (1, 2) for image in range(1, 13)]
    scores = "\n".join(["query_id,stimulus_id,score", *pairs])
    with app.app_context():
        one = [Upload("groups.csv", groups.encode(), "", "")]
        uploads.add_systems(("set", sorted_set), one, sets.compute(sorted_set))
        one = [Upload("scores.csv", scores.encode(), "similarity", "")]
        uploads.add_systems(("task", task_id), one, tasks.compute(task_id))
    settings = app.config["SETTINGS"]
    about = settings.instance, settings.database_url, str(sorted_set), str(task_id)
    ask = [sys.executable, "-c", FIRST_VIEWS, *about]
    loaded = subprocess.run(ask, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    assert {"matplotlib", "polars", "scipy"}.isdisjoint(loaded)
