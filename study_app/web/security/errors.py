"""One page and one JSON format for all errors."""

import logging
import time
from typing import Any

from flask import Flask, current_app, g, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import DataError
from werkzeug.exceptions import HTTPException, SecurityError

from basics.errors import Refusal
from study_app.core import system_errors
from study_app.core.database import db
from study_app.core.errors import NotFound, StudyError
from study_app.core.storage.stores import FileDamaged, FileMissing, StoreUnavailable
from study_app.core.text.languages import gettext, rgettext, translatable
from study_app.core.text.wordings import worded
from study_app.web.security.security import is_of_participants, wants_json

log = logging.getLogger(__name__)

SENTENCES = {
    401: translatable("Your session has expired. Sign in again, then repeat this."),
    404: translatable("Page not found. The address may be mistyped, or the item was deleted."),
    405: translatable("This address does not accept that kind of request."),
    413: translatable("Too large for one upload. Send it in parts."),
    500: translatable(
        "Something went wrong in the program; nothing was half-saved. See the server's log."
    ),
    503: translatable(
        "The database is not responding; nothing was half-saved. See the server's log."
    ),
    507: translatable(
        "The server's disk is full; nothing was half-saved. Free some space and try again."
    ),
}
RETRY_SECONDS = "10"
# When an outage was last logged with its trace, in `app.extensions`; seconds until the next one.
TRACED, TRACE_SECONDS = "outage_traced", 60
NOT_UNDERSTOOD = translatable(
    "This request could not be read. Go back, reload the page and try again."
)


def init_app(app: Flask) -> None:
    """Register the error handlers."""
    for refusal in (StudyError, Refusal):
        app.register_error_handler(refusal, _refused)
    # Messages of SQLite and PostgreSQL for numbers or texts that do not fit a column.
    app.register_error_handler(OverflowError, _out_of_range)
    app.register_error_handler(DataError, _out_of_range)
    app.register_error_handler(UnicodeEncodeError, _out_of_range)
    for of_files in (FileMissing, FileDamaged):
        app.register_error_handler(of_files, file_lost)
    app.register_error_handler(StoreUnavailable, store_unavailable)
    app.register_error_handler(CSRFError, stale_form)
    app.register_error_handler(SecurityError, _other_host)
    app.register_error_handler(HTTPException, http_error)
    app.register_error_handler(Exception, _fault)


def _refused(refusal: Exception) -> ResponseReturnValue:
    sentence = worded(str(refusal))
    if isinstance(refusal, NotFound):
        kind, name = rgettext(refusal.kind), repr(refusal.name)
        sentence = gettext("There is no %(kind)s %(name)s.", kind=kind, name=name)
        if refusal.known:
            sentence += " " + rgettext("Choose one of: %(names)s", names=refusal.known)
    return _answer(sentence, getattr(refusal, "status", 400))


def _out_of_range(_error: Exception) -> ResponseReturnValue:
    return _answer(
        gettext("A value in this form is out of range. Check the numbers and texts."), 400
    )


def stale_form(_error: Exception) -> ResponseReturnValue:
    """A script can fetch a fresh token and retry."""
    sentence = gettext("This form has expired. Reload the page and send it again.")
    if not wants_json():
        return _answer(sentence, 400)
    return jsonify(error=sentence, stale=True), 400


def file_lost(refusal: FileMissing | FileDamaged) -> ResponseReturnValue:
    """A stored file is missing or damaged; it is also logged, since the disk may be failing."""
    log.error("%s", refusal)
    return _refused(refusal)


def store_unavailable(fault: StoreUnavailable) -> ResponseReturnValue:
    """The object store does not answer; its address is only logged."""
    log.error("%s", fault)
    return _answer(gettext(fault.ON_PAGES), 503)


def _other_host(_error: SecurityError) -> ResponseReturnValue:
    """Plain text, because a page's links need a host name."""
    return (
        "This server does not answer under this host name.\n",
        400,
        {"Content-Type": "text/plain"},
    )


def http_error(error: HTTPException) -> ResponseReturnValue:
    """A refusal by Flask or Werkzeug, in our words."""
    if error.code is not None and error.code < 400:
        return error
    if error.code == 404 and (address := _without_slash()):
        return redirect(address, 308)
    status = error.code or 500
    return _answer(gettext(SENTENCES.get(status, NOT_UNDERSTOOD)), status)


def _without_slash() -> str | None:
    """The URL without a trailing slash, if that is a page: people type one."""
    path = request.path.rstrip("/")
    if request.method != "GET" or path == request.path or not path:
        return None
    try:
        current_app.url_map.bind("").match(path, "GET")
    except HTTPException:
        return None
    return f"/{path.lstrip('/')}"


def _fault(error: Exception) -> ResponseReturnValue:
    # The error may come from the steps or the sign-in, so the error page shows neither.
    g.fault = True
    is_away = system_errors.is_of_database(error) or system_errors.is_busy(error)
    status = 503 if is_away else 500
    status = 507 if system_errors.is_full(error) else status
    _log(error, status)
    return _answer(gettext(SENTENCES[status]), status)


def _log(error: Exception, status: int) -> None:
    """Log where an error came from; in an outage, once in a while.

    Then every request fails alike, and their traces would fill a disk that may be full already.
    """
    traced = current_app.extensions.get(TRACED, float("-inf"))
    # The rule, not the path, because a participant's path contains a token.
    if status != 500 and time.monotonic() - traced < TRACE_SECONDS:
        first_line = str(error).partition("\n")[0]
        log.error("unexpected fault at %s: %s", request.url_rule, first_line)
        return
    if status != 500:
        current_app.extensions[TRACED] = time.monotonic()
    log.exception("unexpected fault at %s", request.url_rule, exc_info=error)


def _answer(sentence: str, status: int) -> ResponseReturnValue:
    db.session.rollback()
    headers = {"Retry-After": RETRY_SECONDS} if status == 503 else {}
    if wants_json():
        return jsonify(error=sentence), status, headers
    values: dict[str, Any] = {"sentence": sentence, "status": status}
    if is_of_participants():
        # The start of the link or of the own address leads to the participant's next page.
        token = request.path.split("/")[2]
        values |= {"researcher": None, "start": url_for("participation.welcome", token=token)}
    return render_template("errors/refused.html", **values), status, headers
