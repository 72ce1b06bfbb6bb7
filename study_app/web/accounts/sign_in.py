"""Signing in, and choosing a password with a one-time link."""

import time

from flask import (
    Blueprint,
    abort,
    current_app,
    jsonify,
    redirect,
    render_template,
    request,
    send_file,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import generate_csrf
from sqlalchemy.orm import Session

from study_app.accounts import members, passwords, researchers
from study_app.accounts.login_throttle import Throttled
from study_app.accounts.passwords import PasswordRefused
from study_app.accounts.researchers import NameMissing, NameMixed, NameTaken, WrongPassword
from study_app.core.database import db, writing
from study_app.models import Researcher, SignInLink
from study_app.operations.certificates import authority_path
from study_app.web.accounts import device_cookie
from study_app.web.security.security import (
    current_researcher,
    end_session,
    login_throttle,
    signed_in_researcher,
    start_session,
)
from study_app.web.shared.forms import as_typed, sent_form

blueprint = Blueprint("sign_in", __name__)


@blueprint.get("/sign-in")
def page() -> ResponseReturnValue:
    """The sign-in form; a new installation says where its first link is."""
    return _form()


@blueprint.get("/token")
def token() -> ResponseReturnValue:
    """A new CSRF token, for a page that was open when its browser signed in again."""
    return jsonify(token=generate_csrf())


@blueprint.post("/sign-in")
def sign_in() -> ResponseReturnValue:
    """Check name and password, and go to the requested page; if they are refused, ask again."""
    name = sent_form().get("name", "")
    try:
        return _sign_in(name, as_typed("password"))
    except (WrongPassword, Throttled) as refusal:
        return _form(name=name, password_refusal=str(refusal)), refusal.status


@blueprint.get("/welcome/<token>")
def welcome(token: str) -> ResponseReturnValue:
    """Show the form of a one-time link."""
    return _welcome(token)


@blueprint.post("/welcome/<token>")
def choose_password(token: str) -> ResponseReturnValue:
    """Set the password with a one-time link; if it or the name is refused, ask again."""
    name = sent_form().get("name", "")
    try:
        return _choose(token, name, as_typed("password"))
    except PasswordRefused as refusal:
        return _welcome(token, name=name, password_refusal=str(refusal)), refusal.status
    except (NameMissing, NameMixed, NameTaken) as refusal:
        return _welcome(token, name=name, name_refusal=str(refusal)), refusal.status


@blueprint.post("/welcome/<token>/join")
def join(token: str) -> ResponseReturnValue:
    """Accept an invitation to a study with the signed-in account."""
    asking = signed_in_researcher()
    with writing() as transaction:
        link = researchers.open_link(transaction, token, lock=True)
        study_id = members.accept(transaction, link, asking)
    return redirect(url_for("studies.home", study_id=study_id))


@blueprint.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    """Sign out."""
    if current_researcher():
        with writing() as transaction:
            end_session(transaction)
    return redirect(url_for("sign_in.page"))


@blueprint.get("/authority.pem")
def authority() -> ResponseReturnValue:
    """The certificate of this installation's authority, for a phone to install."""
    path = authority_path(current_app.config["SETTINGS"].instance)
    if not path.exists():
        abort(404)
    return send_file(path, mimetype="application/x-x509-ca-cert")


def _form(**shown: str) -> str:
    anybody = researchers.anybody(db.session())
    return render_template("accounts/sign_in.html", anybody=anybody, **shown)


def _sign_in(name: str, password: str) -> ResponseReturnValue:
    source = device_cookie.source_of(name)
    login_throttle().begin(name, source)
    researcher = researchers.named(db.session(), name)
    cookie_key = researcher.cookie_key if researcher else ""
    matching = researchers.matches(db.session(), researcher, password)
    if researcher is None or not matching:
        raise WrongPassword()
    researchers.upgrade_hash(db.session(), researcher, password)
    target = inside(request.args.get("next", ""))
    with writing() as transaction:
        signed_in = transaction.get_one(Researcher, researcher.id)
        if signed_in.cookie_key != cookie_key:
            # The password was changed meanwhile: it may have been to keep this browser out.
            raise WrongPassword()
        if signed_in.totp_secret is not None:
            return _ask_for_code(transaction, signed_in, target)
        start_session(transaction, signed_in)
    login_throttle().succeeded(name, source)
    return device_cookie.mark(redirect(target), researcher.name)


def _welcome(token: str, **shown: str) -> str:
    link = researchers.open_link(db.session(), token)
    own_role = _own_role(link)
    return render_template(
        "accounts/welcome.html", token=token, link=link, own_role=own_role, **shown
    )


def _own_role(link: SignInLink) -> str | None:
    """The role that whoever opens an invitation has already."""
    asking = current_researcher()
    if link.study_id is None or asking is None:
        return None
    return members.role_of(db.session(), link.study_id, asking)


def _choose(token: str, name: str, password: str) -> ResponseReturnValue:
    """Go to the study of an invitation, or to all studies."""
    study_id = researchers.open_link(db.session(), token).study_id
    # No connection to the database is held meanwhile.
    db.session.rollback()
    password_hash = passwords.hashed(password)
    with writing() as transaction:
        researcher = researchers.use_link(transaction, token, name, password_hash)
        transaction.flush()
        start_session(transaction, researcher)
        name = researcher.name
    target = url_for("studies.home", study_id=study_id) if study_id else url_for("studies.page")
    return device_cookie.mark(redirect(target), name)


def _ask_for_code(transaction: Session, researcher: Researcher, target: str) -> ResponseReturnValue:
    """Note in the cookie whose one-time code is still needed."""
    end_session(transaction)
    session["waiting"] = [researcher.id, researcher.cookie_key, time.time(), target]
    return redirect(url_for(".code_page"))


def inside(target: str) -> str:
    """The path to go to, if it is on this site."""
    # Browsers drop tabs and line ends, and read a backslash as a slash.
    inside = target.isprintable() and target.startswith("/")
    inside = inside and not target.startswith(("//", "/\\"))
    return target if inside else url_for("studies.page")
