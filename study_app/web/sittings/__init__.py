"""The pages of the step "Sittings": planning, one sitting, and recording its table."""

from flask import Blueprint

blueprint = Blueprint("sittings", __name__, url_prefix="/studies/<int:study_id>/sittings")

from study_app.web.sittings import (  # noqa: E402, F401
    consent,
    importing,
    one,
    phones,
    photos,
    planning,
    quality,
    recording,
    sweeps,
    withdrawal,
)
