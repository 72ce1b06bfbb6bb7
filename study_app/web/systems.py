"""The pages of the station "systems"."""

from flask import Blueprint, render_template

blueprint = Blueprint("systems", __name__, url_prefix="/studies/<int:study_id>/systems")


@blueprint.get("/")
def page(study_id):
    """The station's first page."""
    return render_template("systems/page.html")
