"""The list of studies, a study's home, and inviting a colleague."""

from flask import Blueprint, g, redirect, render_template, request, url_for

from study_app import researchers, studies
from study_app.db import db, writing
from study_app.web.security import current_researcher

blueprint = Blueprint("studies", __name__)


def init_app(app):
    """Give every page of a study its road."""
    app.context_processor(_road)


def study():
    """The study that the address names."""
    if "study" not in g or g.study.id != request.view_args["study_id"]:
        g.study = studies.get(db.session, request.view_args["study_id"])
    return g.study


def _road():
    shown = {"researcher": current_researcher()}
    if (request.view_args or {}).get("study_id") and shown["researcher"]:
        shown["study"] = study()
        shown["road"] = studies.road(db.session, shown["study"])
    return shown


@blueprint.get("/")
def page():
    """All studies."""
    return render_template("studies/page.html", studies=studies.all_studies(db.session))


@blueprint.post("/studies")
def make():
    """Make a study and go to its first station."""
    with writing() as session:
        made = studies.make(session, request.form.get("name", ""), request.form.get("lab", ""))
        study_id = made.id
    return redirect(url_for("stimuli.page", study_id=study_id))


@blueprint.get("/studies/<int:study_id>")
def home(study_id):
    """The road of one study, and the next thing to do."""
    return render_template("studies/home.html")


@blueprint.post("/researchers/link")
def invite():
    """Make a one-time link for a colleague."""
    with writing() as session:
        token = researchers.make_link(session)
    address = url_for("sign_in.welcome", token=token, _external=True)
    return render_template("studies/invited.html", address=address)
