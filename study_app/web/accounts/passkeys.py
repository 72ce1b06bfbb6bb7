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
from study_app.web.accounts.confirming import (
    NOT_CONFIRMED,
    check_current_password,
    note_confirmed,
)
from study_app.web.security.security import login_throttle, signed_in_researcher, start_session


@sign_in.blueprint.post("/sign-in/passkey/options")
def request_options() -> ResponseReturnValue:
    """Options for signing in with a passkey of this site."""
    return _options("request", *passkeys.request(_site()))


@sign_in.blueprint.post("/sign-in/passkey")
def sign_in_with_passkey() -> ResponseReturnValue:
    """Sign in with a passkey, without name, password or one-time code."""
    # Counted by passkey, so that failed attempts do not lock out other passkeys.
    sent = request.get_json()
    passkey = str(sent.get("id")) if isinstance(sent, dict) else ""
    source = device_cookie.source_of("")
    login_throttle().begin(passkey, source)
    challenge = _challenge("request")
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
    check_current_password()
    with writing() as transaction:
        researcher = transaction.get_one(Researcher, signed_in_researcher().id)
        return _options("creation", *passkeys.creation(transaction, researcher, _site()))


@account.blueprint.post("/passkeys")
def add_passkey() -> ResponseReturnValue:
    """Store the passkey that the browser created."""
    challenge = _challenge("creation")
    with writing() as transaction:
        researcher = transaction.get_one(Researcher, signed_in_researcher().id)
        passkeys.add(transaction, researcher, request.get_json(), challenge, _site())
    flash(rgettext("Passkey added."))
    return jsonify(location=url_for("account.page"))


@account.blueprint.post("/passkeys/<int:passkey_id>/remove")
def remove_passkey(passkey_id: int) -> ResponseReturnValue:
    """Delete a passkey, after checking the password."""
    try:
        check_current_password()
    except NOT_CONFIRMED as refusal:
        return account.account_page(passkeys=str(refusal)), refusal.status
    with writing() as transaction:
        researcher = transaction.get_one(Researcher, signed_in_researcher().id)
        passkeys.remove(transaction, researcher, passkey_id)
    flash(
        rgettext(
            "Passkey removed. Browsers that signed in with it stay signed in; if you lost the "
            "device, sign out everywhere."
        )
    )
    return redirect(url_for("account.page"))


@account.blueprint.post("/confirm")
def confirm_with_passkey() -> ResponseReturnValue:
    """Confirm with an own passkey, instead of the password, that it is still the researcher."""
    challenge, asking = _challenge("request"), signed_in_researcher().id
    with writing() as transaction:
        if passkeys.owner(transaction, request.get_json(), challenge, _site()).id != asking:
            raise PasskeyRefused()
    note_confirmed()
    return jsonify(location=None)


def _options(ceremony: str, options: str, challenge: bytes) -> ResponseReturnValue:
    session["challenge"] = [bytes_to_base64url(challenge), time.time(), ceremony]
    return current_app.response_class(options, mimetype="application/json")


def _challenge(ceremony: str) -> bytes:
    """The challenge of this browser, removed from its cookie.

    That of a request, which anybody gets, adds no passkey.
    """
    stored: Any = session.pop("challenge", None)
    if not stored or stored[2:] != [ceremony] or not is_within(CHALLENGE_SECONDS, stored[1]):
        raise PasskeyRefused()
    return base64url_to_bytes(stored[0])


def _site() -> Site:
    """Host and origin of the request."""
    return Site(urlsplit(request.host_url).hostname or "", request.host_url.rstrip("/"))
