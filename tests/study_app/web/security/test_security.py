"""A page whose token or sign-in has expired gets a response with which its script can continue."""

import re
from io import BytesIO

import pytest

from study_app.web.security import security
from study_app.web.security.security import VISITOR_BYTES
from tests.app_fixtures import PASSWORD, Browser

JSON = {"Accept": "application/json"}


def post_event(browser, study_id, token):
    headers = {**JSON, "X-CSRFToken": token}
    address = f"/studies/{study_id}/sittings/T001/steps/fly"
    return browser._client.post(address, json={}, headers=headers)


def test_a_token_of_an_ended_session_is_stale(app, client, study_id):
    page = client.get("/").get_data(as_text=True)
    old = re.search(r'name="csrf-token" content="([^"]+)"', page)[1]
    assert post_event(client, study_id, old).status_code == 404
    client.post("/sign-in", {"name": "Ada", "password": PASSWORD})
    refused = post_event(client, study_id, old)
    assert refused.status_code == 400 and refused.json["stale"]
    fresh = client.get("/token", headers=JSON).json["token"]
    assert post_event(client, study_id, fresh).status_code == 404


def test_without_a_sign_in_the_answer_is_401_with_any_token(app, client, study_id):
    stranger = Browser(app)
    for token in ("", "old", stranger.get("/token", headers=JSON).json["token"]):
        answer = post_event(stranger, study_id, token)
        assert answer.status_code == 401 and "session has expired" in answer.json["error"]


def test_a_form_post_gets_html(app, client):
    answer = client._client.post("/sign-out", headers={"X-CSRFToken": "old"})
    assert answer.status_code == 400 and "form has expired" in answer.get_data(as_text=True)


@pytest.mark.parametrize("most", [None, VISITOR_BYTES])
def test_visitors_cannot_upload_large_bodies(app, monkeypatch, most):
    kept = []

    def keep(*_args, **_kwargs):
        kept.append(BytesIO())
        return kept[-1]

    monkeypatch.setattr("werkzeug.wrappers.request.default_stream_factory", keep)
    monkeypatch.setattr(security, "VISITOR_BYTES", most)
    head = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n'
    photo = head + bytes(VISITOR_BYTES) + b"\r\n--x--\r\n"
    sent = {"data": photo, "content_type": "multipart/form-data; boundary=x", "headers": JSON}
    statuses = [
        app.test_client().post(path, **sent).status_code
        for path in ("/sign-in", "/take-part/nobody/entries", "/welcome/nobody", "/studies")
    ]
    # Without a limit, a body sent to an open page is stored while its token is checked.
    assert statuses == ([413] * 3 if most else [400] * 3) + [401]
    assert len(kept) == (0 if most else 3)


def test_a_form_of_countless_fields_is_refused_before_it_is_parsed(app, client, stranger):
    """Some took half a minute, and nobody could save anything meanwhile."""
    stranger.get("/sign-in")

    def status(browser, path, fields):
        form = f"csrf_token={browser._token}" + "&a=" * fields
        sent = {"data": form, "content_type": "application/x-www-form-urlencoded"}
        return browser._client.post(path, **sent).status_code

    for path in ("/sign-in", "/welcome/nobody", "/take-part/nobody/"):
        assert status(stranger, path, 1000) == 413
        assert status(stranger, path, 999) in (302, 403, 404, 410)
    client.get("/")
    # Thousands of pictures can be chosen.
    assert status(client, "/studies", 20_000) == 413
    assert status(client, "/studies", 19_999) == 400


def test_what_is_no_file_has_a_limit_for_researchers_too(client, monkeypatch):
    """It is in memory at once."""
    monkeypatch.setattr(security, "FORM_BYTES", 1000)
    client.get("/")
    for form in ({"name": "x" * 1000}, {"name": "x"}):
        status = client.post("/studies", form).status_code
        assert status == (413 if len(form["name"]) == 1000 else 302)
    assert client.post("/sign-in/passkey", json={"id": "x" * 1000}).status_code == 413


def test_a_cached_csrf_token_is_valid_for_its_session_only(app, client, stranger):
    assert client.post("/sign-out", headers=JSON).status_code == 200
    stranger.get("/sign-in")
    token = {"X-CSRFToken": client._token}
    answer = stranger._client.post("/sign-in", headers={**JSON, **token})
    assert answer.status_code == 400 and answer.json["stale"]
