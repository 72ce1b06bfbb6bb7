"""Two requests at the same moment, on PostgreSQL: what works once works for one of them."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pyotp
import pytest

from study_app import create_app
from study_app.accounts import members, one_time_codes, passwords, researchers
from study_app.core.config import Settings
from study_app.core.database import close, db, writing
from study_app.models import Researcher, Study, StudyMember
from study_app.studies import studies
from tests.app_fixtures import PASSWORD, Browser, quick_hasher

pytestmark = pytest.mark.postgres

RIGHT = {"name": "Ada", "password": PASSWORD}


@pytest.fixture
def app(upgraded_url, tmp_path, monkeypatch):
    """An installation with Ada, who owns a study."""
    monkeypatch.setattr(passwords, "hasher", quick_hasher)
    app = create_app(Settings.of(tmp_path / "instance", upgraded_url))
    with app.app_context(), writing() as session:
        studies.make(session, "Chairs")
        token = researchers.make_link(session)
        researchers.use_link(session, token, "Ada", passwords.hashed(PASSWORD))
    yield app
    close(app)


@pytest.fixture
def study_id(app):
    with app.app_context():
        return db.session.query(Study).one().id


def at_once(*requests):
    """The answers to requests that are sent at the same moment, and their browsers."""
    together = Barrier(len(requests))

    def send(request):
        browser, path, form = request
        together.wait()
        return browser.post(path, form), browser

    for browser, _path, _form in requests:
        browser.get("/sign-in")
    with ThreadPoolExecutor(len(requests)) as pool:
        return list(pool.map(send, requests))


def sign_in(app, name="Ada"):
    browser = Browser(app)
    assert browser.post("/sign-in", RIGHT | {"name": name}).status_code == 302
    return browser


def join(app, study_id, name, role):
    with app.app_context(), writing() as session:
        account = researchers.make_link(session)
        made = researchers.use_link(session, account, name, passwords.hashed(PASSWORD))
        session.add(StudyMember(study_id=study_id, researcher_id=made.id, role=role))
        return made.id


def roles(app, study_id):
    with app.app_context():
        return {m.researcher.name: m.role for m in members.members_of(db.session, study_id)}


@pytest.mark.parametrize("is_recovery", [False, True])
def test_a_code_signs_in_once(app, is_recovery):
    totp = pyotp.TOTP(one_time_codes.new_secret())
    with app.app_context(), writing() as session:
        ada = session.query(Researcher).one()
        ada.totp_secret = totp.secret
        recovery = one_time_codes.renew_recovery_codes(session, ada)
    browsers = [sign_in(app) for _ in range(2)]
    code = {"code": recovery[0] if is_recovery else totp.now()}
    answers = at_once(*((browser, "/sign-in/code", code) for browser in browsers))
    assert sorted(answer.status_code for answer, _ in answers) == [302, 403]
    assert sum(browser.get("/").status_code == 200 for browser in browsers) == 1


def test_an_invitation_admits_one(app, study_id):
    with app.app_context(), writing() as session:
        token = members.invite(session, study_id, "viewer")
    forms = [RIGHT | {"name": name} for name in ("Grace", "Alan")]
    answers = at_once(*((Browser(app), f"/welcome/{token}", form) for form in forms))
    assert sorted(answer.status_code for answer, _ in answers) == [302, 410]
    assert sorted(roles(app, study_id).values()) == ["owner", "viewer"]
    with app.app_context():
        assert db.session.query(Researcher).count() == 2


def test_a_name_is_given_once(app):
    with app.app_context(), writing() as session:
        links = [researchers.make_link(session) for _ in range(2)]
    form = RIGHT | {"name": "Grace"}
    answers = at_once(*((Browser(app), f"/welcome/{token}", form) for token in links))
    assert sorted(answer.status_code for answer, _ in answers) == [302, 400]
    [refused] = [answer for answer, _ in answers if answer.status_code == 400]
    assert "is taken" in refused.text and 'aria-invalid="true"' in refused.text


def test_an_invitation_is_cancelled_or_accepted(app, study_id):
    with app.app_context(), writing() as session:
        token = members.invite(session, study_id, "viewer")
        session.flush()
        [link] = members.invitations_of(session, study_id)
        path = f"/studies/{study_id}/members/invitations/{link.id}/cancel"
    form = RIGHT | {"name": "Grace"}
    answers = at_once((sign_in(app), path, {}), (Browser(app), f"/welcome/{token}", form))
    cancelled, accepted = (answer.status_code for answer, _ in answers)
    assert (cancelled, accepted) in ((302, 410), (404, 302))


def test_two_invitations_make_one_member(app, study_id):
    join(app, study_id, "Grace", "viewer")
    with app.app_context(), writing() as session:
        session.query(StudyMember).filter_by(role="viewer").delete()
        links = [members.invite(session, study_id, role) for role in ("viewer", "editor")]
    paths = [f"/welcome/{token}/join" for token in links]
    answers = at_once(*((sign_in(app, "Grace"), path, {}) for path in paths))
    assert sorted(answer.status_code for answer, _ in answers) == [302, 409]


def test_a_study_is_handed_over_to_one(app, study_id):
    paths = [
        f"/studies/{study_id}/members/{join(app, study_id, name, 'viewer')}/hand-over"
        for name in ("Grace", "Alan")
    ]
    answers = at_once(*((sign_in(app), path, {}) for path in paths))
    assert sorted(answer.status_code for answer, _ in answers) == [302, 403]
    assert sorted(roles(app, study_id).values()) == ["editor", "owner", "viewer"]


def test_the_last_two_owners_cannot_leave_together(app, study_id):
    join(app, study_id, "Grace", "owner")
    path = f"/studies/{study_id}/members/leave"
    answers = at_once(*((sign_in(app, name), path, {}) for name in ("Ada", "Grace")))
    assert sorted(answer.status_code for answer, _ in answers) == [302, 409]
    assert list(roles(app, study_id).values()) == ["owner"]


def test_an_owner_who_hands_over_to_a_member_being_removed(app, study_id):
    grace = join(app, study_id, "Grace", "viewer")
    join(app, study_id, "Alan", "owner")
    at = f"/studies/{study_id}/members/{grace}"
    answers = at_once(
        (sign_in(app), f"{at}/hand-over", {}), (sign_in(app, "Alan"), f"{at}/remove", {})
    )
    assert 302 in [answer.status_code for answer, _ in answers]
    left = roles(app, study_id)
    assert "Grace" not in left and "owner" in left.values()
