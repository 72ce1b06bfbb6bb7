"""Pages of results on PostgreSQL, where the threads of a server share few connections."""

from contextlib import ExitStack

import pytest

from study_app import create_app
from study_app.accounts import researchers
from study_app.core.config import Settings
from study_app.core.database import close, db, engine_options, writing
from study_app.models.participation import WebTask
from tests.app_fixtures import PASSWORD, Browser
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task

pytestmark = pytest.mark.postgres


@pytest.fixture
def app(upgraded_url, tmp_path):
    app = create_app(Settings.of(tmp_path / "instance", upgraded_url))
    yield app
    close(app)


@pytest.mark.parametrize("page", ["", "/gold/tasks/{task}"])
def test_a_page_that_computes_needs_one_connection(app, upgraded_url, tmp_path, page):
    """With two each, threads that have one would all wait for another."""
    task_id = make_task(app, tmp_path / "pictures", queries=2, images=3)
    for _ in range(2):
        Participant(app, make_link(app, task_id)).rank()
    browser = Browser(app)
    with app.app_context(), writing() as session:
        study_id = session.get(WebTask, task_id).study_id
        link = researchers.make_link(session)
    browser.post(f"/welcome/{link}", {"name": "Ada", "password": PASSWORD})
    with app.app_context():
        engine = db.engine
    # A moment is enough to see that nothing is free.
    engine.pool._timeout = 1
    with ExitStack() as held:
        for _ in range(engine_options(upgraded_url)["pool_size"] - 1):
            held.enter_context(engine.connect())
        answer = browser.get(f"/studies/{study_id}{page.format(task=task_id)}")
    assert answer.status_code == 200
