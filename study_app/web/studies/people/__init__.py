"""The pages about everyone who judges: what is stored of each, excluded, and kept until when."""

from flask import Blueprint

blueprint = Blueprint("people", __name__, url_prefix="/studies/<int:study_id>/people")

from study_app.web.studies.people import exclusions, one, retention  # noqa: E402, F401
