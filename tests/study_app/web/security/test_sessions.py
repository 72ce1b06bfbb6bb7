"""Proxies, host names, HTTPS and cookies: which parts of a request the app trusts."""

from dataclasses import replace
from datetime import timedelta
from http.client import HTTPConnection

import pytest
from flask import request

from study_app import create_app
from study_app.commands.serve import first_link
from study_app.core.config import Settings
from study_app.core.database import close
from study_app.models import now
from study_app.operations.http.server import serving
from study_app.web.security import sessions
from tests.app_fixtures import PASSWORD, Browser


@pytest.fixture
def installed(tmp_path):
    """Makes installations of other choices."""
    made = []

    def install(name="one", **chosen):
        folder = tmp_path / name
        settings = Settings.of(folder, f"sqlite:///{folder / 'study.sqlite3'}")
        made.append(create_app(replace(settings, **chosen)))
        return made[-1]

    yield install
    for app in made:
        close(app)


def _remote_address(app, forwarded):
    seen = []

    @app.before_request
    def look():
        seen.append((request.remote_addr, request.is_secure))

    app.test_client().get("/sign-in", headers={"X-Forwarded-For": forwarded})
    return seen[0][0]


def test_forwarded_addresses_without_a_trusted_proxy_are_ignored(installed):
    assert _remote_address(installed(), "203.0.113.7") == "127.0.0.1"


def test_behind_proxies_the_address_is_that_seen_by_the_first_proxy(installed):
    forwarded = "1.2.3.4, 203.0.113.7, 10.0.0.1"
    assert _remote_address(installed(proxies=2), forwarded) == "203.0.113.7"


def test_a_header_that_a_client_forges_counts_for_nothing_behind_a_proxy_that_adds_its_own(
    installed,
):
    app, seen = installed(proxies=1), []

    @app.before_request
    def look():
        seen.append(request.remote_addr)

    with serving(app) as address:
        connection = HTTPConnection(address.removeprefix("http://"))
        connection.putrequest("GET", "/sign-in")
        # Some proxies add a header of their own after that of the client.
        for sent in ("127.0.0.1", "10.0.0.1, 127.0.0.1", "203.0.113.9"):
            connection.putheader("X-Forwarded-For", sent)
        connection.putheader("X_Forwarded_For", "127.0.0.1")
        connection.endheaders()
        assert connection.getresponse().status == 200
        connection.close()
    assert seen == ["203.0.113.9"]


def test_other_host_names_are_refused(installed):
    client = installed(trusted_hosts=("lab.example.org",)).test_client()
    assert client.get("/sign-in", base_url="http://lab.example.org").status_code == 200
    assert client.get("/sign-in", base_url="http://evil.example.net").status_code == 400


def test_hsts_is_sent_over_https(installed):
    client = installed(https=True).test_client()
    answer = client.get("/sign-in", base_url="https://localhost")
    assert answer.headers["Strict-Transport-Security"] == "max-age=2592000"
    plain = installed("two").test_client().get("/sign-in")
    assert "Strict-Transport-Security" not in plain.headers


def _cookies(app, **headers):
    """The cookies of a new researcher, and their attributes."""
    app.config["WTF_CSRF_ENABLED"] = False
    with app.app_context():
        welcome = first_link(app)
    made = {"name": "Ada", "password": PASSWORD}
    answer = app.test_client().post(welcome, data=made, headers=headers)
    assert answer.status_code == 302
    found = (cookie.partition("=") for cookie in answer.headers.getlist("Set-Cookie"))
    return {name: rest for name, _, rest in found}


@pytest.mark.slow
def test_cookies_behind_a_proxy_with_https_are_sent_over_https_only(installed):
    secured = _cookies(installed(proxies=1), **{"X-Forwarded-Proto": "https"})
    assert len(secured) == 2 and all("; Secure" in rest for rest in secured.values())
    plain = _cookies(installed("two"), **{"X-Forwarded-Proto": "https"})
    assert len(plain) == 2 and not any("; Secure" in rest for rest in plain.values())


@pytest.mark.slow
def test_every_installation_has_its_own_cookie_names(installed):
    one, two = (_cookies(installed(name)) for name in ("one", "two"))
    assert len(one.keys() | two.keys()) == 4


def test_a_copied_cookie_expires_with_the_session(app, client):
    name = app.config["SESSION_COOKIE_NAME"]
    thief = Browser(app)
    thief._client.set_cookie(name, client._client.get_cookie(name).value)
    assert thief.get("/account/").status_code == 200
    client.post("/sign-out")
    assert thief.get("/account/").status_code == 302


def test_an_accepted_cookie_expires_with_its_age(app, client, monkeypatch):
    assert client.get("/account/").status_code == 200
    monkeypatch.setattr(sessions, "now", lambda: now() + timedelta(days=32))
    assert client.get("/account/").status_code == 302


def test_a_cookie_from_the_future_is_accepted(app, client, monkeypatch):
    monkeypatch.setattr(sessions, "now", lambda: now() - timedelta(days=1))
    assert client.get("/account/").status_code == 200
