"""A change of who has access asks for the password, or a passkey, if none was used recently."""

import re
from html import unescape

import flask
import pytest

from study_app.accounts import members, researchers
from study_app.accounts.login_throttle import FREE_FAILURES, LoginThrottle
from study_app.core.database import db, writing
from study_app.models import Researcher, SignInLink
from study_app.web.accounts.confirming import FRESH_SECONDS
from study_app.web.security.security import CONFIRMED
from tests.app_fixtures import PASSWORD, Browser
from tests.study_app.accounts.test_passkeys import Authenticator, add, begin
from tests.study_app.web.accounts.refused import refused_field


@pytest.fixture
def grace(app, client, study_id):
    """The number of a viewer of Ada's study."""
    with app.app_context(), writing() as session:
        account = researchers.make_link(session)
        grace = researchers.use_link(session, account, "Grace", "")
        link = researchers.open_link(session, members.invite(session, study_id, "viewer"))
        members.accept(session, link, grace)
        return grace.id


@pytest.fixture
def stale(client, grace):
    """Ada's browser, in which the password was last used a while ago."""
    _wait(client)
    return client


def _wait(browser):
    with browser._client.session_transaction() as session:
        session[CONFIRMED] -= FRESH_SECONDS + 1


def state(app, study_id):
    with app.app_context():
        roles = {m.researcher.name: m.role for m in members.members_of(db.session, study_id)}
        return roles, db.session.query(SignInLink).filter_by(used_at=None).count()


@pytest.mark.parametrize(
    ("path", "form", "deed"),
    [
        ("{members}{grace}/hand-over", {}, "handing over the study {study} to 'Grace'."),
        (
            "{members}{grace}/role",
            {"role": "owner"},
            "changing the role of 'Grace' in the study {study} from viewer to owner.",
        ),
        ("{members}{grace}/remove", {}, "removing 'Grace' (viewer) from the study {study}."),
        ("{members}invite", {"role": "owner"}, "one person joins the study {study} as owner."),
        ("/studies/{id}/remove", {"name": "Chairs and cars"}, "deleting the study {study} with"),
        ("/researchers/link", {}, "a link with which one person creates an account"),
    ],
)
def test_a_change_of_access_asks_for_the_password(app, stale, study_id, grace, path, form, deed):
    path = path.format(members=f"/studies/{study_id}/members/", grace=grace, id=study_id)
    before = state(app, study_id)
    asked = stale.post(path, form)
    assert asked.status_code == 403 and '<form method="post" id="confirm" class' in asked.text
    assert deed.format(study="'Chairs and cars'") in unescape(asked.text)
    # The address stays in the browser's bar, and Cancel leads there.
    assert f'href="{path}"' in asked.text and stale.get(path).status_code in (200, 302)
    assert "aria-invalid" not in asked.text
    wrong = stale.post(path, {**form, "current": "not this one"})
    assert wrong.status_code == 403 and "not this one" not in wrong.text
    assert "not your current password" in refused_field(wrong.text, "current")[1]
    assert state(app, study_id) == before
    sent = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', wrong.text))
    assert {name: sent[name] for name in form} == form
    assert stale.post(path, {**sent, "current": PASSWORD}).status_code in (200, 302)
    assert state(app, study_id) != before


@pytest.mark.parametrize("page", ["members/", "remove"])
def test_forms_of_such_changes_lead_to_the_page_that_asks(client, study_id, grace, page):
    """The script of other forms, which shows a refusal in them, cannot show a page."""
    forms = re.findall(r"<form[^>]*>", client.get(f"/studies/{study_id}/{page}").text)
    assert forms and not [form for form in forms if "data-keep" in form]


@pytest.mark.parametrize("path", ["{grace}/role", "invite"])
def test_what_cannot_be_done_is_not_asked_about(stale, study_id, grace, path):
    path = f"/studies/{study_id}/members/{path.format(grace=grace)}"
    refused = stale.post(path, {"role": "emperor"})
    assert refused.status_code == 400 and "Role must be one of" in refused.text
    nobody = stale.post(f"/studies/{study_id}/members/999/role", {"role": "owner"})
    assert nobody.status_code == 404


def test_the_password_is_asked_for_once_in_a_while(app, stale, study_id):
    invite = f"/studies/{study_id}/members/invite"
    assert stale.post(invite, {"role": "viewer", "current": PASSWORD}).status_code == 200
    assert stale.post(invite, {"role": "viewer"}).status_code == 200
    _wait(stale)
    assert stale.post(invite, {"role": "viewer"}).status_code == 403
    # A cookie of an earlier version has no time.
    with stale._client.session_transaction() as session:
        del session[CONFIRMED]
    assert stale.post(invite, {"role": "viewer"}).status_code == 403


def test_guesses_are_throttled(app, stale, study_id):
    app.extensions["login_throttle"] = LoginThrottle(clock=lambda: 0.0)
    invite = f"/studies/{study_id}/members/invite"
    for _ in range(FREE_FAILURES + 1):
        last = stale.post(invite, {"role": "viewer", "current": "a guess"})
    assert last.status_code == 429 and "Try again in" in refused_field(last.text, "current")[1]


def test_an_own_passkey_confirms_too(app, client, grace, study_id):
    invite = f"/studies/{study_id}/members/invite"
    own = add(client)
    with app.app_context(), writing() as session:
        token = researchers.make_link(session, "Grace")
    other = Browser(app)
    assert other.post(f"/welcome/{token}", {"password": PASSWORD}).status_code == 302
    foreign = add(other)
    _wait(client)
    for made in (foreign, Authenticator()):
        refused = client.post("/account/confirm", json=made.answer(begin(client)))
        assert refused.status_code == 403
        assert client.post(invite, {"role": "viewer"}).status_code == 403
    answer = own.answer(begin(client))
    assert client.post("/account/confirm", json=answer).json == {"location": None}
    assert client.post(invite, {"role": "viewer"}).status_code == 200
    _wait(client)
    assert client.post("/account/confirm", json=answer).status_code == 403
    assert client.post(invite, {"role": "viewer"}).status_code == 403
    with app.app_context():
        assert db.session.query(Researcher).count() == 2


def test_a_stranger_confirms_nothing(app, client, stranger):
    own = add(client)
    assert stranger.post("/account/confirm", json=own.answer(begin(stranger))).status_code == 401


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("members/invite", {"role": "owner"}),
        ("members/{grace}/role", {"role": "owner"}),
        ("members/{grace}/remove", {}),
        ("remove", {"name": "Chairs and cars"}),
    ],
)
def test_an_owner_who_is_removed_meanwhile_changes_nothing(
    app, client, study_id, grace, path, form
):
    def remove_ada():
        # As another owner does while the request waits; Grace stays.
        if not flask.request.path.endswith(path.format(grace=grace)):
            return
        with app.app_context(), writing() as session:
            members.change_role(session, study_id, grace, "owner")
            ada = session.query(Researcher).filter_by(name="Ada").one()
            members.remove(session, study_id, ada.id)

    # After all checks of the request.
    app.before_request_funcs[None].append(remove_ada)
    refused = client.post(f"/studies/{study_id}/{path.format(grace=grace)}", form)
    assert refused.status_code == 404 and "not a member of it" in refused.text
    assert state(app, study_id) == ({"Grace": "owner"}, 0)
