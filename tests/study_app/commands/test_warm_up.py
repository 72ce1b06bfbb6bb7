"""A server compiles its templates and freezes its memory once, beside the first requests."""

import gc
import threading

import pytest

from study_app.commands import warm_up


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
