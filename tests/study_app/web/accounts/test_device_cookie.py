"""A browser that signed in before is known by its cookie."""

import pytest

from study_app.accounts.login_throttle import FREE_FAILURES, LoginThrottle
from tests.app_fixtures import PASSWORD, Browser


@pytest.fixture(autouse=True)
def frozen_time(app):
    """The first wait after wrong passwords is a second: a busy machine would wait it out."""
    app.extensions["login_throttle"] = LoginThrottle(clock=lambda: 0.0)


def test_guessing_does_not_lock_researchers_out(app, client, stranger):
    right = {"name": "Ada", "password": PASSWORD}
    assert client.post("/sign-in", right).status_code == 302
    for _ in range(FREE_FAILURES + 1):
        last = stranger.post("/sign-in", {"name": "Ada", "password": "guess"})
    assert last.status_code == 429
    elsewhere = {"environ_overrides": {"REMOTE_ADDR": "198.51.100.1"}}
    assert Browser(app).post("/sign-in", right, **elsewhere).status_code == 302
    # From the stranger's own address, the browser that signed in before.
    client.post("/sign-out")
    assert client.post("/sign-in", right).status_code == 302


def test_the_device_cookie_is_valid_for_its_names_only(client, stranger):
    client.post("/sign-out")
    for _ in range(FREE_FAILURES):
        client.post("/sign-in", {"name": "Grace", "password": "guess"})
    assert stranger.post("/sign-in", {"name": "Grace", "password": "guess"}).status_code == 429


def test_a_forged_device_cookie_is_ignored(app, client, stranger):
    name = f"{app.config['SESSION_COOKIE_NAME']}_known"
    stranger._client.set_cookie(name, "WyJBZGEiLCJhYmMiXQ.c2lnbmF0dXJl")
    for _ in range(FREE_FAILURES):
        stranger.post("/sign-in", {"name": "Ada", "password": "guess"})
    assert Browser(app).post("/sign-in", {"name": "Ada", "password": "x"}).status_code == 429
