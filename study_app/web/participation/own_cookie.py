"""How a browser knows a platform's participant again: the platform's link itself is public."""

from flask import current_app, request
from werkzeug.wrappers import Response as BaseResponse

from study_app.participation.sittings.own_address import OwnTokens

COOKIE = "sketch_study_own_"
KEPT_SECONDS = 30 * 24 * 3600


def sent(own_tokens: OwnTokens) -> str:
    """The own token that this browser remembers of the person, or an empty text."""
    return request.cookies.get(_name(own_tokens), "") if own_tokens.person else ""


def keep(answer: BaseResponse, own_tokens: OwnTokens, token: str) -> BaseResponse:
    """Let the browser that gets this answer remember the own token, if a platform sent it."""
    if own_tokens.person:
        answer.set_cookie(
            _name(own_tokens),
            token,
            max_age=KEPT_SECONDS,
            path="/take-part",
            secure=current_app.config["SETTINGS"].https,
            httponly=True,
            samesite="Lax",
        )
    return answer


def _name(own_tokens: OwnTokens) -> str:
    # Signed: a browser that others use after them does not tell what the platform calls them.
    return COOKIE + own_tokens.signed("cookie", own_tokens.invitation.id, own_tokens.person)
