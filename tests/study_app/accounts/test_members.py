"""Members of a study: invited by a link that works once, handed over, removed; never ownerless."""

import re
from datetime import timedelta

import pytest
from sqlalchemy import select

from study_app.accounts import members, passwords, researchers
from study_app.accounts.roles import MAY, ROLES, NoSuchRole, may
from study_app.core import acting
from study_app.core.database import db, writing
from study_app.core.errors import NotFound
from study_app.models import AuditEntry, Researcher, SignInLink, now
from study_app.studies import studies
from tests.app_fixtures import PASSWORD, Browser, quick_hasher


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(passwords, "hasher", quick_hasher)


@pytest.fixture
def make_account(app):
    """Makes an account with a link."""

    def make(name):
        with app.app_context(), writing() as session:
            link = researchers.make_link(session)
            return researchers.use_link(session, link, name, passwords.hashed(PASSWORD)).id

    return make


def roles_of(app, study_id):
    with app.app_context():
        return {m.researcher.name: m.role for m in members.members_of(db.session, study_id)}


def test_permissions_of_each_role():
    assert MAY.keys() == ROLES.keys()
    needs = ("see", "record", "results", "edit", "own")
    table = {role: [may(role, need) for need in needs] for role in (*ROLES, None, "other")}
    assert table == {
        "owner": [True, True, True, True, True],
        "editor": [True, True, True, True, False],
        "conductor": [True, True, False, False, False],
        "viewer": [True, False, True, False, False],
        None: [False] * 5,
        "other": [False] * 5,
    }


def test_a_study_created_at_a_terminal_belongs_to_all_accounts_or_the_first_one(app, make_account):
    with app.app_context(), writing() as session:
        first = studies.make(session, "Before anybody").id
    ada = make_account("Ada")
    make_account("Grace")
    assert roles_of(app, first) == {"Ada": "owner"}
    with app.app_context(), writing() as session:
        second = studies.make(session, "At a terminal").id
    assert roles_of(app, second) == {"Ada": "owner", "Grace": "owner"}
    with app.app_context(), acting.acting(acting.researcher(ada)), writing() as session:
        third = studies.make(session, "On the web").id
    assert roles_of(app, third) == {"Ada": "owner"}


def test_an_invitation_works_once_for_a_new_account(app, client, study_id):
    page = client.post(f"/studies/{study_id}/members/invite", {"role": "conductor"}).text
    address = page.split('<code class="copyable">')[1].split("</code>")[0]
    path = address.removeprefix("http://localhost")
    with app.app_context():
        stored = db.session.scalars(select(SignInLink.token_hash)).all()
    assert path.rsplit("/", 1)[1] not in stored
    newcomer = Browser(app)
    assert "<strong>conductor</strong>" in newcomer.get(path).text
    form = {"name": "Grace", "password": PASSWORD}
    assert newcomer.post(path, form).status_code == 302
    assert newcomer.get(f"/studies/{study_id}").status_code == 200
    assert newcomer.get(f"/studies/{study_id}/gold/").status_code == 403
    assert roles_of(app, study_id) == {"Ada": "owner", "Grace": "conductor"}
    assert Browser(app).post(path, {**form, "name": "Eve"}).status_code == 410
    audit = client.get(f"/studies/{study_id}/audit/?kind=invitation").text
    assert len(re.findall(r"changed\s+invitation", audit)) == 1


def test_an_invitation_works_for_an_existing_account(app, client, study_id):
    with app.app_context(), writing() as transaction:
        token = members.invite(transaction, study_id, "viewer")
    opened = client.get(f"/welcome/{token}").text
    assert "You are already a member (owner)." in " ".join(opened.split())
    assert "Join as" not in opened
    own = client.post(f"/welcome/{token}/join")
    assert own.status_code == 409 and "already a member of this study" in own.text
    with app.app_context(), writing() as transaction:
        link = researchers.make_link(transaction)
    grace = Browser(app)
    grace.post(f"/welcome/{link}", {"name": "Grace", "password": PASSWORD})
    assert grace.get(f"/studies/{study_id}").status_code == 404
    assert "Join as Grace" in grace.get(f"/welcome/{token}").text
    answer = grace.post(f"/welcome/{token}/join")
    assert answer.location == f"/studies/{study_id}"
    assert roles_of(app, study_id) == {"Ada": "owner", "Grace": "viewer"}
    assert grace.post(f"/welcome/{token}/join").status_code == 410


def test_invitations_expire_and_can_be_cancelled(app, client, study_id):
    with app.app_context(), writing() as session:
        old, cancelled = (members.invite(session, study_id, "editor") for _ in range(2))
        first, second = members.invitations_of(session, study_id)
        first.expires_at, second_id = now() - timedelta(seconds=1), second.id
        with pytest.raises(NoSuchRole, match="owner, editor, conductor, viewer"):
            members.invite(session, study_id, "admin")
    path = f"/studies/{study_id}/members/invitations/{second_id}/cancel"
    assert client.post(path).status_code == 302 and client.post(path).status_code == 404
    for token in (old, cancelled):
        assert client.get(f"/welcome/{token}").status_code == 410


def test_a_study_always_has_an_owner(app, client, study_id, make_account):
    grace = make_account("Grace")
    with app.app_context():
        ada = db.session.scalar(select(Researcher.id).where(Researcher.name == "Ada"))
        with pytest.raises(NotFound), writing() as session:
            members.change_role(session, study_id, grace, "owner")
        with writing() as session:
            link = researchers.open_link(session, members.invite(session, study_id, "editor"))
            members.accept(session, link, session.get_one(Researcher, grace))
        with pytest.raises(members.LastOwner), writing() as session:
            members.change_role(session, study_id, ada, "viewer")
        with pytest.raises(members.LastOwner), writing() as session:
            members.remove(session, study_id, ada)
    assert client.post(f"/studies/{study_id}/members/leave").status_code == 409
    assert client.post(f"/studies/{study_id}/members/{ada}/hand-over").status_code == 404
    assert client.post(f"/studies/{study_id}/members/{grace}/hand-over").status_code == 302
    assert roles_of(app, study_id) == {"Ada": "editor", "Grace": "owner"}
    assert client.post(f"/studies/{study_id}/members/{grace}/remove").status_code == 403
    assert client.post(f"/studies/{study_id}/members/leave").status_code == 302
    assert client.get(f"/studies/{study_id}").status_code == 404
    assert roles_of(app, study_id) == {"Grace": "owner"}


def test_a_removed_member_loses_access_at_once(app, client, study_id, make_account):
    grace = make_account("Grace")
    with app.app_context(), writing() as transaction:
        token = members.invite(transaction, study_id, "owner")
    browser = Browser(app)
    browser.post("/sign-in", {"name": "Grace", "password": PASSWORD})
    browser.post(f"/welcome/{token}/join")
    assert browser.get(f"/studies/{study_id}/members/").status_code == 200
    assert client.post(f"/studies/{study_id}/members/{grace}/remove").status_code == 302
    answer = browser.get(f"/studies/{study_id}/members/")
    assert answer.status_code == 404 and "not a member" in answer.get_data(as_text=True)
    with app.app_context():
        assert db.session.get(Researcher, grace) is not None
        last = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc())).first()
    assert (last.action, last.subject, last.name) == ("deleted", "member", "Grace")
    assert last.changes == {"role": ["owner", None]}


@pytest.mark.parametrize("end", ["removed", "made a viewer", "leaves", "hands over"])
def test_a_former_owner_cannot_return_with_an_own_invitation(
    app, client, study_id, make_account, end
):
    people = [make_account(name) for name in ("Grace", "Alan")]
    with app.app_context(), writing() as session:
        for researcher_id in people:
            link = researchers.open_link(session, members.invite(session, study_id, "owner"))
            members.accept(session, link, session.get_one(Researcher, researcher_id))
    grace, alan = people
    with app.app_context(), writing() as session:
        token = members.invite(session, study_id, "owner")
    with app.app_context(), writing() as session:
        if end == "made a viewer":
            members.change_role(session, study_id, grace, "viewer")
        elif end == "hands over":
            members.hand_over(session, study_id, grace, alan)
        else:
            members.remove(session, study_id, grace)
    assert Browser(app).get(f"/welcome/{token}").status_code == 410
    with app.app_context(), writing() as session:
        token = members.invite(session, study_id, "editor")
        if end == "made a viewer":
            # Only owners create invitations.
            members.remove(session, study_id, grace)
    assert Browser(app).get(f"/welcome/{token}").status_code == 200
