"""The page on which a participant scores images, and its requests."""

from flask import Blueprint, Response, jsonify, redirect, request, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db, restores, writing
from study_app.core.errors import NotFound
from study_app.core.storage import pictures
from study_app.core.text.languages import translatable
from study_app.participation.sittings.sitting import state_of
from study_app.ranking import plan
from study_app.ranking.scores import recording
from study_app.web.participation.blueprint import page, sitting_of
from study_app.web.ranking.entries import entries_of
from study_app.web.shared.stored_files import shown

blueprint = Blueprint("ranking", __name__)

PICTURE_SECONDS = 30 * 24 * 3600


@blueprint.get("/rank")
def rank(token: str) -> ResponseReturnValue:
    """The scoring page."""
    sitting = sitting_of(token)
    if state_of(sitting) != "begun":
        return redirect(url_for("participation.thanks", token=token))
    return page(
        "ranking/rank",
        task=sitting.task,
        purpose=sitting.purpose,
        base=url_for("participation.welcome", token=token),
        withdrawal=url_for("participation.confirm_withdrawal", token=token),
        worker=url_for("participation.worker", token=token),
        manifest=url_for("participation.manifest", token=token),
    )


@blueprint.get("/plan")
def assigned_queries(token: str) -> ResponseReturnValue:
    """The assigned queries and saved scores."""
    return jsonify(plan.plan_of(db.session(), sitting_of(token)))


@blueprint.post("/entries")
def record(token: str) -> ResponseReturnValue:
    """Store entries; the response confirms those saved."""
    entries = entries_of(request.get_json())
    with writing() as session:
        receipt = recording.record(session, token, entries)
        restored = restores.mark(session)
    body = {"saved": receipt.saved, "refused": receipt.refused, "state": receipt.state}
    return jsonify(**body, restored=restored)


@blueprint.get("/pictures/<int:stimulus_id>")
def picture(token: str, stimulus_id: int) -> ResponseReturnValue:
    """A picture in the participant's own queries, small or large."""
    sha256 = plan.picture_of(db.engine, token, stimulus_id)
    if sha256 is None:
        sitting_of(token)
        raise NotFound(translatable("picture"), str(stimulus_id))
    answer = ranked_picture(sha256)
    answer.headers["Cache-Control"] = f"private, max-age={PICTURE_SECONDS}, immutable"
    return answer


def ranked_picture(sha256: str) -> Response:
    """A picture of a query, small or large as the request asks."""
    if "large" in request.args:
        return shown(pictures.picture_name(sha256), "image/png")
    return shown(pictures.thumbnail_name(sha256), "image/webp")
