"""A device cookie: failed sign-ins from elsewhere do not lock out a browser that has signed in."""

import secrets

from flask import current_app, request
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.wrappers import Response

from study_app.accounts.login_throttle import Source
from study_app.web.security.sessions import is_https

KEPT_SECONDS = 365 * 24 * 3600


def source_of(name: str) -> Source:
    """The source of an attempt: this browser if it has signed in with the name, else an address."""
    try:
        known_name, browser = _signer().loads(request.cookies.get(cookie_name(), ""))
    except (BadSignature, ValueError, TypeError):
        return Source.of_address(request.remote_addr)
    if known_name != name.strip():
        return Source.of_address(request.remote_addr)
    return Source(f"browser {browser}", known=True)


def mark(answer: Response, name: str) -> Response:
    """Set the device cookie for a name; it does not sign in by itself."""
    if not source_of(name).known:
        answer.set_cookie(
            cookie_name(),
            _signer().dumps([name, secrets.token_hex(8)]),
            max_age=KEPT_SECONDS,
            secure=is_https(),
            httponly=True,
            samesite="Lax",
        )
    return answer


def cookie_name() -> str:
    """The name of the cookie, which differs from those of other installations on this host."""
    return f"{current_app.config['SESSION_COOKIE_NAME']}_known"


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="known browser")
