"""The pages of the station "rankings"."""

from flask import Blueprint, render_template

blueprint = Blueprint("rankings", __name__, url_prefix="/studies/<int:study_id>/ranking")


@blueprint.get("/")
def page(study_id):
    """The station's first page."""
    return render_template("rankings/page.html")
