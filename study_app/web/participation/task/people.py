"""Withdrawal of participants, and platform IDs."""

from collections import Counter

from flask import Response, current_app, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db
from study_app.core.text.languages import rgettext
from study_app.core.text.spreadsheets import plain_text
from study_app.participation.people import payments, withdrawal
from study_app.studies.people.retention import KINDS
from study_app.studies.people.withdrawal import erasing
from study_app.web.participation.task.blueprint import (
    blueprint,
    get_task,
    page,
    shown_task,
    to_task,
)
from study_app.web.security.access import needs
from study_app.web.shared.paging import paging

PAYMENTS_A_PAGE = 50


@blueprint.post("/people/<int:sitting_id>/withdraw")
def withdraw(study_id: int, task_id: int, sitting_id: int) -> ResponseReturnValue:
    """Withdraw a participant: delete their data."""
    task = shown_task(task_id)
    code = withdrawal.get_sitting(db.session(), task, sitting_id).participant.code
    with erasing(current_app.config["SETTINGS"], study_id, code) as erasure:
        task = get_task(erasure.session, study_id, task_id)
        sitting = withdrawal.get_sitting(erasure.session, task, sitting_id)
        withdrawal.withdraw(erasure.session, sitting, "researcher")
    flash(
        rgettext("The data of %(code)s were deleted; results are computed without them.", code=code)
    )
    return to_task(task)


@blueprint.get("/platform")
@needs("edit")
def platform(study_id: int, task_id: int) -> ResponseReturnValue:
    """Platform IDs and payment decisions."""
    task = shown_task(task_id)
    every = payments.payments_of(db.session(), task)
    find, decision = (request.args.get(name, "").strip() for name in ("find", "decision"))
    chosen = [
        paid
        for paid in every
        if decision in ("", paid.decision) and (find in paid.person or find in paid.code)
    ]
    shown = paging(len(chosen), PAYMENTS_A_PAGE, request.args.get("page", type=int))
    return page(
        "platform",
        task,
        payments=chosen[shown.offset : shown.until],
        paging=shown,
        total=len(every),
        counts=Counter(paid.decision for paid in every),
        find=find,
        decision=decision,
    )


@blueprint.get("/platform.csv")
@needs("edit")
def payments_file(study_id: int, task_id: int) -> ResponseReturnValue:
    """The same as CSV, with decisions and reasons."""
    task = shown_task(task_id)
    rows = payments.rows_of(payments.payments_of(db.session(), task))
    answer = Response(plain_text(payments.COLUMNS, rows), mimetype="text/csv")
    answer.headers.set("Content-Disposition", "attachment", filename="platform-ids.csv")
    return answer


@blueprint.post("/platform/forget")
def forget_identities(study_id: int, task_id: int) -> ResponseReturnValue:
    """Delete the platform IDs, once participants are paid."""
    about = KINDS["platform_ids"]
    with erasing(current_app.config["SETTINGS"], study_id, about) as erasure:
        task = get_task(erasure.session, study_id, task_id)
        count = payments.forget_identities(erasure.session, task)
    flash(rgettext("Platform IDs deleted: %(count)s.", count=count))
    return redirect(url_for(".platform", study_id=study_id, task_id=task_id))
