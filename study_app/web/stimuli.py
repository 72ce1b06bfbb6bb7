"""The pages of the station "stimuli"."""

from flask import Blueprint, current_app, render_template, send_file

from study_app import pictures, stimuli
from study_app.db import db

blueprint = Blueprint("stimuli", __name__, url_prefix="/studies/<int:study_id>/sketches")

YEAR_SECONDS = 365 * 24 * 3600


@blueprint.get("/")
def page(study_id):
    """The sets of the study."""
    return render_template("stimuli/page.html", sets=stimuli.sets_of(db.session, study_id))


@blueprint.get("/thumbnails/<int:stimulus_id>")
def thumbnail(study_id, stimulus_id):
    """A stimulus in small; its address carries `?v=` with the picture's own name."""
    return _picture(study_id, stimulus_id, pictures.thumbnail_path, "image/webp")


@blueprint.get("/pictures/<int:stimulus_id>")
def picture(study_id, stimulus_id):
    """A stimulus as people judge it."""
    return _picture(study_id, stimulus_id, pictures.picture_path, "image/png")


def _picture(study_id, stimulus_id, place, media_type):
    shown = stimuli.get(db.session, study_id, stimulus_id)
    answer = send_file(
        place(current_app.config["SETTINGS"], shown.sha256), mimetype=media_type, conditional=True
    )
    answer.headers["Cache-Control"] = f"private, max-age={YEAR_SECONDS}, immutable"
    return answer
