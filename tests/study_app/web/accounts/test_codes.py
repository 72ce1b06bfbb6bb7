"""Signing in with a one-time code, from the page of one's account to a lost phone."""

import re

import pyotp
import pytest

from study_app.accounts import one_time_codes, researchers
from study_app.accounts.login_throttle import FREE_FAILURES, LoginThrottle
from study_app.core.database import db, writing
from study_app.models import AuditEntry, Researcher
from study_app.web.accounts.codes import SHOWN_SECONDS
from study_app.web.accounts.one_time_code import WAITING_SECONDS
from tests.app_fixtures import PASSWORD, Browser
from tests.study_app.web.accounts.refused import refused_field

RIGHT = {"name": "Ada", "password": PASSWORD}


@pytest.fixture
def secret(client, monkeypatch):
    """Codes are turned on; each call of the fixture's `code` is a code not used yet."""
    page = client.get("/account/codes").text
    secret = re.search(r'copyable">\s*(\w+)', page)[1]
    moment = one_time_codes.now()
    code = pyotp.TOTP(secret).at(moment)
    wrong = client.post("/account/codes", {"code": code, "current": "not this one"})
    assert wrong.status_code == 403
    assert client.post("/account/codes", {"code": "x", "current": PASSWORD}).status_code == 403
    shown = client.post("/account/codes", {"code": code, "current": PASSWORD})
    assert shown.status_code == 200
    recovery = re.findall(r"<code>([0-9a-f-]{20})</code>", shown.text)
    assert len(recovery) == 10
    return pyotp.TOTP(secret), moment, recovery


def test_the_password_alone_does_not_sign_in(app, client, secret):
    totp, moment, recovery = secret
    browser = Browser(app)
    answer = browser.post("/sign-in?next=/account/", RIGHT)
    assert answer.location == "/sign-in/code"
    assert browser.get("/").status_code == 302
    # The code that turned them on was used; the next half minute's is let through early.
    assert browser.post("/sign-in/code", {"code": totp.at(moment)}).status_code == 403
    answer = browser.post("/sign-in/code", {"code": totp.at(moment, counter_offset=1)})
    assert answer.location == "/account/" and browser.get("/").status_code == 200
    other = Browser(app)
    other.post("/sign-in", RIGHT)
    code = {"code": totp.at(moment, counter_offset=1)}
    assert other.post("/sign-in/code", code).status_code == 403
    assert other.post("/sign-in/code", {"code": recovery[3]}).status_code == 302
    with app.app_context():
        changes = [entry.changes for entry in db.session.query(AuditEntry)]
        assert {"totp_secret": None} in changes and totp.secret not in str(changes)


def test_a_refused_code_is_asked_for_again_with_what_was_typed(app, client, secret):
    totp, moment, _ = secret
    browser = Browser(app)
    browser.post("/sign-in?next=/account/", RIGHT)
    assert "aria-invalid" not in browser.get("/sign-in/code").text
    refused = browser.post("/sign-in/code", {"code": "0000<"})
    assert refused.status_code == 403
    field, sentence = refused_field(refused.text, "code")
    assert 'value="0000&lt;"' in field and sentence.startswith("This code is wrong")
    answer = browser.post("/sign-in/code", {"code": totp.at(moment, counter_offset=1)})
    assert answer.location == "/account/"


def test_a_locked_sign_in_says_so_in_the_form(app, client, secret):
    app.extensions["login_throttle"] = LoginThrottle(clock=lambda: 0.0)
    browser = Browser(app)
    browser.post("/sign-in", RIGHT)
    for _ in range(FREE_FAILURES + 1):
        last = browser.post("/sign-in/code", {"code": "000000"})
    assert last.status_code == 429 and "Try again in" in refused_field(last.text, "code")[1]


def test_turning_on_asks_again_for_what_was_refused_with_the_same_key(client):
    key = re.search(r'copyable">\s*(\w+)', client.get("/account/codes").text)[1]
    code = pyotp.TOTP(key).now()
    wrong_code = client.post("/account/codes", {"code": "abc", "current": PASSWORD})
    field, sentence = refused_field(wrong_code.text, "code")
    assert wrong_code.status_code == 403 and key in wrong_code.text
    assert 'value="abc"' in field and sentence.startswith("This code is wrong")
    wrong_password = client.post("/account/codes", {"code": code, "current": "not this one"})
    field, sentence = refused_field(wrong_password.text, "current")
    assert wrong_password.status_code == 403 and key in wrong_password.text
    assert "not this one" not in wrong_password.text and f'value="{code}"' in wrong_password.text
    assert sentence.startswith("That is not your current password")
    assert client.post("/account/codes", {"code": code, "current": PASSWORD}).status_code == 200


@pytest.mark.parametrize("path", ["/account/codes/off", "/account/codes/recovery"])
def test_a_wrong_password_under_the_codes_is_asked_for_again_there(client, secret, path):
    refused = client.post(path, {"current": "not this one"})
    assert refused.status_code == 403 and "not this one" not in refused.text
    _, sentence = refused_field(refused.text, "current")
    assert sentence.startswith("That is not your current password")
    own_form = refused.text[refused.text.index('action="/account/codes/off"') :]
    assert own_form.index("aria-invalid") < own_form.index("</form>")
    assert "You have 10 recovery codes left." in " ".join(refused.text.split())
    # The address stays in the browser's bar.
    assert client.get(path).location == "/account/"


def test_guessing_codes_is_throttled_like_passwords(app, client, secret):
    stranger = Browser(app)
    for _ in range(FREE_FAILURES + 1):
        stranger.post("/sign-in", RIGHT)
        last = stranger.post("/sign-in/code", {"code": "000000"})
    assert last.status_code in (403, 429)
    assert stranger.post("/sign-in", RIGHT).status_code == 429


def test_a_changed_password_ends_a_sign_in_without_its_code(app, client, secret):
    totp, moment, _ = secret
    browser = Browser(app)
    browser.post("/sign-in", RIGHT)
    client.post("/account/password", {"current": PASSWORD, "password": "another long one"})
    answer = browser.post("/sign-in/code", {"code": totp.at(moment, counter_offset=1)})
    assert answer.location == "/sign-in?next=/" and browser.get("/").status_code == 302


def test_codes_are_turned_off_with_the_password_or_at_the_terminal(app, client, secret):
    assert client.post("/account/codes/off", {"current": "no"}).status_code == 403
    renewed = client.post("/account/codes/recovery", {"current": PASSWORD})
    assert "Your earlier recovery codes no longer work." in renewed.text
    assert client.post("/account/codes/off", {"current": PASSWORD}).status_code == 302
    assert Browser(app).post("/sign-in", RIGHT).location == "/"
    with app.app_context(), writing() as session:
        ada = session.query(Researcher).one()
        ada.totp_secret = pyotp.random_base32()
        token = researchers.make_link(session, "Ada")
    lost = Browser(app)
    assert lost.post(f"/welcome/{token}", {"password": "a third long one"}).status_code == 302
    with app.app_context():
        assert db.session.query(Researcher).one().totp_secret is None


def test_a_key_that_somebody_saw_long_before_is_not_used(client):
    seen = shown_key(client)
    assert shown_key(client) == seen
    with client._client.session_transaction() as session:
        session["totp_shown"] -= SHOWN_SECONDS + 1
    shown = shown_key(client)
    assert seen != shown
    form = {"code": pyotp.TOTP(seen).now(), "current": PASSWORD}
    refused = client.post("/account/codes", form)
    assert refused.status_code == 403 and shown in refused.text


def shown_key(client):
    return re.search(r'copyable">\s*(\w+)', client.get("/account/codes").text)[1]


def test_a_sign_in_that_took_too_long_starts_again_for_the_same_page(app, client, secret):
    browser = Browser(app)
    assert browser.get("/sign-in/code").location == "/sign-in"
    browser.post("/sign-in?next=/account/", RIGHT)
    with browser._client.session_transaction() as session:
        session["waiting"][2] -= WAITING_SECONDS + 1
        session.modified = True
    answer = browser.post("/sign-in/code", {"code": "000000"}, follow_redirects=True)
    assert "This sign-in took too long." in answer.text
    assert 'action="/sign-in?next=/account/"' in answer.text
