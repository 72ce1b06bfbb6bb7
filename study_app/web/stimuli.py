"""The pages of the station "stimuli"."""

from flask import Blueprint, render_template

blueprint = Blueprint("stimuli", __name__, url_prefix="/studies/<int:study_id>/sketches")


@blueprint.get("/")
def page(study_id):
    """The station's first page."""
    return render_template("stimuli/page.html")
