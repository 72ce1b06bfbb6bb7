"""Confirming that it is still the researcher who uses a browser: it may be unattended.

Changes of how a researcher signs in ask for the password in their form. Changes of who has access,
and the deletion of a study, ask for it, or for a passkey, on a page of their own, unless one of
them was used here shortly before. Leaving a study and cancelling an invitation do not ask: they
only take access away, and others can give it again.
"""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from flask import render_template, session
from flask.typing import ResponseReturnValue

from study_app.accounts import researchers
from study_app.accounts.login_throttle import Throttled
from study_app.accounts.researchers import WrongCurrentPassword
from study_app.core.clock import is_within
from study_app.core.database import db
from study_app.models import Researcher
from study_app.web.accounts import device_cookie
from study_app.web.security.security import CONFIRMED, login_throttle, signed_in_researcher
from study_app.web.shared.forms import as_typed, sent_form

View = TypeVar("View", bound=Callable[..., Any])
FRESH_SECONDS = 15 * 60
# The fields of the page that asks.
OWN_FIELDS = {"csrf_token", "current", "username"}
# Refusals of `check_current_password`.
NOT_CONFIRMED = (WrongCurrentPassword, Throttled)


def check_current_password() -> Researcher:
    """The signed-in researcher, after checking the password in the form.

    Raises
    ------
    WrongCurrentPassword, Throttled
    """
    asking = signed_in_researcher()
    source = device_cookie.source_of(asking.name)
    login_throttle().begin(asking.name, source)
    if not researchers.matches(db.session(), asking, as_typed("current")):
        raise WrongCurrentPassword()
    login_throttle().succeeded(asking.name, source)
    note_confirmed()
    return asking


def note_confirmed() -> None:
    """Note that the researcher has just used the password or a passkey on this browser."""
    session[CONFIRMED] = time.time()


def confirmed(button: str, deed: Callable[..., str]) -> Callable[[View], View]:
    """Declare that a route asks for the password, or a passkey, since it cannot be undone.

    Parameters
    ----------
    button : str
        What the route does, as on the button of the page that asks.
    deed : callable
        Gives the same in a sentence with the names of whom and what it changes, from the values in
        the address.

    Examples
    --------
    >>> @blueprint.post("/<int:researcher_id>/hand-over")  # doctest: +SKIP
    ... @needs("own")
    ... @confirmed(rtranslatable("Hand over study"), _handing_over)
    ... def hand_over(study_id, researcher_id): ...
    """

    def declared(view: View) -> View:
        @wraps(view)
        def asked(**named: Any) -> ResponseReturnValue:
            if is_within(FRESH_SECONDS, session.get(CONFIRMED, 0)):
                return view(**named)
            if "current" not in sent_form():
                return _page(button, deed(**named)), 403
            try:
                check_current_password()
            except NOT_CONFIRMED as refusal:
                page = _page(button, deed(**named), password_refusal=str(refusal))
                return page, refusal.status
            return view(**named)

        return asked  # type: ignore[return-value]

    return declared


def _page(button: str, deed: str, **shown: str) -> str:
    """The page that asks, with what the form sent; its own form goes to the same address."""
    sent = sent_form()
    kept = [(name, sent[name]) for name in sent if name not in OWN_FIELDS]
    return render_template(
        "accounts/confirm.html",
        button=button,
        deed=deed,
        kept=kept,
        minutes=FRESH_SECONDS // 60,
        **shown,
    )
