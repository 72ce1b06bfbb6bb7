"""The pages of the station "cards"."""

from flask import Blueprint, render_template

blueprint = Blueprint("cards", __name__, url_prefix="/studies/<int:study_id>/cards")


@blueprint.get("/")
def page(study_id):
    """The station's first page."""
    return render_template("cards/page.html")
