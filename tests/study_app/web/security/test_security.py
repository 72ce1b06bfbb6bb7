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


def test_a_cached_csrf_token_is_valid_for_its_session_only(app, client, stranger):
    assert client.post("/sign-out", headers=JSON).status_code == 200
    stranger.get("/sign-in")
    token = {"X-CSRFToken": client._token}
    answer = stranger._client.post("/sign-in", headers={**JSON, **token})
    assert answer.status_code == 400 and answer.json["stale"]
