"""Signed links: the platform's signature is required, and opens the sitting on any device."""

import base64
import http.server
import json
import threading
import time

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256

from study_app.core.database import connections
from study_app.participation.platforms.platforms import PROLIFIC_SECURED, PlatformVisit
from study_app.participation.platforms.signed_links import ISSUER, PublicKeys, refuse_unsigned
from study_app.participation.refusals import KeysUnavailable, SignatureMissing
from tests.app_fixtures import Browser
from tests.ranking_setup import make_link

HERE = "http://localhost"
IDS = {"PROLIFIC_PID": "pid-1", "STUDY_ID": "st-1", "SESSION_ID": "se-1"}
QUERY = "?PROLIFIC_PID=pid-1&STUDY_ID=st-1&SESSION_ID=se-1&prolific_token="


def _encoded(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class Signer:
    """A platform with a key of its own."""

    def __init__(self, kid):
        self.kid = kid
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        numbers = self.key.public_key().public_numbers()
        self.public = {
            "kty": "RSA",
            "kid": kid,
            "alg": "RS256",
            "n": _encoded(numbers.n.to_bytes(256, "big")),
            "e": _encoded(numbers.e.to_bytes(3, "big")),
        }

    def token(self, header=None, **claims):
        """A token of half an hour for the person of `IDS`; `claims` differ from it."""
        claimed = {"iss": ISSUER, "aud": HERE, "exp": time.time() + 1800, "prolific": IDS, **claims}
        header = {"alg": "RS256", "kid": self.kid, **(header or {})}
        signed = ".".join(_encoded(json.dumps(part).encode()) for part in (header, claimed))
        signature = self.key.sign(signed.encode(), PKCS1v15(), SHA256())
        return f"{signed}.{_encoded(signature)}"


@pytest.fixture(scope="module")
def signer():
    return Signer("one")


VISIT = PlatformVisit(PROLIFIC_SECURED, *IDS.values())


def _refuse(token, keys, visit=VISIT, address=f"{HERE}/take-part/x/", now=None):
    refuse_unsigned(visit, token, address, keys, now or time.time())


def test_a_signed_link_is_accepted(signer):
    _refuse(signer.token(), [signer.public])
    _refuse(signer.token(aud=["https://other.example", f"{HERE}/take-part/x/"]), [signer.public])
    _refuse(signer.token(aud="localhost"), [signer.public])


@pytest.mark.parametrize(
    "changed",
    [
        {"exp": 0},
        {"exp": True},
        {"exp": "soon"},
        {"iss": "https://www.prolific.example"},
        {"aud": "https://other.example"},
        {"aud": f"{HERE}/take-part/another/"},
        {"aud": None},
        {"prolific": {**IDS, "PROLIFIC_PID": "pid-2"}},
        {"prolific": {**IDS, "SESSION_ID": "se-2"}},
        {"prolific": "pid-1"},
        {"header": {"alg": "none"}},
        {"header": {"alg": "HS256"}},
        {"header": {"kid": "another"}},
    ],
)
def test_a_signature_with_other_claims_is_refused(signer, changed):
    with pytest.raises(SignatureMissing):
        _refuse(signer.token(**changed), [signer.public])


NESTED = f"{_encoded(b'[' * 5900)}.b.c"


@pytest.mark.parametrize("token", ["", "a.b.c", "a.b", "é.é.é", "e30.e30.e30", "." * 9000, NESTED])
def test_invalid_tokens_are_refused(signer, token):
    with pytest.raises(SignatureMissing):
        _refuse(token, [signer.public, {"kty": "RSA"}, {}])


def test_a_token_changed_by_a_letter_or_signed_by_another_is_refused(signer):
    claimed, _, signature = signer.token().rpartition(".")
    for token in (f"{claimed}.{signature[::-1]}", Signer("one").token()):
        with pytest.raises(SignatureMissing):
            _refuse(token, [signer.public])


@pytest.fixture
def served(signer):
    """The address of a key server, and the keys that it gives."""
    keys = [signer.public]

    class Answering(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            content = json.dumps({"keys": keys}).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments):
            """Be quiet."""

    server = http.server.HTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/", keys
    server.shutdown()
    server.server_close()
    thread.join()


def test_keys_are_fetched_if_missing_and_cached_during_outages(served, signer):
    address, listed = served
    clock = [1000.0]
    keys = PublicKeys(address, lambda: clock[0])
    assert keys.for_token(signer.token()) == listed
    newer = Signer("two")
    listed.append(newer.public)
    # At most once a minute, whatever the tokens.
    assert len(keys.for_token(newer.token())) == 1
    clock[0] += 61
    assert len(keys.for_token(newer.token())) == 2
    keys.address, clock[0] = "http://127.0.0.1:9/", clock[0] + 24 * 3600
    assert len(keys.for_token(signer.token())) == 2
    with pytest.raises(KeysUnavailable):
        PublicKeys("http://127.0.0.1:9/").for_token(signer.token())


class Watched(PublicKeys):
    """Notes whether the database is being written to while the keys are fetched."""

    def __init__(self, address, held):
        super().__init__(address)
        self.held = held

    def _fetch(self):
        self.held.append(connections._write_lock.locked())
        super()._fetch()


def test_a_secured_link_asks_for_the_signature_and_opens_the_same_sitting_anywhere(
    app, task_id, served, signer
):
    app.extensions["platform_keys"] = PublicKeys(served[0])
    link = f"/take-part/{make_link(app, task_id, 'prolific_secured')}/"
    assert Browser(app).get(link + QUERY).status_code == 403
    browser = Browser(app)
    page = browser.get(link + QUERY + signer.token()).get_data(as_text=True)
    assert 'name="prolific_token"' in page
    version = page.split('name="consent_text_id" value="')[1].split('"')[0]
    form = {**IDS, "consent_text_id": version, "agreed": "yes"}
    assert browser.post(link, form).status_code == 403
    # The keys are fetched before the transaction, so that others can write meanwhile.
    held = []
    app.extensions["platform_keys"] = Watched(served[0], held)
    begun = browser.post(link, {**form, "prolific_token": signer.token()}).headers["Location"]
    assert held == [False]
    elsewhere = Browser(app).get(link + QUERY + signer.token())
    assert elsewhere.headers["Location"] == begun.removesuffix("rank")
    assert Browser(app).get(link + QUERY).status_code == 403
