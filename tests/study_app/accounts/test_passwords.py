"""Passwords are Argon2id; those of earlier versions still open, and are replaced at a sign-in."""

import pytest
from werkzeug.security import generate_password_hash

from study_app.accounts import passwords
from study_app.core.database import db, writing
from study_app.models import Researcher
from tests.app_fixtures import PASSWORD


def test_passwords_are_stored_as_argon2id_with_owasp_memory():
    stored = passwords.hashed(PASSWORD)
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert passwords.matches(stored, PASSWORD) and not passwords.matches(stored, "another one")
    assert not passwords.is_outdated(stored)
    assert not passwords.matches(None, PASSWORD) and not passwords.matches("nonsense", PASSWORD)


@pytest.mark.parametrize("password", ["", "nine char", "x" * 1001])
def test_the_length_of_a_password_is_limited(password):
    with pytest.raises(passwords.PasswordRefused, match="at least 10"):
        passwords.hashed(password)


@pytest.mark.parametrize("method", ["scrypt:1024:8:1", "pbkdf2:sha256:1000"])
def test_an_outdated_hash_is_accepted_and_replaced(app, client, method):
    client.post("/sign-out")
    with app.app_context(), writing() as session:
        ada = session.query(Researcher).one()
        ada.password_hash = generate_password_hash(PASSWORD, method=method)
        assert passwords.is_outdated(ada.password_hash)
    assert client.post("/sign-in", {"name": "Ada", "password": "wrong one"}).status_code == 403
    assert client.post("/sign-in", {"name": "Ada", "password": PASSWORD}).status_code == 302
    with app.app_context():
        assert db.session.query(Researcher).one().password_hash.startswith("$argon2id$")
    client.post("/sign-out")
    assert client.post("/sign-in", {"name": "Ada", "password": PASSWORD}).status_code == 302
