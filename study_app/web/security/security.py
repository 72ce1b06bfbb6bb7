"""Sign-in, request limits, and security headers."""

import hashlib
import time
from collections.abc import Callable
from typing import Any

from flask import (
    Flask,
    Request,
    Response,
    abort,
    current_app,
    g,
    redirect,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup
from sqlalchemy.orm import Session
from werkzeug.middleware.proxy_fix import ProxyFix

from study_app.accounts import sign_ins
from study_app.accounts.login_throttle import LoginThrottle
from study_app.accounts.sign_ins import SignedIn
from study_app.core import acting
from study_app.core.database import db
from study_app.models import Researcher
from study_app.web.security import phone
from study_app.web.security.csrf import Protection
from study_app.web.security.sessions import SessionInterface

# Blueprints without sign-in; each checks its own visitors.
OPEN_BLUEPRINTS = {"sign_in", "participation", "phones", "health"}
# Largest request from them: scores, answers, a password. Only researchers send files.
VISITOR_BYTES = 4 * 1024**2
# Largest request without files, which is in memory at once, and the most fields of a form: each
# costs time. A researcher may choose thousands of pictures.
FORM_BYTES = 16 * 1024**2
MOST_FIELDS, VISITOR_FIELDS = 20_000, 1_000

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "media-src 'self' blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

# How long browsers use HTTPS only.
HSTS_SECONDS = 30 * 24 * 3600

# When the password or a passkey was last used on this browser, in its cookie.
CONFIRMED = "confirmed_at"

SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}

csrf = Protection()


def init_app(app: Flask) -> None:
    """Register sign-in checks and headers for all pages."""
    settings = app.config["SETTINGS"]
    app.config.update(
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        # Two installations on one machine, on different ports, share a browser's cookies.
        SESSION_COOKIE_NAME=f"sketch_study_{_mark(app.config['SECRET_KEY'])}",
        # A page may stay open beside the table for a whole day.
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,
    )
    app.config["TRUSTED_HOSTS"] = list(settings.trusted_hosts) or None
    if settings.proxies:
        count = settings.proxies
        proxied = ProxyFix(app.wsgi_app, x_for=count, x_proto=count, x_host=count)
        # Flask documents this way; its types declare a method.
        app.wsgi_app = proxied  # type: ignore[method-assign]
    app.session_interface = SessionInterface()
    app.extensions["login_throttle"] = LoginThrottle()
    # Before the CSRF check, since that reads the whole body.
    app.before_request(_require_researcher)
    app.before_request(_refuse_too_large)
    app.before_request(_limit_sizes)
    app.extensions["most_bytes"] = most_bytes(app)
    csrf.init_app(app)
    app.add_template_global(csrf_field)
    app.after_request(_set_headers)


def csrf_field() -> Markup:
    """The hidden CSRF field of every form."""
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(generate_csrf())


def _mark(secret_key: bytes) -> str:
    return hashlib.sha256(b"name of the cookie" + secret_key).hexdigest()[:8]


def login_throttle() -> LoginThrottle:
    """The failed sign-ins on this server."""
    return current_app.extensions["login_throttle"]


def start_session(transaction: Session, researcher: Researcher) -> None:
    """Sign a researcher in on this browser; an earlier sign-in ends."""
    end_session(transaction)
    session["sign_in"] = sign_ins.begin(transaction, researcher)
    session["cookie_key"] = researcher.cookie_key
    session[CONFIRMED] = time.time()
    acting.begin(acting.researcher(researcher.id))


def end_session(transaction: Session) -> None:
    """Sign this browser out, and every copy of its cookie."""
    if "sign_in" in session:
        sign_ins.end(transaction, session["sign_in"])
    session.clear()


def signed_in() -> SignedIn | None:
    """The sign-in of this browser, with the role in the study that the address names; or None."""
    study_id = (request.view_args or {}).get("study_id")
    by_study: dict[int | None, SignedIn | None] = g.setdefault("signed_in", {})
    if study_id not in by_study:
        token, cookie_key = session.get("sign_in"), session.get("cookie_key", "")
        by_study[study_id] = None
        if token:
            by_study[study_id] = sign_ins.signed_in(db.engine, token, cookie_key, study_id)
    return by_study[study_id]


def current_researcher() -> Researcher | None:
    """The signed-in researcher, or None."""
    if "researcher" not in g:
        known = signed_in()
        g.researcher = known and db.session.get(Researcher, known.researcher_id)
    return g.researcher


def signed_in_researcher() -> Researcher:
    """The signed-in researcher, on a page that requires sign-in."""
    return current_researcher() or abort(401)


def recording_researcher_id() -> int:
    """The researcher who records: signed in, or the one who connected this phone."""
    known = signed_in()
    if known is not None:
        return known.researcher_id
    link = phone.link() or abort(401)
    return link.researcher_id


def wants_json() -> bool:
    """Whether a script of a page sent the request, not the address bar."""
    best = request.accept_mimetypes.best_match(["text/html", "application/json"])
    return request.is_json or best == "application/json"


def is_of_participants() -> bool:
    """Whether the address is one of participants, even if there is no such page."""
    return request.path.startswith("/take-part/")


def is_open(asked: Request) -> bool:
    """Whether a request needs no sign-in."""
    return bool(asked.blueprints) and asked.blueprints[-1] in OPEN_BLUEPRINTS


def _require_researcher() -> ResponseReturnValue | None:
    if request.endpoint is None or request.endpoint == "static":
        return None
    if is_open(request) or signed_in() or phone.may_ask(request):
        return None
    if wants_json() or request.method != "GET":
        _discard_body()
        abort(401)
    return redirect(url_for("sign_in.page", next=request.full_path.rstrip("?")))


def _discard_body() -> None:
    """Read and discard the body: a browser reads the answer only after sending its photo."""
    while request.stream.read(1 << 20):
        pass


def most_bytes(app: Flask) -> Callable[[dict[str, Any]], int]:
    """Gives the largest accepted body of a request; only signed-in users may send files.

    Checks only the signature of the cookie; Flask checks later whether it is still valid.
    """

    def of(environ: dict[str, Any]) -> int:
        cookie = app.session_interface.open_session(app, app.request_class(environ))
        known = cookie and ("sign_in" in cookie or phone.KEY in cookie)
        return app.config["SETTINGS"].upload_limit_bytes if known else VISITOR_BYTES

    return of


def _refuse_too_large() -> None:
    """Refuse a body that the server discarded because it was too long."""
    if request.environ.get("sketch_study.too_large"):
        abort(413)


def _limit_sizes() -> None:
    """Refuse a form of countless fields before it is parsed, which would take half a minute."""
    # Asked at each request, before its page has a connection to the database.
    known = bool(signed_in() or phone.may_ask(request))
    if request.method in SAFE_METHODS:
        return
    if not known:
        request.max_content_length = VISITOR_BYTES
    elif request.mimetype != "multipart/form-data":
        request.max_content_length = FORM_BYTES
    if request.mimetype == "application/x-www-form-urlencoded":
        fields = request.get_data(parse_form_data=False).count(b"&")
        if fields >= (MOST_FIELDS if known else VISITOR_FIELDS):
            abort(413)


def _set_headers(response: Response) -> Response:
    response.headers.update(HEADERS)
    settings = current_app.config["SETTINGS"]
    if request.is_secure and (settings.https or settings.proxies):
        response.headers["Strict-Transport-Security"] = f"max-age={HSTS_SECONDS}"
    # `send_file` sets "no-cache"; only responses with another value may be cached.
    is_default = response.headers.get("Cache-Control", "no-cache") == "no-cache"
    if request.endpoint != "static" and is_default:
        response.headers["Cache-Control"] = "no-store"
    return response
