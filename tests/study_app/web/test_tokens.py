"""A page that outlives its token or its sign-in is told so that its script can go on."""

import re
from io import BytesIO

from study_app.web.security import STRANGERS_BYTES
from tests.app_fixtures import PASSWORD, Browser

JSON = {"Accept": "application/json"}


def act(browser, study_id, token):
    headers = {**JSON, "X-CSRFToken": token}
    address = f"/studies/{study_id}/sittings/T001/steps/fly"
    return browser._client.post(address, json={}, headers=headers)


def test_a_token_of_before_is_stale_and_a_fresh_one_is_taken(app, client, study_id):
    page = client.get("/").get_data(as_text=True)
    old = re.search(r'name="csrf-token" content="([^"]+)"', page)[1]
    assert act(client, study_id, old).status_code == 404
    client.post("/sign-in", {"name": "Ada", "password": PASSWORD})
    refused = act(client, study_id, old)
    assert refused.status_code == 400 and refused.json["stale"]
    fresh = client.get("/token", headers=JSON).json["token"]
    assert act(client, study_id, fresh).status_code == 404


def test_without_a_sign_in_the_answer_says_so_whatever_the_token(app, client, study_id):
    stranger = Browser(app)
    for token in ("", "old", stranger.get("/token", headers=JSON).json["token"]):
        answer = act(stranger, study_id, token)
        assert answer.status_code == 401 and "sign-in has ended" in answer.json["error"]


def test_a_form_sent_by_hand_gets_a_page(app, client):
    answer = client._client.post("/sign-out", headers={"X-CSRFToken": "old"})
    assert answer.status_code == 400 and "open for too long" in answer.get_data(as_text=True)


def test_a_stranger_cannot_fill_the_disk(app, monkeypatch):
    kept = []
    monkeypatch.setattr(
        "werkzeug.formparser.default_stream_factory", lambda *a, **k: kept.append(a) or BytesIO()
    )
    for path in ("/sign-in", "/take-part/nobody/entries", "/welcome/nobody", "/studies"):
        photo = {"photo": (BytesIO(bytes(STRANGERS_BYTES)), "photo.jpg")}
        answer = app.test_client().post(path, data=photo, headers=JSON)
        assert answer.status_code in (401, 413)
    assert not kept
