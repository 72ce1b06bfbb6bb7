"""The pages about assessors and participants: stored data, exclusions, retention."""

from flask import Blueprint

blueprint = Blueprint("people", __name__, url_prefix="/studies/<int:study_id>/people")

from study_app.web.studies.people import exclusions, one, retention  # noqa: E402, F401
