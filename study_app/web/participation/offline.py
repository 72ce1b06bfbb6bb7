"""Service worker and manifest: a participant's page opens offline and can be installed."""

from pathlib import Path

from flask import current_app, jsonify, send_from_directory, url_for
from flask.typing import ResponseReturnValue

from study_app.web.participation.blueprint import blueprint, sitting_of


@blueprint.get("/worker.js")
def worker(token: str) -> ResponseReturnValue:
    """The service worker; its path limits it to this participant's pages."""
    sitting_of(token)
    folder = Path(current_app.static_folder or "") / "participation"
    return send_from_directory(folder, "worker.js", mimetype="text/javascript", max_age=0)


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
