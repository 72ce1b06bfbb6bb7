"""Checking a password is slow by design: meanwhile others need the connections to the database."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from study_app import create_app
from study_app.accounts import passwords, researchers
from study_app.core.config import Settings
from study_app.core.database import close, db, writing
from tests.app_fixtures import PASSWORD, Browser, quick_hasher
from tests.waiting import until

pytestmark = pytest.mark.postgres

# More than a process has connections.
AT_ONCE = 20


class Turns:
    """Lets nobody check a password until told so, as on a busy server."""

    def __init__(self):
        self.waiting, self.free = 0, threading.Event()
        self._lock = threading.Lock()

    def __enter__(self):
        with self._lock:
            self.waiting += 1
        assert self.free.wait(60)

    def __exit__(self, *fault):
        pass


@pytest.fixture
def app(upgraded_url, tmp_path, monkeypatch):
    """An installation with Ada."""
    monkeypatch.setattr(passwords, "hasher", quick_hasher)
    app = create_app(Settings.of(tmp_path / "instance", upgraded_url))
    with app.app_context(), writing() as session:
        token = researchers.make_link(session)
        researchers.use_link(session, token, "Ada", passwords.hashed(PASSWORD))
    yield app
    close(app)


@pytest.fixture
def turns(app, monkeypatch):
    """From now on; Ada exists."""
    turns = Turns()
    monkeypatch.setattr(passwords, "_turns", turns)
    return turns


@contextmanager
def all_waiting(turns, requests):
    """While all of these wait for their turn; afterwards, their answers."""
    with ThreadPoolExecutor(len(requests)) as pool:
        sent = [pool.submit(browser.post, path, form) for browser, path, form in requests]
        try:
            until(lambda: turns.waiting == len(requests))
            answers = []
            yield answers
        finally:
            turns.free.set()
        answers += [one.result().status_code for one in sent]


def in_use(app):
    """The number of connections that are in use."""
    with app.app_context():
        return db.engine.pool.checkedout()


def test_sign_ins_that_wait_hold_no_connections(app, turns):
    requests = [
        (Browser(app), "/sign-in", {"name": f"Name {n}", "password": PASSWORD})
        for n in range(AT_ONCE - 1)
    ]
    requests.append((Browser(app), "/sign-in", {"name": "Ada", "password": PASSWORD}))
    for browser, _path, _form in requests:
        browser.get("/sign-in")
    with all_waiting(turns, requests) as answers:
        assert in_use(app) == 0
        assert Browser(app).get("/sign-in").status_code == 200
    assert answers == [403] * (AT_ONCE - 1) + [302]


def test_links_and_confirmations_that_wait_hold_no_connections(app, turns):
    ada = Browser(app)
    turns.free.set()
    assert ada.post("/sign-in", {"name": "Ada", "password": PASSWORD}).status_code == 302
    turns.waiting = 0
    turns.free.clear()
    with app.app_context(), writing() as session:
        token = researchers.make_link(session)
    requests = [
        (Browser(app), f"/welcome/{token}", {"name": "Grace", "password": PASSWORD}),
        (ada, "/account/password", {"current": PASSWORD, "password": "another long one"}),
    ]
    for browser, path, _form in requests:
        browser.get("/account/" if browser is ada else path)
    with all_waiting(turns, requests) as answers:
        assert in_use(app) == 0
    assert answers == [302, 302]
