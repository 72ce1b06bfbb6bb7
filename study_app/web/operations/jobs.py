"""The progress of jobs, as JSON."""

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from study_app.core.background import jobs
from study_app.core.text.wordings import worded
from study_app.web.security.access import needs

blueprint = Blueprint("jobs", __name__, url_prefix="/studies/<int:study_id>/jobs")


@blueprint.get("/<int:job_id>")
@needs("see")
def progress(study_id: int, job_id: int) -> ResponseReturnValue:
    """The progress of a job."""
    job = jobs.find(study_id, job_id)
    message = worded(job.message)
    return jsonify(
        state=job.state, done=job.done, total=job.total, message=message, result=job.result
    )
