"""The pages of the station "sittings"."""

from flask import Blueprint, render_template

blueprint = Blueprint("sittings", __name__, url_prefix="/studies/<int:study_id>/sittings")


@blueprint.get("/")
def page(study_id):
    """The station's first page."""
    return render_template("sittings/page.html")
