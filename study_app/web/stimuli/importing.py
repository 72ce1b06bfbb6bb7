"""Uploading pictures, importing them as a job, and its report."""

import json
from collections.abc import Mapping
from typing import Any

from flask import (
    current_app,
    jsonify,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from study_app.core.background import jobs
from study_app.core.database import db, writing
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.participation.tasks import refuse_taken
from study_app.ranking.tasks import folder_import, tasks
from study_app.stimuli import near_duplicates as near
from study_app.stimuli import stimuli
from study_app.stimuli.importing import uploads
from study_app.stimuli.importing.report import note_counts
from study_app.web.security.access import needs, study
from study_app.web.shared.forms import (
    NumberField,
    as_typed,
    whole_number,
    whole_number_or_none,
)
from study_app.web.stimuli import blueprint

SAMPLE = NumberField(rtranslatable("Pictures of each set"), 1, 100_000)
SEED = NumberField(rtranslatable("Random seed"), 0, 2**31 - 1)


@blueprint.post("/uploads")
def begin_upload(study_id: int) -> ResponseReturnValue:
    """Start an upload of files, which arrive in pieces."""
    token = uploads.begin(current_app.config["SETTINGS"], study().id)
    return jsonify(
        pieces=url_for(".add_pieces", study_id=study_id, token=token),
        finish=url_for(".start_import", study_id=study_id, token=token),
    )


@blueprint.post("/uploads/<token>/pieces")
def add_pieces(study_id: int, token: str) -> ResponseReturnValue:
    """Store some pieces of files."""
    room = uploads.find(current_app.config["SETTINGS"], study_id, token)
    pieces = request.files.getlist("pieces")
    try:
        about = json.loads(as_typed("about"))
    except ValueError:
        about = None
    if not isinstance(about, list) or len(about) != len(pieces):
        raise uploads.PieceRefused(
            rgettext(
                "The parts of the upload do not match their description. Upload the files again."
            )
        )
    for described, piece in zip(about, pieces, strict=True):
        uploads.add_piece(room, described, piece.stream)
    return jsonify(taken=len(pieces))


@blueprint.post("/uploads/<token>/import")
def start_import(study_id: int, token: str) -> ResponseReturnValue:
    """Start the import of the uploaded files as a job."""
    settings = current_app.config["SETTINGS"]
    room = uploads.find(settings, study_id, token)
    asked = request.get_json()
    if not isinstance(asked, dict):
        raise uploads.PieceRefused(
            rgettext("The request is incomplete. Reload the page and try again.")
        )
    if asked.get("task") is not None:
        return _start_task_import(study_id, token, asked["task"])
    duplicates = "refuse" if asked.get("duplicates") == "refuse" else "skip"
    set_name = str(asked.get("set_name") or "").strip() or None
    sample = _sample(asked)
    asked_for = {"token": token, "set_name": set_name, "duplicates": duplicates}
    with writing() as session:
        uploads.refuse_begun(session, study_id, room)
        job_id = jobs.add(session, study_id, "import", {**asked_for, **sample})
    jobs.begin(job_id)
    return jsonify(page=url_for(".report", study_id=study_id, job_id=job_id))


def _sample(asked: Mapping[str, Any]) -> dict[str, int | None]:
    """The number of pictures to sample for each set; None to import all."""
    size = whole_number_or_none(str(asked.get("sample") or ""), SAMPLE)
    if size is None:
        return {}
    return {"limit": size, "seed": whole_number(str(asked.get("seed", "")), SEED)}


def _start_task_import(study_id: int, token: str, asked: Any) -> ResponseReturnValue:
    """Import a folder of folders as a ranking task."""
    if not isinstance(asked, dict):
        raise uploads.PieceRefused(
            rgettext("The request is incomplete. Reload the page and try again.")
        )
    name, end = (str(asked.get(part) or "") for part in ("name", "most_similar_end"))
    tasks.accepted(folder_import.choice_of(name, end))
    room = uploads.find(current_app.config["SETTINGS"], study_id, token)
    with writing() as session:
        refuse_taken(session, study_id, name)
        uploads.refuse_begun(session, study_id, room)
        asked_for = {"token": token, "name": name, "most_similar_end": end}
        job_id = jobs.add(session, study_id, "import_task", asked_for)
    jobs.begin(job_id)
    return jsonify(page=url_for(".report", study_id=study_id, job_id=job_id))


@blueprint.get("/imports/<int:job_id>")
@needs("see")
def report(study_id: int, job_id: int) -> ResponseReturnValue:
    """The progress of an import, then its report."""
    job = jobs.find(study().id, job_id, "import", "import_task")
    numbers = {s.name: s.id for s, _ in stimuli.sets_of(db.session(), study_id)}
    return render_template(
        "stimuli/report.html",
        job=job,
        numbers=numbers,
        counts=note_counts(job.result),
        pairs=_pairs_of((job.result or {}).get("sets", {}), numbers),
    )


def _pairs_of(counts: Mapping[str, int], numbers: Mapping[str, int]) -> dict[str, int]:
    """The number of near-duplicates in each imported set; skipped for huge imports."""
    if sum(counts.values()) > near.MOST_COMPARED:
        return {}
    settings = current_app.config["SETTINGS"]
    found = {
        name: len(near.near_duplicates(db.session(), settings, numbers[name]))
        for name in counts
        if name in numbers
    }
    return {name: count for name, count in found.items() if count}
