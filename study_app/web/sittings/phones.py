"""Recording on a phone, which opens a link from a QR code on the laptop."""

import ipaddress

from flask import Blueprint, current_app, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db, writing
from study_app.core.errors import StudyError
from study_app.core.text.languages import gettext
from study_app.models import Sitting
from study_app.sittings import phone_links, sittings
from study_app.web.security import phone
from study_app.web.security.access import needs
from study_app.web.security.security import signed_in_researcher
from study_app.web.shared import languages
from study_app.web.shared.qr_code import qr_code
from study_app.web.sittings import blueprint

# For a phone without a sign-in.
phones = Blueprint("phones", __name__)


@blueprint.before_request
@phones.before_request
def choose_language() -> None:
    """The recording page, on a laptop or a phone, has the language of the browser."""
    if request.blueprint == phones.name or request.endpoint in phone.ENDPOINTS:
        languages.choose_by(languages.of_browser)


class OnlyThisComputer(StudyError):
    """Phones cannot reach the server."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "This server can be reached from this computer only. Start it with "
                "--host 0.0.0.0, then open this page again at the address that it "
                "prints."
            )
        )


@blueprint.post("/<code>/phones")
@needs("record")
def show_link(study_id: int, code: str) -> ResponseReturnValue:
    """Create a one-time link, as text and as a QR code."""
    origin = origin_for_phones()
    with writing() as session:
        sitting = sittings.find(session, study_id, code, lock=True)
        token = phone_links.make(session, sitting, signed_in_researcher())
    address = origin + url_for("phones.page", token=token)
    minutes = phone_links.LINK_LIFE.seconds // 60
    return jsonify(address=address, picture=qr_code(address), minutes=minutes)


@blueprint.get("/<code>/phones")
@needs("record")
def connected_phones(study_id: int, code: str) -> ResponseReturnValue:
    """The number of phones that record this sitting."""
    shown = sittings.find(db.session(), study_id, code)
    return jsonify(connected=len(phone_links.connected(db.session(), shown)))


@blueprint.post("/<code>/phones/disconnect")
@needs("record")
def disconnect(study_id: int, code: str) -> ResponseReturnValue:
    """Disconnect all phones."""
    with writing() as session:
        phone_links.disconnect(session, sittings.find(session, study_id, code, lock=True))
    return jsonify(connected=0)


@phones.get("/phone/<token>")
def page(token: str) -> ResponseReturnValue:
    """The page of a link; opening it does not use up the link, since programs preview URLs.

    A phone that used the link, and comes back to it, goes on recording.
    """
    recorded = phone.opened_here(token)
    if recorded is not None:
        return redirect(_recording(recorded))
    link = phone_links.find(db.session(), token)
    return render_template("sittings/phone.html", sitting=link.sitting)


@phones.post("/phone/<token>")
def connect(token: str) -> ResponseReturnValue:
    """Use up the link, and go to the recording page."""
    recorded = phone.opened_here(token)
    if recorded is not None:
        return redirect(_recording(recorded))
    with writing() as session:
        address = _recording(phone.connect(session, token))
    return redirect(address)


def _recording(sitting: Sitting) -> str:
    """The address of a sitting's recording page."""
    return url_for("sittings.record", study_id=sitting.study_id, code=sitting.code)


def origin_for_phones() -> str:
    """The URL of this server for phones."""
    host = request.host.rpartition(":")[0] if request.host.rpartition(":")[2].isdecimal() else ""
    name = (host or request.host).strip("[]")
    if not _is_loopback(name):
        return request.host_url.rstrip("/")
    served: list[str] = current_app.config.get("SERVED_AT", [])
    elsewhere = [a for a in served if not _is_loopback(a.split("//")[1].rpartition(":")[0])]
    if not elsewhere:
        raise OnlyThisComputer()
    return elsewhere[-1]


def _is_loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
