"""Two people who join at once never get the same place."""

import threading

import pytest

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close
from study_app.participation.refusals import (
    NoPlaceLeft,
)
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_two_concurrent_participants_never_get_the_same_place(request, tmp_path, database):
    url = None if database == "sqlite" else request.getfixturevalue("postgres_url")
    app = create_app(Settings.of(tmp_path / "instance", url))
    task_id = make_task(app, tmp_path / "p", quota=3, part_size=1)
    tokens = [make_link(app, task_id) for _ in range(10)]
    came, turned_away = [], []

    def join(token):
        try:
            came.append(Participant(app, token))
        except NoPlaceLeft:
            turned_away.append(token)

    threads = [threading.Thread(target=join, args=(token,)) for token in tokens]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Two queries with three places each.
    assert (len(came), len(turned_away)) == (6, 4)
    assert len({person.code for person in came}) == 6
    close(app)
