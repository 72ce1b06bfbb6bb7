"""A cookie by which a browser remembers a platform's participant: the platform's link is public."""

from flask import request
from werkzeug.wrappers import Response as BaseResponse

from study_app.participation.sittings.own_address import OwnTokens
from study_app.web.security.sessions import is_https

COOKIE = "sketch_study_own_"
KEPT_SECONDS = 30 * 24 * 3600


def sent(own_tokens: OwnTokens) -> str:
    """The own token in this browser's cookie, or an empty string."""
    return request.cookies.get(_name(own_tokens), "") if own_tokens.person else ""


def set_on(answer: BaseResponse, own_tokens: OwnTokens, token: str) -> BaseResponse:
    """Set the cookie with the own token, for participants from a platform."""
    if own_tokens.person:
        answer.set_cookie(
            _name(own_tokens),
            token,
            max_age=KEPT_SECONDS,
            path="/take-part",
            secure=is_https(),
            httponly=True,
            samesite="Lax",
        )
    return answer


def _name(own_tokens: OwnTokens) -> str:
    # Signed, so that later users of the browser cannot read the platform ID.
    return COOKIE + own_tokens.signed("cookie", own_tokens.invitation.id, own_tokens.person)
