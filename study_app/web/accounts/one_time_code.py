"""The second step of a sign-in: a one-time code, after the correct password."""

from typing import Any

from flask import flash, redirect, render_template, session, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from study_app.accounts import one_time_codes
from study_app.accounts.login_throttle import Throttled
from study_app.accounts.one_time_codes import WrongCode
from study_app.accounts.researchers import SignInExpired
from study_app.core.clock import is_within
from study_app.core.database import writing
from study_app.models import Researcher
from study_app.web.accounts import device_cookie
from study_app.web.accounts.sign_in import blueprint
from study_app.web.security.security import login_throttle, start_session
from study_app.web.shared.forms import sent_form

WAITING_SECONDS = 600


@blueprint.get("/sign-in/code")
def code_page() -> ResponseReturnValue:
    """Ask for the code."""
    try:
        _waiting()
    except SignInExpired as refusal:
        return _begin_again(refusal)
    return render_template("accounts/one_time_code.html")


@blueprint.post("/sign-in/code")
def check_code() -> ResponseReturnValue:
    """Check the code, and sign in; if it is refused, ask again."""
    code = sent_form().get("code", "")
    try:
        return _sign_in(code)
    except SignInExpired as refusal:
        return _begin_again(refusal)
    except (WrongCode, Throttled) as refusal:
        page = render_template("accounts/one_time_code.html", code=code, code_refusal=str(refusal))
        return page, refusal.status


def _sign_in(code: str) -> ResponseReturnValue:
    researcher_id, cookie_key, target = _waiting()
    with writing() as transaction:
        locked = select(Researcher).where(Researcher.id == researcher_id).with_for_update()
        researcher = transaction.scalar(locked)
        name = researcher.name if researcher else ""
    source = device_cookie.source_of(name)
    login_throttle().begin(name, source)
    with writing() as transaction:
        researcher = transaction.scalar(locked)
        if researcher is None or researcher.cookie_key != cookie_key:
            raise SignInExpired()
        one_time_codes.use(transaction, researcher, code)
        start_session(transaction, researcher)
    login_throttle().succeeded(name, source)
    return device_cookie.mark(redirect(target), name)


def _begin_again(refusal: SignInExpired) -> ResponseReturnValue:
    """Go back to name and password, for the page that was asked for."""
    stored: Any = session.pop("waiting", None)
    if not stored:
        return redirect(url_for(".page"))
    flash(str(refusal))
    return redirect(url_for(".page", next=stored[3]))


def _waiting() -> tuple[int, str, str]:
    stored: Any = session.get("waiting")
    if not stored or not is_within(WAITING_SECONDS, stored[2]):
        raise SignInExpired()
    return stored[0], stored[1], stored[3]
