"""One-time codes on the page of one's account: turned on with an app, turned off, renewed."""

from flask import flash, redirect, render_template, session, url_for
from flask.typing import ResponseReturnValue

from study_app.accounts import one_time_codes, researchers
from study_app.core.database import writing
from study_app.core.errors import NotFound
from study_app.models import Researcher
from study_app.web.accounts import device_cookie
from study_app.web.accounts.account import blueprint
from study_app.web.forms import as_typed, sent_form
from study_app.web.qr_code import qr_code
from study_app.web.security import attempts, signed_in_researcher


@blueprint.get("/codes")
def codes() -> ResponseReturnValue:
    """Show a secret for the app, as a QR code and as text."""
    secret = session.setdefault("totp_secret", one_time_codes.new_secret())
    address = one_time_codes.address(signed_in_researcher(), secret)
    return render_template("accounts/codes.html", secret=secret, picture=qr_code(address))


@blueprint.post("/codes")
def turn_on_codes() -> ResponseReturnValue:
    """Ask for a code at each sign-in, once the app has shown one; show the recovery codes."""
    secret = session.get("totp_secret")
    if secret is None:
        raise NotFound("secret", "")
    _check_password()
    with writing() as transaction:
        asking = transaction.get_one(Researcher, signed_in_researcher().id)
        code = sent_form().get("code", "").strip()
        recovery = one_time_codes.turn_on(transaction, asking, secret, code)
    del session["totp_secret"]
    return render_template("accounts/recovery.html", recovery=recovery)


@blueprint.post("/codes/recovery")
def renew_recovery_codes() -> ResponseReturnValue:
    """Show new recovery codes; the earlier ones end."""
    _check_password()
    with writing() as transaction:
        asking = transaction.get_one(Researcher, signed_in_researcher().id)
        recovery = one_time_codes.renew_recovery_codes(transaction, asking)
    return render_template("accounts/recovery.html", recovery=recovery)


@blueprint.post("/codes/off")
def turn_off_codes() -> ResponseReturnValue:
    """Let the password alone sign in."""
    _check_password()
    with writing() as transaction:
        asking = transaction.get_one(Researcher, signed_in_researcher().id)
        one_time_codes.turn_off(transaction, asking)
    flash("One-time codes are off.")
    return redirect(url_for(".page"))


def _check_password() -> None:
    """Somebody at an unattended browser does not know it."""
    asking = signed_in_researcher()
    place = device_cookie.place_of(asking.name)
    attempts().begin(asking.name, place)
    if not researchers.matches(asking, as_typed("current")):
        raise researchers.WrongCurrentPassword()
    attempts().succeeded(asking.name, place)
