"""Signing in with a passkey, and adding one: each takes two requests, with a challenge."""

import time
from typing import Any
from urllib.parse import urlsplit

from flask import current_app, flash, jsonify, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from webauthn import base64url_to_bytes
from webauthn.helpers import bytes_to_base64url

from study_app.accounts import passkeys
from study_app.accounts.passkeys import CHALLENGE_SECONDS, PasskeyRefused, Site
from study_app.core.clock import is_within
from study_app.core.database import writing
from study_app.core.text.languages import rgettext
from study_app.models import Researcher
from study_app.web.accounts import account, device_cookie, sign_in
from study_app.web.security.security import login_throttle, signed_in_researcher, start_session


@sign_in.blueprint.post("/sign-in/passkey/options")
def request_options() -> ResponseReturnValue:
    """Options for signing in with a passkey of this site."""
    return _options(*passkeys.request(_site()))


@sign_in.blueprint.post("/sign-in/passkey")
def sign_in_with_passkey() -> ResponseReturnValue:
    """Sign in with a passkey, without name, password or one-time code."""
    # Counted by passkey, so that failed attempts do not lock out other passkeys.
    sent = request.get_json()
    passkey = str(sent.get("id")) if isinstance(sent, dict) else ""
    source = device_cookie.source_of("")
    login_throttle().begin(passkey, source)
    challenge = _challenge()
    with writing() as transaction:
        researcher = passkeys.owner(transaction, sent, challenge, _site())
        start_session(transaction, researcher)
        name = researcher.name
    login_throttle().succeeded(passkey, source)
    target = sign_in.inside(request.args.get("next", ""))
    return device_cookie.mark(jsonify(location=target), name)


@account.blueprint.post("/passkeys/options")
def creation_options() -> ResponseReturnValue:
    """Options for creating a passkey, after checking the password."""
    account.check_current_password()
    with writing() as transaction:
        researcher = transaction.get_one(Researcher, signed_in_researcher().id)
        return _options(*passkeys.creation(transaction, researcher, _site()))


@account.blueprint.post("/passkeys")
def add_passkey() -> ResponseReturnValue:
    """Store the passkey that the browser created."""
    challenge = _challenge()
    with writing() as transaction:
        researcher = transaction.get_one(Researcher, signed_in_researcher().id)
        passkeys.add(transaction, researcher, request.get_json(), challenge, _site())
    flash(rgettext("Passkey added."))
    return jsonify(location=url_for("account.page"))


@account.blueprint.post("/passkeys/<int:passkey_id>/remove")
def remove_passkey(passkey_id: int) -> ResponseReturnValue:
    """Delete a passkey."""
    with writing() as transaction:
        researcher = transaction.get_one(Researcher, signed_in_researcher().id)
        passkeys.remove(transaction, researcher, passkey_id)
    flash(rgettext("Passkey removed."))
    return redirect(url_for("account.page"))


def _options(options: str, challenge: bytes) -> ResponseReturnValue:
    session["challenge"] = [bytes_to_base64url(challenge), time.time()]
    return current_app.response_class(options, mimetype="application/json")


def _challenge() -> bytes:
    """The challenge of this browser, removed from its cookie."""
    stored: Any = session.pop("challenge", None)
    if not stored or not is_within(CHALLENGE_SECONDS, stored[1]):
        raise PasskeyRefused()
    return base64url_to_bytes(stored[0])


def _site() -> Site:
    """Host and origin of the request."""
    return Site(urlsplit(request.host_url).hostname or "", request.host_url.rstrip("/"))
