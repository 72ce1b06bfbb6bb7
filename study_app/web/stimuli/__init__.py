"""The pages of the step "Pictures": sets, their pictures, and importing."""

from flask import Blueprint

blueprint = Blueprint("stimuli", __name__, url_prefix="/studies/<int:study_id>/sketches")

from study_app.web.stimuli import importing, sets  # noqa: E402, F401
