"""The account page: changing the password, and signing out everywhere."""

from flask import Blueprint, flash, redirect, render_template, session, url_for
from flask.typing import ResponseReturnValue

from study_app.accounts import one_time_codes, passkeys, passwords, researchers
from study_app.accounts.audit import entries
from study_app.core.database import db, writing
from study_app.core.text.languages import rgettext
from study_app.models import Researcher
from study_app.web.accounts.confirming import NOT_CONFIRMED, check_current_password
from study_app.web.security.security import signed_in_researcher, start_session
from study_app.web.shared.forms import as_typed

blueprint = Blueprint("account", __name__, url_prefix="/account")

LINES_SHOWN = 20


@blueprint.get("/")
def page() -> ResponseReturnValue:
    """The account page of the signed-in researcher."""
    return account_page()


@blueprint.get("/password")
@blueprint.get("/codes/off")
@blueprint.get("/codes/recovery")
@blueprint.get("/passkeys/<int:passkey_id>/remove")
def back(**_named: int) -> ResponseReturnValue:
    """Go to the account page, from the address that a browser shows after a refusal."""
    return redirect(url_for(".page"))


@blueprint.post("/password")
def change_password() -> ResponseReturnValue:
    """Change the password; this browser stays signed in, all others are signed out."""
    try:
        asking = check_current_password()
        password_hash = passwords.hashed(as_typed("password"))
    except NOT_CONFIRMED as refusal:
        return account_page(change_password=str(refusal)), refusal.status
    except passwords.PasswordRefused as refusal:
        return account_page(new_password=str(refusal)), refusal.status
    with writing() as transaction:
        changed = transaction.get_one(Researcher, asking.id)
        researchers.set_password(transaction, changed, password_hash)
        start_session(transaction, changed)
        keep = len(passkeys.passkeys_of(transaction, changed))
    flash(rgettext("Password changed. All other browsers are signed out."))
    if keep:
        flash(rgettext("Your passkeys can still sign in. Remove any that you don't recognize."))
    return redirect(url_for(".page"))


def account_page(**refusals: str) -> str:
    """The account page, with refusals by the name of their form or field."""
    asking = signed_in_researcher()
    return render_template(
        "accounts/account.html",
        passkeys=passkeys.passkeys_of(db.session(), asking),
        codes_left=one_time_codes.recovery_codes_left(db.session(), asking),
        lines=entries.own_lines(db.session(), asking.id, LINES_SHOWN),
        refusals=refusals,
    )


@blueprint.post("/sign-out")
def sign_out_everywhere() -> ResponseReturnValue:
    """End all sign-ins, including this one."""
    asking = signed_in_researcher().id
    with writing() as transaction:
        researchers.sign_out_everywhere(transaction, transaction.get_one(Researcher, asking))
    session.clear()
    return redirect(url_for("sign_in.page"))
