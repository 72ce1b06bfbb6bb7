"""One-time codes on the account page: turning them on and off, new recovery codes."""

import time
from typing import Any

from flask import flash, redirect, render_template, session, url_for
from flask.typing import ResponseReturnValue

from study_app.accounts import one_time_codes
from study_app.accounts.one_time_codes import WrongCode
from study_app.core.clock import is_within
from study_app.core.database import writing
from study_app.core.errors import NotFound
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.models import Researcher
from study_app.web.accounts.account import account_page, blueprint
from study_app.web.accounts.confirming import NOT_CONFIRMED, check_current_password
from study_app.web.security.security import signed_in_researcher
from study_app.web.shared.forms import sent_form
from study_app.web.shared.qr_code import qr_code

SHOWN_SECONDS = 15 * 60


@blueprint.get("/codes")
def codes() -> ResponseReturnValue:
    """Show a secret for the app, as a QR code and as text.

    It stays the same for a while, since a phone may load the page again after the app was open.
    Then it changes: somebody may have seen it at this browser.
    """
    if "totp_secret" not in session or not is_within(SHOWN_SECONDS, session["totp_shown"]):
        session["totp_secret"], session["totp_shown"] = one_time_codes.new_secret(), time.time()
    return _form(session["totp_secret"])


@blueprint.post("/codes")
def turn_on_codes() -> ResponseReturnValue:
    """Turn on one-time codes after a first correct code; show the recovery codes.

    If the code or the password is refused, the form is shown again with the same secret.
    """
    secret = session.get("totp_secret")
    if secret is None:
        raise NotFound(rtranslatable("secret"), "")
    code = sent_form().get("code", "").strip()
    try:
        recovery = _turn_on(secret, code)
    except WrongCode as refusal:
        return _form(secret, code=code, code_refusal=str(refusal)), refusal.status
    except NOT_CONFIRMED as refusal:
        return _form(secret, code=code, password_refusal=str(refusal)), refusal.status
    del session["totp_secret"], session["totp_shown"]
    return render_template("accounts/recovery.html", recovery=recovery)


@blueprint.post("/codes/recovery")
def renew_recovery_codes() -> ResponseReturnValue:
    """Show new recovery codes; the earlier ones become invalid."""
    try:
        check_current_password()
    except NOT_CONFIRMED as refusal:
        return account_page(codes=str(refusal)), refusal.status
    with writing() as transaction:
        asking = transaction.get_one(Researcher, signed_in_researcher().id)
        recovery = one_time_codes.renew_recovery_codes(transaction, asking)
    return render_template("accounts/recovery.html", recovery=recovery, are_renewed=True)


@blueprint.post("/codes/off")
def turn_off_codes() -> ResponseReturnValue:
    """Turn off one-time codes."""
    try:
        check_current_password()
    except NOT_CONFIRMED as refusal:
        return account_page(codes=str(refusal)), refusal.status
    with writing() as transaction:
        asking = transaction.get_one(Researcher, signed_in_researcher().id)
        one_time_codes.turn_off(transaction, asking)
    flash(rgettext("One-time codes are off."))
    return redirect(url_for(".page"))


def _turn_on(secret: str, code: str) -> list[str]:
    check_current_password()
    with writing() as transaction:
        asking = transaction.get_one(Researcher, signed_in_researcher().id)
        return one_time_codes.turn_on(transaction, asking, secret, code)


def _form(secret: str, **shown: Any) -> str:
    picture = qr_code(one_time_codes.address(signed_in_researcher(), secret))
    return render_template("accounts/codes.html", secret=secret, picture=picture, **shown)
