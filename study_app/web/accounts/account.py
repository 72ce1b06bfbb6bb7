"""The page of the researcher who is signed in: another password, and signing out everywhere."""

from flask import Blueprint, flash, redirect, render_template, request, session, url_for

from study_app.accounts import researchers
from study_app.core.database import writing
from study_app.models import Researcher
from study_app.web.accounts import device_cookie
from study_app.web.security import attempts, current_researcher, remember

blueprint = Blueprint("account", __name__, url_prefix="/account")


@blueprint.get("/")
def page():
    """What can be changed of one's own sign-in."""
    return render_template("accounts/account.html")


@blueprint.post("/password")
def change_password():
    """Choose another password; this browser stays signed in, every other is signed out."""
    asking = current_researcher()
    place = device_cookie.place_of(asking.name)
    attempts().begin(asking.name, place)
    if not researchers.matches(asking, request.form.get("current", "")):
        raise researchers.WrongCurrentPassword()
    attempts().succeeded(asking.name, place)
    password_hash = researchers.hashed(request.form.get("password", ""))
    with writing() as transaction:
        changed = transaction.get(Researcher, asking.id)
        researchers.set_password(transaction, changed, password_hash)
        remember(changed)
    flash("Password changed. All other browsers are signed out.")
    return redirect(url_for(".page"))


@blueprint.post("/sign-out")
def sign_out_everywhere():
    """End every sign-in, this one too."""
    asking = current_researcher().id
    with writing() as transaction:
        researchers.sign_out_everywhere(transaction, transaction.get(Researcher, asking))
    session.clear()
    return redirect(url_for("sign_in.page"))
