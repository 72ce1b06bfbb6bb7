"""Passkeys, with a small authenticator: replayed, forged and foreign responses fail."""

import hashlib
import json
import re
import secrets

import cbor2
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import bytes_to_base64url

from study_app.accounts import researchers
from study_app.accounts.passkeys import MOST_PASSKEYS
from study_app.core.database import db, writing
from study_app.models import AuditEntry, Passkey
from tests.app_fixtures import PASSWORD, Browser

ORIGIN = "http://localhost"
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


class Authenticator:
    """An authenticator with one passkey."""

    def __init__(self, host="localhost", origin=ORIGIN, flags=PRESENT | VERIFIED):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id, self.count = secrets.token_bytes(32), 0
        self.host, self.origin, self.flags = host, origin, flags

    def _data(self, kind, challenge):
        sent = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(sent).encode()

    def _head(self, flags):
        self.count += 1
        host = hashlib.sha256(self.host.encode()).digest()
        return host + bytes([flags]) + self.count.to_bytes(4, "big")

    def _sent(self, **response):
        name = bytes_to_base64url(self.id)
        sent = {field: bytes_to_base64url(value) for field, value in response.items()}
        return {"id": name, "rawId": name, "type": "public-key", "response": sent}

    def make(self, options):
        """The message of a browser for a new passkey."""
        point = self.key.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (point.x, point.y))
        key = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        head = self._head(self.flags | ATTESTED)
        data = head + bytes(16) + len(self.id).to_bytes(2, "big") + self.id + key
        attested = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._data("webauthn.create", options["challenge"])
        return self._sent(clientDataJSON=client, attestationObject=attested)

    def answer(self, options):
        """The message of a browser for signing in."""
        head = self._head(self.flags)
        client = self._data("webauthn.get", options["challenge"])
        signed = head + hashlib.sha256(client).digest()
        signature = self.key.sign(signed, ec.ECDSA(hashes.SHA256()))
        return self._sent(clientDataJSON=client, authenticatorData=head, signature=signature)


def begin(browser):
    return browser.post("/sign-in/passkey/options", json={}).json


def sign_in(browser, authenticator):
    return browser.post("/sign-in/passkey", json=authenticator.answer(begin(browser)))


def add(client):
    """An authenticator whose passkey Ada has added."""
    made = Authenticator()
    options = client.post("/account/passkeys/options", {"current": PASSWORD}).json
    assert options["rp"]["id"] == "localhost"
    assert options["authenticatorSelection"]["userVerification"] == "required"
    assert client.post("/account/passkeys", json=made.make(options)).status_code == 200
    return made


@pytest.fixture
def authenticator(client):
    return add(client)


def test_each_passkey_has_a_name_of_its_own_after_another_was_removed(app, client, authenticator):
    add(client)
    assert client.post("/account/passkeys/1/remove", {"current": PASSWORD}).status_code == 302
    add(client)
    with app.app_context():
        assert {one.name for one in db.session.query(Passkey)} == {"Passkey 2", "Passkey 3"}


def test_the_account_page_says_when_each_passkey_was_last_used(app, client, authenticator):
    add(client)
    assert "last used" not in client.get("/account/").text
    sign_in(Browser(app), authenticator)
    shown = re.findall(
        r"<span>(Passkey .*?)</span>", " ".join(client.get("/account/").text.split())
    )
    assert ["last used" in one for one in shown] == [True, False]


def test_a_passkey_signs_in_until_it_is_removed(app, client, authenticator):
    browser = Browser(app)
    assert sign_in(browser, authenticator).json == {"location": "/"}
    assert "signed in as <strong>Ada</strong>" in " ".join(browser.get("/account/").text.split())
    assert client.post("/account/passkeys/1/remove", {"current": PASSWORD}).status_code == 302
    assert sign_in(Browser(app), authenticator).status_code == 403
    assert client.post("/account/passkeys/1/remove", {"current": PASSWORD}).status_code == 404


def test_removing_a_passkey_needs_the_password(app, client, authenticator):
    for form in ({}, {"current": "not this one"}):
        refused = client.post("/account/passkeys/1/remove", form)
        assert refused.status_code == 403 and "not this one" not in refused.text
        field = re.search(r"<input[^>]*aria-invalid[^>]*>", refused.text)[0]
        assert 'aria-describedby="passkey-refusal"' in field and "autofocus" in field
        shown = re.search(r'id="passkey-refusal"[^>]*>([^<]+)', refused.text)
        assert "not your current password" in shown[1] and "hidden" not in shown[0]
    assert client.get("/account/passkeys/1/remove").location == "/account/"
    assert sign_in(Browser(app), authenticator).status_code == 200


def test_a_password_link_deletes_passkeys_and_a_password_change_lists_them(
    app, client, authenticator
):
    changed = {"current": PASSWORD, "password": "another long one"}
    assert (
        "passkeys can still sign in"
        in client.post("/account/password", changed, follow_redirects=True).text
    )
    assert sign_in(Browser(app), authenticator).status_code == 200
    with app.app_context(), writing() as session:
        token = researchers.make_link(session, "Ada")
    assert "passkeys deleted" in Browser(app).get(f"/welcome/{token}").text
    # Nothing is deleted by looking at the link.
    assert sign_in(Browser(app), authenticator).status_code == 200
    new = {"password": "a third long one"}
    assert Browser(app).post(f"/welcome/{token}", new).status_code == 302
    assert sign_in(Browser(app), authenticator).status_code == 403
    with app.app_context():
        newest = db.session.query(AuditEntry).filter_by(subject="passkey", action="deleted")
        assert newest.count() == 1 and db.session.query(Passkey).count() == 0


def test_adding_a_passkey_needs_the_password(client):
    refused = client.post("/account/passkeys/options", {"current": "a guess at it"})
    assert refused.status_code == 403
    assert client.post("/account/passkeys", json={}).status_code == 403


def test_a_challenge_for_signing_in_adds_no_passkey(app, client):
    """At an unattended browser, anybody gets one without the password."""
    message = Authenticator().make(begin(client))
    assert client.post("/account/passkeys", json=message).status_code == 403
    with app.app_context():
        assert db.session.query(Passkey).count() == 0


def test_one_passkey_too_many_is_refused_with_the_limit_and_the_remedy(app, client):
    while_allowed = client.post("/account/passkeys/options", {"current": PASSWORD}).json
    message = Authenticator().make(while_allowed)
    with client._client.session_transaction() as session:
        challenge = session["challenge"]
    for _ in range(MOST_PASSKEYS):
        add(client)
    script = {"headers": {"Accept": "application/json"}}
    before = client.post("/account/passkeys/options", {"current": PASSWORD}, **script)
    with client._client.session_transaction() as session:
        session["challenge"] = challenge
    after = client.post("/account/passkeys", json=message)
    for refused in (before, after):
        assert refused.status_code == 409
        assert "has 20 passkeys, the maximum. Remove one" in refused.json["error"]


def test_an_answer_to_a_challenge_works_once_with_any_cookie(app, authenticator):
    browser = Browser(app)
    answer = authenticator.answer(begin(browser))
    cookies = dict(browser._client._cookies)
    assert browser.post("/sign-in/passkey", json=answer).status_code == 200
    thief = Browser(app)
    thief._client._cookies = cookies
    thief._token = browser._token
    assert thief.post("/sign-in/passkey", json=answer).status_code in (400, 403)
    assert thief.get("/account/").status_code == 302
    assert browser.post("/sign-in/passkey", json=answer).status_code in (400, 403)


@pytest.mark.parametrize(
    "change",
    [
        {"origin": "http://localhost.example.org"},
        {"host": "example.org"},
        {"flags": PRESENT},
        {"key": ec.generate_private_key(ec.SECP256R1())},
        {"count": -2},
        {"id": b"another"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_does_not_fit_is_refused(app, authenticator, change):
    vars(authenticator).update(change)
    if "count" in change:
        # A copy of the device is behind the count that was seen last.
        vars(authenticator)["count"] = 0
        with app.app_context():
            db.session.query(Passkey).update({"sign_count": 9})
            db.session.commit()
    browser = Browser(app)
    assert sign_in(browser, authenticator).status_code == 403
    assert browser.get("/").status_code == 302


def test_a_passkey_of_another_host_name_is_refused(app, authenticator):
    browser = Browser(app)
    other = {"base_url": "http://other.example"}
    token = browser.get("/token", **other).json["token"]
    options = browser.post(
        "/sign-in/passkey/options", json={}, headers={"X-CSRFToken": token}, **other
    ).json
    assert options["rpId"] == "other.example"
    authenticator.host, authenticator.origin = "other.example", "http://other.example"
    answer = browser.post(
        "/sign-in/passkey",
        json=authenticator.answer(options),
        headers={"X-CSRFToken": token},
        **other,
    )
    assert answer.status_code == 403


def test_failed_passwords_do_not_block_passkeys(app, authenticator):
    stranger = Browser(app)
    refused = [stranger.post("/sign-in/passkey", json={"id": "guess"}) for _ in range(8)]
    assert {answer.status_code for answer in refused} == {403, 429}
    assert sign_in(Browser(app), authenticator).status_code == 200


@pytest.mark.parametrize("message", [[], {}, {"id": 5}, {"id": "x" * 30_000}, "text"])
def test_malformed_passkey_messages(app, client, message):
    browser = Browser(app)
    begin(browser)
    assert browser.post("/sign-in/passkey", json=message).status_code == 403
    assert browser.post("/sign-in/passkey", json={}).status_code == 403
    client.post("/account/passkeys/options", {"current": PASSWORD})
    assert client.post("/account/passkeys", json=message).status_code == 403


def test_a_second_passkey_and_a_duplicate(client, authenticator):
    options = client.post("/account/passkeys/options", {"current": PASSWORD}).json
    assert len(options["excludeCredentials"]) == 1
    assert client.post("/account/passkeys", json=authenticator.make(options)).status_code == 403
    options = client.post("/account/passkeys/options", {"current": PASSWORD}).json
    assert client.post("/account/passkeys", json=Authenticator().make(options)).status_code == 200
    assert "Passkey 2 for localhost" in client.get("/account/").text
