"""Strangers with a public link or another token cannot open somebody else's sitting."""

import re
from dataclasses import replace

import pytest

from study_app.core.database import db, writing
from study_app.core.tokens import token_hash
from study_app.models.participation import Invitation, WebSitting
from study_app.participation.links import invitations
from tests.app_fixtures import Browser
from tests.ranking_setup import make_link, make_task

QUERY = "?PROLIFIC_PID=pid-6af0&STUDY_ID=s&SESSION_ID=t"
KINDS = ("personal", "open", "prolific")


def _address(token, page=""):
    return f"/take-part/{token}/{page}"


def _form(browser, token, query=""):
    """The form of the welcome page, without the CSRF token, which the browser adds."""
    page = browser.get(_address(token) + query)
    assert page.status_code == 200
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page.text)
    sent = {name: value for name, value in found if name != "csrf_token"}
    return {**sent, "agreed": "yes"}


def _own(answer):
    """The own token in the redirect."""
    assert answer.status_code == 302
    return answer.headers["Location"].split("/")[2]


def _begin(browser, token, query="", **sent):
    return _own(browser.post(_address(token), {**_form(browser, token, query), **sent}))


def _sittings(app):
    with app.app_context():
        return db.session.query(WebSitting).count()


def _finds_nothing(app, token):
    with app.app_context():
        assert not db.session.query(WebSitting).filter_by(token_hash=token_hash(token)).all()


def _shows_consent(app, token, query=""):
    page = Browser(app).get(_address(token) + query)
    assert page.status_code == 200 and 'name="agreed"' in page.text


def _is_closed(app, token):
    """A link's token opens no page of a sitting, for a browser or for a script."""
    for page in ("rank", "thanks", "withdraw"):
        answer = Browser(app).get(_address(token, page))
        assert answer.headers["Location"] == _address(token)
    asking = {"headers": {"Accept": "application/json"}}
    assert Browser(app).get(_address(token, "plan"), **asking).status_code == 404
    assert Browser(app).get(_address(token, "pictures/1"), **asking).status_code == 404
    sent = {"json": {"entries": []}, **asking}
    assert Browser(app).post(_address(token, "entries"), **sent).status_code == 404
    assert Browser(app).post(_address(token, "withdraw")).status_code == 404


def test_a_links_token_is_not_accepted_as_own_token(app, task_id):
    link = make_link(app, task_id, "open")
    own = _begin(Browser(app), link, own_token=link)
    assert own != link
    _finds_nothing(app, link)
    _shows_consent(app, link)
    _is_closed(app, link)


@pytest.mark.parametrize("kind", KINDS)
def test_a_link_of_another_study_is_not_accepted_as_own_token(app, task_id, tmp_path, kind):
    theirs = make_link(app, make_task(app, tmp_path / "other", study="Other"), kind)
    assert _begin(Browser(app), make_link(app, task_id, "open"), own_token=theirs) != theirs
    _finds_nothing(app, theirs)
    _shows_consent(app, theirs, QUERY)
    _is_closed(app, theirs)


@pytest.mark.parametrize("kind", ["open", "prolific"])
def test_a_forged_own_token_is_refused(app, task_id, kind):
    for number, sent in enumerate(["", "x", "x" * 40, "x.y", "." * 40, "ä.ö", "a.b" * 10_000]):
        person = f"?PROLIFIC_PID=pid-{number}&STUDY_ID=s&SESSION_ID=t"
        own = _begin(Browser(app), make_link(app, task_id, kind), person, own_token=sent)
        assert own != sent and len(own) > 60
        if sent:
            _finds_nothing(app, sent)


def test_an_own_token_of_another_link_or_person_is_refused(app, task_id):
    one, other = (make_link(app, task_id, "open") for _ in range(2))
    platform, personal = (make_link(app, task_id, kind) for kind in ("prolific", "personal"))
    begun = _begin(Browser(app), other)
    for_another = Browser(app)
    tokens = [
        begun,
        _form(for_another, other)["own_token"],
        _form(for_another, platform, QUERY)["own_token"],
        _form(for_another, personal)["own_token"],
    ]
    owns = {_begin(Browser(app), one, own_token=token) for token in tokens}
    for n, token in enumerate(tokens):
        person = QUERY.replace("pid-6af0", f"pid-{n}")
        owns.add(_begin(Browser(app), platform, person, own_token=token))
    assert len(owns) == 8 and not owns & set(tokens)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_form_sent_twice_starts_one_sitting(app, task_id, kind):
    link, browser = make_link(app, task_id, kind), Browser(app)
    form = _form(browser, link, QUERY)
    first, second = (_own(browser.post(_address(link), form)) for _ in range(2))
    assert first == second and _sittings(app) == 1


def test_a_platform_id_opens_nothing_in_another_browser(app, task_id):
    link, browser = make_link(app, task_id, "prolific"), Browser(app)
    form = _form(browser, link, QUERY)
    own = _own(browser.post(_address(link), form))
    stranger = Browser(app)
    for answer in (
        stranger.get(_address(link) + QUERY),
        stranger.post(_address(link), {**form, "own_token": ""}),
        stranger.post(_address(link), {**form, "own_token": link}),
    ):
        assert answer.status_code == 409 and "already started" in answer.text
        assert own not in answer.text and "pid-6af0" not in answer.text
    assert _sittings(app) == 1
    _is_closed(app, link)
    assert browser.get(_address(link) + QUERY).headers["Location"] == _address(own)


def _remembered(browser, link):
    answer = browser.get(_address(link) + QUERY)
    (kept,) = [c for c in answer.headers.getlist("Set-Cookie") if "_own_" in c]
    return kept


def test_the_cookie_of_a_platform_participant_does_not_reveal_the_id(app, task_id):
    link, browser = make_link(app, task_id, "prolific"), Browser(app)
    kept = _remembered(browser, link)
    assert "pid-6af0" not in kept
    for sent in ("HttpOnly", "SameSite=Lax", "Path=/take-part", "Max-Age=2592000"):
        assert sent in kept
    assert "Secure" not in kept
    app.config["SETTINGS"] = replace(app.config["SETTINGS"], https=True)
    assert "Secure" in _remembered(Browser(app), link)


def test_reloading_keeps_the_token_of_a_platform_participant(app, task_id):
    link, browser = make_link(app, task_id, "prolific"), Browser(app)
    token = _form(browser, link, QUERY)["own_token"]
    assert token == _form(browser, link, QUERY)["own_token"]
    assert token != _form(browser, link, QUERY.replace("pid-6af0", "pid-7"))["own_token"]


def test_two_tabs_opened_at_once_start_one_sitting(app, task_id):
    link, browser = make_link(app, task_id, "prolific"), Browser(app)
    # The second request was sent before the cookie of the first one arrived.
    other_tab = _form(Browser(app), link, QUERY)["own_token"]
    form = _form(browser, link, QUERY)
    first = _own(browser.post(_address(link), form))
    assert first == form["own_token"] != other_tab
    again = browser.post(_address(link), {**form, "own_token": other_tab})
    assert _own(again) == first and _sittings(app) == 1


def test_a_personal_link_leads_to_the_same_own_address_on_every_device(app, task_id):
    link = make_link(app, task_id)
    own = _begin(Browser(app), link)
    _finds_nothing(app, link)
    _is_closed(app, link)
    assert Browser(app).get(_address(link)).headers["Location"] == _address(own)
    assert Browser(app).get(_address(own, "rank")).status_code == 200


def test_renewing_a_personal_link_ends_the_link_and_its_own_address(app, task_id):
    link = make_link(app, task_id)
    own = _begin(Browser(app), link)
    with app.app_context(), writing() as session:
        invitation = invitations.invitation_of(session, link)
        key = app.config["SECRET_KEY"]
        fresh = invitations.renew(session, invitation.task, invitation.id, key).token
    for ended in (link, own):
        for page in ("", "rank", "plan"):
            assert Browser(app).get(_address(ended, page)).status_code == 404
    assert _own(Browser(app).get(_address(fresh))) not in (link, own, fresh)
    assert _sittings(app) == 1


def test_after_a_restore_a_personal_links_sitting_gets_a_new_address(app, task_id):
    link, browser = make_link(app, task_id), Browser(app)
    form = _form(browser, link)
    own = _own(browser.post(_address(link), form))
    app.config["SECRET_KEY"] = b"a restored installation draws a key of its own"
    assert Browser(app).get(_address(own, "rank")).status_code == 200
    shown = Browser(app).get(_address(link))
    assert shown.status_code == 200 and "You have already started." in shown.text
    assert Browser(app).get(_address(own, "rank")).status_code == 200  # looking changed nothing
    now_own = _own(Browser(app).post(_address(link)))
    assert now_own != own and Browser(app).get(_address(own)).status_code == 404
    assert Browser(app).get(_address(now_own, "rank")).status_code == 200
    app.config["SECRET_KEY"] = b"and another one while the form was open"
    sent_again = Browser(app).post(_address(link), form)
    assert _own(sent_again) not in (own, now_own) and _sittings(app) == 1


def test_participants_can_return_through_a_closed_link(app, task_id):
    browsers = {kind: (make_link(app, task_id, kind, people=1), Browser(app)) for kind in KINDS}
    owns = {kind: _begin(browser, link, QUERY) for kind, (link, browser) in browsers.items()}
    with app.app_context(), writing() as session:
        for invitation in session.query(Invitation):
            invitations.close(session, invitation.task, invitation.id)
    for kind in ("personal", "prolific"):
        link, browser = browsers[kind]
        assert _own(browser.get(_address(link) + QUERY)) == owns[kind]


def test_a_link_equal_to_a_sittings_token_opens_nothing(app, task_id):
    """As before the upgrade that took such tokens away."""
    link = make_link(app, task_id, "open")
    _begin(Browser(app), link)
    with app.app_context(), writing() as session:
        session.query(WebSitting).one().token_hash = token_hash(link)
    _shows_consent(app, link)
    _is_closed(app, link)


def test_tokens_of_links_and_sittings_never_coincide(app, task_id):
    for kind in KINDS:
        link = make_link(app, task_id, kind)
        _begin(Browser(app), link, QUERY, own_token=link)
    with app.app_context():
        links = {row.token_hash for row in db.session.query(Invitation)}
        owns = {row.token_hash for row in db.session.query(WebSitting)}
    assert len(links) == len(owns) == 3 and not links & owns
