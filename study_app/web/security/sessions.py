"""Session cookies that tolerate clock rollback, and whose signature is checked once."""

from functools import lru_cache

from flask import Flask, Request, current_app, request
from flask.sessions import (
    SecureCookieSession,
    SecureCookieSessionInterface,
    session_json_serializer,
)
from itsdangerous import BadSignature, URLSafeTimedSerializer

from study_app.models import now


def is_https() -> bool:
    """Whether the browser uses HTTPS, of this server or of a proxy."""
    return current_app.config["SETTINGS"].https or request.is_secure


class SessionInterface(SecureCookieSessionInterface):
    """The usual signed cookies; one from the future is accepted, so that people stay signed in."""

    def __init__(self) -> None:
        self._serializers: dict[str | bytes | None, URLSafeTimedSerializer | None] = {}

    def get_cookie_secure(self, app: Flask) -> bool:
        """Whether the browser may send the cookie over HTTPS only."""
        return is_https()

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """The serializer that signs and checks cookies; built once."""
        if app.secret_key not in self._serializers:
            self._serializers[app.secret_key] = super().get_signing_serializer(app)
        return self._serializers[app.secret_key]

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session of a request's cookie; an empty one if it is not valid, or too old."""
        serializer = self.get_signing_serializer(app)
        if serializer is None:
            return None
        try:
            cookie = request.cookies.get(self.get_cookie_name(app), "")
            text, signed_at = _opened(serializer, cookie)
        except BadSignature:
            return self.session_class()
        if now().timestamp() - signed_at > app.permanent_session_lifetime.total_seconds():
            return self.session_class()
        return self.session_class(session_json_serializer.loads(text))


@lru_cache(maxsize=1024)
def _opened(serializer: URLSafeTimedSerializer, cookie: str) -> tuple[str, float]:
    """What a cookie holds, as JSON, and when it was signed; a browser sends it again and again."""
    content, signed_at = serializer.loads(cookie, return_timestamp=True)
    return session_json_serializer.dumps(content), signed_at.timestamp()
