"""A participant's own data, for download."""

from flask import current_app, redirect, send_file, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db
from study_app.models import Participant
from study_app.participation.sittings.sitting import state_of
from study_app.studies.people import personal_data
from study_app.web.participation.blueprint import blueprint, sitting_of


@blueprint.get("/data")
def own_data(token: str) -> ResponseReturnValue:
    """A ZIP, only after the last trial, because it reveals the attention checks."""
    sitting = sitting_of(token)
    if state_of(sitting) in ("checking", "begun", "resting"):
        return redirect(url_for("participation.welcome", token=token))
    person = db.session.get_one(Participant, sitting.participant_id)
    packed = personal_data.own_data(db.session(), current_app.config["SETTINGS"], person)
    answer = send_file(packed, as_attachment=True, download_name=f"{person.code}_data.zip")
    answer.headers["Cache-Control"] = "no-store"
    return answer
