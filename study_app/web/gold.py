"""The pages of the station "gold"."""

from flask import Blueprint, render_template

blueprint = Blueprint("gold", __name__, url_prefix="/studies/<int:study_id>/gold")


@blueprint.get("/")
def page(study_id):
    """The station's first page."""
    return render_template("gold/page.html")
