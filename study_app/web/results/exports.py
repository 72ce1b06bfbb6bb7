"""Exporting a study: start, progress, download."""

from flask import Blueprint, current_app, g, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from study_app.core.background import jobs
from study_app.core.database import db
from study_app.results.exports import archive, newer
from study_app.results.gold.downloads import plain
from study_app.web.security.access import needs, study
from study_app.web.shared.forms import sent_form
from study_app.web.shared.stored_files import download as download_file

blueprint = Blueprint("exports", __name__, url_prefix="/studies/<int:study_id>/export")


@blueprint.get("/")
def page(study_id: int) -> ResponseReturnValue:
    """The progress of the newest export, and its download."""
    job = jobs.newest(study().id, "export")
    there = archive.is_there(current_app.config["SETTINGS"], study_id)
    change = newer.change_since(db.session(), study_id, job.started_at) if job and there else None
    named = there and archive.is_named(db.session(), study_id)
    return render_template("gold/export.html", job=job, there=there, change=change, named=named)


@blueprint.post("/")
@needs("results")
def start(study_id: int) -> ResponseReturnValue:
    """Start an export, unless one is running."""
    newest = jobs.newest(study().id, "export")
    if newest is None or newest.state != "running":
        address = url_for(".download", study_id=study_id)
        named = sent_form().get("named") == "yes"
        jobs.start_once(study_id, "export", address=address, named=named)
    return redirect(url_for(".page", study_id=study_id))


@blueprint.get("/zip")
def download(study_id: int) -> ResponseReturnValue:
    """Download the newest export."""
    saved_as = f"{plain(study().name)}_export.zip"
    name = archive.find(current_app.config["SETTINGS"], study_id)
    g.researchers_named = archive.is_named(db.session(), study_id)
    return download_file(name, "application/zip", saved_as)
