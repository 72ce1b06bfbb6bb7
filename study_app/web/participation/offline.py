"""A participant's page and link open offline; the page can be installed.

The page that a link opens offline has no form: it only leads to the task that was started on this
device, as the welcome page does.
"""

from pathlib import Path

from flask import current_app, jsonify, send_from_directory, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db
from study_app.participation.links import invitations
from study_app.web.participation.blueprint import blueprint, page, sitting_of


@blueprint.get("/worker.js")
def worker(token: str) -> ResponseReturnValue:
    """The service worker; its path limits it to the pages of this participant, or this link."""
    if not invitations.is_link(db.session(), token):
        sitting_of(token)
    folder = Path(current_app.static_folder or "") / "participation"
    return send_from_directory(folder, "worker.js", mimetype="text/javascript", max_age=0)


@blueprint.get("/offline")
def without_connection(token: str) -> ResponseReturnValue:
    """The page that a link opens offline."""
    invitations.invitation_of(db.session(), token)
    return page("participation/offline", token=token)


@blueprint.get("/app.webmanifest")
def manifest(token: str) -> ResponseReturnValue:
    """The manifest: name and start URL of the installed page."""
    task = sitting_of(token).task
    icon = {"src": url_for("static", filename="icon.svg"), "sizes": "any", "type": "image/svg+xml"}
    start = url_for("participation.welcome", token=token)
    answer = jsonify(
        name=task.name,
        short_name=task.name[:12],
        start_url=start,
        scope=start,
        display="standalone",
        background_color="#f6f5f2",
        theme_color="#ffffff",
        icons=[icon],
    )
    answer.mimetype = "application/manifest+json"
    return answer
