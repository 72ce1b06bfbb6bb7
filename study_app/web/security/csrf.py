"""Protection against forged requests: Flask-WTF's, quicker for the scripts of pages."""

import hmac
from functools import lru_cache

from flask import current_app, g, request, session
from flask_wtf.csrf import CSRFProtect
from itsdangerous import BadData, URLSafeTimedSerializer

HEADER = "X-CSRFToken"


class Protection(CSRFProtect):
    """Flask-WTF's protection, which is asked only if the header has no valid token.

    A page sends the same token with each save, so its signature is checked once. Tokens do not
    expire (`WTF_CSRF_TIME_LIMIT` is None); each is compared with its session every time.
    """

    def protect(self, apply_exemptions: bool = False) -> None:
        """Refuse a forged request."""
        token, own = request.headers.get(HEADER), session.get("csrf_token")
        if token and own and hmac.compare_digest(own, _signed(current_app.secret_key, token)):
            g.csrf_valid = True
        else:
            super().protect(apply_exemptions)


def _signed(secret_key: str | bytes | None, token: str) -> str:
    """The text that was signed as a token; empty if the signature is not valid."""
    try:
        return _verified(secret_key or b"", token)
    except BadData:
        return ""


@lru_cache(maxsize=4096)
def _verified(secret_key: str | bytes, token: str) -> str:
    return str(URLSafeTimedSerializer(secret_key, salt="wtf-csrf-token").loads(token))
