"""Nothing of a study is reachable without signing in; a link signs in once."""

import pytest

from study_app.accounts import members, passwords, researchers
from study_app.accounts.login_throttle import (
    FREE_FAILURES,
    MOST_FAILURES,
    LoginThrottle,
    Source,
)
from study_app.accounts.roles import ROLES
from study_app.core.database import writing
from tests.app_fixtures import PASSWORD, Browser
from tests.study_app.web.accounts.refused import refused_field


@pytest.fixture(autouse=True)
def frozen_time(app):
    """The first wait after wrong passwords is a second: a busy machine would wait it out."""
    app.extensions["login_throttle"] = LoginThrottle(clock=lambda: 0.0)


def test_a_link_works_once(app, stranger):
    with app.app_context(), writing() as session:
        token = researchers.make_link(session)
    assert stranger.get(f"/welcome/{token}").status_code == 200
    form = {"name": "Ada", "password": PASSWORD}
    assert stranger.post(f"/welcome/{token}", form).status_code == 302
    assert stranger.get("/").status_code == 200
    assert "signed out everywhere" not in stranger.get("/account/").text
    again = Browser(app).post(f"/welcome/{token}", form)
    assert again.status_code == 410
    assert "“sketch-study sign-in-link”" in again.text and "`" not in again.text


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("is_new", [True, False])
def test_an_accepted_invitation_leads_to_its_study(app, client, study_id, stranger, role, is_new):
    with app.app_context(), writing() as session:
        token = members.invite(session, study_id, role)
        account = researchers.make_link(session)
    form = {"name": "Grace", "password": PASSWORD}
    if is_new:
        answer = stranger.post(f"/welcome/{token}", form)
    else:
        assert stranger.post(f"/welcome/{account}", form).location == "/"
        answer = stranger.post(f"/welcome/{token}/join")
    assert answer.location == f"/studies/{study_id}"
    assert stranger.get(answer.location).status_code == 200


def test_a_short_password_does_not_use_up_the_link(app, stranger):
    with app.app_context(), writing() as session:
        token = researchers.make_link(session)
    refused = stranger.post(f"/welcome/{token}", {"name": "A<da", "password": "short"})
    assert refused.status_code == 400 and 'value="A&lt;da"' in refused.text
    _, sentence = refused_field(refused.text, "password")
    assert "at least 10 characters" in sentence
    form = {"name": "A<da", "password": PASSWORD}
    assert stranger.post(f"/welcome/{token}", form).status_code == 302


@pytest.mark.parametrize("is_invitation", [False, True])
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Ada", "is taken"),
        ("ada", "is taken"),
        ("A\u200bda\u202e", "is taken"),
        ("\uff21 da", "is taken"),
        # "Ada" with Cyrillic letters, and with one Cyrillic letter.
        ("\u0410\u0501\u0430", "is taken"),
        ("Ad\u0430", "(Cyrillic, Latin)"),
        (" ", "Enter the name"),
        ("\u200b\u2060", "Enter the name"),
        ("x" * 81, "at most 80 characters"),
    ],
)
def test_a_refused_name_is_asked_for_again(
    app, client, study_id, stranger, is_invitation, name, reason
):
    with app.app_context(), writing() as session:
        make = researchers.make_link
        token = members.invite(session, study_id, "viewer") if is_invitation else make(session)
    refused = stranger.post(f"/welcome/{token}", {"name": name, "password": PASSWORD})
    field, sentence = refused_field(refused.text, "name")
    assert refused.status_code == 400 and f'value="{name}"' in field and reason in sentence
    assert PASSWORD not in refused.text and ("Invitation" in refused.text) == is_invitation
    form = {"name": "Grace", "password": PASSWORD}
    assert stranger.post(f"/welcome/{token}", form).status_code == 302


def test_a_name_is_stored_without_what_cannot_be_seen_and_found_as_it_was_typed(app, client):
    for typed, stored in (
        ("Grace  \u200bHopper", "Grace Hopper"),
        ("می\u200cنا", "می\u200cنا"),
        ("山田 ハナ Hana", "山田 ハナ Hana"),
        ("José Ñandú-O’Neil 2", "José Ñandú-O’Neil 2"),
        ("Ада", "Ада"),
    ):
        with app.app_context(), writing() as session:
            token = researchers.make_link(session)
        form = {"name": typed, "password": PASSWORD}
        assert Browser(app).post(f"/welcome/{token}", form).status_code == 302
        browser = Browser(app)
        assert browser.post("/sign-in", form).status_code == 302
        assert f"<strong>{stored}</strong>" in browser.get("/account/").text


def test_a_short_new_password_is_asked_for_again_without_a_name(app, client, stranger):
    with app.app_context(), writing() as session:
        token = researchers.make_link(session, "Ada")
    refused = stranger.post(f"/welcome/{token}", {"password": "short"})
    refused_field(refused.text, "password")
    assert "Choose a new password" in refused.text and 'name="name"' not in refused.text


def test_links_are_stored_as_hashes(app):
    with app.app_context(), writing() as session:
        token = researchers.make_link(session)
    for path in app.config["SETTINGS"].instance.parent.glob("study.sqlite3*"):
        assert token.encode() not in path.read_bytes()


def test_signing_in_again(app, client):
    client.post("/sign-out")
    assert client.get("/").status_code == 302
    assert client.post("/sign-in", {"name": "Ada", "password": "wrong"}).status_code == 403
    answer = client.post("/sign-in?next=/studies/7", {"name": "Ada", "password": PASSWORD})
    assert answer.headers["Location"] == "/studies/7"


def test_a_wrong_password_is_asked_for_again_for_the_same_page(client, stranger):
    form = {"name": "A<da", "password": "not this one"}
    for status in [403] * FREE_FAILURES + [429]:
        refused = stranger.post("/sign-in?next=/account/", form)
        assert refused.status_code == status and 'value="A&lt;da"' in refused.text
        assert 'action="/sign-in?next=/account/"' in refused.text
        refused_field(refused.text, "password")
        assert "not this one" not in refused.text


def test_the_hourly_limit_is_said_beside_the_password(app, client, stranger):
    throttle = app.extensions["login_throttle"]
    with app.app_context():
        for number in range(MOST_FAILURES):
            throttle.begin("Ada", Source.of_address(f"198.51.100.{number}"))
    refused = stranger.post("/sign-in?next=/account/", {"name": "Ada", "password": PASSWORD})
    assert refused.status_code == 429 and 'value="Ada"' in refused.text
    _, sentence = refused_field(refused.text, "password")
    assert "Try again in 60 minutes." in sentence and "“sketch-study sign-in-link" in sentence


@pytest.mark.parametrize(
    "elsewhere",
    ["https://example.org", "//example.org", "/\\example.org", "/%09/example.org", "/%0A/x.org"],
)
def test_signing_in_redirects_only_within_the_site(client, elsewhere):
    answer = client.post(f"/sign-in?next={elsewhere}", {"name": "Ada", "password": PASSWORD})
    assert answer.headers["Location"] == "/"


@pytest.mark.parametrize("name", ["Ada", "Nobody"])
def test_guessing_is_throttled_for_known_and_unknown_names(client, stranger, name):
    for _ in range(FREE_FAILURES):
        assert stranger.post("/sign-in", {"name": name, "password": "guess"}).status_code == 403
    locked = stranger.post("/sign-in", {"name": name, "password": PASSWORD})
    assert locked.status_code == 429
    assert "Try again in" in locked.get_data(as_text=True)


@pytest.fixture
def phone(app, client):
    """Another browser in which the same researcher has signed in."""
    browser = Browser(app)
    assert browser.post("/sign-in", {"name": "Ada", "password": PASSWORD}).status_code == 302
    assert browser.get("/").status_code == 200
    return browser


def test_signing_out_of_one_browser_and_of_all(app, client, phone):
    laptop = Browser(app)
    laptop.post("/sign-in", {"name": "Ada", "password": PASSWORD})
    laptop.post("/sign-out")
    assert laptop.get("/").status_code == 302 and phone.get("/").status_code == 200
    # A copy of a cookie is ended too.
    assert client.post("/account/sign-out").status_code == 302
    assert client.get("/").status_code == 302 and phone.get("/").status_code == 302
    assert phone.post("/studies", {"name": "Too late"}).status_code == 401


def test_a_changed_password_ends_other_sessions_and_links(app, client, phone):
    with app.app_context(), writing() as session:
        token = researchers.make_link(session, "Ada")
    form = {"current": PASSWORD, "password": "another long one"}
    assert client.post("/account/password", form).status_code == 302
    assert client.get("/").status_code == 200 and phone.get("/").status_code == 302
    assert phone.post("/sign-in", {"name": "Ada", "password": PASSWORD}).status_code == 403
    right = {"name": "Ada", "password": "another long one"}
    assert phone.post("/sign-in", right).status_code == 302
    assert Browser(app).get(f"/welcome/{token}").status_code == 410


def test_changing_the_password_needs_the_current_one(app, client, phone):
    form = {"current": "not this one", "password": "another long one"}
    for status in [403] * FREE_FAILURES + [429]:
        refused = client.post("/account/password", form)
        assert refused.status_code == status
        refused_field(refused.text, "current")
        assert "not this one" not in refused.text and "another long one" not in refused.text
    assert "Try again in 1 second." in refused.text
    assert client.get("/account/password").location == "/account/"
    assert phone.get("/").status_code == 200
    short = phone.post("/account/password", {"current": PASSWORD, "password": "short"})
    assert short.status_code == 400
    assert "at least 10" in refused_field(short.text, "password")[1]


def test_using_a_link_does_not_spend_those_of_others(app, stranger):
    with app.app_context(), writing() as session:
        tokens = [researchers.make_link(session) for _ in range(2)]
    for token, name in zip(tokens, ("Ada", "Grace"), strict=True):
        form = {"name": name, "password": PASSWORD}
        assert Browser(app).post(f"/welcome/{token}", form).status_code == 302


def test_a_new_password_ends_older_sessions(app, client):
    with app.app_context(), writing() as session:
        token = researchers.make_link(session, "Ada")
    assert (
        Browser(app).post(f"/welcome/{token}", {"password": "another long one"}).status_code == 302
    )
    assert client.get("/").status_code == 302


def test_a_password_that_is_changed_while_it_is_checked_signs_nobody_in(app, client, monkeypatch):
    """Who knows the old one, and tries it all the time, does not stay signed in by the change."""

    def matches(password_hash, password):
        found = check(password_hash, password)
        with app.app_context(), writing() as session:
            changed = researchers.named(session, "Ada")
            researchers.set_password(session, changed, passwords.hashed("another password"))
        return found

    check = passwords.matches
    monkeypatch.setattr(passwords, "matches", matches)
    late = Browser(app)
    assert late.post("/sign-in", {"name": "Ada", "password": PASSWORD}).status_code == 403
    assert late.get("/").status_code == 302


def test_a_cookie_from_before_a_sign_in_is_not_signed_in_by_it(app, client):
    browser, thief = Browser(app), Browser(app)
    browser.get("/sign-in")
    thief._client._cookies = dict(browser._client._cookies)
    assert browser.post("/sign-in", {"name": "Ada", "password": PASSWORD}).status_code == 302
    assert browser.get("/").status_code == 200 and thief.get("/").status_code == 302


@pytest.mark.parametrize("has_codes", [False, True])
def test_another_sign_in_in_the_same_browser_ends_the_earlier_one(app, client, has_codes):
    with app.app_context(), writing() as session:
        grace = researchers.use_link(session, researchers.make_link(session), "Grace", "")
        grace.password_hash = passwords.hashed(PASSWORD)
        grace.totp_secret = "A" * 32 if has_codes else None
    browser, thief = Browser(app), Browser(app)
    browser.post("/sign-in", {"name": "Ada", "password": PASSWORD})
    thief._client._cookies = dict(browser._client._cookies)
    assert thief.get("/").status_code == 200
    browser.post("/sign-in", {"name": "Grace", "password": PASSWORD})
    assert thief.get("/").status_code == 302


def test_every_form_of_accounts_and_members_needs_a_csrf_token(app, client, study_id):
    places, asked = {"study_id": study_id, "token": "x"}, 0
    for rule in app.url_map.iter_rules():
        if (
            rule.endpoint.startswith(("account.", "members.", "sign_in."))
            and "POST" in rule.methods
        ):
            values = {name: places.get(name, 1) for name in rule.arguments}
            path = app.url_map.bind("localhost").build(rule.endpoint, values, "POST")
            refused = client._client.post(path, data={"current": PASSWORD, "role": "owner"})
            assert refused.status_code == 400 and "This form has expired" in refused.text, path
            asked += 1
    assert asked > 15


def test_a_form_without_csrf_token_is_refused(app, client):
    refused = client._client.post("/studies", data={"name": "Forged"})
    assert refused.status_code == 400
    assert "Forged" not in client.get("/").get_data(as_text=True)
